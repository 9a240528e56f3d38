"""Interpretations of eliminated predicates from those of their neighbours.

For a predicate P with clauses body_i & c_i => P(s_i) and uses P(t_j) & rest_j & c_j => head_j, under a model of all
other predicates, any formula between these two is an interpretation:

    strongest post   OR_i  exists locals. body_i & c_i & $ = s_i
    weakest pre      AND_j forall locals. $ = t_j & rest_j & c_j -> head_j

Quantifier-free ones are searched in the order of cost: the weakest precondition, if substitution removes the locals
(always so for deterministic steps), the strongest postcondition likewise, quantifier elimination, an interpolant.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, Predicate
from chcverify.terms.eliminate import eliminate
from chcverify.terms.equations import apply_table, solve_equations
from chcverify.terms.occurrence import Occurrences, is_plain
from chcverify.terms.rewrite import replace
from chcverify.terms.walk import conjunction, conjuncts, disjunction, subterms

ELIMINATION_MS = 300
Interpretations = Mapping[Predicate, z3.BoolRef]


@dataclass(frozen=True, eq=False)
class _Side:
    """One disjunct, exists free. matrix; free is empty if substitution removed all its locals."""

    matrix: z3.BoolRef
    free: tuple[z3.ExprRef, ...]

    @property
    def formula(self) -> z3.BoolRef:
        return z3.Exists(list(self.free), self.matrix) if self.free else self.matrix


class Reconstruction:
    """Finds interpretations; `oracle_ms` bounds each call of the interpolating solver, `budget_ms` all of them."""

    def __init__(self, memo: Occurrences, oracle_ms: int = 1_000, budget_ms: int = 20_000) -> None:
        self.memo = memo
        self.oracle_ms = oracle_ms
        self.budget_ms = budget_ms

    def interpretation(
        self, predicate: Predicate, ins: Sequence[Clause], outs: Sequence[Clause], found: Interpretations
    ) -> z3.BoolRef:
        """A formula over predicate.formals; all other predicates of the clauses must be in `found`."""
        model = Model(found)
        if not ins:
            return z3.BoolVal(False)
        if not outs:
            return z3.BoolVal(True)
        linear = all(sum(a.predicate == predicate for a in clause.body) == 1 for clause in outs)
        below = [self._violation(predicate, clause, model) for clause in outs] if linear else []
        if linear and not any(side.free for side in below):
            return conjunction(negation(side.matrix) for side in below)
        above = [self._post(predicate, clause, model) for clause in ins]
        if not any(side.free for side in above):
            return disjunction(side.matrix for side in above)
        if linear and (bad := self._without_locals(below)) is not None:
            return conjunction(map(negation, bad))
        if (good := self._without_locals(above)) is not None:
            return disjunction(good)
        between = self._interpolant(predicate, above, outs, model)
        return disjunction(side.formula for side in above) if between is None else between

    def _violation(self, predicate: Predicate, clause: Clause, model: Model) -> _Side:
        """exists locals. $ = t & rest & constraint & not head"""
        (place,) = [i for i, atom in enumerate(clause.body) if atom.predicate == predicate]
        rest = [atom for i, atom in enumerate(clause.body) if i != place]
        head = [] if clause.head is None else [negation(model.instantiate(clause.head))]
        return self._project(predicate, clause.body[place], rest, clause.constraint, head, model)

    def _post(self, predicate: Predicate, clause: Clause, model: Model) -> _Side:
        """exists locals. body & constraint & $ = s"""
        assert clause.head is not None
        return self._project(predicate, clause.head, clause.body, clause.constraint, [], model)

    def _project(
        self,
        predicate: Predicate,
        atom: Application,
        body: Sequence[Application],
        constraint: z3.BoolRef,
        more: Sequence[z3.BoolRef],
        model: Model,
    ) -> _Side:
        if clear := self._substituted(predicate, atom, body, constraint, more, model):
            return clear
        equations = [f == a for f, a in zip(predicate.formals, atom.arguments, strict=True)]
        parts = [*equations, *conjuncts(constraint), *more]
        for other in body:
            parts.extend(conjuncts(model.instantiate(other)))
        formals = {formal.get_id() for formal in predicate.formals}
        solved = solve_equations(parts, lambda v, _: int(v.get_id() not in formals), self.memo)
        matrix = conjunction(solved.rest)
        free = self.memo.variables(matrix) - formals
        return _Side(matrix, tuple(self.memo.variable(key) for key in sorted(free)))

    def _substituted(
        self,
        predicate: Predicate,
        atom: Application,
        body: Sequence[Application],
        constraint: z3.BoolRef,
        more: Sequence[z3.BoolRef],
        model: Model,
    ) -> _Side | None:
        """The same by one substitution, if the atom's arguments are distinct variables and there are no others."""
        if not all(map(is_plain, atom.arguments)):
            return None
        table = {a.get_id(): (a, f) for a, f in zip(atom.arguments, predicate.formals, strict=True)}
        parts = [constraint, *more, *(argument for other in body for argument in other.arguments)]
        if len(table) < predicate.arity or not all(self.memo.variables(part) <= table.keys() for part in parts):
            return None
        found = [z3.simplify(apply_table(constraint, table, self.memo))]
        found += [apply_table(part, table, self.memo) for part in more]
        for other in body:
            arguments = [apply_table(argument, table, self.memo) for argument in other.arguments]
            found.append(replace(model[other.predicate], other.predicate.formals, arguments))
        matrix = conjunction(part for each in found for part in conjuncts(each))
        return _Side(z3.BoolVal(False) if any(map(z3.is_false, found)) else matrix, ())

    def _without_locals(self, sides: Sequence[_Side]) -> list[z3.BoolRef] | None:
        """Equivalent quantifier-free formulas, if elimination finds all."""
        out = []
        for side in sides:
            formula = eliminate(side.free, side.matrix, ELIMINATION_MS) if side.free else side.matrix
            if formula is None:
                return None
            out.append(formula)
        return out

    def _interpolant(
        self, predicate: Predicate, above: Sequence[_Side], outs: Sequence[Clause], model: Model
    ) -> z3.BoolRef | None:
        """above_i => P($) and P(t_j) & rest_j & not head_j => false: solved for P alone by Spacer."""
        if self.budget_ms <= 0:
            return None
        self.budget_ms -= self.oracle_ms
        solver = z3.SolverFor("HORN")
        solver.set("timeout", self.oracle_ms)
        for option in ("slice", "inline_linear", "inline_eager"):
            solver.set(f"xform.{option}", False)
        for side in above:
            _add_rule(solver, [side.matrix], predicate.function(*predicate.formals))
        for clause in outs:
            parts = [a.term if a.predicate == predicate else model.instantiate(a) for a in clause.body]
            head = [] if clause.head is None else [negation(model.instantiate(clause.head))]
            _add_rule(solver, [*parts, clause.constraint, *head], z3.BoolVal(False))
        try:
            if solver.check() != z3.sat:
                return None
            formula = solver.model().eval(predicate.function(*predicate.formals))
        except z3.Z3Exception:
            return None
        return formula if is_closed(formula, predicate) else None


def _add_rule(solver: z3.Solver, body: Sequence[z3.BoolRef], head: z3.BoolRef) -> None:
    memo = Occurrences()
    rule = z3.Implies(z3.And(*body), head)
    variables = [memo.variable(key) for key in sorted(memo.variables(rule))]
    solver.add(z3.ForAll(variables, rule) if variables else rule)


def is_closed(formula: z3.BoolRef, predicate: Predicate) -> bool:
    """Is the formula quantifier-free over the predicate's formals, without the predicate itself?"""
    formals = {formal.get_id() for formal in predicate.formals}
    for term in subterms(formula):
        if z3.is_quantifier(term):
            return False
        if z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED and term.get_id() not in formals:
            return False
    return True


def negation(formula: z3.BoolRef) -> z3.BoolRef:
    """The negation, pushed one level: through not, and through a conjunction into a disjunction."""
    if z3.is_not(formula):
        return formula.arg(0)
    if z3.is_true(formula) or z3.is_false(formula):
        return z3.BoolVal(z3.is_false(formula))
    parts = conjuncts(formula)
    if len(parts) > 1:
        return z3.Or([part.arg(0) if z3.is_not(part) else z3.Not(part) for part in parts])
    return z3.Not(formula)
