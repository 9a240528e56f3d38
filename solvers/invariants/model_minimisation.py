"""Models without redundant conjuncts: smaller to store, to check and to read."""

import time
from dataclasses import replace

from chcverify.certificate.model import Model
from chcverify.effort import BRIEF_SHARE, STEP_S
from chcverify.horn.system import HornSystem
from chcverify.terms.core.irredundant import irredundant
from chcverify.terms.core.traversal import conjunction, conjuncts
from solvers.engine import Context
from solvers.invariants.candidate_checks import holds


def minimised(system: HornSystem, model: Model, context: Context) -> Model:
    """The model, or one with fewer conjuncts that a solver has shown to be a model of every clause, too."""
    seconds = min(STEP_S, BRIEF_SHARE * context.remaining())
    limited = replace(context, deadline=time.monotonic() + seconds)
    formulas = {}
    for predicate in system.predicates:
        parts = conjuncts(model[predicate])
        left = max(0.0, limited.remaining() - seconds / 2)  # the other half is for the check
        formulas[predicate] = conjunction(irredundant(parts, seconds=left) if len(parts) > 1 else parts)
    smaller = Model(formulas)
    return smaller if holds(system, smaller, limited) else model
