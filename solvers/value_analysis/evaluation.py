"""Abstract evaluation of a clause: values of its nodes, narrowed by its constraint in both directions.

Benhamou, Goualard, Granvilliers, Puget: Revising hull and box consistency (ICLP 1999): values go up from the variables,
what a node may be goes down to its arguments, until nothing changes or enough rounds have passed.
"""

from chcverify.effort import MAX_COMBINED
from solvers.value_analysis.downward import DOWN
from solvers.value_analysis.node_values import Empty, NodeValues
from solvers.value_analysis.upward import UP
from solvers.value_analysis.value_sets import TRUE


def solve(run: NodeValues) -> bool:
    """Narrows all nodes by the constraint; False if no state satisfies it."""
    try:
        run.narrow(run.code.constraint, TRUE)
        for _ in range(MAX_COMBINED):
            _up(run)
            if not _down(run):
                break
        else:
            _up(run)
    except Empty:
        return False
    return True


def _up(run: NodeValues) -> None:
    kinds, due = run.code.kinds, run.up_due
    node = due.find(1)
    while node >= 0:
        due[node] = 0
        operation = UP.get(kinds[node])
        if operation is not None:
            run.compute(node, operation(run, node))
        node = due.find(1, node + 1)


def _down(run: NodeValues) -> bool:
    kinds, due, changed = run.code.kinds, run.down_due, False
    node = due.rfind(1)
    while node >= 0:
        due[node] = 0
        operation = DOWN.get(kinds[node])
        if operation is not None and operation(run, node):
            changed = True
        node = due.rfind(1, 0, node)
    return changed
