"""CBMC's quantifiers over ranges: `__CPROVER_forall { int i; (i >= 0 && i < n) ==> body }` as a loop, and
`__CPROVER_exists { int i; (0 <= i && i < n) && body }`.

The loop is the value of a statement expression, and exact, since it tries all values of the range in their order.
"""

from collections.abc import Sequence

from pycparser.c_lexer import Token

QUANTIFIERS = frozenset({"__CPROVER_forall", "__CPROVER_exists"})
# How ranges begin, with the positions of the variable and of the least value.
_RANGES: dict[tuple[str, ...], tuple[int, int]] = {
    ("LPAREN", "ID", "GE", "INT_CONST", "LAND", "ID", "LT"): (1, 3),
    ("LPAREN", "INT_CONST", "LE", "ID", "LAND", "ID", "LT"): (3, 1),
}
_RESULT = "__chcverify_holds"


def as_loop(quantifier: str, inside: Sequence[Token], place: Token) -> list[Token] | None:
    """The tokens of the loop; None for other forms. inside: the tokens between the braces. place: for coordinates."""
    end = next((i for i, token in enumerate(inside) if token.type == "SEMI"), 0)
    rest = inside[end + 1 :]
    begins = _RANGES.get(tuple(map(_kind, rest[:7])))
    if end < 2 or begins is None:
        return None
    name, least = inside[end - 1].value, rest[begins[1]]
    close = _closing(rest)
    is_forall = quantifier == "__CPROVER_forall"
    connective = ["EQ", "GT"] if is_forall else ["LAND"]
    behind = close + 1 + len(connective)
    connected = [token.type for token in rest[close + 1 : behind]] == connective
    if not connected or close < 8 or any(rest[i].value != name for i in (begins[0], 5)):
        return None
    if not is_forall and any(token.type in ("LOR", "CONDOP") for token in _outside(rest[behind:])):
        return None  # the range would not be a part of all of it

    def made(*spellings: tuple[str, str]) -> list[Token]:
        return [Token(kind, value, place.lineno, place.column, place.filename) for kind, value in spellings]

    found = ("INT_CONST_DEC", "0" if is_forall else "1")
    negation = made(("LNOT", "!")) if is_forall else []
    variable, result, semicolon = ("ID", name), ("ID", _RESULT), ("SEMI", ";")
    opening, closing = ("LPAREN", "("), ("RPAREN", ")")
    return [
        *made(opening, ("LBRACE", "{")),
        *inside[: end + 1],
        *made(("_BOOL", "_Bool"), result, ("EQUALS", "="), ("INT_CONST_DEC", "1" if is_forall else "0"), semicolon),
        *made(("FOR", "for"), opening, variable, ("EQUALS", "="), (least.type, least.value), semicolon),
        *made(variable, ("LT", "<"), opening),
        *rest[7:close],
        *made(closing, semicolon, variable, ("PLUSPLUS", "++"), closing),
        *made(("IF", "if"), opening),
        *negation,
        *made(opening),
        *rest[behind:],
        *made(closing, closing, result, ("EQUALS", "="), found, semicolon),
        *made(result, semicolon, ("RBRACE", "}"), closing),
    ]


def _outside(tokens: Sequence[Token]) -> list[Token]:
    """The tokens outside of parentheses."""
    found, depth = [], 0
    for token in tokens:
        depth -= token.type == "RPAREN"
        if depth == 0:
            found.append(token)
        depth += token.type == "LPAREN"
    return found


def _kind(token: Token) -> str:
    """The token's type, one for all constants."""
    return "INT_CONST" if token.type.startswith("INT_CONST") else str(token.type)


def _closing(tokens: Sequence[Token]) -> int:
    """The index of the parenthesis that closes the first one; 0 if there is none."""
    depth = 0
    for index, token in enumerate(tokens):
        depth += {"LPAREN": 1, "RPAREN": -1}.get(token.type, 0)
        if depth == 0:
            return index
    return 0
