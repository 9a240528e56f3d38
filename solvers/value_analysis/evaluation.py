"""Abstract evaluation of a clause: values of its nodes, narrowed by its constraint in both directions.

Benhamou, Goualard, Granvilliers, Puget: Revising hull and box consistency (ICLP 1999): values go up from the variables,
what a node may be goes down to its arguments, until nothing changes or enough rounds have passed.
"""

from solvers.value_analysis.downward import DOWN
from solvers.value_analysis.node_values import Empty, NodeValues
from solvers.value_analysis.upward import UP
from solvers.value_analysis.value_sets import TRUE

ROUNDS = 3  # of going up and down; most clauses need two


def solve(run: NodeValues) -> bool:
    """Narrows all nodes by the constraint; False if no state satisfies it."""
    try:
        run.narrow(run.code.constraint, TRUE)
        for _ in range(ROUNDS):
            _up(run)
            if not _down(run):
                break
        else:
            _up(run)
    except Empty:
        return False
    return True


def _up(run: NodeValues) -> None:
    for node, kind in enumerate(run.code.kinds):
        operation = UP.get(kind)
        if operation is not None:
            run.narrow(node, operation(run, node))


def _down(run: NodeValues) -> bool:
    kinds, changed = run.code.kinds, False
    for node in range(len(kinds) - 1, -1, -1):
        operation = DOWN.get(kinds[node])
        if operation is not None and operation(run, node):
            changed = True
    return changed
