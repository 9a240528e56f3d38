"""Interpolants for linear arithmetic from the Farkas lemmas of z3's proofs."""

from collections.abc import Sequence
from fractions import Fraction

import z3

from chcverify.terms.arithmetic.affine_hulls import LinearRow, eliminate
from chcverify.terms.arithmetic.linear_literals import Arithmetic, Linear
from chcverify.terms.native.farkas_proofs import farkas_lemmas
from chcverify.terms.native.raw import Raw, RawSolver, Term
from solvers.interpolation.cube_sums import cube_sums


class FarkasInterpolator:
    """For B a conjunction of literals: the negation of sums of B's literals that are enough against A.

    In each Farkas lemma of the proof, B's literals are added up with their coefficients. Integer cuts and case splits
    in the proof may need more than these sums: then B's literals themselves are the second try. Variables that only B
    knows are eliminated from what is left, over the rationals and without strictness; A may fail to refute the rest,
    and then there is no proposal.
    """

    name = "farkas"

    def propose(self, a: z3.BoolRef, b: z3.BoolRef, timeout_ms: int) -> z3.BoolRef | None:
        raw = Raw(z3.Context(proof=True))
        arithmetic = Arithmetic(raw)
        solver = RawSolver(raw, {"arith.solver": 2, "timeout": timeout_ms})
        left = raw.handle(a)
        solver.add(left)
        literals = [part for literal in raw.conjuncts(raw.handle(b)) for part in arithmetic.canonical(literal)]
        # A & literals of B
        if solver.check(literals) is not False:
            return None
        core = [literal for literal in literals if literal in set(solver.core())]
        known = raw.variables(left)
        for cube in (cube_sums(arithmetic, core, farkas_lemmas(solver)), core):
            shared = _projected(arithmetic, cube or (), known)
            interpolant = self._refuted_part(raw, solver, shared)
            if interpolant is not None:
                found: z3.BoolRef = raw.wrap(interpolant, a.ctx)
                return found
        return None

    @staticmethod
    def _refuted_part(raw: Raw, solver: RawSolver, cube: list[Term]) -> Term | None:
        """The negation of the literals of the cube that A refutes together."""
        # A & cube
        if solver.check(cube) is not False:
            return None
        core = set(solver.core())
        return raw.negated_conjunction([literal for literal in cube if literal in core])


def _projected(arithmetic: Arithmetic, cube: Sequence[Term], known: set[Term]) -> list[Term]:
    """The literals over the given variables that the cube implies: its own, and those that elimination gives."""
    raw = arithmetic.raw
    kept = [literal for literal in cube if raw.variables(literal) <= known]
    forms = [form for literal in cube if (form := arithmetic.read(literal)) is not None and form.relation != "="]
    terms = list(dict.fromkeys(term for form in forms for term, _ in form.terms))
    terms.sort(key=lambda term: not raw.variables(term) <= known)
    count = sum(raw.variables(term) <= known for term in terms)
    if count < len(terms):
        for row in eliminate([_linear_row(form, terms) for form in forms], count):
            form = arithmetic.normal(dict(zip(terms, row.coefficients, strict=False)), "<=", row.bound)
            kept.extend([] if form is None else [arithmetic.build(form)])
    return list(dict.fromkeys(kept))


def _linear_row(form: Linear, terms: Sequence[Term]) -> LinearRow:
    coefficients = dict(form.terms)
    return LinearRow(tuple(Fraction(coefficients.get(term, 0)) for term in terms), form.bound)
