"""Clauses compiled to programs over slots, so that work per clause is not repeated in every step.

A clause becomes one rule for each case of its disjunctions. In a rule, equations define as many variables as possible;
the remaining ones, such as inputs, are chosen when the rule is used.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import z3

from chcverify.horn.system import Clause, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.evaluation.disjunctive_cases import Case, disjunctive_cases
from chcverify.terms.evaluation.slot_table import SlotTable
from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.acceleration import concrete_operations, parametric_values
from solvers.acceleration.parametric_values import ParametricValue
from solvers.acceleration.run_values import State, UndecidedEquality, Value


class UnsupportedClause(Exception):
    """Raised for a clause with an operation or a value that runs do not support."""


@dataclass(frozen=True, slots=True)
class SlotInstruction:
    """slots[target] = evaluate(slots[arguments]). kind: of the z3 operation."""

    kind: int
    arguments: tuple[int, ...]
    target: int
    evaluate: Callable[..., Any]


@dataclass(frozen=True, eq=False)
class CompiledRule:
    """One case of a clause. Slots 0, 1, ... hold the body's arguments."""

    clause: int
    source: Predicate | None
    target: Predicate | None
    template: tuple[Any, ...]
    first: tuple[SlotInstruction, ...]
    """The instructions that need no choice."""
    second: tuple[SlotInstruction, ...]
    """The other instructions, executed after values for `free` are chosen."""
    guards: frozenset[int]
    """Slots that must be true."""
    free: tuple[tuple[int, z3.ExprRef], ...]
    """The slots whose values are chosen, with their variables."""
    head: tuple[int, ...]
    """Slots of the head's arguments."""
    variables: tuple[tuple[z3.ExprRef, int], ...]
    """The variables of the clause with their slots."""
    inputs: tuple[z3.ExprRef, ...]
    """A variable for each argument of the body."""
    constraint: z3.BoolRef
    """The conjunction of the guards over `inputs` and the free variables."""

    def begin(self, state: State) -> list[Any] | None:
        """The slots for the state, computed as far as no choice is needed; None if the rule cannot be used."""
        slots = list(self.template)
        slots[: len(state)] = state
        return slots if self._run(self.first, slots) else None

    def finish(self, slots: list[Any]) -> bool:
        """Executes the remaining instructions after the free variables' slots are filled; False if a guard fails."""
        return self._run(self.second, slots)

    def _run(self, program: Sequence[SlotInstruction], slots: list[Any]) -> bool:
        guards = self.guards
        for step in program:
            try:
                value = step.evaluate(*[slots[i] for i in step.arguments])
            except UndecidedEquality:
                return False
            slots[step.target] = value
            if not value and step.target in guards:
                return False
        return True

    def result(self, slots: Sequence[Any]) -> State:
        """The state that the rule leads to."""
        return tuple(slots[i] for i in self.head)

    def parametric_slots(
        self, state: Sequence[ParametricValue], choices: Sequence[ParametricValue]
    ) -> tuple[list[ParametricValue], int]:
        """The slots as functions of the iteration, and the number of iterations for which all guards hold."""
        slots = [ParametricValue(value) for value in self.template]
        slots[: len(state)] = state
        for (slot, _), choice in zip(self.free, choices, strict=True):
            slots[slot] = choice
        limit = parametric_values.UNBOUNDED_ITERATIONS
        for step in (*self.first, *self.second):
            value = parametric_values.OPERATIONS[step.kind](*[slots[i] for i in step.arguments])
            slots[step.target] = value
            if step.target in self.guards:
                limit = min(limit, value.limit if value.value is True else 0)
        return slots, limit


def compile_clause(index: int, clause: Clause) -> list[CompiledRule]:
    """The rules of a clause with at most one body atom.

    Raises UnsupportedClause for operations without concrete evaluation.
    """
    arena = Arena()
    inputs = clause.body[0].arguments if clause.body else ()
    known: dict[ArenaTerm, int] = {}
    fresh: list[z3.ExprRef] = []
    parts = arena.conjuncts(arena.handle(clause.constraint))
    for argument in inputs:
        handle = arena.handle(argument)
        if arena.is_variable(handle) and handle not in known:
            fresh.append(argument)
            known[handle] = len(known)
        else:
            formal = z3.FreshConst(argument.sort())
            fresh.append(formal)
            known[arena.handle(formal)] = len(known)
            parts.append(arena.equation(arena.handle(formal), handle))
    head = [arena.handle(argument) for argument in clause.head.arguments] if clause.head is not None else []
    variables = [arena.handle(variable) for variable in clause.variables]
    split = _cases(arena, parts, frozenset(known))
    made = [_rule(arena, definitions, rest, known, head, variables) for definitions, rest in split]
    return [
        replace(
            rule,
            clause=index,
            source=clause.body[0].predicate if clause.body else None,
            target=clause.head.predicate if clause.head is not None else None,
            inputs=tuple(fresh),
        )
        for rule in made
    ]


def _cases(arena: Arena, parts: list[ArenaTerm], known: frozenset[ArenaTerm]) -> list[Case]:
    def rank(variable: ArenaTerm, term: ArenaTerm) -> int:
        return 0 if variable in known else 2 if arena.variables(term) <= known else 1

    return disjunctive_cases(arena, parts, rank, known)


def _rule(
    arena: Arena,
    definitions: dict[ArenaTerm, ArenaTerm],
    rest: list[ArenaTerm],
    known: dict[ArenaTerm, int],
    head: list[ArenaTerm],
    all_: list[ArenaTerm],
) -> CompiledRule:
    """The program of one case; the fields taken from the clause itself are filled in by the caller."""
    outputs = [arena.substitute(term, definitions) for term in head]
    roots = [*rest, *outputs, *(definitions.get(v, v) for v in all_)]
    unknown = arena.in_order(frozenset().union(*map(arena.variables, roots)) - known.keys())
    table = SlotTable(arena, {**known, **{v: len(known) + i for i, v in enumerate(unknown)}}, numeral, None)
    early, late = _instructions(arena, roots, known, table)
    slot = table.slot
    guards = {slot[part] for part in rest}
    for guard in sorted(guards - {step.target for step in (*early, *late)}):  # Boolean variables of the body
        step = SlotInstruction(z3.Z3_OP_AND, (guard,), table.add(), concrete_operations.OPERATIONS[z3.Z3_OP_AND])
        guards.add(step.target)
        early.append(step)
    return CompiledRule(
        clause=-1,
        source=None,
        target=None,
        template=tuple(table.template),
        first=tuple(early),
        second=tuple(late),
        guards=frozenset(guards),
        free=tuple((slot[variable], arena.wrap(variable)) for variable in unknown),
        head=tuple(slot[term] for term in outputs),
        variables=tuple((arena.wrap(v), slot[definitions.get(v, v)]) for v in all_),
        inputs=(),
        constraint=z3.And(*(arena.wrap(part) for part in rest)) if rest else z3.BoolVal(True),
    )


def _instructions(
    arena: Arena, roots: Sequence[ArenaTerm], known: dict[ArenaTerm, int], table: SlotTable
) -> tuple[list[SlotInstruction], list[SlotInstruction]]:
    """Instructions for all subterms of the roots: those over `known` variables alone, and the others.

    UnsupportedClause for operations without a concrete one.
    """
    early: list[SlotInstruction] = []
    late: list[SlotInstruction] = []
    for step in table.steps(roots):
        kind = arena.kind(step.term)
        evaluate = concrete_operations.OPERATIONS.get(kind)
        if evaluate is None:
            raise UnsupportedClause(str(arena.wrap(step.term).decl()) if kind >= 0 else "quantifiers")
        instruction = SlotInstruction(kind, step.arguments, step.target, evaluate)
        (early if arena.variables(step.term) <= known.keys() else late).append(instruction)
    return early, late


def numeral(term: z3.ExprRef) -> Value:
    """The value of a numeral or Boolean constant; UnsupportedClause for other terms."""
    if z3.is_true(term) or z3.is_false(term):
        return bool(z3.is_true(term))
    if isinstance(term, z3.IntNumRef):
        return int(term.as_long())
    if isinstance(term, z3.RatNumRef):
        return Fraction(term.as_fraction())
    raise UnsupportedClause(str(term))
