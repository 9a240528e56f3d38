"""Models without redundant conjuncts: smaller to store, to check and to read."""

import time
from dataclasses import replace

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.terms.irredundant import irredundant
from chcverify.terms.walk import conjunction, conjuncts
from solvers.engine import Context
from solvers.invariants.data_driven_checks import holds

SHARE = 0.1  # of the time that is left
MOST_S = 5.0


def minimised(system: HornSystem, model: Model, context: Context) -> Model:
    """The model, or one with fewer conjuncts that a solver has shown to be a model of every clause, too."""
    seconds = min(MOST_S, SHARE * context.remaining())
    limited = replace(context, deadline=time.monotonic() + seconds)
    formulas = {}
    for predicate in system.predicates:
        parts = conjuncts(model[predicate])
        left = max(0.0, limited.remaining() - seconds / 2)  # the other half is for the check
        formulas[predicate] = conjunction(irredundant(parts, seconds=left) if len(parts) > 1 else parts)
    smaller = Model(formulas)
    return smaller if holds(system, smaller, limited) else model
