"""Assembler statements as tokens: barriers for the compiler, which keep all values, and what the others declare."""

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


def declared_operands(group: Sequence[Token]) -> list[Token]:
    """The arguments of the call that stands for a statement: its clobbers, then constraint and value of each operand.

    group: its tokens with the parentheses: instructions, outputs, inputs, clobbers. Nothing for statements with labels,
    and where an operand is none of a constraint and a value.
    """
    sections = list(_split(group[1:-1], "COLON"))
    if len(sections) > 4:
        return []
    sections += [[]] * (4 - len(sections))
    place = (group[0].lineno, group[0].column, group[0].filename)
    comma = Token("COMMA", ",", *place)
    clobbers = " ".join(token.value[1:-1] for token in sections[3] if token.type == "STRING_LITERAL")
    found = [Token("STRING_LITERAL", f'"{clobbers}"', *place)]
    for operand in [*_operands(sections[1]), *_operands(sections[2])]:
        if operand[0].type == "LBRACKET":  # a name for the instructions
            operand = operand[3:]
        start = next((at for at, token in enumerate(operand) if token.type != "STRING_LITERAL"), 0)
        value = operand[start:]
        if not start or len(value) < 3 or value[0].type != "LPAREN" or value[1].type == "LAND":
            return []
        constraint = "".join(token.value[1:-1] for token in operand[:start])
        found += [comma, Token("STRING_LITERAL", f'"{constraint}"', *place), comma, *value]
    return found


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
    """The parts between the separators outside parentheses; `::` is two colons."""
    part: list[Token] = []
    depth = 0
    for token in tokens:
        depth += {"LPAREN": 1, "LBRACKET": 1, "RPAREN": -1, "RBRACKET": -1}.get(token.type, 0)
        if depth > 0:
            part.append(token)
            continue
        times = 2 if token.type == "COLONCOLON" and separator == "COLON" else int(token.type == separator)
        for _ in range(times):
            yield part
            part = []
        if not times:
            part.append(token)
    yield part
