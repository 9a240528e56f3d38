"""Invariants of mathematical integers as C expressions that mean the same, evaluated by the rules of C.

In C, `x < -1` is true of most unsigned x, and sums overflow. An invariant's conjunct is kept as it is where every value
in it fits an int; else its variables are converted to long long; where that is not enough it is left out. What is left
out only weakens an invariant.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from chcverify.display_limits import FORMULA_CHARACTERS
from chcverify.quick_dataclass import dataclass

Range = tuple[int, int]
_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)|(\d+)|(&&|\|\||[<>=!]=|[-+*/%<>!?:()]))")
_LEVEL = {"?": 0, "||": 1, "&&": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5}
_LEVEL |= {"*": 6, "/": 6, "%": 6, "neg": 7, "!": 7}
_INT: Range = (-(2**31), 2**31 - 1)
_LONG_LONG: Range = (-(2**63) + 1, 2**63 - 1)


class _LeftOut(Exception):
    """Not expressible, or its meaning is not certain."""


@dataclass(frozen=True)
class _Part:
    """A part of an invariant with an interval of its values."""

    wide: str
    """Its text with variables of type long long."""
    range: Range
    plain: bool
    """The given text can be evaluated in int, without overflow."""
    atom: bool = False
    """It is a name, a number, or in parentheses."""
    division: bool = False
    """It is a quotient or remainder that is not in parentheses."""
    sign: bool = False
    """It is a remainder whose dividend may be negative: C and mathematics agree on it only if it is compared with 0."""


def c_conjuncts(text: str, variables: Mapping[str, Range]) -> list[str]:
    """The conjuncts of an invariant's text that C can evaluate.

    variables: those in scope, with the ranges of their types.
    """
    found = []
    for piece in _conjuncts(text):
        try:
            part = _evaluate(piece, variables)
        except _LeftOut:
            continue
        if part.range != (1, 1) and not part.sign:  # else the types imply it, or its meaning depends on the sign
            found.append(_joined(piece) if part.plain else part.wide)
    return list(dict.fromkeys(found))


def _conjuncts(text: str) -> list[list[str]]:
    """The tokens of each conjunct; "@" for characters that are in no formula of integers."""
    tokens: list[str] = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            tokens.append("@")  # costs the conjunct that it stands in, and no other
            position += 1
            continue
        tokens.append(match[match.lastindex or 0])
        position = match.end()
    pieces: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0 and token in ("||", "?"):
            return [tokens]
        if depth == 0 and token == "&&":
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces


def _evaluate(tokens: list[str], variables: Mapping[str, Range]) -> _Part:
    """Evaluates a conjunct's tokens. Raises _LeftOut."""
    if sum(map(len, tokens)) > FORMULA_CHARACTERS:
        raise _LeftOut
    parser = _OperatorPrecedenceParser(variables)
    for token in tokens:
        parser.read(token)
    return parser.result()


def _is_operand(token: str) -> bool:
    return token[:1].isalnum() or token[:1] == "_"


class _OperatorPrecedenceParser:
    """Operator precedence with a stack of operands and one of operators (Dijkstra 1961). All methods raise _LeftOut."""

    def __init__(self, variables: Mapping[str, Range]) -> None:
        self._variables = variables
        self._operands: list[_Part] = []
        self._operators: list[str] = []
        self._last = ""  # the token before

    def read(self, token: str) -> None:
        """Reads the next token."""
        after_operand = self._last == ")" or _is_operand(self._last)
        if _is_operand(token) or token == "(":
            if after_operand:
                raise _LeftOut
            self._begin_operand(token)
        elif token == ")":
            self._close()
        elif token == ":":
            self._reduce(1)
            if not self._operators or self._operators[-1] != "?":
                raise _LeftOut
            self._operators[-1] = "?:"
        elif not after_operand and token in ("-", "!"):
            self._operators.append("neg" if token == "-" else token)
        elif token in _LEVEL and after_operand and token != "!":
            self._reduce(_LEVEL[token] + (token == "?"))
            self._operators.append(token)
        else:
            raise _LeftOut
        self._last = token

    def result(self) -> _Part:
        """The value of all tokens."""
        self._reduce(-1)
        if self._operators or len(self._operands) != 1:
            raise _LeftOut
        return self._operands[0]

    def _begin_operand(self, token: str) -> None:
        if token == "(":
            self._operators.append(token)
        else:
            self._operands.append(_leaf(token, self._variables))

    def _close(self) -> None:
        """Reads a closing parenthesis."""
        self._reduce(-1)
        if not self._operators or self._operators.pop() != "(" or not self._operands:
            raise _LeftOut
        inner = self._operands[-1]
        self._operands[-1] = replace(inner, wide=f"({inner.wide})", atom=True, division=False)

    def _reduce(self, level: int) -> None:
        """Applies the operators that bind at least as tightly as `level`, down to a parenthesis."""
        while self._operators and self._operators[-1] not in ("(", "?"):
            operator = self._operators[-1]
            if _LEVEL["?" if operator == "?:" else operator] < level:
                return
            self._operators.pop()
            count = {"neg": 1, "!": 1, "?:": 3}.get(operator, 2)
            if len(self._operands) < count:
                raise _LeftOut
            parts = self._operands[-count:]
            del self._operands[-count:]
            self._operands.append(_checked(_apply(operator, parts)))


def _leaf(token: str, variables: Mapping[str, Range]) -> _Part:
    if token[0].isdigit():
        if len(token) > 19 or int(token) > _LONG_LONG[1]:
            raise _LeftOut
        return _checked(_Part(f"{token}LL", (int(token), int(token)), True, atom=True))
    if token not in variables:
        raise _LeftOut
    return _checked(_Part(f"(long long){token}", variables[token], True, atom=True))


def _checked(part: _Part) -> _Part:
    low, high = part.range
    if low < _LONG_LONG[0] or high > _LONG_LONG[1]:
        raise _LeftOut
    return replace(part, plain=part.plain and _INT[0] <= low and high <= _INT[1])


def _apply(operator: str, parts: list[_Part]) -> _Part:
    """The value of an operation. Raises _LeftOut."""
    plain = all(part.plain for part in parts)
    left, right = parts[0], parts[-1]
    wide = f"{left.wide} {operator} {right.wide}"
    if operator in ("==", "!=") and any(part.range == (0, 0) for part in parts):
        return _Part(wide, _truth(operator, left.range, right.range), plain)
    if any(part.sign for part in parts):
        raise _LeftOut
    if operator == "?:":
        bounds = min(part.range[0] for part in parts[1:]), max(part.range[1] for part in parts[1:])
        return _Part(f"{left.wide} ? {parts[1].wide} : {right.wide}", bounds, plain)
    if operator in ("&&", "||", "!"):
        return _Part(f"!{right.wide}" if operator == "!" else wide, (0, 1), plain)
    if operator in ("==", "!=", "<", "<=", ">", ">="):
        return _Part(wide, _truth(operator, left.range, right.range), plain)
    if operator in ("/", "%"):
        return _division(operator, left, right, plain)
    return _sum_or_product(operator, left, right, plain)


def _sum_or_product(operator: str, left: _Part, right: _Part, plain: bool) -> _Part:
    """The value of a sum, a difference, a product or, with left == right, of a negation. Raises _LeftOut."""
    if (left.division or right.division) and operator in ("*", "neg"):
        raise _LeftOut  # the printer leaves open which comes first
    if operator == "neg":
        if right.wide.startswith("-"):
            raise _LeftOut  # two signs in a row are a decrement
        return _Part(f"-{right.wide}", (-right.range[1], -right.range[0]), plain)
    return _Part(f"{left.wide} {operator} {right.wide}", _arithmetic(operator, left.range, right.range), plain)


def _division(operator: str, left: _Part, right: _Part, plain: bool) -> _Part:
    """A quotient or remainder by a positive constant: mathematics rounds down, C towards zero. Raises _LeftOut."""
    low, divisor = right.range
    if not (left.atom and right.atom) or low != divisor or low <= 0 or (left.range[0] < 0 and operator == "/"):
        raise _LeftOut
    wide = f"{left.wide} {operator} {right.wide}"
    if operator == "%":
        negative = left.range[0] < 0
        return _Part(wide, (1 - low if negative else 0, low - 1), plain, division=True, sign=negative)
    return _Part(wide, (left.range[0] // low, left.range[1] // low), plain, division=True)


def _arithmetic(operator: str, left: Range, right: Range) -> Range:
    if operator == "+":
        return left[0] + right[0], left[1] + right[1]
    if operator == "-":
        return left[0] - right[1], left[1] - right[0]
    products = [a * b for a in left for b in right]
    return min(products), max(products)


def _truth(operator: str, left: Range, right: Range) -> Range:
    """The range of a comparison's value: (1, 1) if it holds for all values of its sides, else (0, 1)."""
    holds = {
        "<": left[1] < right[0],
        "<=": left[1] <= right[0],
        ">": left[0] > right[1],
        ">=": left[0] >= right[1],
        "!=": left[1] < right[0] or right[1] < left[0],
        "==": left == right and left[0] == left[1],
    }[operator]
    return (1, 1) if holds else (0, 1)


def _joined(tokens: list[str]) -> str:
    """The text of tokens, with blanks around binary operators."""
    out = ""
    before = ""
    for token in tokens:
        binary = token in (*_LEVEL, ":") and token != "!" and before not in ("", "(", "neg") and before not in _LEVEL
        out += f" {token} " if binary else token
        before = token
    return out
