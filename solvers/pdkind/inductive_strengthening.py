"""From k-inductive to inductive lemmas, by excluding counterexamples one by one."""

from collections.abc import Callable, Sequence

from solvers.pdkind.induction_frames import Clause
from solvers.pdr.lemmas.generalisation import Generalizer
from solvers.pdr.predecessors import Predecessors
from solvers.pdr.transition_system.frames import Frames
from solvers.pdr.transition_system.transitions import INFINITY


def inductive_clauses(
    frames: Frames, generalizer: Generalizer, clauses: Sequence[Clause], check_time: Callable[[], None]
) -> None:
    """Adds the clauses, invariants that are k-inductive together, to the empty frames, and what makes them inductive.

    A state that satisfies all clauses and has a successor that does not is unreachable, since the successor is. So is
    each state of a projection of that step, and its cube can be excluded as well; by k-inductiveness, chains of such
    cubes are shorter than k. Cubes that grow while their absence is inductive save others.
    """
    problem = frames.problem
    predecessors = Predecessors(problem, frames, None)
    queue = list(clauses)
    for predicate, cube in queue:
        frames.add(predicate, cube, INFINITY)
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
