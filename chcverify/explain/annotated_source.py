"""Invariants written back into a C file at its loop heads, as assumptions, as ACSL or as comments.

What is written means in C what the invariant means; where that, or the place, is not certain, nothing is written and
the line is named instead. An assumption is evaluated whenever control comes to the loop head.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.source_facts import LoopVariant, SourceInvariant
from encoders.c.source_map.c_expressions import c_conjuncts
from encoders.c.source_map.source_map import SourceMap, source_map_of
from encoders.c.witnesses.witness_writer import LONG_BITS, conjoined, ranges_at

Style = Literal["assume", "acsl", "comment"]

DECLARATION = "extern void __VERIFIER_assume(int);\n"
_LOOPS = ("while", "for", "do")
_NAME = re.compile(r"[A-Za-z_]\w*")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Annotated:
    """The file's new text, how many loop heads got something, and a line for each that did not: where and why."""

    text: str
    written: int
    skipped: tuple[str, ...]


class _OmittedInvariant(Exception):
    """A loop head gets no annotation; the message is the reason."""


def annotated(
    text: str,
    file: str,
    invariants: Iterable[SourceInvariant],
    style: Style,
    data_model: str = "LP64",
    variants: Iterable[LoopVariant] = (),
) -> Annotated:
    """The file with the invariants of its loop heads, and their variants but as assumptions."""
    text = text.replace("\r\n", "\n")
    heads: dict[Origin, list[SourceInvariant]] = {}
    for invariant in dict.fromkeys(invariants):
        if invariant.is_loop_head:
            heads.setdefault(invariant.origin, []).append(invariant)
    layout = source_map_of(text, file)
    insertions: list[tuple[int, str]] = []
    skipped: list[str] = []
    written: set[Origin] = set()
    writer = (
        _AnnotationWriter(text, layout, style, LONG_BITS[data_model], set(_DEFINE.findall(text))) if layout else None
    )
    for origin, found in sorted(heads.items(), key=lambda item: (item[0].line, item[0].column)):
        try:
            if writer is None:
                raise _OmittedInvariant("the brackets of the file do not match")
            insertions += writer.insertions(origin, found, heads)
            written.add(origin)
        except _OmittedInvariant as reason:
            skipped.append(f"{origin}: no invariant written: {reason}")
    for variant in variants if style != "assume" else ():
        try:
            if writer is None:
                raise _OmittedInvariant("the brackets of the file do not match")
            insertions = writer.with_variant(variant, {**heads, variant.origin: ()}, insertions)
            written.add(variant.origin)
        except _OmittedInvariant as reason:
            skipped.append(f"{variant.origin}: no variant written: {reason}")
    out = text
    for offset, piece in sorted(insertions, key=lambda item: -item[0]):
        out = out[:offset] + piece + out[offset:]
    if style == "assume" and written and "__VERIFIER_assume" not in text:
        out = DECLARATION + out
    return Annotated(out, len(written), tuple(skipped))


@dataclass(eq=False)
class _AnnotationWriter:
    """The insertions for loop heads. macros: the names that the file defines for the preprocessor."""

    source: str
    layout: SourceMap
    style: Style
    long: int
    macros: set[str]

    def __post_init__(self) -> None:
        self._starts = [0]
        for line in self.source.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def insertions(
        self, origin: Origin, found: Sequence[SourceInvariant], heads: Mapping[Origin, object]
    ) -> list[tuple[int, str]]:
        """(offset, text) of what annotates one loop head."""
        index = self._head(origin, heads)
        function = self.layout.function_at(index)
        if function is None:
            raise _OmittedInvariant("it is in no function of the file")
        if self.style != "comment" and (len(found) > 1 or not self.layout.instances(function)):
            raise _OmittedInvariant(f"{function.name} is called at several places, each with its own invariants")
        keyword = self.layout.text(index)
        scope = index + 1 if keyword == "do" else self.layout.close(index + 1) if keyword in _LOOPS else index
        if self.style == "comment":
            text = " or ".join(dict.fromkeys(invariant.text for invariant in found)).replace("*/", "* /")
            return [(self._offset(index), f"/* invariant: {text} */ ")]
        if not found[0].exact:
            raise _OmittedInvariant("it is about machine words, not numbers")
        names = set(_NAME.findall(found[0].text))
        conjuncts = c_conjuncts(found[0].text, ranges_at(self.layout, names, scope, self.long))
        if not conjuncts:
            raise _OmittedInvariant("C has no expression that means the same")
        if self.style == "acsl":
            kind = "loop invariant" if keyword in _LOOPS else "assert"
            return [(self._offset(index), f"/*@ {kind} {conjoined(conjuncts)}; */ ")]
        return self._assumed(index, f"__VERIFIER_assume({conjoined(conjuncts)})")

    def with_variant(
        self, variant: LoopVariant, heads: Mapping[Origin, object], insertions: Sequence[tuple[int, str]]
    ) -> list[tuple[int, str]]:
        """The insertions with the variant before its loop: in ACSL the last clause of the comment that is there."""
        index = self._head(variant.origin, heads)
        if self.layout.text(index) not in _LOOPS:
            raise _OmittedInvariant("it is the variant of no loop statement")
        offset = self._offset(index)
        before = "".join(piece for place, piece in insertions if place == offset)
        if self.style == "comment":
            piece = f"{before}/* variant: {variant.text} */ "
        else:
            piece = f"{before.removesuffix('*/ ') or '/*@ '}loop variant {variant.text}; */ "
        return [*(item for item in insertions if item[0] != offset), (offset, piece)]

    def _head(self, origin: Origin, heads: Mapping[Origin, object]) -> int:
        """The first token of the loop, or of the statement that control comes back to (endless and goto loops)."""
        index = self.layout.find(origin.file, origin.line, origin.column)
        if index is None:
            return self._head_on_line(origin, heads)
        start = index if self.layout.text(index) in _LOOPS else self.layout.statement_at(index)
        if start is None or start not in self.layout.ends:
            raise _OmittedInvariant("its position is not that of a statement")
        return start

    def _head_on_line(self, origin: Origin, heads: Mapping[Origin, object]) -> int:
        """The only loop of the line, or its only statement: for positions inside macros, which have no token."""
        near = self.layout.on_line(origin.file, origin.line)
        if not near:
            raise _OmittedInvariant("it is not in the file itself")
        starts = [i for i in near if i in self.layout.ends and self.layout.text(i) != "{"]
        loops = [i for i in starts if self.layout.text(i) in _LOOPS]
        same = [other for other in heads if (other.file, other.line) == (origin.file, origin.line)]
        chosen = loops or starts
        if len(chosen) != 1 or len(same) != 1:
            raise _OmittedInvariant("several statements or macros on the line")
        if not loops:
            self._require_no_macros(chosen[0], near)
        return chosen[0]

    def _require_no_macros(self, start: int, near: Sequence[int]) -> None:
        """Raises if a macro in the statement, or among the tokens near it, may hide a loop."""
        if not self._plain(start):
            raise _OmittedInvariant("several statements or macros on the line")
        if self.macros & {self.layout.text(i) for i in near}:
            raise _OmittedInvariant("macros on the line")

    def _plain(self, start: int) -> bool:
        """True if the statement calls functions of the file only, so that no macro hides a loop in it."""
        known = {function.name for function in self.layout.functions}
        for i in range(start, self.layout.ends[start]):
            name = self.layout.text(i)
            called = self.layout.text(i + 1) == "(" and _NAME.fullmatch(name)
            if name in self.macros or (called and name not in known | {"if"} and not name.startswith("__VERIFIER_")):
                return False
        return True

    def _assumed(self, index: int, call: str) -> list[tuple[int, str]]:
        """The call, to be evaluated each time that control comes to the loop head."""
        layout, keyword = self.layout, self.layout.text(index)
        if keyword == "while":
            return [(self._offset(index + 2), f"{call}, ")]
        if keyword == "for":
            condition = _after_semicolon(layout, index + 2)
            empty = layout.text(condition) == ";"
            return [(self._offset(condition), f"{call}, 1" if empty else f"{call}, ")]
        statement = index + 1 if keyword == "do" else index
        if layout.text(statement) == "{":
            return [(self._offset(statement) + 1, f" {call};")]
        if keyword != "do" and layout.text(statement - 1) in ("{", "}", ";"):
            return [(self._offset(statement), f"{call}; ")]
        end = layout.ends[statement]
        return [(self._offset(statement), f"{{ {call}; "), (self._offset(end) + len(layout.text(end)), " }")]

    def _offset(self, index: int) -> int:
        token = self.layout.token(index)
        return self._starts[token.line - 1] + token.column - 1


def _after_semicolon(layout: SourceMap, index: int) -> int:
    """The token behind the next semicolon outside of brackets."""
    while layout.text(index) != ";":
        index = layout.close(index) + 1 if layout.text(index) in ("(", "[", "{") else index + 1
    return index + 1
