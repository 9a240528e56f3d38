"""Random expressions of arithmetic types, without undefined behaviour under -fwrapv."""

import random

TYPES = (
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
)
_LARGE = (127, 128, 255, 256, 32767, 65535, 2147483647, 2147483648, 4294967295, 1 << 40, (1 << 63) - 1)


class Expressions:
    """scalars: what may be read; targets: what may be written; calls: what may be called inside expressions."""

    random: random.Random
    bits: bool
    scalars: list[str]
    targets: list[str]
    calls: list[str]

    def assignment(self) -> str:
        target, operators = self.random.choice(self.targets), ["=", "=", "=", "+=", "-=", "*=", "/=", "%="]
        if self.bits:
            operators += ["|=", "^=", "&=", "<<=", ">>="]
        operator = self.random.choice(operators)
        if operator in ("/=", "%="):
            return f"{target} {operator} {self.divisor()}"
        if operator in ("<<=", ">>="):
            return f"{target} {operator} {self.expression(1)} & 31"
        return f"{target} {operator} {self.expression(3)}"

    def divisor(self) -> str:
        """Neither 0 nor -1."""
        if self.random.random() < 0.6:
            return str(self.random.choice((1, 2, 3, 7, 10, 16, -2, -5, "3u", "1000000007LL")))
        return f"((({self.expression(1)}) & 7) + {self.random.choice((1, 2, '1u', '3LL'))})"

    def condition(self) -> str:
        operator = self.random.choice(("==", "!=", "<", "<=", ">", ">="))
        return f"{self.expression(2)} {operator} {self.expression(1)}"

    def constant(self) -> str:
        small = self.random.randint(0, 20)
        choice = self.random.random()
        if choice < 0.6:
            return str(small)
        if choice < 0.7:
            return self.random.choice(("'a'", "'\\n'", "'\\377'", "-1", "0x80000000", "037", "-128", "1u", "-1LL"))
        return f"{self.random.choice(_LARGE)}{self.random.choice(('', 'U', 'L', 'UL', 'LL', 'ULL'))}"

    def expression(self, depth: int) -> str:
        choice = self.random.random()
        if depth == 0 or choice < 0.2:
            return self.random.choice(self.scalars) if self.random.random() < 0.7 else self.constant()
        one, two = self.expression(depth - 1), self.expression(depth - 1)
        if choice < 0.48:
            return f"({one} {self.random.choice(('+', '-', '*', '+', '-'))} {two})"
        if choice < 0.55:
            return f"({one} {self.random.choice(('/', '%'))} {self.divisor()})"
        if choice < 0.64:
            return self.bitwise(one, two)
        if choice < 0.72:
            return f"({self.random.choice(TYPES)})({one})"
        if choice < 0.8:
            return f"({one} {self.random.choice(('==', '!=', '<', '<=', '>', '>=', '&&', '||'))} {two})"
        if choice < 0.88:
            return f"{self.random.choice(('-', '!', '~', '+'))}({one})"
        if choice < 0.91:
            return self.effect(one, two)
        if choice < 0.93:
            return f"sizeof(+({one}))"
        if choice < 0.94:
            return f"({one} ?: {two})"
        return f"({one} ? {two} : {self.expression(depth - 1)})"

    def effect(self, one: str, two: str) -> str:
        """An operand with a side effect, on which no other operand depends: on a variable that is only written."""
        way = self.random.random()
        if way < 0.3 and self.calls:
            return self.random.choice(self.calls).format(one)
        if way < 0.6:
            return f"({one}, {two})"
        return f"({{ {self.random.choice(TYPES)} e = {one}; e {self.random.choice(('+=', '-=', '*='))} {two}; e; }})"

    def bitwise(self, one: str, two: str) -> str:
        if self.bits and self.random.random() < 0.6:
            return f"({one} {self.random.choice(('&', '|', '^'))} {two})"
        if self.bits and self.random.random() < 0.4:
            kind = self.random.choice(("long long", "unsigned", "int", "unsigned long long"))
            return f"(({kind})({one}) {self.random.choice(('<<', '>>'))} (({two}) & 31))"
        if self.random.random() < 0.5:
            kind = self.random.choice(("int", "unsigned", "long long", "short"))
            return f"(({kind})({one}) {self.random.choice(('<<', '>>'))} {self.random.randint(0, 12)})"
        mask = self.random.choice((1, 3, 7, 8, 15, 255, 6, 12, "0x80000000", "~7", "0xff00"))
        return f"((int)({one}) {self.random.choice(('&', '|', '^'))} {mask})"
