"""Random C programs without undefined behaviour: scalars of all integer types, arrays, structs, pointers, functions,
loops. Each ends by storing what it computed in out_0, out_1, ... and calling finish()."""

import random
from dataclasses import dataclass, field

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
NONDET = {
    "char": "char",
    "unsigned char": "uchar",
    "short": "short",
    "unsigned short": "ushort",
    "int": "int",
    "unsigned int": "uint",
    "long": "long",
    "unsigned long": "ulong",
    "_Bool": "bool",
}
HEADER = "extern void abort(void);\nvoid reach_error(){}\n" + "".join(
    f"extern {kind} __VERIFIER_nondet_{name}(void);\n" for kind, name in NONDET.items()
)


@dataclass
class Generator:
    """bits: general bit operations and variable shifts occur (then only bit-vectors can express the program)."""

    seed: int
    bits: bool = False
    floats: bool = False
    depth: int = 3
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.scalars: list[str] = []
        self.targets: list[str] = []
        self.fresh = 0
        self.functions: list[tuple[str, int]] = []

    def program(self) -> str:
        """The text up to (not including) finish(); the caller adds that function and the outputs' declarations."""
        types = [self.random.choice(TYPES) for _ in range(3)]
        head = [f"{kind} g{i} = {self.random.randint(0, 100)};" for i, kind in enumerate(types)]
        head.append(f"struct pair {{ {self.random.choice(TYPES)} a; {self.random.choice(TYPES)} b[2]; }};")
        if self.floats:
            head.append("double d0 = 0.5; float f0 = 1.25f;")
        for number in range(self.random.randint(0, 2)):
            head.extend(self.function(number))
        return HEADER + "\n".join(head) + "\n" + "\n".join(self.main()) + "\n"

    # --- functions ----------------------------------------------------------------------------------------------------

    def function(self, number: int) -> list[str]:
        arity = self.random.randint(1, 3)
        parameters = [f"{self.random.choice(TYPES)} p{i}" for i in range(arity)]
        self.scalars = [f"p{i}" for i in range(arity)] + ["g0", "g1"]
        self.targets = list(self.scalars)
        recursive, pointer = self.random.random() < 0.3, self.random.random() < 0.4
        self.lines = []
        if recursive:
            parameters.insert(0, "int n")
            self.lines.append(f"  if (n <= 0) return {self.expression(1)};")
            if self.random.random() < 0.3:
                self.lines.append("  int *self = &n; *self -= 1;")
        self.statements(2, 1)
        if pointer:
            parameters.insert(0, "int *to")
            self.scalars.append("*to")
            self.targets.append("*to")
            self.lines.append("  int local = *to; int *at = &local;")
            self.scalars.append("*at")
            self.targets += ["*at", "local"]
            self.statements(2, 1)
        kind = self.random.choice(TYPES)
        result = self.expression(2)
        name = f"f{number}"
        if recursive:
            arguments = ", ".join(
                [
                    *([self.random.choice(("to", "at"))] if pointer else []),
                    "n - 1",
                    *(self.expression(1) for _ in range(arity)),
                ]
            )
            self.lines.append(f"  {kind} r = {name}({arguments});")
            result = f"(r + {result})"
        text = [f"{kind} {name}({', '.join(parameters)}) {{", *self.lines, f"  return {result};", "}"]
        self.functions.append((f"{name}({', '.join([*['&cell'] * pointer, *['3'] * recursive, '{}'])})", arity))
        return text

    def main(self) -> list[str]:
        self.lines, self.scalars, self.targets = [], ["g0", "g1", "g2"], ["g0", "g1", "g2"]
        for i in range(self.random.randint(2, 5)):
            kind = self.random.choice(list(NONDET))
            self.lines.append(f"  {kind} v{i} = __VERIFIER_nondet_{NONDET[kind]}();")
            self.declared(f"v{i}")
        for i in range(2):
            self.lines.append(f"  {self.random.choice(TYPES)} w{i} = {self.expression(2)};")
            self.declared(f"w{i}")
        self.lines.append(f"  int cell = {self.expression(1)};")
        self.declared("cell")
        self.aggregates()
        if self.functions:
            call, arity = self.random.choice(self.functions)
            self.lines.append(f"  w0 = {call.format(', '.join(self.expression(1) for _ in range(arity)))};")
        self.statements(5, self.depth)
        if self.functions:
            call, arity = self.random.choice(self.functions)
            self.lines.append(f"  w1 = {call.format(', '.join(self.expression(1) for _ in range(arity)))};")
        outputs = [f"  out_{i} = {name};" for i, name in enumerate(self.scalars[:12])]
        self.outputs = len(outputs)
        return ["int main(void) {", *self.lines, *outputs, "  finish();", "  return 0;", "}"]

    def declared(self, name: str) -> None:
        self.scalars.append(name)
        self.targets.append(name)

    def aggregates(self) -> None:
        kind = self.random.choice(TYPES)
        size = self.random.choice((3, 4, 9, 70))
        self.lines.append(f"  {kind} arr[{size}] = {{{self.expression(1)}, {self.expression(1)}}};")
        self.lines.append(f"  struct pair s = {{{self.expression(1)}, {{{self.expression(1)}}}}}, t = s;")
        index = f"arr[({self.expression(1)}) & 1]" if self.bits else "arr[1]"
        for name in ("arr[0]", index, "s.a", "s.b[1]", "t.b[0]"):
            self.declared(name)
        if self.random.random() < 0.6:
            self.lines.append(f"  {kind} *q = &arr[{self.random.randint(0, size - 1)}];")
            self.declared("*q")
        if self.random.random() < 0.5:
            self.lines.append("  struct pair *r = &s;")
            self.declared("r->a")
            self.declared("r->b[1]")

    # --- statements ---------------------------------------------------------------------------------------------------

    def statements(self, count: int, depth: int) -> None:
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        choice = self.random.random()
        if depth == 0 or choice < 0.5:
            target = self.random.choice(self.targets)
            operator = self.random.choice(("=", "=", "=", "+=", "-=", "*=") + (("|=", "^=", "&=") if self.bits else ()))
            self.lines.append(f"  {target} {operator} {self.expression(3)};")
        elif choice < 0.6:
            self.lines.append(f"  {self.random.choice(self.targets)}{self.random.choice(('++', '--'))};")
        elif choice < 0.75:
            self.lines.append(f"  if ({self.condition()}) {{")
            self.statements(2, depth - 1)
            self.lines.append("  } else {")
            self.statements(1, depth - 1)
            self.lines.append("  }")
        elif choice < 0.9:
            counter = f"i{self.fresh}"
            self.fresh += 1
            bound = self.random.randint(1, 5)
            self.lines.append(f"  for (int {counter} = 0; {counter} < {bound}; {counter}++) {{")
            if self.random.random() < 0.4:
                self.lines.append(f"  if ({self.condition()}) {self.random.choice(('break', 'continue'))};")
            self.statements(2, depth - 1)
            self.lines.append("  }")
        else:
            self.lines.append(f"  switch ((int)({self.expression(1)}) % 4) {{")
            for case in range(self.random.randint(1, 3)):
                self.lines.append(f"  case {case}:")
                self.statements(1, depth - 1)
                if self.random.random() < 0.6:
                    self.lines.append("  break;")
            self.lines.append("  default:")
            self.statements(1, depth - 1)
            self.lines.append("  }")

    # --- expressions --------------------------------------------------------------------------------------------------

    def condition(self) -> str:
        operator = self.random.choice(("==", "!=", "<", "<=", ">", ">="))
        return f"{self.expression(2)} {operator} {self.expression(1)}"

    def constant(self) -> str:
        small = self.random.randint(0, 20)
        if self.random.random() < 0.7:
            return str(small)
        big = self.random.choice((127, 128, 255, 256, 32767, 65535, 2147483647, 2147483648, 4294967295, 1 << 40))
        return f"{big}{self.random.choice(('', 'U', 'LL', 'ULL'))}"

    def expression(self, depth: int) -> str:
        choice = self.random.random()
        if depth == 0 or choice < 0.2:
            return self.random.choice(self.scalars) if self.random.random() < 0.7 else self.constant()
        one, two = self.expression(depth - 1), self.expression(depth - 1)
        if choice < 0.5:
            return f"({one} {self.random.choice(('+', '-', '*', '+', '-'))} {two})"
        if choice < 0.58:
            small = self.random.choice((1, 2, 3, 7, 10))
            return f"({one} {self.random.choice(('/', '%'))} {small})"
        if choice < 0.66:
            return self.bitwise(one, two)
        if choice < 0.74:
            return f"({self.random.choice(TYPES)})({one})"
        if choice < 0.82:
            return f"({one} {self.random.choice(('==', '!=', '<', '<=', '>', '>=', '&&', '||'))} {two})"
        if choice < 0.9:
            return f"{self.random.choice(('-', '!', '~', '!'))}({one})"
        return f"({one} ? {two} : {self.expression(depth - 1)})"

    def bitwise(self, one: str, two: str) -> str:
        if self.bits and self.random.random() < 0.6:
            return f"({one} {self.random.choice(('&', '|', '^'))} {two})"
        if self.bits and self.random.random() < 0.4:
            return f"((long long)({one}) {self.random.choice(('<<', '>>'))} (({two}) & 31))"
        if self.random.random() < 0.5:
            return f"((int)({one}) {self.random.choice(('<<', '>>'))} {self.random.randint(0, 12)})"
        mask = self.random.choice((1, 3, 7, 8, 15, 255, 6, 12))
        return f"((int)({one}) {self.random.choice(('&', '|', '^'))} {mask})"
