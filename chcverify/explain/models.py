"""Models for people: the same models, simplified. What was checked stays as it is."""

import time

import z3

from chcverify.certificate.model import Model
from chcverify.effort import IMPROVEMENT_S, MAX_BUILT
from chcverify.horn.system import HornSystem
from chcverify.terms.core.irredundant import irredundant
from chcverify.terms.core.traversal import conjunction, conjuncts, subterms
from chcverify.terms.printing.negation import negations_inside


def simplified(system: HornSystem, model: Model) -> Model:
    """An equivalent model: constants folded, and no conjunct that the others of its formula imply.

    What there is no time for stays as it was.
    """
    deadline = time.monotonic() + IMPROVEMENT_S
    shown = {}
    for predicate in system.predicates:
        formula = model.interpretations.get(predicate)
        if formula is None:
            continue
        plain = z3.simplify(formula, arith_ineq_lhs=False, elim_and=False, som=False)
        plain = negations_inside(plain)
        left = deadline - time.monotonic()
        if left > 0 and sum(1 for _ in subterms(plain)) <= MAX_BUILT:
            plain = conjunction(irredundant(conjuncts(plain), seconds=left))
        shown[predicate] = plain
    return Model(shown)
