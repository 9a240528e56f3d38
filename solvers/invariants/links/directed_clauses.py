"""Inductive clauses of any width over literals, found from the queries backwards.

Bradley: SAT-based model checking without unrolling (VMCAI 2011) [Bradley2011]; Cimatti, Griggio, Mover, Tonetta: IC3
modulo theories via implicit predicate abstraction (TACAS 2014) [CimattiGriggioMoverTonetta2014]. A fact is blocked by a
clause of literals that are false of it. Steps have several atoms in their bodies; one of them must be blocked.
"""

from collections.abc import Mapping, Sequence

from chcverify.horn.system import Predicate
from chcverify.terms.native.raw import Term
from solvers.engine import Context
from solvers.invariants.links.clause_sets import bits
from solvers.invariants.links.inductive_clauses import Clauses
from solvers.invariants.links.link_literals import Literal
from solvers.invariants.links.named_clauses import NamedClause


class NotInTime(Exception):
    """The context's time is over, or z3 gave no answer."""


class DirectedClauses:
    """The search. known: inductive clauses."""

    def __init__(
        self,
        steps: Sequence[NamedClause],
        literals: Mapping[Predicate, Sequence[Literal]],
        known: Clauses,
        context: Context,
    ) -> None:
        self.literals, self.context, self.raw = literals, context, steps[0].raw
        self.queries = [step for step in steps if step.head is None]
        self.rules: dict[Predicate, list[NamedClause]] = {p: [] for p in literals}
        self.users: dict[Predicate, list[tuple[NamedClause, int]]] = {p: [] for p in literals}
        for step in steps:
            if step.head is not None:
                self.rules[step.head.predicate].append(step)
            for number, atom in enumerate(step.clause.body):
                self.users[atom.predicate].append((step, number))
        self.levels: dict[Predicate, dict[int, int]] = {p: {} for p in literals}
        """The clauses, each with the last level at which it holds."""
        self.reached: dict[Predicate, list[tuple[int, int]]] = {p: [] for p in literals}
        """Clauses that could not be shown to hold, because derivable facts seem to violate them, each with a level."""
        self.guards = {p: _guards(literals[p]) for p in literals}
        self.top = 0
        self._names = [self.raw.literal("known")]  # that clauses hold: those that are known, those at level 0, 1, ...
        for predicate, clauses in known.items():
            for clause in clauses:
                self._assert(predicate, clause, self._names[0])

    def find(self) -> Clauses | None:
        """Clauses that are inductive together with those known, and exclude every query; None if there are none.

        Raises NotInTime.
        """
        self._names.append(self.raw.literal("level"))
        while all(map(self._exclude, self.queries)):
            self.top += 1
            self._names.append(self.raw.literal("level"))
            closed = self._push()
            if closed is not None:
                return closed
        return None

    def _exclude(self, query: NamedClause) -> bool:
        """Adds clauses until the query does not follow from those of the top level."""
        while self._has_model(query, self._frame(self.top)):
            if not self._block_one(query, self._weakest(query), self.top):
                return False
        return True

    def _push(self) -> Clauses | None:
        """Raises the levels of clauses that hold at the next one; those that stay for ever, if there is such a level.

        Those of a level all of whose clauses hold at the next one are inductive.
        """
        for level in range(self.top):
            for predicate, clauses in self.levels.items():
                for clause in [c for c, last in clauses.items() if last == level]:
                    if clause in clauses and self._core(predicate, clause, level + 1) is not None:
                        self._add(predicate, clause, level + 1)
            if not any(level in clauses.values() for clauses in self.levels.values()):
                return {p: [c for c, last in clauses.items() if last > level] for p, clauses in self.levels.items()}
        return None

    # --- one fact ---------------------------------------------------------------------------------------------------

    def _block(self, predicate: Predicate, weakest: int, level: int) -> bool:
        """Finds a clause that holds up to a level and whose literals are in the weakest one; False if there is none."""
        while True:
            if any(last >= level and not clause & ~weakest for clause, last in self.levels[predicate].items()):
                return True
            if any(first <= level and not weakest & ~other for other, first in self.reached[predicate]):
                return False
            core, bodies = 0, list[int]()
            for step in self.rules[predicate]:
                found = self._excluded(step, weakest, level, bodies)
                if found is None:
                    break
                core |= found
            else:
                clause = self._shortened(predicate, core, level)
                while level < self.top and self._core(predicate, clause, level + 1) is not None:
                    level += 1
                self._add(predicate, clause, level)
                return True
            if not self._block_one(step, bodies, level - 1):
                self.reached[predicate].append((weakest, level))
                return False

    def _block_one(self, step: NamedClause, weakest: Sequence[int], level: int) -> bool:
        """Excludes the facts of one of the atoms in a body."""
        order = sorted(range(len(weakest)), key=lambda number: -weakest[number].bit_count())
        body = step.clause.body
        return any(self._block(body[number].predicate, weakest[number], level) for number in order)

    def _shortened(self, predicate: Predicate, clause: int, level: int) -> int:
        """The clause without literals that it does not need to hold at the level."""
        for literal in bits(clause):
            if clause >> literal & 1:
                fewer = self._core(predicate, clause & ~(1 << literal), level)
                clause = clause if fewer is None else fewer
        return clause

    def _core(self, predicate: Predicate, clause: int, level: int) -> int | None:
        """Literals of the clause for which it holds at the level; None if it does not."""
        core, rules = 0, self.rules[predicate]
        for number, step in enumerate(rules):
            found = self._excluded(step, clause, level)
            if found is None:
                rules.insert(0, rules.pop(number))  # the step that says no is asked first
                return None
            core |= found
        return core

    # --- questions --------------------------------------------------------------------------------------------------

    def _excluded(self, step: NamedClause, clause: int, level: int, bodies: list[int] | None = None) -> int | None:
        """Literals of the clause that are enough for the step to lead to no fact that they exclude; None without any.

        The step leads there from the level below, but from no facts that the clause excludes. bodies: where there are
        no such literals, this gets the weakest clauses that exclude the facts of the body of a step.
        """
        if step.clause.body and not level:
            return 0
        literals = dict(zip(step.false_literals(clause), bits(clause), strict=True))
        with step.scope() as solver:
            for number, atom in enumerate(step.clause.body):
                if step.head is not None and atom.predicate == step.head.predicate:
                    solver.add(step.term(number, clause))
            # clauses(body) & clause(body) & constraint & ~clause(head)
            if self._has_model(step, [*self._frame(level - 1), *literals]):
                if bodies is not None:
                    bodies += self._weakest(step)
                return None
            return sum(1 << literals[name] for name in solver.core() if name in literals)

    def _has_model(self, step: NamedClause, assumptions: Sequence[Term]) -> bool:
        answer = step.check(assumptions, self.context) if self.context.remaining() > 0 else None
        if answer is None:
            raise NotInTime
        return answer

    def _weakest(self, step: NamedClause) -> list[int]:
        """For each atom of the body all literals that are false of its fact in the solver's model.

        What lies in a block that does not live is not spoken of.
        """
        out, body = [], step.clause.body
        for atom, fact in zip(body, step.facts(step.solver.model(), range(len(body))), strict=True):
            false = sum(1 << i for i, x in enumerate(self.literals[atom.predicate]) if not x.holds(fact))
            for guard, guarded in self.guards[atom.predicate]:
                if not false & guard:
                    false &= ~guarded
            out.append(false)
        return out

    def _frame(self, level: int) -> list[Term]:
        """The names of what holds at a level."""
        return [self._names[0], *self._names[level + 1 :]]

    def _add(self, predicate: Predicate, clause: int, level: int) -> None:
        """A clause that holds up to a level, in place of those that it implies."""
        clauses = self.levels[predicate]
        for other in [c for c, last in clauses.items() if last <= level and not clause & ~c]:
            del clauses[other]
        clauses[clause] = level
        self._assert(predicate, clause, self._names[level + 1])

    def _assert(self, predicate: Predicate, clause: int, name: Term) -> None:
        """Lets the name imply a clause of all atoms in bodies."""
        for step, number in self.users[predicate]:
            step.solver.add(self.raw.disjunction([self.raw.negate(name), step.term(number, clause)]))


def _guards(literals: Sequence[Literal]) -> list[tuple[int, int]]:
    """The guards, as bits, each with the literals that need it."""
    guards = [1 << i for i, literal in enumerate(literals) if literal.is_guard]
    return [(guard, sum(1 << i for i, x in enumerate(literals) if x.needs & guard)) for guard in guards]
