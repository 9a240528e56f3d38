"""Clauses compiled to join plans: for each body atom, the evaluation of the clause from a new fact of that atom.

Equations turn the arguments of the first atom into keys to the facts of the next atom, and so on; variables that are
left after the last atom are free. Semi-naive evaluation: Abiteboul, Hull, Vianu: Foundations of Databases (1995),
section 13.1.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_BUILT
from chcverify.horn.system import Clause, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.evaluation.disjunctive_cases import disjunctive_cases
from chcverify.terms.evaluation.python_code import NotComputable
from chcverify.terms.evaluation.slot_table import SlotTable
from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.explicit.fact_values import ANY, Truth, Undecided, Value, function_of, numeral, zero

_COMPARISONS = {
    z3.Z3_OP_LE: (0, False),
    z3.Z3_OP_LT: (0, True),
    z3.Z3_OP_GE: (1, False),
    z3.Z3_OP_GT: (1, True),
}
"""For each comparison, the index of its smaller side, and True if the comparison is strict."""


@dataclass(frozen=True, slots=True)
class JoinInstruction:
    """slots[target] = evaluate(slots[arguments]). guard: it must not be false."""

    arguments: tuple[int, ...]
    target: int
    evaluate: Callable[..., Any]
    guard: bool


Block = tuple[JoinInstruction, ...]


def run(block: Block, slots: list[Value]) -> Truth:
    """Executes the instructions on the slots: False if a guard is false, ANY if one is undecided, else True."""
    result: Truth = True
    for step in block:
        try:
            value = step.evaluate(*[slots[i] for i in step.arguments])
        except (Undecided, NotComputable):
            value = ANY
        slots[step.target] = value
        if step.guard and value is not True:
            if value is False:
                return False
            result = ANY
    return result


@dataclass(frozen=True, slots=True)
class Join:
    """The join with the facts of one body atom."""

    atom: int
    predicate: Predicate
    indexed: tuple[tuple[int, int], ...]
    """The keys by which facts are looked up, all but arrays."""
    keys: tuple[tuple[int, int], ...]
    """(position, slot) of arguments that earlier joins determine."""
    new: tuple[tuple[int, int], ...]
    """(position, slot) of the other arguments."""
    block: Block
    """Instructions that can run after this join."""


@dataclass(frozen=True, slots=True)
class Free:
    """A variable that nothing determines."""

    slot: int
    default: Value
    """Some value of its sort."""
    lower: tuple[tuple[int, int], ...]
    upper: tuple[tuple[int, int], ...]
    """Slots of its bounds, with 1 if it is not the bound itself."""

    def interval(self, slots: Sequence[Value]) -> tuple[int | None, int | None]:
        """The least and the greatest value of an integer variable within its bounds; None where it has none."""
        lower = [slots[slot] + strict for slot, strict in self.lower]  # type: ignore[operator]
        upper = [slots[slot] - strict for slot, strict in self.upper]  # type: ignore[operator]
        known = [[bound for bound in bounds if isinstance(bound, int)] for bounds in (lower, upper)]
        return max(known[0], default=None), min(known[1], default=None)

    def few(self, slots: Sequence[Value], most: int) -> Sequence[Value]:
        """All values if there are less than `most`; otherwise ANY."""
        if self.default is False:
            return False, True
        least, greatest = self.interval(slots)
        if least is None or greatest is None or greatest - least >= most:
            return (ANY,)
        return range(least, greatest + 1)

    def one(self, slots: Sequence[Value]) -> Value:
        """A value: the bound next to 0, or 0; ANY for sorts that have none here."""
        least, greatest = self.interval(slots)
        if least is not None and least > 0:
            return least
        return greatest if greatest is not None and greatest < 0 else self.default


@dataclass(frozen=True, eq=False, slots=True)
class JoinPlan:
    """The evaluation of one case of a clause, starting from one of its atoms (the first join)."""

    clause: int
    target: Predicate | None
    template: tuple[Value, ...]
    """The slots with the values of numerals."""
    sure: bool
    """True if the guards on these hold."""
    joins: tuple[Join, ...]
    free: tuple[Free, ...]
    end: Block
    """Instructions that depend on free variables."""
    head: tuple[int, ...]
    """Slots of the head's arguments."""


def plans(index: int, clause: Clause, first: int | None) -> list[JoinPlan]:
    """The plans of a clause's cases that start from body atom `first`; None for a clause without a body."""
    compiler = _Compiler(index, clause, first)
    known = frozenset(compiler.stage)
    is_small = sum(map(compiler.arena.size, compiler.parts)) < MAX_BUILT
    most = MAX_ALTERNATIVES if is_small else 1
    split = disjunctive_cases(compiler.arena, compiler.parts, compiler.rank, known, most)
    made = [compiler.plan(definitions, rest) for definitions, rest in split]
    return [plan for plan in made if plan is not None]


class _Compiler:
    """Compiles one clause. order: the atoms in join order; stage: for each atom's variable the number of its join."""

    def __init__(self, index: int, clause: Clause, first: int | None) -> None:
        self.arena = arena = Arena()
        self.index = index
        self.clause = clause
        self.parts = arena.conjuncts(arena.handle(clause.constraint))
        self.atoms = self._atoms()
        self.head = [arena.handle(argument) for argument in clause.head.arguments] if clause.head is not None else []
        self.order = [] if first is None else self._order(first)
        self.stage = {variable: i for i, atom in enumerate(self.order) for variable in self.atoms[atom]}

    def _atoms(self) -> list[list[ArenaTerm]]:
        """The variables at the atoms' arguments, made distinct."""
        arena = self.arena
        seen: set[ArenaTerm] = set()
        atoms = []
        for application in self.clause.body:
            variables = []
            for argument in map(arena.handle, application.arguments):
                variable = argument
                if not arena.is_variable(argument) or argument in seen:
                    variable = arena.fresh_like(b"a", argument)
                    self.parts.append(arena.equation(variable, argument))
                seen.add(variable)
                variables.append(variable)
            atoms.append(variables)
        return atoms

    def _order(self, first: int) -> list[int]:
        """The join order: next comes the atom with the most arguments that an equation may determine."""
        arena = self.arena
        equations = [arena.variables(p) for p in self.parts if arena.kind(p) in (z3.Z3_OP_EQ, z3.Z3_OP_IFF)]
        order, known = [first], set(self.atoms[first])
        left = [i for i in range(len(self.atoms)) if i != first]
        while left:
            determined = {next(iter(e - known)) for e in equations if len(e - known) == 1}
            best = max(left, key=lambda i: sum(variable in determined for variable in self.atoms[i]))
            left.remove(best)
            order.append(best)
            known.update(self.atoms[best])
        return order

    def rank(self, variable: ArenaTerm, term: ArenaTerm) -> int:
        """The preference for defining a variable: arguments of atoms by earlier ones, free variables by all."""
        last = len(self.order)
        needs = max((self.stage.get(v, last) for v in self.arena.variables(term)), default=-1)
        if variable in self.stage:
            return 2 if needs < self.stage[variable] else 0
        return 2 if needs < last else 1

    def plan(self, definitions: dict[ArenaTerm, ArenaTerm], rest: list[ArenaTerm]) -> JoinPlan | None:
        """The plan of one case; None if a guard that depends on no variable is false."""
        arena, last = self.arena, len(self.order)
        outputs = [arena.substitute(term, definitions) for term in self.head]
        keys = [definitions[v] for v in self.stage if v in definitions]
        roots = [*rest, *outputs, *keys]
        unknown = arena.in_order(frozenset().union(*map(arena.variables, roots)) - self.stage.keys())
        given = {variable: i for i, variable in enumerate([*self.stage, *unknown])}
        table = SlotTable(arena, given, numeral, ANY)
        blocks = self._blocks(roots, dict.fromkeys(rest), table)
        slot, template = table.slot, table.template
        sure = run(tuple(blocks[0]), template)
        if sure is False:
            return None
        return JoinPlan(
            self.index,
            self.clause.head.predicate if self.clause.head is not None else None,
            tuple(template),
            sure is True,
            tuple(self._join(i, definitions, slot, tuple(blocks[i + 1])) for i in range(last)),
            tuple(self._free(variable, rest, slot) for variable in unknown),
            tuple(blocks[-1]),
            tuple(slot[term] for term in outputs),
        )

    def _blocks(
        self, roots: Sequence[ArenaTerm], guards: Collection[ArenaTerm], table: SlotTable
    ) -> list[list[JoinInstruction]]:
        """The instructions for the roots by the join after which they can run; block 0 depends on no variable."""
        arena, last = self.arena, len(self.order)
        blocks: list[list[JoinInstruction]] = [[] for _ in range(last + 2)]

        def block_of(term: ArenaTerm) -> list[JoinInstruction]:
            return blocks[1 + max((self.stage.get(v, last) for v in arena.variables(term)), default=-1)]

        for guard in guards:
            if guard in table.slot:  # a Boolean variable
                slot = table.slot[guard]
                block_of(guard).append(JoinInstruction((slot,), slot, lambda value: value, True))
        for step in table.steps(roots):
            evaluate = function_of(arena, step.term)
            block_of(step.term).append(JoinInstruction(step.arguments, step.target, evaluate, step.term in guards))
        return blocks

    def _join(
        self, position: int, definitions: dict[ArenaTerm, ArenaTerm], slot: dict[ArenaTerm, int], block: Block
    ) -> Join:
        atom = self.order[position]
        variables = list(enumerate(self.atoms[atom]))
        keys = tuple((i, slot[definitions[v]]) for i, v in variables if v in definitions)
        new = tuple((i, slot[v]) for i, v in variables if v not in definitions)
        predicate = self.clause.body[atom].predicate
        indexed = tuple(key for key in keys if predicate.sorts[key[0]].kind() != z3.Z3_ARRAY_SORT)
        return Join(atom, predicate, indexed, keys, new, block)

    def _comparisons(self, rest: Sequence[ArenaTerm]) -> list[tuple[ArenaTerm, ArenaTerm, int]]:
        """The triples (smaller, greater, strictly) of the comparisons between integers among the conjuncts."""
        arena, found = self.arena, []
        for part in rest:
            negated = arena.kind(part) == z3.Z3_OP_NOT
            inner = arena.children(part)[0] if negated else part
            if arena.kind(inner) in _COMPARISONS:
                smaller, strict = _COMPARISONS[arena.kind(inner)]
                sides = arena.children(inner)
                if arena.is_integer(sides[0]):
                    low, high = sides[smaller], sides[1 - smaller]
                    found.append((high, low, int(not strict)) if negated else (low, high, int(strict)))
        return found

    def _free(self, variable: ArenaTerm, rest: Sequence[ArenaTerm], slot: dict[ArenaTerm, int]) -> Free:
        known = self.stage.keys()
        pairs = self._comparisons(rest)
        variables = self.arena.variables
        return Free(
            slot[variable],
            zero(self.arena.wrap(variable).sort()),
            tuple((slot[low], strict) for low, high, strict in pairs if high == variable and variables(low) <= known),
            tuple((slot[high], strict) for low, high, strict in pairs if low == variable and variables(high) <= known),
        )
