"""Invariants of mathematical integers as C expressions that mean the same, evaluated by the rules of C.

In C, `x < -1` is true of most unsigned x, and sums overflow. An invariant's conjunct is kept as it is where every value
in it fits an int; else its variables are converted to long long; where that is not enough it is left out. What is left
out only weakens an invariant.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

Range = tuple[int, int]
_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)|(\d+)|(&&|\|\||[<>=!]=|[-+*/%<>!?:()]))")
_LEVEL = {"?": 0, "||": 1, "&&": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5}
_LEVEL |= {"*": 6, "/": 6, "%": 6, "neg": 7, "!": 7}
_INT: Range = (-(2**31), 2**31 - 1)
_LONG_LONG: Range = (-(2**63) + 1, 2**63 - 1)
MAX_CONJUNCT_CHARACTERS = 2_000  # characters of a conjunct


class _LeftOut(Exception):
    """Not expressible, or its meaning is not certain."""


@dataclass(frozen=True)
class _Part:
    """wide: its text with long long variables. plain: is the given text evaluated in int, without overflow?

    atom: a name, a number or in parentheses; division: a quotient or remainder that is not; sign: a remainder of what
    may be negative, which C and mathematics agree upon only if it is compared with 0.
    """

    wide: str
    range: Range
    plain: bool
    atom: bool = False
    division: bool = False
    sign: bool = False


def c_conjuncts(text: str, variables: Mapping[str, Range]) -> list[str]:
    """The conjuncts of an invariant's text that C can evaluate; variables: those in scope, with their types' ranges."""
    found = []
    for piece in _conjuncts(text):
        try:
            part = _evaluate(piece, variables)
        except _LeftOut:
            continue
        if part.range != (1, 1) and not part.sign:  # else it says nothing
            found.append(_joined(piece) if part.plain else part.wide)
    return list(dict.fromkeys(found))


def _conjuncts(text: str) -> list[list[str]]:
    """The tokens of each conjunct; nothing for what is no formula of integers."""
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
    """Operator precedence with two stacks (Dijkstra 1961). Raises _LeftOut."""
    if sum(map(len, tokens)) > MAX_CONJUNCT_CHARACTERS:
        raise _LeftOut
    operands: list[_Part] = []
    operators: list[str] = []
    before = ""
    for token in tokens:
        ready = before and (before == ")" or before[0].isalnum() or before[0] == "_")
        if token[0].isalnum() or token[0] == "_":
            if ready:
                raise _LeftOut
            operands.append(_leaf(token, variables))
        elif token == "(":
            if ready:
                raise _LeftOut
            operators.append(token)
        elif token == ")":
            _reduce(operands, operators, -1)
            if not operators or operators.pop() != "(" or not operands:
                raise _LeftOut
            operands[-1] = replace(operands[-1], wide=f"({operands[-1].wide})", atom=True, division=False)
        elif token == ":":
            _reduce(operands, operators, 1)
            if not operators or operators[-1] != "?":
                raise _LeftOut
            operators[-1] = "?:"
        elif not ready and token in ("-", "!"):
            operators.append("neg" if token == "-" else token)
        elif token in _LEVEL and ready and token != "!":
            _reduce(operands, operators, _LEVEL[token] + (token == "?"))
            operators.append(token)
        else:
            raise _LeftOut
        before = token
    _reduce(operands, operators, -1)
    if operators or len(operands) != 1:
        raise _LeftOut
    return operands[0]


def _leaf(token: str, variables: Mapping[str, Range]) -> _Part:
    if token[0].isdigit():
        if len(token) > 19 or int(token) > _LONG_LONG[1]:
            raise _LeftOut
        return _checked(_Part(f"{token}LL", (int(token), int(token)), True, atom=True))
    if token not in variables:
        raise _LeftOut
    return _checked(_Part(f"(long long){token}", variables[token], True, atom=True))


def _reduce(operands: list[_Part], operators: list[str], level: int) -> None:
    """Applies the operators that bind at least as tightly, down to a parenthesis."""
    while operators and operators[-1] not in ("(", "?"):
        operator = operators[-1]
        if _LEVEL["?" if operator == "?:" else operator] < level:
            return
        operators.pop()
        count = {"neg": 1, "!": 1, "?:": 3}.get(operator, 2)
        if len(operands) < count:
            raise _LeftOut
        parts = operands[-count:]
        del operands[-count:]
        operands.append(_checked(_apply(operator, parts)))


def _checked(part: _Part) -> _Part:
    low, high = part.range
    if low < _LONG_LONG[0] or high > _LONG_LONG[1]:
        raise _LeftOut
    return replace(part, plain=part.plain and _INT[0] <= low and high <= _INT[1])


def _apply(operator: str, parts: list[_Part]) -> _Part:
    plain = all(part.plain for part in parts)
    left, right = parts[0], parts[-1]
    wide = f"{left.wide} {operator} {right.wide}"
    if operator in ("==", "!=") and any(part.range == (0, 0) for part in parts):
        return _Part(wide, _truth(operator, left.range, right.range), plain)
    if any(part.sign for part in parts):
        raise _LeftOut
    if operator == "?:":
        low, high = (pick(part.range[side] for part in parts[1:]) for side, pick in ((0, min), (1, max)))
        return _Part(f"{left.wide} ? {parts[1].wide} : {right.wide}", (low, high), plain)
    if operator in ("&&", "||", "!"):
        return _Part(f"!{right.wide}" if operator == "!" else wide, (0, 1), plain)
    if _LEVEL[operator] in (3, 4):
        return _Part(wide, _truth(operator, left.range, right.range), plain)
    if operator in ("/", "%"):
        return _division(operator, left, right, plain)
    if any(part.division for part in parts) and operator in ("*", "neg"):
        raise _LeftOut  # the printer does not say which comes first
    if operator == "neg":
        if right.wide.startswith("-"):
            raise _LeftOut  # two signs in a row are a decrement
        return _Part(f"-{right.wide}", (-right.range[1], -right.range[0]), plain)
    return _Part(wide, _arithmetic(operator, left.range, right.range), plain)


def _division(operator: str, left: _Part, right: _Part, plain: bool) -> _Part:
    """By a positive constant: mathematics rounds down, C towards zero."""
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
    """(1, 1) where the types alone decide that it holds."""
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
    """With blanks around binary operators."""
    out = ""
    before = ""
    for token in tokens:
        binary = token in (*_LEVEL, ":") and token != "!" and before not in ("", "(", "neg") and before not in _LEVEL
        out += f" {token} " if binary else token
        before = token
    return out
