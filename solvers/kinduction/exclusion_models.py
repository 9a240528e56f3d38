"""From a k-inductive proof to an inductive model: excludes the states that lead to a violation, cube by cube."""

from dataclasses import replace

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.terms.core.traversal import conjunction
from chcverify.terms.native.raw import RawError
from solvers.engine import Context
from solvers.invariants.seeded_engines import strengthen
from solvers.pdkind.inductive_strengthening import inductive_clauses
from solvers.pdr.engine import OutOfTime
from solvers.pdr.lemmas.generalisation import Generalizer
from solvers.pdr.transition_system.frames import Frames
from solvers.pdr.transition_system.pdr_options import PdrOptions
from solvers.pdr.transition_system.pdr_statistics import Statistics
from solvers.pdr.transition_system.rule_system import RuleSystem, has_quantifier
from solvers.pdr.transition_system.transitions import SolverAnsweredUnknown
from solvers.unrolling.model_strengthening import TRUE, Formulas


def excluding_model(system: HornSystem, invariants: Formulas, context: Context) -> Model | None:
    """The inductive model behind a k-inductive proof of a linear system; None if the time is not enough.

    No query is violated is an invariant; it is k-inductive relative to the others. A step from states that are not
    excluded into a violation or an excluded cube is projected to its first state, and that cube is excluded as well.
    Only states that lead to a violation are excluded, and from each in fewer than k steps, so that this ends.
    """
    strengthened = strengthen(system, {p: invariants.get(p, TRUE) for p in system.predicates})
    if has_quantifier(strengthened):
        return None
    options = replace(PdrOptions(), interpolation=False)
    problem = RuleSystem(strengthened, options)
    raw, main = problem.raw, z3.main_ctx()

    def check_time() -> None:
        if context.remaining() <= 0:
            raise OutOfTime

    try:
        with raw.interrupted_after(context.remaining()):
            frames = Frames(problem, options, context.seed)
            generalizer = Generalizer(problem, frames, options, Statistics(raw, trace=""))
            # never the query's predicate
            inductive_clauses(frames, generalizer, [(problem.query, ())], check_time)
            found = {
                p: [raw.wrap(lemma.formula, main) for lemma in frames.lemmas[n]] for p, n in problem.number.items()
            }
    except (OutOfTime, SolverAnsweredUnknown, RawError, z3.Z3Exception):
        return None
    return Model({p: conjunction([invariants.get(p, TRUE), *found[p]]) for p in system.predicates})
