"""Is the derivation of a query possible? If not: which arguments must facts describe more precisely to exclude it?

The clauses of the derivation are one formula in which each argument of each fact is a variable. What a fact forgets is
an equation that the formula asks for under an assumption: the assumptions of an unsatisfiable core are what is missing.
(Clarke, Grumberg, Jha, Lu, Veith: Counterexample-guided abstraction refinement, CAV 2000; for explicit values Beyer,
Loewe, FASE 2013.)
"""

from collections.abc import Collection, Mapping, Sequence

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.effort import LONG_QUESTION_MS, QUESTION_MS
from chcverify.horn.system import HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, substitute
from solvers.engine import Context
from solvers.explicit.fact_derivations import needed_facts
from solvers.explicit.fact_model import has_value
from solvers.explicit.fact_table import Fact, Table, use_values
from solvers.explicit.fact_values import ANY, Value
from solvers.explicit.precision import ClauseUse, Position, ValuePrecision


@dataclass(frozen=True, eq=False)
class Refinement:
    """What excludes a derivation."""

    tracked: Collection[Position] = ()
    """Arguments whose values facts must keep."""
    cases: Collection[Position] = ()
    """Arguments whose cases must be distinguished."""
    impossible: Collection[ClauseUse] = ()
    """Uses of clauses that are impossible: a clause, with the values of its premises and of its head; None stands for
    any values."""

    def __bool__(self) -> bool:
        return bool(self.tracked or self.cases or self.impossible)


@dataclass(frozen=True, eq=False)
class _Use:
    """A clause on variables of its own."""

    key: tuple[int, int]
    asserted: z3.BoolRef
    """The constraint, and for each argument of the head that facts keep, that it equals its value."""
    body: Sequence[Sequence[z3.ExprRef]]
    """The arguments of each body atom."""
    values: Sequence[z3.ExprRef]
    """The variables for the values of the head's arguments."""


class ClauseUses:
    """Clauses on variables of their own: the first use in one derivation is the same as in another.

    kept: of each argument the assumption that facts keep its value.
    """

    def __init__(self, system: HornSystem) -> None:
        self.system = system
        positions = [(predicate, i) for predicate in system.predicates for i in range(predicate.arity)]
        self.kept = {position: z3.FreshConst(z3.BoolSort(), "kept") for position in positions}
        self._made: dict[tuple[int, int], _Use] = {}
        self._links: dict[tuple[int, ...], z3.BoolRef] = {}
        self._solvers: dict[int, z3.Solver] = {}
        self._impossible: dict[ClauseUse, bool] = {}

    def of(self, index: int, seen: dict[int, int]) -> _Use:
        """The next use of a clause. seen: how often a derivation has used each clause; counts this use."""
        key = index, seen.get(index, 0)
        seen[index] = key[1] + 1
        if key not in self._made:
            clause = self.system.clauses[index]
            renamed = [(v, z3.FreshConst(v.sort())) for v in clause.variables]
            body = [[substitute(argument, renamed) for argument in atom.arguments] for atom in clause.body]
            parts, values = [substitute(clause.constraint, renamed)], list[z3.ExprRef]()
            for i, argument in enumerate(clause.head.arguments if clause.head is not None else ()):
                assert clause.head is not None
                values.append(z3.FreshConst(argument.sort()))
                kept = self.kept[clause.head.predicate, i]
                parts.append(z3.Implies(kept, substitute(argument, renamed) == values[-1]))
            self._made[key] = _Use(key, conjunction(parts), body, values)
        return self._made[key]

    def link(self, use: _Use, atom: int, premise: _Use) -> z3.BoolRef:
        """The arguments of the atom are the values of the premise."""
        key = (*use.key, atom, *premise.key)
        if key not in self._links:
            pairs = zip(use.body[atom], premise.values, strict=True)
            self._links[key] = conjunction([argument == value for argument, value in pairs])
        return self._links[key]

    def is_impossible(self, use: ClauseUse, context: Context) -> bool:
        """Is there no instance of the clause with these values?"""
        if use not in self._impossible:
            index, values = use
            clause = self.system.clauses[index]
            if index not in self._solvers:
                self._solvers[index] = z3.SimpleSolver()
                self._solvers[index].add(clause.constraint)
            terms = [*(atom.arguments for atom in clause.body), clause.head.arguments if clause.head else ()]
            pairs = zip(terms, values, strict=True) if values is not None else ()
            known = [has_value(*pair) for each in pairs for pair in zip(*each, strict=True)]
            # the constraint on the known values of its premises and its head
            self._solvers[index].push()
            self._solvers[index].add(*known)
            self._impossible[use] = _ask(self._solvers[index], (), context) == z3.unsat
            self._solvers[index].pop()
        return self._impossible[use]


def _ask(
    solver: z3.Solver, assumed: Collection[z3.BoolRef], context: Context, longest_ms: int = QUESTION_MS
) -> z3.CheckSatResult:
    """The answer about the solver's assertions and these literals."""
    solver.set("timeout", max(1, min(longest_ms, int(1000 * context.remaining()))))
    return solver.check(*assumed)


class PathCheck:
    """The formula of one derivation of a query. compared: as `compared_values` has it."""

    def __init__(
        self,
        uses: ClauseUses,
        table: Table,
        query: Fact,
        precision: ValuePrecision,
        compared: Mapping[Position, Sequence[Value]],
    ) -> None:
        self._uses, self._table = uses, table
        self._solver = z3.SimpleSolver()
        self._forgotten: dict[Position, z3.BoolRef] = {}
        self._uncertain: dict[Position, z3.BoolRef] = {}
        self._order = needed_facts(table.facts, query)
        self._facts = [*(table.facts[number] for number in self._order), query]
        self._values: list[Sequence[z3.ExprRef]] = []
        made: dict[int, _Use] = {}
        seen: dict[int, int] = {}
        positions: dict[Position, None] = {}
        for number, fact in zip([*self._order, -1], self._facts, strict=True):
            use = made[number] = uses.of(fact.plan.clause, seen)
            self._values.append(use.values)
            links = zip(fact.plan.joins, fact.premises, strict=True)
            self._solver.add(use.asserted, *(uses.link(use, join.atom, made[premise]) for join, premise in links))
            for i, value in enumerate(fact.values if fact.plan.target is not None else ()):
                assert fact.plan.target is not None
                position = (fact.plan.target, i)
                positions[position] = None
                if not precision.is_tracked(position):
                    self._forgotten[position] = uses.kept[position]
                elif value is ANY and position in compared and not precision.has_cases(position):
                    self._uncertain[position] = uses.kept[position]
        open_positions = self._forgotten.keys() | self._uncertain.keys()
        self._solver.add(*(uses.kept[position] for position in positions if position not in open_positions))

    def decide(self, context: Context) -> Derivation | Refinement | None:
        """The derivation if there is one, else what excludes it, or nothing; None if the solver has no answer."""
        # the clauses of the derivation on the values that its facts hand on
        assumed = [*self._forgotten.values(), *self._uncertain.values()]
        answer = _ask(self._solver, assumed, context, LONG_QUESTION_MS)
        if answer == z3.sat:
            return self._derivation(self._solver.model())
        if answer != z3.unsat:
            return None
        tracked = self._minimised(self._core(self._forgotten), self._uncertain.values(), context)
        if tracked:
            return Refinement(tracked)
        # the same, where facts forget all arguments that they could describe more precisely
        if _ask(self._solver, self._uncertain.values(), context, LONG_QUESTION_MS) != z3.unsat:
            return None
        cases = self._minimised(self._core(self._uncertain), (), context)
        return Refinement((), cases) if cases else Refinement((), (), self._impossible(context))

    def _core(self, assumed: Mapping[Position, z3.BoolRef]) -> dict[Position, z3.BoolRef]:
        core = {literal.get_id() for literal in self._solver.unsat_core()}
        return {position: literal for position, literal in assumed.items() if literal.get_id() in core}

    def _minimised(
        self, core: dict[Position, z3.BoolRef], free: Collection[z3.BoolRef], context: Context
    ) -> Collection[Position]:
        """A core without positions that are not needed, as far as time allows. free: what is assumed in any case."""
        for position in list(core):
            smaller = {other: literal for other, literal in core.items() if other != position}
            # the same, and facts forget this argument
            if position in core and _ask(self._solver, [*smaller.values(), *free], context) == z3.unsat:
                core = self._core(smaller)
        return core.keys()

    def _impossible(self, context: Context) -> Collection[ClauseUse]:
        """The uses of clauses in the derivation that are impossible by themselves."""
        found: set[ClauseUse] = set()
        for fact in self._facts:
            for use in ((fact.plan.clause, None), (fact.plan.clause, use_values(fact, self._table.facts))):
                if self._uses.is_impossible(use, context):
                    found.add(use)
                    break
        return found

    def _derivation(self, model: z3.ModelRef) -> Derivation:
        """The derivation with the values of the model."""
        steps: list[Step] = []
        place = {number: index for index, number in enumerate(self._order)}
        for index, fact in enumerate(self._facts):
            own = self._values[index]
            by_atom = {join.atom: place[n] for join, n in zip(fact.plan.joins, fact.premises, strict=True)}
            arguments = tuple(model.eval(value, model_completion=True) for value in own)
            steps.append(Step(fact.plan.clause, arguments, tuple(by_atom[i] for i in range(len(by_atom)))))
        return Derivation(tuple(steps))
