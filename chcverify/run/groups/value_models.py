"""Models from the value analysis of a C program's clauses."""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import z3

from chcverify.certificate.search.validity_core import ValidityCore
from chcverify.effort import MAX_BUILT
from chcverify.horn.system import HornSystem, Predicate
from chcverify.problems.c_problem import CProblem
from chcverify.results.checks import Check
from chcverify.run.groups.partial_models import PartialModel
from solvers.value_analysis.analysis import ValueAnalysis
from solvers.value_analysis.clause_code import TermTable
from solvers.value_analysis.formulas import FactFormulas
from solvers.value_analysis.partitions.argument_cells import with_cell_arguments
from solvers.value_analysis.partitions.zero_partition import (
    MOST_PARTED_SHARE,
    Facts,
    Reserved,
    ZeroPartition,
    parted_by_zero,
)
from solvers.value_analysis.states import TrackedArguments, with_reserved

if TYPE_CHECKING:
    from encoders.c.encoding.encoder import Encoding

PARTED_ROUNDS = (2, 4)
"""The most flags that part a predicate, one after the other, in each try. Two are enough for two members of one
object that may be null; comparisons of two buffers (aws_byte_buf_eq of aws-c-common), whose addresses and members
may be null, need four and 2 s of the processor."""


Tracked = Mapping[Predicate, Sequence[TrackedArguments]]


ANALYSIS_SHARE = 0.65
"""Of the time, for the analysis; the rest is for the proof that its facts are inductive, which took a sixth to a half
as long for functions of public projects with 600 to 5,000 clauses."""


PARTED_BY_NULL_ROUNDS = 2
"""The most flags that part any predicate in `parted_models`. Measured on functions of cJSON that add an item to an
object: whether there is memory for the item, and whether it was added, says what its members are; then 174 of 177
queries are refuted, else 119; on a busy machine in 2 s of the processor, else in 1.5 s."""


def value_models(whole: CProblem, until: float) -> Iterator[PartialModel]:
    """Yields the models that follow from the value analysis by time.monotonic() = until."""
    now = time.monotonic()
    found = value_facts(whole, now + ANALYSIS_SHARE * (until - now))
    if found is not None:
        yield inductive_part(whole.system, *found, until)


def parted_models(checks: Collection[Check], whole: CProblem, until: float) -> Iterator[PartialModel]:
    """The same for some checks, where flags and pointers that may be null part all predicates."""
    now = time.monotonic()
    analysis_until = now + ANALYSIS_SHARE * (until - now)
    tracked = tracked_arguments(whole.encoding)
    found = _facts(whole.system, tracked, analysis_until, PARTED_BY_NULL_ROUNDS, most_share=1.0)
    if found is None:
        return
    asked = {None, *checks}  # None: of traps, behind which nothing may come
    queries = [index for index in found[1] if whole.encoding.infos[index].check in asked]
    if queries:
        yield inductive_part(whole.system, found[0], queries, until)


def cell_models(whole: CProblem, until: float) -> Iterator[PartialModel]:
    """The same where cells of arrays are arguments of their own, so that members of objects are related to sizes, and
    null pointers in members part what holds."""
    try:
        cells = with_cell_arguments(whole.system, until)
    except TimeoutError:
        return
    tracked = {cells.after[predicate]: items for predicate, items in tracked_arguments(whole.encoding).items()}
    refuted = frozenset[int]()
    for rounds in PARTED_ROUNDS:
        found = _facts(cells.system, tracked, until, rounds, most_share=1.0)  # all may be parted
        if found is None:
            return
        if not found[1] <= refuted:
            refuted = found[1]
            yield inductive_part(whole.system, cells.facts_before(found[0]), refuted, until)
        if refuted.issuperset(whole.system.queries):
            return


def value_facts(whole: CProblem, until: float) -> tuple[Facts, frozenset[int]] | None:
    """The facts of the value analysis, and the queries that they refute; None if there are none by time.monotonic() =
    until."""
    return _facts(whole.system, tracked_arguments(whole.encoding), until)


def _facts(
    system: HornSystem, tracked: Tracked, until: float, rounds: int = 1, most_share: float = MOST_PARTED_SHARE
) -> tuple[Facts, frozenset[int]] | None:
    """The facts of the value analysis of a system whose predicates are parted in so many rounds, as of `value_facts`.

    most_share: as of `parted_by_zero`.
    """
    partitions: list[ZeroPartition] = []
    reserved: Reserved = {predicate: items[0].reserved for predicate, items in tracked.items() if items}
    parted, items_of, terms = system, dict(tracked), TermTable()
    for _ in range(rounds):
        if len(parted.clauses) > MAX_BUILT:
            break
        partition = parted_by_zero(parted, reserved, most_share, terms)
        partitions.append(partition)
        items_of = {part: items for predicate, items in items_of.items() for part in partition.parts_of(predicate)}
        reserved = partition.reserved(reserved)
        parted = partition.system
    analysis = ValueAnalysis(parted, items_of, until, terms)
    if not analysis.states:
        return None
    written = FactFormulas()
    known = {p: written.of(p, state, items_of.get(p, ())) for p, state in analysis.states.items()}
    facts: Facts = {**dict.fromkeys(analysis.unknown, ()), **known}
    possible = frozenset(parted.queries) - analysis.refuted()
    for partition in reversed(partitions):
        facts = partition.united_facts(facts)
        possible = frozenset(partition.clauses[index] for index in possible)
    return facts, frozenset(system.queries) - possible


def inductive_part(system: HornSystem, facts: Facts, queries: Iterable[int], until: float) -> PartialModel:
    """The model of those facts that the refutation of these queries needs, as far as a solver shows it.

    until: time.monotonic() at which what is not shown is left out.
    """
    core = ValidityCore(system, {p: facts.get(p, (z3.BoolVal(False),)) for p in system.predicates})
    begin = time.monotonic()
    refuted = core.refuted(queries, until)
    return PartialModel(refuted, partial(core.model, refuted), core.model, time.monotonic() - begin)


def tracked_arguments(encoding: "Encoding") -> Tracked:
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
