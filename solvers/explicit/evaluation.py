"""Semi-naive evaluation: derives each fact once, until there are no new ones, a query applies, or at a limit."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from chcverify.certificate.kernel.obligation import describe
from chcverify.effort import MAX_BUILT, MAX_CASES, MAX_TRIED
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from solvers.engine import Context
from solvers.explicit.fact_table import Fact, Table, agreement, use_values
from solvers.explicit.fact_values import ANY, Cells, Value, is_large
from solvers.explicit.join_plans import JoinPlan, plans, run
from solvers.explicit.precision import ValuePrecision

JOIN_COST_INSTRUCTIONS = 10
"""Instructions that cost as much as the fixed part of one use of a clause or of a fact. Chosen by hand."""

_Partial = tuple[list[Value], tuple[int, ...], bool]
"""Slots, premises, and do all guards so far hold for sure?"""


class EvaluationLimitReached(Exception):
    """Raised when a limit is reached; the message names the limit."""


@dataclass(frozen=True)
class EvaluationLimits:
    """Limits on facts, on cells of their arrays, and on instructions; chosen by hand, no measurement is recorded.

    unsure: divisor of all limits as soon as a fact depends on ANY.
    """

    facts: int = 5_000
    cells: int = 10_000
    work: int = 1_000_000
    unsure: int = 5


class CompiledSystem:
    """The join plans of a system, compiled on demand: many evaluations end before most clauses are needed."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self._context = context
        self._plans: dict[Predicate | None, list[JoinPlan]] = {}

    def of(self, predicate: Predicate | None) -> Sequence[JoinPlan]:
        """The plans that start from a new fact of the predicate, queries first; for None, those without body atoms."""
        if predicate not in self._plans:
            self._plans[predicate] = sorted(self._compiled(predicate), key=lambda plan: plan.target is not None)
        return self._plans[predicate]

    def _compiled(self, predicate: Predicate | None) -> list[JoinPlan]:
        clauses = self.system.clauses
        found = []
        for index in range(len(clauses)) if predicate is None else self.system.using[predicate]:
            self.look_at_clock()
            body = clauses[index].body
            if predicate is None and not body:
                found += plans(index, clauses[index], None)
            for atom in [i for i, application in enumerate(body) if application.predicate == predicate]:
                found += plans(index, clauses[index], atom)
        return found

    def look_at_clock(self) -> None:
        """Raises EvaluationLimitReached if the deadline has passed."""
        if not self._context.remaining():
            raise EvaluationLimitReached("time limit")

    def position(self, fact: Fact) -> str:
        """A description of the clause that derived the fact."""
        return describe(fact.plan.clause, self.system.clauses[fact.plan.clause])


class Evaluation:
    """One evaluation of a system.

    enumerate_: free variables with few values take all of them, instead of ANY. could_enumerate: True if there are such
    variables. table: the facts derived so far. precision: what facts keep of the values.
    """

    def __init__(
        self,
        program: CompiledSystem,
        limits: EvaluationLimits,
        enumerate_: bool = False,
        precision: ValuePrecision | None = None,
    ) -> None:
        self.table = Table(program.system)
        self.could_enumerate = False
        self._program = program
        self._limits = limits
        self._enumerate = enumerate_
        self._precision = precision
        self._queue: deque[tuple[int, Predicate]] = deque()
        self._work = 0
        self._cells = 0
        self._next_look = 0
        self._unsure = False

    def queries(self) -> Iterator[Fact]:
        """Yields the uses of queries; at the end the table is closed under all clauses.

        Raises EvaluationLimitReached with the reason.
        """
        for plan in self._program.of(None):
            yield from self._use(plan, None)
        while self._queue:
            number, predicate = self._queue.popleft()
            self.table.join(predicate, number)
            for plan in self._program.of(predicate):
                yield from self._use(plan, number)

    def _use(self, plan: JoinPlan, number: int | None) -> Iterator[Fact]:
        """Derives the plan's facts from fact `number`, or without a fact; yields uses of queries."""
        for slots, premises, sure in self._joined(plan, number):
            for choice in self._choices(plan, slots):
                after = list(slots)
                for free, value in zip(plan.free, choice, strict=True):
                    after[free.slot] = value
                self._count(JOIN_COST_INSTRUCTIONS + len(plan.end))
                truth = run(plan.end, after)
                if truth is False:
                    continue
                fact = Fact(tuple(after[i] for i in plan.head), plan, premises, choice, sure and truth is True)
                for kept in (fact,) if self._precision is None else self._abstracted(fact, self._precision):
                    if plan.target is None:
                        yield kept
                    else:
                        self._add(plan.target, kept)

    def _abstracted(self, fact: Fact, precision: ValuePrecision) -> Iterator[Fact]:
        """What the precision leaves of the fact: none of it if this use of the clause derives nothing."""
        target = fact.plan.target
        several = [fact.values] if target is None else precision.abstracted(target, fact.values)
        for values in several:
            kept = Fact(values, fact.plan, fact.premises, fact.choice, False)
            if not self._is_impossible(kept, precision):
                yield kept

    def _is_impossible(self, fact: Fact, precision: ValuePrecision) -> bool:
        """Is this use of the clause known to derive nothing?"""
        if not precision.impossible:
            return False
        values = use_values(fact, self.table.facts)
        return any((fact.plan.clause, use) in precision.impossible for use in (None, values))

    def _joined(self, plan: JoinPlan, number: int | None) -> Sequence[_Partial]:
        """The joins of fact `number` with all facts that agree with it, as partial evaluations."""
        current: list[_Partial] = [(list(plan.template), (), plan.sure)]
        facts = self.table.facts
        for join in plan.joins:
            following: list[_Partial] = []
            for slots, premises, sure in current:
                for n in (number,) if number is not None and not premises else self.table.matching(join, slots):
                    self._count(JOIN_COST_INSTRUCTIONS + len(join.block))
                    values = facts[n].values
                    agree = agreement(join, slots, values)
                    if agree is False:
                        continue
                    after = list(slots)
                    for position, slot in join.new:
                        after[slot] = values[position]
                    truth = run(join.block, after)
                    if truth is not False:
                        sure_now = sure and facts[n].sure and agree is True and truth is True
                        following.append((after, (*premises, n), sure_now))
            current = following
        return current

    def _choices(self, plan: JoinPlan, slots: Sequence[Value]) -> Sequence[tuple[Value, ...]]:
        """Values of the free variables; ANY for those with more than a few."""
        choices: list[tuple[Value, ...]] = [()]
        cases = self._cases(plan)
        for free in plan.free:
            if free.slot in cases and len(choices) * len(cases[free.slot]) <= MAX_TRIED:
                choices = [(*before, value) for before in choices for value in cases[free.slot]]
                continue
            few = free.few(slots, MAX_CASES)
            if len(few) * len(choices) > MAX_CASES:
                few = (ANY,)
            self.could_enumerate = self.could_enumerate or len(few) > 1
            if len(few) > 1 and not self._enumerate:
                few = (ANY,)
            choices = [(*before, value) for before in choices for value in few]
        return choices

    def _cases(self, plan: JoinPlan) -> Mapping[int, Sequence[Value]]:
        """By their slots, the cases of those variables that the plan's head has as arguments."""
        if self._precision is None or plan.target is None:
            return {}
        return {plan.head[i]: values for i, values in self._precision.cases_of(plan.target).items()}

    def _add(self, predicate: Predicate, fact: Fact) -> None:
        """Adds the fact to the table and the queue, if it is new. Raises EvaluationLimitReached at a limit."""
        number = self.table.add(predicate, fact)
        if number is None:
            return
        self._queue.append((number, predicate))
        self._cells += sum(len(value.cells) for value in fact.values if isinstance(value, Cells))
        if any(map(is_large, fact.values)):
            raise EvaluationLimitReached(f"numbers of more than {MAX_BUILT} bits")
        if not fact.sure and not self._unsure:
            self._unsure = True
            share = self._limits.unsure
            self._limits = EvaluationLimits(
                self._limits.facts // share, self._limits.cells // share, self._limits.work // share
            )
        limits = self._limits
        if number >= limits.facts:
            raise EvaluationLimitReached(f"more than {limits.facts} facts{self._why_few()}")
        if self._cells > limits.cells:
            raise EvaluationLimitReached(f"more than {limits.cells} cells of arrays in {number} facts{self._why_few()}")

    def _count(self, work: int) -> None:
        self._work += work
        if self._work > self._limits.work:
            raise EvaluationLimitReached(
                f"more than {self._limits.work} steps for {len(self.table.facts)} facts{self._why_few()}"
            )
        if self._work >= self._next_look:
            self._next_look = self._work + MAX_BUILT  # instructions between two looks at the clock
            self._program.look_at_clock()

    def _why_few(self) -> str:
        return ", some of which depend on what nothing determines" if self._unsure else ""
