"""Assembler statements that execute nothing: barriers for the compiler, which keep all values."""

import re
from collections.abc import Iterator, Sequence

from pycparser.c_lexer import Token

_NOTHING = re.compile(r'"(?:\s|\\[nt])*"')
_OPERAND_TOKENS = frozenset({"ID", "PERIOD"})  # variables and their members: evaluating them does nothing


def is_barrier(group: Sequence[Token]) -> bool:
    """True if the statement has no instruction, and no operand that is only written.

    group: its tokens with the parentheses. gcc then only supposes that memory and the operands of `+` may have changed,
    but nothing changes them.
    """
    sections = list(_split(group[1:-1], "COLON"))
    if len(sections) > 4 or not sections[0]:
        return False
    if any(token.type != "STRING_LITERAL" or _NOTHING.fullmatch(token.value) is None for token in sections[0]):
        return False
    written, read = (sections[1:2] or [[]])[0], (sections[2:3] or [[]])[0]
    return all(_keeps(operand, "+") for operand in _operands(written)) and all(
        _keeps(operand, "") for operand in _operands(read)
    )


def _keeps(operand: Sequence[Token], prefix: str) -> bool:
    """Is it `"constraint" (variable)` whose constraint begins so, and refers to no other operand?"""
    if len(operand) < 4 or operand[0].type != "STRING_LITERAL" or operand[1].type != "LPAREN":
        return False
    constraint = operand[0].value[1:-1]
    plain = constraint.startswith(prefix) and not re.search(r"[\d\[=]", constraint)
    return plain and operand[-1].type == "RPAREN" and all(t.type in _OPERAND_TOKENS for t in operand[2:-1])


def _operands(section: Sequence[Token]) -> Iterator[list[Token]]:
    return (part for part in _split(section, "COMMA") if part)


def _split(tokens: Sequence[Token], separator: str) -> Iterator[list[Token]]:
    """The parts between the separators; `::` is two colons."""
    part: list[Token] = []
    for token in tokens:
        times = 2 if token.type == "COLONCOLON" and separator == "COLON" else int(token.type == separator)
        for _ in range(times):
            yield part
            part = []
        if not times:
            part.append(token)
    yield part
