"""Selection of the auxiliary invariants that a k-inductive proof needs: with fewer, its model is easier to compute."""

from collections.abc import Iterator
from dataclasses import replace

import z3

from chcverify.certificate.model import Model
from chcverify.effort import QUESTION_S
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, conjuncts
from solvers.engine import Context
from solvers.unrolling.clause_paths import Paths
from solvers.unrolling.model_strengthening import Formulas

Part = tuple[Predicate, z3.BoolRef]


def needed_invariants(system: HornSystem, k: int, invariants: Formulas, safe: Formulas, context: Context) -> Formulas:
    """The conjuncts of the invariants that the step case for k needs, and those that make them inductive.

    Selected by unsat cores, for linear systems; all of them where the solver has no answer.
    """
    if not any(conjuncts(formula) for formula in invariants.values()):
        return {}
    parts = _AssumptionLiterals([(p, part) for p, formula in invariants.items() for part in conjuncts(formula)])
    used = _of_step_case(system, k, parts, safe, context)
    if used is None:
        return invariants
    waiting = list(used)
    solvers: dict[int, z3.Solver] = {}
    while waiting:
        predicate, formula = parts[waiting.pop()]
        for index in system.defining[predicate]:
            if index not in solvers:
                solvers[index] = _clause(system, index, parts)
            more = _of_clause(system, index, formula, solvers[index], parts, used, context)
            if more is None:
                return invariants
            waiting += [guard for guard in more if guard not in used]
            used |= more
    chosen: dict[Predicate, list[z3.BoolRef]] = {}
    for predicate, formula in (parts[guard] for guard in used):
        chosen.setdefault(predicate, []).append(formula)
    return {predicate: conjunction(formulas) for predicate, formulas in chosen.items()}


class _AssumptionLiterals:
    """Conjuncts of invariants, each guarded by a literal, by the literal's name."""

    def __init__(self, parts: list[Part]) -> None:
        self._parts = {f"needed.{number}": part for number, part in enumerate(parts)}

    def __getitem__(self, guard: str) -> Part:
        return self._parts[guard]

    def of(self, predicate: Predicate) -> Iterator[z3.BoolRef]:
        """guard -> conjunct, over the formals."""
        for guard, (owner, formula) in self._parts.items():
            if owner == predicate:
                yield z3.Implies(z3.Bool(guard), formula)

    def core(self, solver: z3.Solver, seconds: float, *literals: z3.BoolRef) -> dict[str, None] | None:
        """The guards that make the literals impossible; None if they do not, or the solver has no answer."""
        solver.set("timeout", max(1, int(1000 * seconds)))
        if solver.check(*literals, *map(z3.Bool, self._parts)) != z3.unsat:
            return None
        names = (literal.decl().name() for literal in solver.unsat_core())
        return {name: None for name in names if name in self._parts}


def least_k(system: HornSystem, k: int, invariants: Formulas, safe: Formulas, context: Context) -> int:
    """1 if the step case for 1 also holds with the invariants, some of which may have arrived late; else k."""
    if k == 1:
        return 1
    paths, violated = _violations(system, 1, safe, context)
    for predicate, formula in invariants.items():
        paths.add_invariant(predicate, formula)
    # safe(s_0) & T(s_0, s_1) & violated(s_1), and the invariants in both states
    return 1 if paths.check(min(QUESTION_S, context.remaining()), violated) == z3.unsat else k


def _violations(system: HornSystem, k: int, safe: Formulas, context: Context) -> tuple[Paths, z3.BoolRef]:
    """safe(s_0) & T(s_0, s_1) & ... & safe(s_{k-1}) & T(s_{k-1}, s_k), and the literal for a violation in s_k."""
    paths = Paths(system, start_anywhere=True, name="proof", seed=context.seed)
    for depth in range(k):
        for predicate in paths.predicates(depth):
            if predicate in safe:
                paths.assert_at(predicate, depth, safe[predicate])
        paths.extend()
        paths.assert_alive()
    return paths, paths.violated(k)


def _of_step_case(
    system: HornSystem, k: int, parts: _AssumptionLiterals, safe: Formulas, context: Context
) -> dict[str, None] | None:
    paths, violated = _violations(system, k, safe, context)
    # safe(s_0) & T(s_0, s_1) & ... & safe(s_{k-1}) & T(s_{k-1}, s_k) & violated(s_k)
    if paths.check(min(QUESTION_S, context.remaining()), violated) == z3.unsat:
        return {}
    for predicate in system.predicates:
        for formula in parts.of(predicate):
            paths.add_invariant(predicate, formula)
    # the same, and each invariant in all states
    return parts.core(paths.solver, context.remaining(), violated)


def _clause(system: HornSystem, index: int, parts: _AssumptionLiterals) -> z3.Solver:
    """A solver with constraint & the guarded invariants of the body."""
    clause, solver = system.clauses[index], z3.SimpleSolver()
    solver.add(clause.constraint)
    for atom in clause.body:
        for formula in parts.of(atom.predicate):
            solver.add(atom.instance(formula))
    return solver


def _of_clause(
    system: HornSystem,
    index: int,
    formula: z3.BoolRef,
    solver: z3.Solver,
    parts: _AssumptionLiterals,
    used: dict[str, None],
    context: Context,
) -> dict[str, None] | None:
    """The body's invariants from which the formula follows in the head; those that are needed anyway are preferred."""
    head = system.clauses[index].head
    assert head is not None
    solver.push()
    try:
        solver.add(z3.Not(head.instance(formula)))
        solver.set("timeout", max(1, int(1000 * min(QUESTION_S, context.remaining()))))
        # constraint & used invariants(body) & ~formula(head)
        if solver.check(*map(z3.Bool, used)) == z3.unsat:
            return {}
        # constraint & invariants(body) & ~formula(head)
        return parts.core(solver, min(QUESTION_S, context.remaining()))
    finally:
        solver.pop()


def strengthen(system: HornSystem, invariants: Formulas) -> HornSystem:
    """Each clause with the invariants of its body atoms in the constraint; clause indices stay.

    A derivation of the result is one of the system; a model of it, conjoined with the invariants, is one, too.
    """
    model = Model(invariants)
    clauses = (
        replace(clause, constraint=conjunction([clause.constraint, *(model.instantiate(atom) for atom in clause.body)]))
        for clause in system.clauses
    )
    return HornSystem(system.predicates, tuple(clauses))
