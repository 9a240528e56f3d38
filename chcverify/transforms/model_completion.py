"""Interpretations of eliminated predicates from those of their neighbours.

For a predicate P with clauses body_i & c_i => P(s_i) and uses P(t_j) & rest_j & c_j => head_j, under a model of all
other predicates, any formula between these two is an interpretation:

    strongest post   OR_i  exists locals. body_i & c_i & $ = s_i
    weakest pre      AND_j forall locals. $ = t_j & rest_j & c_j -> head_j

Quantifier-free ones are searched in the order of cost: the weakest precondition, if substitution removes its locals
(always so for deterministic steps); the strongest postcondition, if substitution removes its locals; quantifier
elimination; an interpolant. Where a local matters in one branch of an if-then-else term alone, cases are made first.
Of the first two the smaller is taken: near a program's start the postcondition is often the smaller one. If there is
none, it is the strongest postcondition, or the weakest precondition where the other would put "exists" in front of a
neighbour's "for all".
"""

from collections.abc import Mapping, Sequence

import z3

from chcverify.effort import LONG_QUESTION_MS, MAX_FORMULAS, MOMENT_MS, QUESTION_MS
from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.bounds import decide
from chcverify.terms.arithmetic.equations import solve_equations
from chcverify.terms.core.traversal import free_variables, has_quantifier, subterms
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.terms.quantifiers.elimination import eliminate
from chcverify.terms.quantifiers.existentials import eliminate_existentials
from chcverify.terms.quantifiers.guarded_locals import guarded_cases, with_facts
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext

MAX_GROWTH_FACTOR = 20
"""Growth of a formula; an elimination by which it grows more is only used if nothing else succeeds. Chosen by hand."""


Interpretations = Mapping[Predicate, ArenaTerm]
"""Formulas over the predicates' formals."""


@dataclass(frozen=True, eq=False)
class _NeighbourSide:
    """One disjunct, exists free. matrix; free is empty if substitution removed all its locals."""

    matrix: ArenaTerm
    free: tuple[ArenaTerm, ...]


@dataclass(frozen=True, eq=False)
class _Neighbours:
    """An atom of the predicate in a clause and the rest of the clause:

    exists locals. $ = atom's arguments & body & constraint & not denied
    """

    atom: Atom
    body: Sequence[Atom]
    constraint: ArenaTerm
    denied: Atom | None


class ModelCompletion:
    """Finds interpretations."""

    def __init__(self, work: PassContext) -> None:
        self.work = work
        self.arena = work.arena
        self._interpolation_ms = 2 * LONG_QUESTION_MS  # that are left for all calls, each counted with what it may take

    def interpretation(
        self, predicate: Predicate, ins: Sequence[ArenaClause], outs: Sequence[ArenaClause], found: Interpretations
    ) -> ArenaTerm:
        """A formula over predicate.formals.

        ins, outs: the clauses with the predicate in the head and in the body. found: interpretations of all other
        predicates of these clauses.
        """
        if not ins:
            return self.arena.false
        if not outs:
            return self.arena.true
        below: list[_NeighbourSide] | None = None
        if all(sum(atom.predicate == predicate for atom in clause_row.body) == 1 for clause_row in outs):
            below = [side for clause_row in outs for side in self._violation(predicate, clause_row, found)]
        weakest = self._weakest_by_substitution(below)
        if weakest is not None and self.arena.size(weakest) <= MAX_FORMULAS:
            return weakest
        above = [side for clause_row in ins for side in self._post(predicate, clause_row, found)]
        plain = [] if weakest is None else [weakest]
        if not any(side.free for side in above):
            plain.append(self.arena.disjunction(side.matrix for side in above))
        if plain:
            return min(plain, key=self.arena.size)
        return self._without_quantifiers(predicate, below, above, outs, found)

    def _weakest_by_substitution(self, below: Sequence[_NeighbourSide] | None) -> ArenaTerm | None:
        """The weakest precondition if substitution has removed all locals, else None."""
        if below is None or any(side.free for side in below):
            return None
        return self.arena.conjunction(self._negation(side.matrix) for side in below)

    def _without_quantifiers(
        self,
        predicate: Predicate,
        below: Sequence[_NeighbourSide] | None,
        above: Sequence[_NeighbourSide],
        outs: Sequence[ArenaClause],
        found: Interpretations,
    ) -> ArenaTerm:
        """An interpretation by quantifier elimination or interpolation; with quantifiers if both fail.

        below: the disjuncts of the negated weakest precondition, None if a clause has several atoms of the predicate.
        above: those of the strongest postcondition.
        """
        arena = self.arena
        large = []
        if below is not None and (bad := self._without_locals(below)) is not None:
            weakest = arena.conjunction(map(self._negation, bad))
            if not _has_grown(bad, below, arena):
                return weakest
            large.append(weakest)
        if (good := self._without_locals(above)) is not None:
            strongest = arena.disjunction(good)
            if not _has_grown(good, above, arena):
                return strongest
            large.append(strongest)
        between = self._interpolant(predicate, above, outs, found)
        if between is not None:
            return between
        if large:
            return min(large, key=arena.size)
        if below is not None and any(has_quantifier(arena.wrap(side.matrix)) for side in above if side.free):
            return arena.conjunction(map(self._denial, below))
        return arena.disjunction(map(self._formula, above))

    def _denial(self, side: _NeighbourSide) -> ArenaTerm:
        """forall free. not matrix"""
        denied = self._negation(side.matrix)
        if not side.free:
            return denied
        return self.arena.handle(z3.ForAll([self.arena.wrap(v) for v in side.free], self.arena.wrap(denied)))

    def _formula(self, side: _NeighbourSide) -> ArenaTerm:
        if not side.free:
            return side.matrix
        return self.arena.handle(z3.Exists([self.arena.wrap(v) for v in side.free], self.arena.wrap(side.matrix)))

    def _instance(self, atom: Atom, found: Interpretations) -> ArenaTerm:
        table = dict(zip(self.work.formals(atom.predicate), atom.arguments, strict=True))
        return self.arena.substitute(found[atom.predicate], table)

    def _violation(self, predicate: Predicate, clause_row: ArenaClause, found: Interpretations) -> list[_NeighbourSide]:
        """exists locals. $ = t & rest & constraint & not head"""
        (place,) = [i for i, atom in enumerate(clause_row.body) if atom.predicate == predicate]
        rest = [atom for i, atom in enumerate(clause_row.body) if i != place]
        return self._project(
            predicate, _Neighbours(clause_row.body[place], rest, clause_row.constraint, clause_row.head), found
        )

    def _post(self, predicate: Predicate, clause_row: ArenaClause, found: Interpretations) -> list[_NeighbourSide]:
        """exists locals. body & constraint & $ = s"""
        assert clause_row.head is not None
        return self._project(
            predicate, _Neighbours(clause_row.head, clause_row.body, clause_row.constraint, None), found
        )

    def _project(self, predicate: Predicate, clause_row: _Neighbours, found: Interpretations) -> list[_NeighbourSide]:
        """The disjuncts, without the locals that equations determine: one, or one for each case of `guarded_cases`."""
        arena, formals = self.arena, self.work.formals(predicate)
        if clear := self._substituted(predicate, clause_row, found):
            return [clear]
        parts = [arena.equation(f, a) for f, a in zip(formals, clause_row.atom.arguments, strict=True)]
        parts += [clause_row.constraint, *(self._instance(other, found) for other in clause_row.body)]
        if clause_row.denied is not None:
            parts.append(self._negation(self._instance(clause_row.denied, found)))
        own = frozenset(formals)
        flat = [part for whole in parts for part in arena.conjuncts(whole)]
        side = self._side(decide(flat, arena), own)
        if not side.free:
            return [side]
        locals_ = frozenset(side.free)
        conjuncts = arena.conjuncts(side.matrix)
        cases = guarded_cases(with_facts(conjuncts, locals_, arena), locals_, arena)
        if cases == [conjuncts]:
            return [side]
        sides = [self._side(case, own) for case in cases]
        # Sides are copied into those of further predicates: with several cases for each, they double again and again.
        is_small = sum(arena.size(side.matrix) for side in sides) <= MAX_FORMULAS
        return sides if is_small and not all(side.free for side in sides) else [side]

    def _side(self, parts: Sequence[ArenaTerm], own: frozenset[ArenaTerm]) -> _NeighbourSide:
        """The conjuncts without the locals that equations determine, or that are hardly constrained."""
        arena = self.arena
        rest = solve_equations(parts, lambda v, _: int(v not in own), arena).rest
        fewer = eliminate_existentials(rest, own, arena)
        if fewer != rest:
            rest = solve_equations(fewer, lambda v, _: int(v not in own), arena).rest
        matrix = arena.conjunction(rest)
        return _NeighbourSide(matrix, tuple(arena.in_order(arena.variables(matrix) - own)))

    def _substituted(
        self, predicate: Predicate, clause_row: _Neighbours, found: Interpretations
    ) -> _NeighbourSide | None:
        """The same by one substitution, if the atom's arguments are distinct variables and there are no others."""
        arena = self.arena
        table = dict(zip(clause_row.atom.arguments, self.work.formals(predicate), strict=True))
        others = [*clause_row.body, *([] if clause_row.denied is None else [clause_row.denied])]
        parts = [clause_row.constraint, *(argument for other in others for argument in other.arguments)]
        if len(table) < predicate.arity or not all(map(arena.is_variable, table)):
            return None
        if not all(arena.variables(part) <= table.keys() for part in parts):
            return None
        over = [Atom(a.predicate, tuple(arena.substitute(argument, table) for argument in a.arguments)) for a in others]
        instances = [self._instance(each, found) for each in over]
        if clause_row.denied is not None:
            instances[-1] = self._negation(instances[-1])
        whole = [arena.simplify(arena.substitute(clause_row.constraint, table)), *instances]
        if arena.false in whole:
            return _NeighbourSide(arena.false, ())
        return _NeighbourSide(arena.conjunction(part for each in whole for part in arena.conjuncts(each)), ())

    def _without_locals(self, sides: Sequence[_NeighbourSide]) -> list[ArenaTerm] | None:
        """Equivalent quantifier-free formulas, if elimination finds all."""
        out = []
        for side in sides:
            formula = self.arena.wrap(side.matrix)
            if side.free:
                # Below a neighbour's quantifier elimination finds nothing, in all of its time.
                free = [self.arena.wrap(v) for v in side.free]
                formula = None if has_quantifier(formula) else eliminate(free, formula, MOMENT_MS)
            if formula is None:
                return None
            out.append(self.arena.handle(formula))
        return out

    def _interpolant(
        self, predicate: Predicate, above: Sequence[_NeighbourSide], outs: Sequence[ArenaClause], found: Interpretations
    ) -> ArenaTerm | None:
        """above_i => P($) and P(t_j) & rest_j & not head_j => false: solved for P alone by Spacer.

        None where it finds none, and where a rule has a quantifier, which Spacer does not decide.
        """
        if self._interpolation_ms <= 0:
            return None
        unknown = predicate.function(*predicate.formals)
        rules = [([self.arena.wrap(side.matrix)], unknown) for side in above]
        rules += [(self._rule_body(predicate, row, found), z3.BoolVal(False)) for row in outs]
        if any(has_quantifier(*body) for body, _ in rules):
            return None
        self._interpolation_ms -= QUESTION_MS
        solver = z3.SolverFor("HORN")
        solver.set("timeout", QUESTION_MS)
        for option in ("slice", "inline_linear", "inline_eager"):
            solver.set(f"xform.{option}", False)
        for body, head in rules:
            _add_rule(solver, body, head)
        try:
            if solver.check() != z3.sat:
                return None
            formula = solver.model().eval(unknown)
        except z3.Z3Exception:
            return None
        return self.arena.handle(formula) if is_closed(formula, predicate) else None

    def _rule_body(self, predicate: Predicate, row: ArenaClause, found: Interpretations) -> list[z3.BoolRef]:
        """constraint & instances of the body's other predicates & P(t) for those of P & not head"""
        term = self.arena.wrap
        parts = [term(row.constraint)]
        for atom in row.body:
            own = atom.predicate == predicate
            parts.append(predicate.function(*map(term, atom.arguments)) if own else term(self._instance(atom, found)))
        if row.head is not None:
            parts.append(term(self._negation(self._instance(row.head, found))))
        return parts

    def _negation(self, formula: ArenaTerm) -> ArenaTerm:
        """The negation, pushed one level: through not, and through a conjunction into a disjunction."""
        arena = self.arena
        if formula in (arena.true, arena.false):
            return arena.false if formula == arena.true else arena.true
        return arena.disjunction(arena.complement(part) for part in arena.conjuncts(formula))


def _has_grown(formulas: Sequence[ArenaTerm], sides: Sequence[_NeighbourSide], arena: Arena) -> bool:
    """True if the formulas without the locals of the sides are much larger than the sides."""
    return sum(map(arena.size, formulas)) > MAX_FORMULAS + MAX_GROWTH_FACTOR * sum(
        arena.size(side.matrix) for side in sides
    )


def _add_rule(solver: z3.Solver, body: Sequence[z3.BoolRef], head: z3.BoolRef) -> None:
    rule = z3.Implies(z3.And(*body), head)
    variables = list(free_variables(rule))
    solver.add(z3.ForAll(variables, rule) if variables else rule)


def is_closed(formula: z3.BoolRef, predicate: Predicate) -> bool:
    """True if the formula is quantifier-free over the predicate's formals, without the predicate itself."""
    formals = {formal.get_id() for formal in predicate.formals}
    for term in subterms(formula):
        if z3.is_quantifier(term):
            return False
        if z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED and term.get_id() not in formals:
            return False
    return True
