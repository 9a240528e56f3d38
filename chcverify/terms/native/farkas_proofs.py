"""Farkas lemmas of z3's proofs, over raw handles."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import z3

from chcverify.terms.native import capi
from chcverify.terms.native.raw import Raw, RawSolver, Term


class FarkasLemma(NamedTuple):
    """The facts, each times the absolute value of its coefficient, add up to a contradiction."""

    facts: tuple[Term, ...]
    coefficients: tuple[Fraction, ...]


def farkas_lemmas(solver: RawSolver) -> list[FarkasLemma]:
    """The Farkas lemmas of the proof of the solver's last, unsatisfiable check; [] if there is no proof.

    Needs a context with proofs and arith.solver=2; with other solvers the coefficients are missing or useless. The
    proof's nodes stay alive through its root, so only the facts are reference-counted.
    """
    raw = solver.raw
    root = capi.solver_get_proof(raw.c, solver.handle)
    if root is None:
        return []
    capi.inc_ref(raw.c, root)
    try:
        return [lemma for node in _nodes(raw, root) if (lemma := _farkas(raw, node)) is not None]
    finally:
        capi.dec_ref(raw.c, root)


def _nodes(raw: Raw, root: Term) -> Iterator[Term]:
    """The theory lemmas of the proof; the last argument of a proof node is what it proves, the others are proofs."""
    c, seen, stack = raw.c, {root}, [root]
    while stack:
        node = stack.pop()
        if capi.get_decl_kind(c, capi.get_app_decl(c, node)) == z3.Z3_OP_PR_TH_LEMMA:
            yield node
        for i in range(capi.get_app_num_args(c, node) - 1):
            child = capi.get_app_arg(c, node, i)
            if child not in seen:
                seen.add(child)
                stack.append(child)


def _farkas(raw: Raw, node: Term) -> FarkasLemma | None:
    """The lemma of a theory node: coefficients for the premises first, then for the negated literals it concludes."""
    parameters = raw.parameters(node)
    if parameters[:2] != ["arith", "farkas"]:
        return None
    c = raw.c
    last = capi.get_app_num_args(c, node) - 1
    facts = []
    for i in range(last):
        premise = capi.get_app_arg(c, node, i)
        facts.append(raw.keep(capi.get_app_arg(c, premise, capi.get_app_num_args(c, premise) - 1)))
    conclusion = raw.keep(capi.get_app_arg(c, node, last))
    if conclusion != raw.false:
        clause = raw.children(conclusion) if raw.kind(conclusion) == z3.Z3_OP_OR else (conclusion,)
        facts.extend(map(raw.negate, clause))
    coefficients = tuple(abs(Fraction(text)) for text in parameters[2:])
    return FarkasLemma(tuple(facts), coefficients) if len(coefficients) == len(facts) else None
