"""The clauses of one body: one for each way between two locations that have predicates, and one for each check.

Between these locations the blocks have no cycle. All paths from one of them are one formula: where paths meet, a
variable's value is a choice between those of the paths, by the condition under which each is taken (Barnett and Leino,
"Weakest-precondition of unstructured programs", 2005, for the same idea with assumptions). So a body without loops has
queries alone, which are its verification conditions.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.terms.core.traversal import conjunction, disjunction
from encoders.boogie import syntax as s
from encoders.boogie.control_flow import EXIT, Block, BlockGraph
from encoders.boogie.encoded_bodies import (
    ENTRY,
    EncodedBody,
    Segment,
    chosen_successor,
    fresh_value,
    state_values,
)
from encoders.boogie.expressions.quantified_conditions import assumed, negated
from encoders.boogie.expressions.typed_terms import Typed, merged_by
from encoders.boogie.semantics import VariableState


@dataclass(frozen=True)
class LocatedAtom:
    """An atom: the body and the location of its predicate, and its arguments behind the symbols."""

    body: EncodedBody
    location: str
    arguments: tuple[z3.ExprRef, ...]


@dataclass(frozen=True)
class SegmentClause:
    """A clause of a body, in which nothing is said of axioms yet. head: None for a query."""

    segment: Segment
    atoms: tuple[LocatedAtom, ...]
    condition: z3.BoolRef
    head: LocatedAtom | None


@dataclass
class _Path:
    """Effects of commands on symbols, along all paths of a segment to a block."""

    block: str
    """Where the commands stand."""
    condition: z3.BoolRef
    """Under which runs come here."""
    queries: list[tuple[Check, z3.BoolRef, z3.BoolRef]]
    """Conditions of violations."""
    fresh_values: int = 0

    def fresh(self, name: str, sort: z3.SortRef) -> z3.ExprRef:
        self.fresh_values += 1
        return fresh_value(name, self.block, self.fresh_values, sort)

    def assume(self, condition: z3.BoolRef) -> None:
        self.condition = conjunction([self.condition, assumed(condition)])

    def check(self, check: Check, condition: z3.BoolRef, stays: bool = True) -> None:
        self.queries.append((check, conjunction([self.condition, negated(condition)]), condition))
        if stays:
            self.assume(condition)


class BodySegments:
    """Finds the clauses of one body. called: the bodies of the procedures that are summaries, by name."""

    def __init__(
        self,
        body: EncodedBody,
        number: int,
        called: Mapping[str, EncodedBody],
        switches_in: Callable[[z3.BoolRef], frozenset[str]],
    ) -> None:
        self._body = body
        self._flow = body.flow
        self._semantics = body.semantics
        self._number = number
        self._called = called
        self._switches_in = switches_in
        self._found: list[SegmentClause] = []

    def clauses(self) -> list[SegmentClause]:
        """The clauses of all segments, in the order of the locations where they begin."""
        if not self._body.is_called:
            self._from(None)
        for location in self._body.locations:
            if location != EXIT:
                self._from(location)
        return self._found

    def _from(self, start: str | None) -> None:
        """Finds the clauses of the segments that begin at a location, or at the beginning with any values."""
        first = self._flow.entry if start in (None, ENTRY) else start
        assert first is not None
        path = _Path("", z3.BoolVal(True), [])
        if start is None:
            begin = self._semantics.begin(self._body.globals, path)
            before: tuple[LocatedAtom, ...] = ()
        else:
            begin = self._body.formal_state(start)
            values = tuple(term for _, term in self._body.formal_values(start))
            before = (LocatedAtom(self._body, start, values),)
            if start == ENTRY:
                begin = self._semantics.begin_called(begin, path)
        ends = frozenset(self._body.locations)
        arriving: dict[str, list[tuple[z3.BoolRef, VariableState]]] = {first: [(path.condition, begin)]}
        for name in _in_order(self._flow, first, ends - {EXIT}):
            if name not in arriving:  # behind a call
                continue
            condition, state = merged(arriving.pop(name))
            if name in ends - {EXIT} and name != start:
                self._add(start, name, before, condition, state)
                continue
            self._block(self._flow.blocks[name], condition, state, start, before, arriving)

    def _add(
        self,
        start: str | None,
        end: str,
        before: tuple[LocatedAtom, ...],
        condition: z3.BoolRef,
        state: VariableState,
        calling: str | None = None,
    ) -> None:
        """Adds the clause that leads to a location of this body in a state."""
        values = self._body.exit_values(state) if end == EXIT else state_values(state)
        head = LocatedAtom(self._body, end, tuple(term for _, term in values))
        segment = Segment(start, end, None, body=self._number, calling=calling)
        self._found.append(SegmentClause(segment, before, condition, head))

    def _block(
        self,
        block: Block,
        condition: z3.BoolRef,
        state: VariableState,
        start: str | None,
        before: tuple[LocatedAtom, ...],
        arriving: dict[str, list[tuple[z3.BoolRef, VariableState]]],
    ) -> None:
        """Runs a block on symbols: queries for its checks, and what arrives at its successors."""
        path = _Path(block.name, condition, [])
        for command in block.commands:
            state = self._semantics.run(command, state, path)
        if block.name == EXIT:
            self._semantics.end(state, path)
        if block.call is not None:
            self._call(block, block.call, state, path, start, before)
        for check, violation, check_condition in path.queries:
            segment = Segment(start, None, check, self._switches_in(check_condition), self._number)
            self._found.append(SegmentClause(segment, before, violation, None))
        if block.name == EXIT and self._body.is_called:
            self._add(start, EXIT, before, path.condition, state)
        if block.call is not None:
            return
        is_choice = not block.is_branch and len(block.successors) > 1
        others: list[z3.BoolRef] = []
        for number, name in enumerate(block.successors):
            taken = [path.condition]
            if is_choice:  # the first whose constant is true
                own = chosen_successor(block.name, number)
                last = number == len(block.successors) - 1
                taken += [*others, *([] if last else [own])]
                others.append(z3.Not(own))
            if name == start:  # the segment ends where it began
                self._add(start, name, before, conjunction(taken), state)
            else:
                arriving.setdefault(name, []).append((conjunction(taken), state))

    def _call(
        self,
        block: Block,
        call: s.CallStatement,
        state: VariableState,
        path: _Path,
        start: str | None,
        before: tuple[LocatedAtom, ...],
    ) -> None:
        """Adds the clause into the called body, and the one over its summary to the location behind the call."""
        callee = self._called[call.procedure]
        begun = self._semantics.begin_call(call, state, path)
        values = tuple(term for _, term in callee.entry_values(begun))
        segment = Segment(start, ENTRY, None, body=self._number, calling=block.name)
        self._found.append(SegmentClause(segment, before, path.condition, LocatedAtom(callee, ENTRY, values)))
        returned = self._semantics.returned(call, begun, path)
        summary = LocatedAtom(callee, EXIT, tuple(term for _, term in callee.summary_values(returned)))
        behind = self._semantics.end_call(call, state, returned)
        self._add(start, block.successors[0], (*before, summary), path.condition, behind, block.name)


def merged(arriving: Sequence[tuple[z3.BoolRef, VariableState]]) -> tuple[z3.BoolRef, VariableState]:
    """The condition and state where paths meet."""
    condition = disjunction([path for path, _ in arriving])

    def values(tables: Sequence[Mapping[str, Typed]]) -> dict[str, Typed]:
        return {
            name: _merged_value([(path, table[name]) for (path, _), table in zip(arriving, tables, strict=True)])
            for name in tables[0]
        }

    states = [state for _, state in arriving]
    return condition, VariableState(
        values([state.globals for state in states]),
        values([state.old for state in states]),
        values([state.locals for state in states]),
    )


def _merged_value(values: Sequence[tuple[z3.BoolRef, Typed]]) -> Typed:
    """The value by the conditions of the paths, of which a run satisfies one."""
    conditions = [condition for condition, _ in values[:-1]]

    def chosen(*terms: z3.ExprRef) -> z3.ExprRef:
        *others, term = terms
        for condition, other in reversed(list(zip(conditions, others, strict=True))):
            if not other.eq(term):
                term = z3.If(condition, other, term)
        return term

    return merged_by(chosen, [value for _, value in values])


def _in_order(flow: BlockGraph, first: str, heads: frozenset[str]) -> Iterator[str]:
    """The blocks that paths from the first reach without going through a loop head, before their successors."""
    order: list[str] = []
    done: set[str] = {first}
    path = [(first, iter(flow.blocks[first].successors))]
    while path:
        name, successors = path[-1]
        following = next(successors, None)
        if following is None:
            order.append(name)
            path.pop()
        elif following not in done:
            done.add(following)
            path.append((following, iter(()) if following in heads else iter(flow.blocks[following].successors)))
    return reversed(order)
