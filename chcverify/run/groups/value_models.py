"""Models from the value analysis of a C program's clauses."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from chcverify.horn.system import Predicate
from solvers.value_analysis.states import TrackedArguments

if TYPE_CHECKING:
    from encoders.c.encoding.encoder import Encoding


def tracked_arguments(encoding: "Encoding") -> Mapping[Predicate, Sequence[TrackedArguments]]:
    """The positions of the tracked objects among the arguments of each predicate."""
    from encoders.c.analysis.storage import OBJECT_STRIDE
    from encoders.c.analysis.tracked_objects import UNBORN

    found: dict[Predicate, list[TrackedArguments]] = {}
    objects = [tracked for _, tracked in encoding.objects.all()]
    for predicate, arguments in encoding.arguments.items():
        at_entry = {a.variable: position for position, a in enumerate(arguments) if a.at_entry}
        current = {a.variable: position for position, a in enumerate(arguments) if not a.at_entry}
        for tracked in objects:
            point = current.get(tracked.point, at_entry.get(tracked.point))
            for positions in (current, at_entry):
                size, state = positions.get(tracked.size), positions.get(tracked.state)
                if point is not None and (size is not None or state is not None):
                    item = TrackedArguments(point, size, state, OBJECT_STRIDE, UNBORN)
                    found.setdefault(predicate, []).append(item)
    return found
