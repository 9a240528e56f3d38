"""Finds a ground derivation by lazy inlining, with the help of facts that are derivable.

Stratified inlining of Lal, Qadeer, Lahiri: A solver for reachability modulo theories (CAV 2012) [LalQadeerLahiri2012],
on Horn clauses. The derivation tree has positions: the root, and below a position one for each body atom. At a position
one predicate is active, with arguments of its own for each predicate, and holds because of a derivable fact or of one
of its clauses. Clauses of a position are asserted only when an unsatisfiable core contains the position. Since a
position is shared by all predicates, a linear system unrolls to a chain, not to a tree of paths.
"""

from collections.abc import Iterable
from dataclasses import field
from typing import Any

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, disjunction, is_variable
from solvers.engine import Context
from solvers.spacer.proof_facts import ProofFact, is_ground


@dataclass(frozen=True, eq=False)
class ClauseUse:
    """Clause `clause` derives `fact` (None: the query) from `premises`."""

    clause: int
    fact: ProofFact | None
    premises: tuple[ProofFact, ...]


@dataclass(eq=False)
class _Goal:
    """`predicate` (None: the query) at a position. active => known fact or open; open => one of the choices."""

    predicate: Predicate | None
    position: tuple[int, ...]
    arguments: tuple[z3.ExprRef, ...]
    active: z3.BoolRef
    open: z3.BoolRef
    known: list[tuple[z3.BoolRef, ProofFact]]
    choices: list[tuple[z3.BoolRef, int, list["_Goal"]]] = field(default_factory=list)
    expanded: bool = False


class Inliner:
    """One search. goal: the fact to derive, None for a query. known: facts that need no derivation here."""

    def __init__(
        self, system: HornSystem, goal: ProofFact | None, known: Iterable[ProofFact], max_goals: int = 2000
    ) -> None:
        self._system = system
        self._known: dict[Predicate, list[ProofFact]] = {}
        for fact in known:
            self._known.setdefault(fact.predicate, []).append(fact)
        self._goals: dict[tuple[tuple[int, ...], str], _Goal] = {}
        self._fresh = 0
        self._max_goals = max_goals
        self._solver = z3.Solver()
        self._root = self._goal(None if goal is None else goal.predicate, ())
        if goal is not None:
            self._solver.add(_equal(self._root.arguments, goal.arguments))
        self._solver.add(self._root.active, self._root.open)
        self._expand(self._root)

    def search(self, context: Context) -> list[ClauseUse] | None:
        """The uses of clauses, premises first, that derive the goal; None if there are none within the limits."""
        while context.remaining() > 0:
            self._solver.set("timeout", max(1, int(context.remaining() * 1000)))
            frontier = {goal.open.get_id(): goal for goal in self._goals.values() if not goal.expanded}
            # exists a tree whose leaves are facts or known facts: clauses of the tree & no unexpanded goal is open
            answer = self._solver.check([z3.Not(goal.open) for goal in frontier.values()])
            if answer == z3.sat:
                return self._uses(self._solver.model())
            if answer == z3.unknown:
                return None
            wanted = [frontier[literal.arg(0).get_id()] for literal in self._solver.unsat_core()]
            if not wanted or len(self._goals) > self._max_goals:
                return None
            depth = min(len(goal.position) for goal in wanted)
            for goal in wanted:
                if len(goal.position) == depth:
                    self._expand(goal)
        return None

    def _goal(self, predicate: Predicate | None, position: tuple[int, ...]) -> _Goal:
        name = "" if predicate is None else predicate.name
        key = (position, name)
        if key not in self._goals:
            sorts = () if predicate is None else predicate.sorts
            arguments = tuple(self._new(sort) for sort in sorts)
            facts = self._known.get(predicate, []) if predicate is not None and position else []
            known = [(self._new(z3.BoolSort()), fact) for fact in facts]
            goal = _Goal(predicate, position, arguments, self._new(z3.BoolSort()), self._new(z3.BoolSort()), known)
            self._goals[key] = goal
            for literal, fact in known:
                self._solver.add(z3.Implies(literal, _equal(arguments, fact.arguments)))
            self._solver.add(z3.Implies(goal.active, disjunction([*(literal for literal, _ in known), goal.open])))
        return self._goals[key]

    def _expand(self, goal: _Goal) -> None:
        """open => some clause: its constraint, its head at the goal's arguments, its body at the positions below."""
        goal.expanded = True
        defining = self._system.queries if goal.predicate is None else self._system.defining[goal.predicate]
        for index in defining:
            clause = self._system.clauses[index]
            below = [
                self._goal(atom.predicate, (*goal.position, position)) for position, atom in enumerate(clause.body)
            ]
            slots = [(atom, child.arguments) for atom, child in zip(clause.body, below, strict=True)]
            if clause.head is not None:
                slots.append((clause.head, goal.arguments))
            chosen = self._new(z3.BoolSort())
            instance = conjunction([*(child.active for child in below), self._instance(clause, slots)])
            self._solver.add(z3.Implies(chosen, instance))
            goal.choices.append((chosen, index, below))
        self._solver.add(z3.Implies(goal.open, disjunction(chosen for chosen, _, _ in goal.choices)))

    def _instance(self, clause: Clause, slots: list[tuple[Application, tuple[z3.ExprRef, ...]]]) -> z3.BoolRef:
        """constraint & arguments = slots, renamed apart. A variable that is an argument becomes its slot."""
        renaming: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
        equalities = []
        for application, arguments in slots:
            for term, slot in zip(application.arguments, arguments, strict=True):
                if is_variable(term) and term.get_id() not in renaming:
                    renaming[term.get_id()] = (term, slot)
                else:
                    equalities.append(term == slot)
        for variable in clause.variables:
            renaming.setdefault(variable.get_id(), (variable, self._new(variable.sort())))
        return z3.substitute(conjunction([clause.constraint, *equalities]), *renaming.values())

    def _uses(self, model: z3.ModelRef) -> list[ClauseUse] | None:
        """The clauses used in the model's tree, premises first."""
        uses: list[ClauseUse] = []
        stack = [self._root]
        while stack:
            goal = stack.pop()
            if _known_fact(goal, model) is not None:
                continue
            choice = next((choice for choice in goal.choices if z3.is_true(model.eval(choice[0]))), None)
            if choice is None:
                return None
            fact, *premises = (_fact(part, model) for part in (goal, *choice[2]))
            uses.append(ClauseUse(choice[1], fact, tuple(premise for premise in premises if premise is not None)))
            stack.extend(choice[2])
        if not is_ground(*(argument for use in uses for fact in use.premises for argument in fact.arguments)):
            return None
        return uses[::-1]

    def _new(self, sort: z3.SortRef) -> Any:
        self._fresh += 1
        return z3.Const(f"inlining!{self._fresh}", sort)


def _known_fact(goal: _Goal, model: z3.ModelRef) -> ProofFact | None:
    """The derivable fact that makes the goal hold in the model, if it does not need a clause."""
    return next((fact for literal, fact in goal.known if z3.is_true(model.eval(literal))), None)


def _fact(goal: _Goal, model: z3.ModelRef) -> ProofFact | None:
    """The goal as a fact; None for the query."""
    if goal.predicate is None:
        return None
    values = tuple(model.eval(argument, model_completion=True) for argument in goal.arguments)
    return _known_fact(goal, model) or ProofFact(goal.predicate, values)


def _equal(left: Iterable[z3.ExprRef], right: Iterable[z3.ExprRef]) -> z3.BoolRef:
    return conjunction(a == b for a, b in zip(left, right, strict=True))
