"""Models for people: the same models, simplified. What was checked stays as it is."""

import time

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.irredundant import irredundant
from chcverify.terms.core.traversal import conjunction, conjuncts, subterms
from chcverify.terms.printing.negation import negations_inside


@dataclass(frozen=True)
class ModelTextTuning:
    """Limits of the simplification; none of them is measured.

    seconds: for all predicates. most_nodes: distinct terms of a formula whose conjuncts are compared with each other.
    """

    seconds: float = 1.0
    most_nodes: int = 2_000


TUNING = ModelTextTuning()


def simplified(system: HornSystem, model: Model, tuning: ModelTextTuning = TUNING) -> Model:
    """An equivalent model: constants folded, and no conjunct that the others of its formula imply.

    What there is no time for stays as it was.
    """
    deadline = time.monotonic() + tuning.seconds
    shown = {}
    for predicate in system.predicates:
        formula = model.interpretations.get(predicate)
        if formula is None:
            continue
        plain = z3.simplify(formula, arith_ineq_lhs=False, elim_and=False, som=False)
        plain = negations_inside(plain)
        left = deadline - time.monotonic()
        if left > 0 and sum(1 for _ in subterms(plain)) <= tuning.most_nodes:
            plain = conjunction(irredundant(conjuncts(plain), seconds=left))
        shown[predicate] = plain
    return Model(shown)
