"""Interpolants from z3's proofs of clauses over Booleans and linear arithmetic.

McMillan: An interpolating theorem prover (2005) [McMillan2005]: each step of the proof that derives a clause has a
partial interpolant. A step's clause consists of its conclusion and of the negated hypotheses below it, so hypotheses
and the lemmas that discharge them change nothing. A Farkas lemma's facts from A, summed with their coefficients, are
its partial interpolant.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from fractions import Fraction

import z3

from chcverify.terms.arithmetic.linear_literals import Arithmetic, Linear
from chcverify.terms.native import capi
from chcverify.terms.native.raw import Raw, RawSolver, Term
from solvers.interpolation.clausal_form import LiteralClause


class NoInterpolant(Exception):
    """Raised if a step of the proof has a form that is not known here."""


class Colour(Enum):
    """The vocabulary of an atom: with variables of A alone, of B alone, or of neither."""

    A = "A"
    B = "B"
    SHARED = "shared"


class _Neutral(Enum):
    """What is said of a proof step that no assertion supports."""

    HYPOTHESIS = "hypothesis"
    TAUTOLOGY = "tautology"


Partial = Term | _Neutral
PROOF_PARAMETERS = {"arith.solver": 2, "propagate_values": False}
"""Of solvers whose proofs are read: Farkas coefficients, and clauses that are not rewritten by other clauses."""
_STEPS_PER_LOOK = 1_000  # of the proof, between looks at the clock
_LEAF = frozenset({z3.Z3_OP_PR_ASSERTED, z3.Z3_OP_PR_HYPOTHESIS})


class Partition:
    """The clauses of A and of B, in a context that makes proofs."""

    def __init__(self, raw: Raw, a: Iterable[LiteralClause], b: Iterable[LiteralClause]) -> None:
        self.raw = raw
        self.a = {raw.disjunction(clause): clause for clause in a}
        self.b = {raw.disjunction(clause): clause for clause in b}
        variables = [{v for clause in side for v in self._variables(clause)} for side in (self.a, self.b)]
        self.only_a, self.only_b = variables[0] - variables[1], variables[1] - variables[0]
        self._colours: dict[Term, Colour] = {}

    def _variables(self, formula: Term) -> set[Term]:
        return self.raw.variables(formula)

    def colour(self, atom: Term) -> Colour:
        """The colour of an atom or its negation; NoInterpolant if it has variables of A alone and of B alone."""
        known = self._colours.get(atom)
        if known is None:
            variables = self.raw.variables(atom)
            a, b = not self.only_a.isdisjoint(variables), not self.only_b.isdisjoint(variables)
            if a and b:
                raise NoInterpolant("an atom of the proof has variables of both sides")
            known = self._colours[atom] = Colour.A if a else Colour.B if b else Colour.SHARED
        return known


class ProofInterpolation:
    """The interpolant from the proof of one refutation. late: true when the time is over."""

    def __init__(self, partition: Partition, arithmetic: Arithmetic, late: Callable[[], bool]) -> None:
        self.partition, self.raw, self.arithmetic, self.late = partition, partition.raw, arithmetic, late
        self._partial: dict[Term, Partial] = {}

    def interpolant(self, solver: RawSolver) -> Term:
        """The interpolant after an unsatisfiable check of the partition's clauses; NoInterpolant if there is none."""
        root = capi.solver_get_proof(self.raw.c, solver.handle)
        if root is None:
            raise NoInterpolant("z3 gave no proof")
        capi.inc_ref(self.raw.c, root)
        try:
            return self._clause_partial(root, self._visit_all(root))
        finally:
            capi.dec_ref(self.raw.c, root)

    def _visit_all(self, root: Term) -> Partial:
        """The partial interpolant of the last step; the proof's nodes stay alive through it."""
        c, partial, stack = self.raw.c, self._partial, [(root, False)]
        kind_of, argument_of = capi.get_decl_kind, capi.get_app_arg
        while stack:
            node, ready = stack.pop()
            if node in partial:
                continue
            if len(partial) % _STEPS_PER_LOOK == 0 and self.late():
                raise NoInterpolant("out of time")
            kind = kind_of(c, capi.get_app_decl(c, node))
            last = capi.get_app_num_args(c, node) - 1
            premises = () if kind in _LEAF else tuple(argument_of(c, node, i) for i in range(last))
            if not ready and premises:
                stack.append((node, True))
                stack.extend((premise, False) for premise in premises if premise not in partial)
                continue
            partial[node] = self._step(node, kind, premises)
        return partial[root]

    def _conclusion(self, node: Term) -> Term:
        return self.raw.keep(capi.get_app_arg(self.raw.c, node, capi.get_app_num_args(self.raw.c, node) - 1))

    def _step(self, node: Term, kind: int, premises: Sequence[Term]) -> Partial:
        if kind == z3.Z3_OP_PR_UNIT_RESOLUTION:
            return self._resolution(premises)
        if kind == z3.Z3_OP_PR_HYPOTHESIS:
            return _Neutral.HYPOTHESIS
        if kind == z3.Z3_OP_PR_ASSERTED:
            return self._asserted(self._conclusion(node))
        if kind == z3.Z3_OP_PR_TH_LEMMA:
            return self._theory_lemma(node, premises)
        # A rewritten clause is equivalent to its only premise that is no tautology.
        found = [p for p in map(self._partial.__getitem__, premises) if p is not _Neutral.TAUTOLOGY]
        if len(found) > 1:
            raise NoInterpolant("a step of the proof has several premises")
        return found[0] if found else _Neutral.TAUTOLOGY

    def _asserted(self, formula: Term) -> Term:
        """For a clause of A its shared literals, for one of B true."""
        if formula in self.partition.b:
            return self.raw.true
        clause = self.partition.a.get(formula)
        if clause is None:
            raise NoInterpolant("an assertion of the proof is unknown")
        return self._shared_literals(clause)

    def _shared_literals(self, clause: Iterable[Term]) -> Term:
        return self._or([literal for literal in clause if self.partition.colour(literal) is not Colour.A])

    def _clause_partial(self, node: Term, partial: Partial) -> Term:
        """The partial interpolant of a premise that is no hypothesis; that of a tautology depends on its literals."""
        if partial is _Neutral.HYPOTHESIS:
            raise NoInterpolant("a hypothesis is left")
        if partial is not _Neutral.TAUTOLOGY:
            assert not isinstance(partial, _Neutral)
            return partial
        conclusion = self._conclusion(node)
        return self._tautology(self._literals(conclusion))

    def _tautology(self, clause: Sequence[Term]) -> Term:
        colours = {self.partition.colour(literal) for literal in clause}
        if Colour.A not in colours:
            return self.raw.true
        if Colour.B in colours:
            raise NoInterpolant("a tautology has literals of both sides")
        return self._shared_literals(clause)

    def _literals(self, formula: Term) -> Sequence[Term]:
        if formula == self.raw.false:
            return ()
        return self.raw.children(formula) if self.raw.kind(formula) == z3.Z3_OP_OR else (formula,)

    def _resolution(self, premises: Sequence[Term]) -> Partial:
        """A clause resolved with units. A hypothesis leaves the clause, with what it assumes, as it is."""
        first, *units = premises
        result = self._partial[first]
        if result is _Neutral.TAUTOLOGY:
            result = self._clause_partial(first, result)
        for unit in units:
            other = self._partial[unit]
            if other is _Neutral.HYPOTHESIS:
                continue
            partial = self._clause_partial(unit, other)
            result = (
                partial if isinstance(result, _Neutral) else self._resolved(result, partial, self._conclusion(unit))
            )
        return result

    def _resolved(self, left: Term, right: Term, pivot: Term) -> Term:
        """McMillan's rule: a disjunction for pivots of A, a conjunction for all others."""
        if self.partition.colour(pivot) is Colour.A:
            return self._or([left, right])
        return self._and([left, right])

    def _theory_lemma(self, node: Term, premises: Sequence[Term]) -> Term:
        facts = [self._conclusion(premise) for premise in premises]
        negated = [self.raw.negate(literal) for literal in self._literals(self._conclusion(node))]
        result = self._theory_partial([*facts, *negated], self.raw.parameters(node))
        for premise, fact in zip(premises, facts, strict=True):
            partial = self._partial[premise]
            if partial is not _Neutral.HYPOTHESIS:
                result = self._resolved(result, self._clause_partial(premise, partial), fact)
        return result

    def _theory_partial(self, facts: Sequence[Term], parameters: Sequence[str]) -> Term:
        """A formula between the lemma's facts of A and its other facts, which contradict each other."""
        of_a = [fact for fact in facts if self.partition.colour(fact) is Colour.A]
        if not of_a:
            return self.raw.true
        if len(of_a) == len(facts):
            return self.raw.false
        coefficients = self._multipliers(facts, parameters)
        total: dict[Term, Fraction] = {}
        bound, strict = Fraction(0), False
        for fact, factor in zip(facts, coefficients, strict=True):
            if self.partition.colour(fact) is Colour.A and factor:
                form = self.arithmetic.read(fact)
                assert form is not None
                for term, value in form.terms:
                    total[term] = total.get(term, Fraction(0)) + factor * value
                bound += factor * form.bound
                strict = strict or form.relation == "<"
        normal = self.arithmetic.normal(total, "<" if strict else "<=", bound)
        if normal is None:
            holds = bound > 0 or (bound == 0 and not strict)
            return self.raw.true if holds else self.raw.false
        return self.arithmetic.build(normal)

    def _multipliers(self, facts: Sequence[Term], parameters: Sequence[str]) -> Sequence[Fraction]:
        """Factors with which the facts' linear forms add up to a contradiction."""
        forms = [self.arithmetic.read(fact) for fact in facts]
        if any(form is None or form.relation == "=" for form in forms):
            raise NoInterpolant("a theory lemma is not about inequalities")
        known = [form for form in forms if form is not None]
        given = parameters[2:]
        if len(given) == len(facts):
            factors = [
                abs(Fraction(text)) / self.arithmetic.scale(fact, form)
                for text, fact, form in zip(given, facts, known, strict=True)
            ]
            total: dict[Term, Fraction] = {}
            for form, factor in zip(known, factors, strict=True):
                for term, value in form.terms:
                    total[term] = total.get(term, Fraction(0)) + factor * value
            if not any(total.values()):
                return factors
        return self._computed_multipliers(known)

    def _computed_multipliers(self, forms: Sequence[Linear]) -> Sequence[Fraction]:
        """Farkas' lemma as a linear program: non-negative factors for which the sum is 0 <= b with b < 0 (or 0 < 0)."""
        solver = z3.Solver()
        factors = [z3.Real(f"f{i}") for i in range(len(forms))]
        sums: dict[Term, list[z3.ArithRef]] = {}
        for factor, form in zip(factors, forms, strict=True):
            for term, value in form.terms:
                sums.setdefault(term, []).append(factor * value)
        bound = z3.Sum([f * z3.RealVal(form.bound) for f, form in zip(factors, forms, strict=True)])
        strict = [f > 0 for f, form in zip(factors, forms, strict=True) if form.relation == "<"]
        # f >= 0 & sum of f * coefficients = 0 & (sum of f * bounds < 0, or = 0 with a strict form)
        solver.add(*(f >= 0 for f in factors), *(z3.Sum(parts) == 0 for parts in sums.values()))
        solver.add(z3.Or(bound < 0, z3.And(bound == 0, z3.Or(strict))))
        if solver.check() != z3.sat:
            raise NoInterpolant("a theory lemma has no rational multipliers")
        model = solver.model()
        values = [model.eval(f, model_completion=True) for f in factors]
        return [Fraction(v.numerator_as_long(), v.denominator_as_long()) for v in values]

    def _and(self, parts: Sequence[Term]) -> Term:
        return self._joined(parts, self.raw.true, self.raw.false, self.raw.conjunction)

    def _or(self, parts: Sequence[Term]) -> Term:
        return self._joined(parts, self.raw.false, self.raw.true, self.raw.disjunction)

    def _joined(self, parts: Sequence[Term], unit: Term, zero: Term, make: Callable[[Sequence[Term]], Term]) -> Term:
        kept = dict.fromkeys(part for part in parts if part != unit)
        if zero in kept or any(self.raw.negate(part) in kept for part in kept):
            return zero
        return make(list(kept)) if kept else unit
