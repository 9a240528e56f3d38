"""The library model of realloc ends the lifetime of the old block."""

from collections.abc import Iterator
from dataclasses import field, replace

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.added_operations import before_exit
from encoders.c.library import table_reader
from encoders.c.library.model_files import MODELS
from encoders.c.types.c_types import INT

BLOCKS = DEREFERENCES | {CheckKind.FREE, CheckKind.LEAK, CheckKind.CLEANUP}
"""The kinds of checks that need to know which blocks live."""


def forgets(checks: frozenset[CheckKind]) -> bool:
    """Does a block that is released hold any value from then on? Where lifetimes are checked, every read of it is a
    violation; where lost blocks are looked for, it is assumed that nobody reads it."""
    return not checks & {CheckKind.LIFETIME, CheckKind.LEAK, CheckKind.CLEANUP}


_RELEASE = "release of the old block"


def is_reallocation(automaton: ir.FunctionCfa) -> bool:
    """True for the models of realloc."""
    return table_reader.is_reallocation(automaton.name) and any(
        location.origin.file.startswith(MODELS) for location in automaton.locations
    )


def with_release(automaton: ir.FunctionCfa, numbers: Iterator[int], checks: frozenset[CheckKind]) -> ir.FunctionCfa:
    """The model with the end of the old block.

    Where memory is checked, that is a release of the first parameter in front, with the cases of a size of zero.

    What a size of zero gives is implementation-defined (C17 7.22.3, 7.22.3.5): a block of no bytes, or null, where the
    old block was released or was not. Proofs cover all of these; no violation goes beyond such a call. The model's own
    accesses are not checked: it copies as many bytes as the new block has, which the old one may not have. numbers: of
    new locations.
    """
    if forgets(checks):
        automaton = _with_end(automaton, numbers)
    if not checks & BLOCKS:
        return automaton
    return _WithRelease(automaton, numbers).automaton()


def _with_end(automaton: ir.FunctionCfa, numbers: Iterator[int]) -> ir.FunctionCfa:
    """The model, at whose end the block of its first parameter is forgotten."""
    old = automaton.parameters[0]
    forget = ir.Forget(ir.Load(ir.VariableLValue.of(old), old.type))
    return before_exit(automaton, numbers, [(forget, _RELEASE)])


@dataclass
class _WithRelease:
    """Adds locations and edges in front of a model of realloc."""

    given: ir.FunctionCfa
    numbers: Iterator[int]
    locations: list[ir.Location] = field(default_factory=list)
    edges: list[ir.Edge] = field(default_factory=list)

    def automaton(self) -> ir.FunctionCfa:
        old, size = (ir.Load(ir.VariableLValue.of(p), p.type) for p in self.given.parameters)
        choice = ir.Variable(f"{self.given.name}::size 0", "size 0", INT, self.given.name, temporary=True)
        chosen = ir.VariableLValue(choice, INT)
        start = self._location()
        positive = self._decided(start, size, 0, False, "size != 0")
        self._edge(positive, self.given.entry, ir.Release(old), _RELEASE)
        empty = self._decided(start, size, 0, True, "size == 0")
        estimate = ir.Nondet(chosen, "realloc to size 0", is_estimate=True)
        known = self._edge(empty, self._location(), estimate, "size == 0")
        kept = self._decided(known, ir.Load(chosen, INT), 0, True, "the old block stays")
        self._null(kept)
        other = self._decided(known, ir.Load(chosen, INT), 0, False, "the old block is released")
        released = self._edge(other, self._location(), ir.Release(old), _RELEASE)
        self._null(self._decided(released, ir.Load(chosen, INT), 1, True, "the result is null"))
        block = self._decided(released, ir.Load(chosen, INT), 1, False, "a block of no bytes")
        self._edge(block, self.given.entry, ir.Skip(), "")
        return replace(
            self.given,
            entry=start,
            locals=(*self.given.locals, choice),
            locations=(*self.locations, *self.given.locations),
            edges=(*self.edges, *self.given.edges),
        )

    def _null(self, source: int) -> None:
        """The model returns null."""
        result = self.given.result
        assert result is not None
        null = ir.Assign(ir.VariableLValue.of(result), ir.Constant(0, result.type))
        self._edge(source, self.given.exit, null, "return 0")

    def _decided(self, source: int, value: ir.Load, other: int, equal: bool, text: str) -> int:
        """A location where the value is, or is not, equal to another one."""
        condition = ir.Binary("==", value, ir.Constant(other, value.type), INT)
        return self._edge(source, self._location(), ir.Assume(condition, equal), text)

    def _edge(self, source: int, target: int, operation: ir.Operation, text: str) -> int:
        self.edges.append(ir.Edge(source, target, operation, self._first.origin, text))
        return target

    def _location(self) -> int:
        location = replace(self._first, number=next(self.numbers), is_loop_head=False)
        self.locations.append(location)
        return location.number

    @property
    def _first(self) -> ir.Location:
        return next(location for location in self.given.locations if location.number == self.given.entry)
