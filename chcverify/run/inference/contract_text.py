"""Contracts in the text of a C file, each clause on a line of its own, in front of the definition of its function."""

import re
from collections.abc import Mapping, Sequence

from chcverify.quick_dataclass import dataclass
from encoders.c.source_map.source_map import SourceFunction, SourceMap, source_map_of

_ANNOTATED = re.compile(r"(?:/\*@(?:(?!\*/).)*\*/|//@[^\n]*)\s*\Z", re.DOTALL)


@dataclass(frozen=True)
class WrittenClause:
    """A clause of the contract of a function. kind: `requires`, `assigns` or `ensures`."""

    function: str
    kind: str
    text: str


@dataclass(frozen=True)
class ContractText:
    """A text with contracts. clauses: by their lines. lines: of the text without contracts, by those of this one."""

    text: str
    clauses: Mapping[int, WrittenClause]
    lines: Mapping[int, int]


@dataclass(frozen=True)
class ContractPositions:
    """The positions in a C file in front of the definitions of its functions.

    offsets: by function. refused: why others have none.
    """

    text: str
    offsets: Mapping[str, int]
    refused: Mapping[str, str]

    @classmethod
    def of(cls, text: str, file: str) -> "ContractPositions":
        """The positions in a text."""
        layout = source_map_of(text, file)
        starts = [0]
        for line in text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        offsets: dict[str, int] = {}
        refused: dict[str, str] = {}
        for function in layout.functions if layout is not None else ():
            token = layout.token(_first_token(layout, function)) if layout is not None else None
            assert token is not None
            offset = starts[token.line - 1] + token.column - 1
            if function.name in offsets or _ANNOTATED.search(text[:offset]):
                refused[function.name] = "it has annotations, or several definitions"
            else:
                offsets[function.name] = offset
        for name in refused:
            offsets.pop(name, None)
        return cls(text, offsets, refused)

    def with_contracts(self, contracts: Mapping[str, Sequence[WrittenClause]]) -> ContractText:
        """The text with the contracts of functions that have a position."""
        pieces: list[str] = []
        clauses: dict[int, WrittenClause] = {}
        lines: dict[int, int] = {}
        here, line, own = 0, 1, 1

        def copy(end: int) -> None:
            nonlocal here, line, own
            piece = self.text[here:end]
            for _ in range(piece.count("\n") + 1):
                lines[line] = own
                line, own = line + 1, own + 1
            line, own = line - 1, own - 1
            pieces.append(piece)
            here = end

        for name, offset in sorted(self.offsets.items(), key=lambda item: item[1]):
            contract = contracts.get(name, ())
            if not contract:
                continue
            copy(offset)
            if not self.text[:offset].endswith("\n") and offset:
                pieces.append("\n")
                line += 1
            for number, clause in enumerate(contract):
                last = number == len(contract) - 1
                pieces.append(f"{'/*@ ' if number == 0 else '    '}{clause.kind} {clause.text};{' */' * last}\n")
                clauses[line] = clause
                lines.pop(line, None)
                line += 1
        copy(len(self.text))
        return ContractText("".join(pieces), clauses, lines)


def _first_token(layout: SourceMap, function: SourceFunction) -> int:
    """The token that the definition of a function begins with."""
    index = function.at
    while index > 0 and layout.text(index - 1) not in (";", "}"):
        index = layout.close(index - 1) if layout.text(index - 1) in (")", "]") else index - 1
    return index
