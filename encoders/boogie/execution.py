"""The judge of every violation: an execution of the blocks, command by command, on the values of a derivation.

A derivation gives the values at loop heads, and those with which calls of summaries begin and end. Between them, the
choices of the run (values of `havoc`, the results of calls by contract, successors of `goto`) are a solution of the
clause. The execution takes them, evaluates every command by itself, and must come to the next location with its values,
and at last to the check that is violated. What a call of a summary ends with must be what the run of the called body
ends with, for the values with which the call begins.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Any, TypeVar

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.effort import MAX_VISITED, QUESTION_MS
from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.terms.core.traversal import substitute
from encoders.boogie import syntax as s
from encoders.boogie.control_flow import EXIT, blocks_of_loop
from encoders.boogie.definitions.terminating_functions import DefinedValues, NotUnfolded
from encoders.boogie.encoded_bodies import (
    ENTRY,
    EncodedBody,
    EncodedImplementation,
    Segment,
    chosen_successor,
    fresh_value,
    state_values,
)
from encoders.boogie.expressions.typed_terms import Typed, components, merged_by, typed_of
from encoders.boogie.semantics import VariableState

T = TypeVar("T")


class NotConfirmed(Exception):
    """The execution does not come to the violation. The message says where it ends."""


@dataclass(frozen=True)
class TraceBlock:
    """A block of the run, and the values of the variables that it changed."""

    origin: Origin
    procedure: str
    name: str
    changed: Mapping[str, str]


class _Ended(Enum):
    BLOCKED = auto()
    VIOLATED = auto()


class _Stop(Exception):
    """A run ends: where an assumption fails, or where a check does."""

    def __init__(self, how: _Ended, check: Check | None = None) -> None:
        super().__init__()
        self.how = how
        self.check = check


class _Run:
    """The effects of commands on values."""

    def __init__(
        self, choices: z3.ModelRef, symbols: Sequence[tuple[z3.ExprRef, z3.ExprRef]], defined: DefinedValues
    ) -> None:
        self._choices = choices
        self._symbols = symbols
        self._defined = defined
        self.block = ""
        self._count = 0

    def enter(self, block: str) -> None:
        """Choices are from now on those of this block."""
        self.block, self._count = block, 0

    def value(self, term: z3.ExprRef) -> z3.ExprRef:
        """The term with the values of constants and functions."""
        try:
            return self._defined.value(substitute(term, self._symbols))
        except NotUnfolded:
            raise NotConfirmed("the value of a function that calls itself was not found") from None

    def holds(self, condition: z3.BoolRef) -> bool:
        """True or false; NotConfirmed if the solver does not know."""
        value: Any = self.value(condition)
        if z3.is_true(value) or z3.is_false(value):
            return z3.is_true(value)
        if _is_unsatisfiable(z3.Not(value)):
            return True
        if _is_unsatisfiable(value):
            return False
        raise NotConfirmed("a condition with quantifiers could not be evaluated")

    def fresh(self, name: str, sort: z3.SortRef) -> z3.ExprRef:
        self._count += 1
        constant = fresh_value(name, self.block, self._count, sort)
        value: z3.ExprRef = self._choices.eval(constant, model_completion=True)
        return value

    def goes_to(self, number: int) -> bool:
        """True if the run takes the successor with this number, unless it takes one before it."""
        return z3.is_true(self._choices.eval(chosen_successor(self.block, number), model_completion=True))

    def assume(self, condition: z3.BoolRef) -> None:
        if not self.holds(condition):
            raise _Stop(_Ended.BLOCKED)

    def check(self, check: Check, condition: z3.BoolRef, stays: bool = True) -> None:
        if not self.holds(condition):
            raise _Stop(_Ended.VIOLATED, check)


def _is_unsatisfiable(formula: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.set("timeout", QUESTION_MS)
    # the formula, which has no free variables but those for which any value will do
    solver.add(formula)
    return bool(solver.check() == z3.unsat)


def executed(
    encoded: EncodedImplementation, derivation: Derivation, until: float
) -> tuple[Check, tuple[TraceBlock, ...]]:
    """The check that the run of a derivation violates first, and the blocks of the run.

    until: time.monotonic() to stop at. Raises NotConfirmed.
    """
    if encoded.left_out:
        raise NotConfirmed(f"depends on {encoded.left_out}")
    trace: list[TraceBlock] = []
    for step, is_shown in _in_order_of_run(encoded, derivation):
        if time.monotonic() > until:
            raise NotConfirmed("the execution took too long")
        check = _executed_step(encoded, derivation, step, trace if is_shown else [])
        if check is not None:
            return check, tuple(trace)
    raise NotConfirmed("the run ends without a violation")


def _in_order_of_run(encoded: EncodedImplementation, derivation: Derivation) -> Iterator[tuple[Step, bool]]:
    """The steps that the last one needs, each once: what leads to a call and over it, then what the call does. With
    each whether its blocks are a part of the run that was not there yet."""
    steps = derivation.ground_steps
    done: set[int] = set()
    waiting: list[tuple[int, bool, bool]] = [(len(steps) - 1, True, False)]
    while waiting:
        number, is_open, is_ready = waiting.pop()
        if is_ready:
            into_call = encoded.segments[steps[number].clause].end == ENTRY
            yield steps[number], is_open or not into_call  # of a call that returns, the step over it shows the way
            continue
        if number in done:
            continue
        done.add(number)
        before, of_calls = _divided(encoded, steps[number], steps[number].premises)
        waiting += [(premise, False, False) for premise in of_calls]
        waiting.append((number, is_open, True))
        waiting += [(premise, is_open, False) for premise in before]


def _divided(encoded: EncodedImplementation, step: Step, premises: Sequence[T]) -> tuple[Sequence[T], Sequence[T]]:
    """What belongs to the location where the segment of a step begins, and what belongs to the call at its end."""
    count = 0 if encoded.segments[step.clause].start is None else 1
    return premises[:count], premises[count:]


def _executed_step(
    encoded: EncodedImplementation, derivation: Derivation, step: Step, trace: list[TraceBlock]
) -> Check | None:
    """The check that the run violates in the segment of a step; None if it comes to the segment's end."""
    segment = encoded.segments[step.clause]
    body = encoded.bodies[segment.body]
    clause = encoded.system.clauses[step.clause]
    premises = [derivation.ground_steps[premise].arguments for premise in step.premises]
    given: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    for atom, values in zip(clause.body, premises, strict=True):
        given += zip(atom.arguments, values, strict=True)
    choices = _choices(encoded, step, given)
    functions = [definition.function for definition in encoded.definitions]
    symbols = [
        (term, choices.eval(term, model_completion=True))
        for _, term in encoded.symbols
        if not any(term.eq(function) for function in functions)  # their values are those of their definitions
    ]
    run = _Run(choices, symbols, DefinedValues(encoded.definitions))
    if not run.holds(encoded.axioms):
        raise NotConfirmed("an axiom does not hold for the values of the derivation")
    count = len(encoded.symbols)
    before, of_calls = _divided(encoded, step, [values[count:] for values in premises])
    try:
        state, name = _begin(body, segment, run, before)
        reached = _run_blocks(body, run, state, name, segment, trace)
        found = _values_at_end(encoded, segment, run, reached, of_calls)
    except _Stop as stop:
        if stop.how is _Ended.VIOLATED:
            return stop.check
        raise NotConfirmed("an assumption on the way does not hold") from None
    _require_same(found, step.arguments[count:], run)
    if segment.end in body.heads:
        _require_where(body, reached, segment.end, run)
    return None


def _begin(
    body: EncodedBody, segment: Segment, run: _Run, premises: Sequence[Sequence[z3.ExprRef]]
) -> tuple[VariableState, str]:
    """The state and the block in which the run of a segment begins."""
    if segment.start is None:
        return body.semantics.begin(body.globals, run), body.flow.entry
    (values,) = premises
    state = _state_at(body, segment.start, values)
    if segment.start == ENTRY:
        return body.semantics.begin_called(state, run), body.flow.entry
    return state, segment.start


def _values_at_end(
    encoded: EncodedImplementation,
    segment: Segment,
    run: _Run,
    state: VariableState,
    summaries: Sequence[Sequence[z3.ExprRef]],
) -> list[z3.ExprRef]:
    """What is derived of the location to which a segment leads, by its run. summaries: what was derived of a call."""
    body = encoded.bodies[segment.body]
    if segment.calling is None:
        values = body.exit_values(state) if segment.end == EXIT else state_values(state)
        return [value for _, value in values]
    call = body.flow.blocks[segment.calling].call
    assert call is not None
    callee = encoded.body_of(call.procedure)
    begun = body.semantics.begin_call(call, state, run)
    if segment.end == ENTRY:
        return [value for _, value in callee.entry_values(begun)]
    returned = body.semantics.returned(call, begun, run)
    (summary,) = summaries
    _require_same([value for _, value in callee.summary_values(returned)], summary, run)
    return [value for _, value in state_values(body.semantics.end_call(call, state, returned))]


def _choices(encoded: EncodedImplementation, step: Step, given: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> z3.ModelRef:
    """Values for the variables of the step's clause, with those that its atoms have."""
    clause = encoded.system.clauses[step.clause]
    solver = z3.Solver()
    solver.set("timeout", 5 * QUESTION_MS)
    # constraint & arguments of body and head have the values of the derivation
    solver.add(clause.constraint, *(term == value for term, value in given))
    if clause.head is not None:
        solver.add(*(term == value for term, value in zip(clause.head.arguments, step.arguments, strict=True)))
    if solver.check() != z3.sat:
        raise NotConfirmed("the choices of the run were not found")
    return solver.model()


def _state_at(body: EncodedBody, location: str, values: Sequence[z3.ExprRef]) -> VariableState:
    """The state with the values of a derivation at a location. At `ENTRY` it lacks results and local variables."""
    rest = iter(values)
    universe = body.semantics.universe

    def taken(variables: Iterable[s.DeclaredVariable]) -> dict[str, Typed]:
        return {
            v.name: typed_of([next(rest) for _ in components(v.type, v.origin, universe)], v.type) for v in variables
        }

    if location == ENTRY:
        globals = taken(body.globals)
        return VariableState(globals, globals, taken(body.implementation.signature.parameters))
    globals, old = taken(body.globals), taken(body.globals)
    return VariableState(globals, old, taken(body.semantics.locals.values()))


def _run_blocks(
    body: EncodedBody, run: _Run, state: VariableState, name: str, segment: Segment, trace: list[TraceBlock]
) -> VariableState:
    """The state in which the run comes to the end of a segment. Raises _Stop where it ends before."""
    locations = body.locations
    for number in range(MAX_VISITED):
        if segment.calling is None and name == segment.end != EXIT and (number or name not in locations):
            return state
        block = body.flow.blocks[name]
        run.enter(name)
        begin = state
        try:
            for command in block.commands:
                state = _evaluated(body.semantics.run(command, state, run), run)
            if name == EXIT:
                body.semantics.end(state, run)
            if name == segment.calling or (name == EXIT == segment.end):
                return state
            if block.call is not None:
                body.semantics.begin_call(block.call, state, run)
        finally:
            trace.append(TraceBlock(block.origin, body.implementation.name, name, _changes(begin, state)))
        if not block.successors or block.call is not None:
            raise NotConfirmed("the run ends without a violation")
        name = _successor(body, run, state, name)
    raise NotConfirmed("the run does not come to a loop head")


def _successor(body: EncodedBody, run: _Run, state: VariableState, name: str) -> str:
    """The block where the run goes on."""
    block = body.flow.blocks[name]
    *others, last = block.successors
    for number, other in enumerate(others):
        if block.is_branch:
            first: Any = body.flow.blocks[other].commands[0]
            if run.holds(body.semantics.translator(state).condition(first.condition)):
                return other
        elif run.goes_to(number):
            return other
    return last


def _evaluated(state: VariableState, run: _Run) -> VariableState:
    """The state with values in place of terms."""

    def values(table: Mapping[str, Typed]) -> dict[str, Typed]:
        return {name: merged_by(run.value, [typed]) for name, typed in table.items()}

    return VariableState(values(state.globals), state.old, values(state.locals))


def _changes(before: VariableState, after: VariableState) -> dict[str, str]:
    """The variables with other values than before, with these."""
    return {
        name: ", ".join(map(str, value.terms))
        for name, value in after.scope.items()
        if name not in before.scope
        or not all(one.eq(other) for one, other in zip(value.terms, before.scope[name].terms, strict=True))
    }


def _require_where(body: EncodedBody, state: VariableState, head: str, run: _Run) -> None:
    """NotConfirmed if a `where` condition of what a loop changes does not hold at its head.

    Proofs of one iteration assume these conditions there, so that such a run is no violation for them.
    """
    blocks = [body.flow.blocks[name] for name in blocks_of_loop(body.flow, head)]
    commands = [command for block in blocks for command in (*block.commands, *([block.call] if block.call else []))]
    changed = frozenset().union(*(body.semantics.changed_by(command) for command in commands))
    try:
        body.semantics.assume_where(changed, state, run)
    except _Stop:
        raise NotConfirmed("at a loop head a where condition does not hold for what the loop changes") from None


def _require_same(found: Sequence[z3.ExprRef], expected: Sequence[z3.ExprRef], run: _Run) -> None:
    """NotConfirmed if the run comes to a location with other values than the derivation."""
    different = z3.Or([run.value(one) != other for one, other in zip(found, expected, strict=True)])
    if not z3.is_false(z3.simplify(different)) and not _is_unsatisfiable(different):
        raise NotConfirmed("the run comes to a location with other values than the derivation")
