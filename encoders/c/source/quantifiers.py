"""CBMC's quantifiers over ranges: `__CPROVER_forall { int i; (i >= 0 && i < n) ==> body }` as a loop.

The loop is the value of a statement expression, and exact, since it tries all values of the range in their order.
"""

from collections.abc import Sequence

from pycparser.c_lexer import Token

QUANTIFIERS = frozenset({"__CPROVER_forall", "__CPROVER_exists"})
_RANGE = ("LPAREN", "ID", "GE", "INT_CONST", "LAND", "ID", "LT")
_RESULT = "__chcverify_holds"


def as_loop(quantifier: str, inside: Sequence[Token], place: Token) -> list[Token] | None:
    """The tokens of the loop; None for other forms. inside: the tokens between the braces. place: for coordinates."""
    end = next((i for i, token in enumerate(inside) if token.type == "SEMI"), 0)
    rest = inside[end + 1 :]
    if end < 2 or quantifier != "__CPROVER_forall" or tuple(map(_kind, rest[:7])) != _RANGE:
        return None
    name = inside[end - 1].value
    close = _closing(rest)
    implied = [token.type for token in rest[close + 1 : close + 3]] == ["EQ", "GT"]
    if not implied or close < 8 or any(rest[i].value != name for i in (1, 5)):
        return None

    def made(*spellings: tuple[str, str]) -> list[Token]:
        return [Token(kind, value, place.lineno, place.column, place.filename) for kind, value in spellings]

    variable, result, semicolon = ("ID", name), ("ID", _RESULT), ("SEMI", ";")
    opening, closing = ("LPAREN", "("), ("RPAREN", ")")
    return [
        *made(opening, ("LBRACE", "{")),
        *inside[: end + 1],
        *made(("_BOOL", "_Bool"), result, ("EQUALS", "="), ("INT_CONST_DEC", "1"), semicolon),
        *made(("FOR", "for"), opening, variable, ("EQUALS", "="), (rest[3].type, rest[3].value), semicolon),
        *made(variable, ("LT", "<"), opening),
        *rest[7:close],
        *made(closing, semicolon, variable, ("PLUSPLUS", "++"), closing),
        *made(("IF", "if"), opening, ("LNOT", "!"), opening),
        *rest[close + 3 :],
        *made(closing, closing, result, ("EQUALS", "="), ("INT_CONST_DEC", "0"), semicolon),
        *made(result, semicolon, ("RBRACE", "}"), closing),
    ]


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
