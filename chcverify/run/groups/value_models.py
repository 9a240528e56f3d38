"""Models from the value analysis of a C program's clauses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import z3

from chcverify.certificate.search.validity_core import ValidityCore
from chcverify.horn.system import HornSystem, Predicate
from chcverify.problems.c_problem import CProblem
from chcverify.run.groups.partial_models import PartialModel
from solvers.value_analysis.analysis import ValueAnalysis
from solvers.value_analysis.formulas import FactFormulas
from solvers.value_analysis.states import TrackedArguments, with_reserved
from solvers.value_analysis.zero_partition import parted_by_zero

if TYPE_CHECKING:
    from encoders.c.encoding.encoder import Encoding


Facts = Mapping[Predicate, Sequence[z3.BoolRef]]
"""Of each predicate over its formals, all of which hold together; nothing derives predicates that are missing."""


def value_models(whole: CProblem, until: float) -> Iterator[PartialModel]:
    """Yields the models that follow from the value analysis, if that ends by time.monotonic() = until."""
    found = value_facts(whole, until)
    if found is not None:
        facts, refuted = found
        yield inductive_part(whole.system, facts, refuted, until)


def value_facts(whole: CProblem, until: float) -> tuple[Facts, frozenset[int]] | None:
    """The facts of the value analysis, and the queries that they refute; None if it does not end by time.monotonic() =
    until."""
    system, tracked = whole.system, tracked_arguments(whole.encoding)
    reserved = {predicate: items[0].reserved for predicate, items in tracked.items() if items}
    partition = parted_by_zero(system, reserved)
    parted = {part: items for predicate, items in tracked.items() for part in partition.parts_of(predicate)}
    try:
        analysis = ValueAnalysis(partition.system, parted, until)
    except TimeoutError:
        return None
    written, facts = FactFormulas(), dict[Predicate, Sequence[z3.BoolRef]]()
    for predicate in system.predicates:
        states = [analysis.states.get(part) for part in partition.parts_of(predicate)]
        items = tracked.get(predicate, ())
        found = [None if state is None else written.of(predicate, state, items) for state in states]
        united = partition.united(predicate, found)
        if united is not None:
            facts[predicate] = united
    refuted = analysis.refuted()
    possible = {partition.clauses[index] for index in partition.system.queries if index not in refuted}
    return facts, frozenset(system.queries) - possible


def inductive_part(system: HornSystem, facts: Facts, queries: Iterable[int], until: float) -> PartialModel:
    """The model of those facts that the refutation of these queries needs, as far as a solver shows it.

    until: time.monotonic() at which what is not shown is left out.
    """
    core = ValidityCore(system, {p: facts.get(p, (z3.BoolVal(False),)) for p in system.predicates})
    refuted = core.refuted(queries, until)
    return PartialModel(refuted, partial(core.model, refuted), core.model)


def tracked_arguments(encoding: "Encoding") -> Mapping[Predicate, Sequence[TrackedArguments]]:
    """The positions of the tracked objects among the arguments of each predicate."""
    from encoders.c.analysis.memory.tracked_objects import ObjectState
    from encoders.c.analysis.storage import OBJECT_STRIDE

    found: dict[Predicate, list[TrackedArguments]] = {}
    objects = [(tracked, encoding.memory.known_next_address(top)) for top, tracked in encoding.objects.all()]
    for predicate, arguments in encoding.arguments.items():
        at_entry = {a.variable: position for position, a in enumerate(arguments) if a.at_entry}
        current = {a.variable: position for position, a in enumerate(arguments) if not a.at_entry}
        for tracked, next_address in objects:
            fresh = None if next_address is None else current.get(next_address)
            point = current.get(tracked.point, at_entry.get(tracked.point))
            for positions, is_at_entry in ((current, False), (at_entry, True)):
                size, state = positions.get(tracked.size), positions.get(tracked.state)
                if point is not None and (size is not None or state is not None):
                    ended = (ObjectState.FREED, ObjectState.GONE)
                    unborn = ObjectState.UNBORN
                    if is_at_entry:
                        item = TrackedArguments(point, size, state, OBJECT_STRIDE, unborn, ended, is_at_entry=True)
                    else:
                        item = TrackedArguments(point, size, state, OBJECT_STRIDE, unborn, ended, fresh)
                    found.setdefault(predicate, []).append(item)
    return {predicate: with_reserved(items) for predicate, items in found.items()}
