"""The judge of every violation: an execution of the blocks, command by command, on the values of a derivation.

A derivation gives the values at loop heads. Between them, the choices of the run (values of `havoc`, the results of
calls, successors of `goto`) are a solution of the clause. The execution takes them, evaluates every command by itself,
and must come to the next loop head with its values, and at last to the check that is violated.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Any

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.origin import Origin
from chcverify.lazy_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.terms.core.traversal import substitute
from encoders.boogie import syntax as s
from encoders.boogie.control_flow import EXIT, blocks_of_loop
from encoders.boogie.expressions.typed_terms import Typed, components, merged_by, typed_of
from encoders.boogie.implementation_encoder import EncodedImplementation, chosen_successor, fresh_value, state_values
from encoders.boogie.recursive_definitions import DefinedValues, NotUnfolded
from encoders.boogie.semantics import VariableState

SOLVER_MS = 2000
"""For one question about a condition with quantifiers, or about the choices of a clause. Chosen by hand."""

MAX_BLOCKS = 100_000
"""Blocks between two loop heads; they have no cycle, so this only ends what an error of the encoder would let run."""


class NotConfirmed(Exception):
    """The execution does not come to the violation. The message says where it ends."""


@dataclass(frozen=True)
class TraceBlock:
    """A block of the run, and the values of the variables that it changed."""

    origin: Origin
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
    solver.set("timeout", SOLVER_MS)
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
    for step in derivation.ground_steps:
        if time.monotonic() > until:
            raise NotConfirmed("the execution took too long")
        check = _executed_step(encoded, derivation, step, trace)
        if check is not None:
            return check, tuple(trace)
    raise NotConfirmed("the run ends without a violation")


def _executed_step(
    encoded: EncodedImplementation, derivation: Derivation, step: Step, trace: list[TraceBlock]
) -> Check | None:
    """The check that the run violates in the segment of a step; None if it comes to the segment's end."""
    segment = encoded.segments[step.clause]
    clause = encoded.system.clauses[step.clause]
    given: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    for atom, premise in zip(clause.body, step.premises, strict=True):
        before = derivation.ground_steps[premise]
        given += zip(atom.arguments, before.arguments, strict=True)
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
    if segment.start is None:
        state = encoded.semantics.begin(encoded.globals, run)
        name = encoded.flow.entry
    else:
        state, name = _state_at_head(encoded, given), segment.start
    try:
        state = _run_blocks(encoded, run, state, name, segment.end, trace)
    except _Stop as stop:
        if stop.how is _Ended.VIOLATED:
            return stop.check
        raise NotConfirmed("an assumption on the way does not hold") from None
    _require_same(encoded, state, step, run)
    _require_where(encoded, state, segment.end, run)
    return None


def _choices(encoded: EncodedImplementation, step: Step, given: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> z3.ModelRef:
    """Values for the variables of the step's clause, with those that its atoms have."""
    clause = encoded.system.clauses[step.clause]
    solver = z3.Solver()
    solver.set("timeout", 5 * SOLVER_MS)
    # constraint & arguments of body and head have the values of the derivation
    solver.add(clause.constraint, *(term == value for term, value in given))
    if clause.head is not None:
        solver.add(*(term == value for term, value in zip(clause.head.arguments, step.arguments, strict=True)))
    if solver.check() != z3.sat:
        raise NotConfirmed("the choices of the run were not found")
    return solver.model()


def _state_at_head(encoded: EncodedImplementation, given: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> VariableState:
    """The state with the values that a derivation has at a loop head."""
    rest = iter([value for _, value in given[len(encoded.symbols) :]])
    universe = encoded.semantics.universe

    def values(variables: Iterable[s.DeclaredVariable]) -> dict[str, Typed]:
        return {
            v.name: typed_of([next(rest) for _ in components(v.type, v.origin, universe)], v.type) for v in variables
        }

    globals, old = values(encoded.globals), values(encoded.globals)
    return VariableState(globals, old, values(encoded.semantics.locals.values()))


def _run_blocks(
    encoded: EncodedImplementation, run: _Run, state: VariableState, name: str, end: str | None, trace: list[TraceBlock]
) -> VariableState:
    """The state in which the run comes to the loop head `end`. Raises _Stop where it ends before."""
    for number in range(MAX_BLOCKS):
        if name == end and (number or name not in encoded.heads):
            return state
        block = encoded.flow.blocks[name]
        run.enter(name)
        begin = state
        try:
            for command in block.commands:
                state = _evaluated(encoded.semantics.run(command, state, run), run)
            if name == EXIT:
                encoded.semantics.end(state, run)
        finally:
            trace.append(TraceBlock(block.origin, name, _changes(begin, state)))
        if not block.successors:
            raise NotConfirmed("the run ends without a violation")
        name = _successor(encoded, run, state, name)
    raise NotConfirmed("the run does not come to a loop head")


def _successor(encoded: EncodedImplementation, run: _Run, state: VariableState, name: str) -> str:
    """The block where the run goes on."""
    block = encoded.flow.blocks[name]
    *others, last = block.successors
    for number, other in enumerate(others):
        if block.is_branch:
            first: Any = encoded.flow.blocks[other].commands[0]
            if run.holds(encoded.semantics.translator(state).condition(first.condition)):
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


def _require_where(encoded: EncodedImplementation, state: VariableState, head: str | None, run: _Run) -> None:
    """NotConfirmed if a `where` condition of what a loop changes does not hold at its head.

    Proofs of one iteration assume these conditions there, so that such a run is no violation for them.
    """
    assert head is not None
    commands = [
        command for name in blocks_of_loop(encoded.flow, head) for command in encoded.flow.blocks[name].commands
    ]
    changed = frozenset().union(*(encoded.semantics.changed_by(command) for command in commands))
    try:
        encoded.semantics.assume_where(changed, state, run)
    except _Stop:
        raise NotConfirmed("at a loop head a where condition does not hold for what the loop changes") from None


def _require_same(encoded: EncodedImplementation, state: VariableState, step: Step, run: _Run) -> None:
    """NotConfirmed if the run comes to the loop head with other values than the derivation."""
    found = [value for _, value in state_values(state)]
    expected = step.arguments[len(encoded.symbols) :]
    different = z3.Or([run.value(one) != other for one, other in zip(found, expected, strict=True)])
    if not z3.is_false(z3.simplify(different)) and not _is_unsatisfiable(different):
        raise NotConfirmed("the run comes to a loop head with other values than the derivation")
