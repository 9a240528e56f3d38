"""From a k-inductive proof to an inductive model: excludes the states that lead to a violation, cube by cube."""

from collections.abc import Callable
from dataclasses import replace

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.terms.core.traversal import conjunction
from chcverify.terms.native.raw import RawError, Term
from solvers.engine import Context
from solvers.pdr.engine import OutOfTime
from solvers.pdr.lemmas.generalisation import Generalizer
from solvers.pdr.predecessors import Predecessors
from solvers.pdr.transition_system.frames import Frames
from solvers.pdr.transition_system.pdr_options import PdrOptions
from solvers.pdr.transition_system.pdr_statistics import Statistics
from solvers.pdr.transition_system.rule_system import RuleSystem, is_quantified
from solvers.pdr.transition_system.transitions import INFINITY, SolverAnsweredUnknown
from solvers.unrolling.lemma_selection import strengthen
from solvers.unrolling.model_strengthening import TRUE, Formulas


def excluding_model(system: HornSystem, invariants: Formulas, context: Context) -> Model | None:
    """The inductive model behind a k-inductive proof of a linear system; None if the time is not enough.

    No query is violated is an invariant; it is k-inductive relative to the others. A step from states that are not
    excluded into a violation or an excluded cube is projected to its first state, and that cube is excluded as well.
    Only states that lead to a violation are excluded, and from each in fewer than k steps, so that this ends.
    """
    strengthened = strengthen(system, {p: invariants.get(p, TRUE) for p in system.predicates})
    if is_quantified(strengthened):
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
            _exclude_violations(frames, generalizer, check_time)
            found = {  # never the query's predicate
                p: [raw.wrap(lemma.formula, main) for lemma in frames.lemmas[n]] for p, n in problem.number.items()
            }
    except (OutOfTime, SolverAnsweredUnknown, RawError, z3.Z3Exception):
        return None
    return Model({p: conjunction([invariants.get(p, TRUE), *found[p]]) for p in system.predicates})


def _exclude_violations(frames: Frames, generalizer: Generalizer, check_time: Callable[[], None]) -> None:
    """Adds lemmas to the empty frames until these are inductive and exclude every violation.

    The first lemma is the property itself: no query is violated. It is k-inductive, but need not be inductive: a state
    that all lemmas allow may have a successor that they exclude. Since the successor is unreachable, the state is, too.
    The step is projected to a cube of first states, all of which have an excluded successor, and the cube becomes the
    next lemma. Because the property is k-inductive, chains of these cubes are shorter than k, so that the search ends.
    Where the lemma is inductive already, literals of the cube are dropped, which often saves further lemmas.
    """
    problem = frames.problem
    predecessors = Predecessors(problem, frames, None)
    queue: list[tuple[int, tuple[Term, ...]]] = [(problem.query, ())]
    frames.add(problem.query, (), INFINITY)
    while queue:
        check_time()
        predicate, cube = queue[-1]
        transition = frames.transitions[predicate]
        transition.solver.push()
        try:
            # F(body) & some rule & cube
            model = transition.solver.model() if transition.check(INFINITY, cube) else None
        finally:
            transition.solver.pop()
        if model is None:
            queue.pop()
            continue
        target, before = predecessors.predecessor(model, transition.rule_of(model), {}, INFINITY, cube)
        blocked = frames.transitions[target.predicate].blocked(INFINITY, before, with_model=False)
        if blocked is not None:
            before = tuple(generalizer.drop_literals(target.predicate, blocked[0], INFINITY)[0])
        else:
            queue.append((target.predicate, before))
        frames.add(target.predicate, before, INFINITY)
