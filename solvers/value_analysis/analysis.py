"""A fixpoint of abstract states over the predicates of a system (Cousot, Cousot 1977), without a solver."""

import heapq
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import z3

from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.graphs import weak_topological_order
from solvers.value_analysis.clause_code import ClauseCode, TermTable
from solvers.value_analysis.clause_step import ClauseStep
from solvers.value_analysis.comparisons import BIT_ORDERS, ORDERS
from solvers.value_analysis.repeated_step import RepeatedStep
from solvers.value_analysis.states import AbstractState, TrackedArguments
from solvers.value_analysis.value_sets import ANY, STRIDE, Hurry, Pieces, of

WIDEN_AFTER = 2
"""Changes of a loop's head before what grows goes on to a threshold. Chosen by hand."""
LATE_AFTER = 5
"""Changes of a loop's head before what grows becomes unbounded; at the last change before that it goes on to the end of
a string or an object. Chosen by hand."""
NOTHING_AFTER = 15
"""Changes of a loop's head before nothing is known of it any more. Chosen by hand."""
MOST_ALONG_STRING = 500
"""Locations of a loop, times how often its head changes, while what grows goes along a string that is known: the end of
a string of 40 characters is found in a loop of 12 locations, in a tenth of a second."""
LARGEST_TO_THRESHOLDS = 100
"""Locations of a loop whose numbers go on to thresholds before they become unbounded. Measured on te_interp of tinyexpr
and lfs_dir_fetchmatch of littlefs, where thresholds in loops of 100 to 1,600 locations took a sixth of all steps and
refuted no query."""
CALM_SHARE = 0.15
"""Of the time, in which loops are not widened in haste. Measured on te_interp of tinyexpr (5,164 clauses, 6.5 s of the
processor): with 0.15 there is a fixpoint, which refutes as many queries as without haste, with 0.25 there is none in
time; with 0.1 lfs_dir_fetchmatch of littlefs loses two checks."""
HASTE_SHARE = 0.8
"""Of the time, after which nothing is known of what still grows. Chosen by hand."""
MAX_THRESHOLD = 1 << 46  # thresholds are distances within an object

COMPARISONS = frozenset({z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT, *ORDERS, *BIT_ORDERS})

Tracked = Mapping[Predicate, Sequence[TrackedArguments]]

LARGEST_ALONG_STRING = 12
"""Locations of a loop that may go along a string. In larger loops tables look like strings: with 16, KeyExpansion of
tiny-AES-c took 18 s in place of 7, and three of its checks stayed open."""


class ValueAnalysis:
    """States of the predicates of a system that hold of all derivable facts; those that nothing derives are missing.

    tracked: the arguments that are tracked objects. until: time.monotonic() after which the predicates whose states may
    still grow are given up: they are `unknown`, and have no states. terms: those of systems that it shares terms with.
    """

    def __init__(self, system: HornSystem, tracked: Tracked, until: float, terms: TermTable | None = None) -> None:
        self.system, self.tracked, self.until = system, tracked, until
        self.states: dict[Predicate, AbstractState] = {}
        self.unknown: frozenset[Predicate] = frozenset()
        self._terms = terms or TermTable()
        self._steps: dict[int, ClauseStep] = {}
        self._repeated: dict[int, RepeatedStep] = {}
        self._thresholds = _thresholds(system, self._terms)
        self._widened: set[Predicate] = set()
        self._along_string: dict[Predicate, int] = {}  # how often heads of loops changed so
        self._to_ends: set[Predicate] = set()  # those that were widened to the ends of strings
        self._run()

    def refuted(self) -> frozenset[int]:
        """The queries whose bodies no state satisfies, by their indices."""
        return frozenset(index for index in self.system.queries if not self._is_possible(index))

    def _is_possible(self, index: int) -> bool:
        if any(atom.predicate in self.unknown for atom in self.system.clauses[index].body):
            return True
        bodies = self._bodies(index)
        return bodies is not None and self._step(index).is_possible(bodies)

    def _step(self, index: int) -> ClauseStep:
        """The step of a clause, which is made when the clause is first looked at."""
        if index not in self._steps:
            self._steps[index] = ClauseStep(ClauseCode(self.system.clauses[index], self._terms), self.tracked)
        return self._steps[index]

    def _bodies(self, index: int) -> list[AbstractState] | None:
        """The states of the atoms in the body of a clause; None if one of them holds of nothing."""
        found = [self.states.get(atom.predicate) for atom in self.system.clauses[index].body]
        known = [state for state in found if state is not None]
        return known if len(known) == len(found) else None

    def _run(self) -> None:
        order = self._order()
        self._begun, self._most_states = time.monotonic(), len(order)
        turns = _turns(self.system, order)
        visits: dict[Predicate, int] = {}
        work: list[tuple[_Turn, int]] = []
        queued: set[int] = set()

        def put(indices: Iterable[int]) -> None:
            for index in indices:
                if self.system.clauses[index].head is not None and index not in queued:
                    queued.add(index)
                    heapq.heappush(work, (turns[index], index))

        put(index for index, clause in enumerate(self.system.clauses) if clause.is_fact)
        while work:
            turn, index = heapq.heappop(work)
            at_once = [index]
            while turn.is_back and work and work[0][0] == turn:
                at_once.append(heapq.heappop(work)[1])
            if time.monotonic() > self.until:
                self._give_up([*at_once, *queued])
                return
            queued.difference_update(at_once)
            changes = [self._follow(index, order, visits) for index in at_once]
            if any(changes):
                head = self.system.clauses[index].head
                assert head is not None
                put(self.system.using.get(head.predicate, ()))
        open_: Collection[Predicate] = self._widened
        for _ in range(2):  # passes that take back what widening gave away
            open_ = self._narrowed(open_, order)

    def _follow(self, index: int, order: Mapping[Predicate, int], visits: dict[Predicate, int]) -> bool:
        """Joins what a clause derives into the state of its head; True if that changes."""
        after, head = self._after(index), self.system.clauses[index].head
        if after is None or head is None:
            return False
        return self._join(head.predicate, after, self._loop_size(index, order), visits)

    def _give_up(self, waiting: Iterable[int]) -> None:
        """Forgets all that may still grow: what follows the heads of the clauses that wait."""
        work = [head.predicate for index in waiting if (head := self.system.clauses[index].head) is not None]
        unknown = set(work)
        while work:
            for index in self.system.using.get(work.pop(), ()):
                head = self.system.clauses[index].head
                if head is not None and head.predicate not in unknown:
                    unknown.add(head.predicate)
                    work.append(head.predicate)
        self.unknown = frozenset(unknown)
        self.states = {predicate: state for predicate, state in self.states.items() if predicate not in unknown}

    def _after(self, index: int) -> AbstractState | None:
        """The state of a clause's head; None if it derives nothing."""
        bodies = self._bodies(index)
        if bodies is None:
            return None
        repeated = self._repeated.get(index)
        if repeated is None:
            repeated = self._repeated[index] = RepeatedStep(self._step(index))
        return repeated.after(bodies)

    def _loop_size(self, index: int, order: Mapping[Predicate, int]) -> int:
        """The number of predicates of the loop to whose head the clause leads back; 0 if it does not lead back."""
        clause = self.system.clauses[index]
        assert clause.head is not None
        place = order[clause.head.predicate]
        return max(
            (order[atom.predicate] - place + 1 for atom in clause.body if order[atom.predicate] >= place), default=0
        )

    def _join(self, predicate: Predicate, after: AbstractState, loop_size: int, visits: dict[Predicate, int]) -> bool:
        """Joins a state into that of a predicate, or puts it in its place if no other clause derives that; True if that
        changes. loop_size: as of `_loop_size`.

        Widening is for what comes back to the head of a loop alone: what an outer loop changes is not given away in
        the inner one, from which narrowing could not take it back. Amato, Scozzari: Localizing widening and narrowing
        (SAS 2013).
        """
        old = self.states.get(predicate)
        if old is None or (not loop_size and len(self.system.defining[predicate]) == 1):
            self.states[predicate] = after
            return old != after
        new = old.joined(after)
        if new == old:
            return False
        haste = self._haste() if loop_size else 0
        if loop_size and not (
            visits.get(predicate) == WIDEN_AFTER and not haste and self._goes_along(predicate, old, new, loop_size)
        ):
            visits[predicate] = count = visits.get(predicate, 0) + 1
            count += haste
            if count == 1:
                new = new.on_a_line(old, after, self._numbers(predicate))
            if count > WIDEN_AFTER:
                if loop_size > LARGEST_TO_THRESHOLDS:
                    count = max(count, LATE_AFTER + 1)
                thresholds = self._widening_thresholds(predicate, new, count, visits)
                new = old.widened(new, thresholds, STRIDE, _hurry(count), _ranges(predicate))
                self._widened.add(predicate)
                if new == old:  # only what widening does not keep was new
                    return False
        self.states[predicate] = new
        return True

    def _haste(self) -> int:
        """The visits that are counted before they happen, since else there is no time for all predicates."""
        share = (time.monotonic() - self._begun) / max(self.until - self._begun, 1e-9)
        if share < CALM_SHARE or share < len(self.states) / self._most_states * HASTE_SHARE:
            return 0
        return LATE_AFTER if share < HASTE_SHARE else NOTHING_AFTER

    def _widening_thresholds(
        self, predicate: Predicate, new: AbstractState, count: int, visits: dict[Predicate, int]
    ) -> Sequence[int]:
        """The thresholds of a visit. The last before it goes on for ever is for ends of strings, if there are any, and
        is not counted."""
        if count != LATE_AFTER:
            return self._thresholds if count < LATE_AFTER else ()
        if predicate in self._to_ends or not (ends := new.ends_of_strings(STRIDE)):
            return ()
        self._to_ends.add(predicate)
        visits[predicate] = LATE_AFTER - 1
        return ends

    def _goes_along(self, predicate: Predicate, old: AbstractState, new: AbstractState, loop_size: int) -> bool:
        """Has a number grown to the index of a character of a known string, and is there time to go on like that?"""
        if loop_size > LARGEST_ALONG_STRING or not new.is_along_string(old):
            return False
        self._along_string[predicate] = count = self._along_string.get(predicate, 0) + 1
        return count * loop_size <= MOST_ALONG_STRING

    def _numbers(self, predicate: Predicate) -> list[list[int]]:
        """The positions of a predicate's numbers that are no tracked objects, by their sorts."""
        reserved = frozenset[int]().union(*(item.reserved for item in self.tracked.get(predicate, ())))
        groups: dict[z3.SortRef, list[int]] = {}
        for position, sort in enumerate(predicate.sorts):
            if position not in reserved and sort.kind() in (z3.Z3_INT_SORT, z3.Z3_BV_SORT):
                groups.setdefault(sort, []).append(position)
        return list(groups.values())

    def _narrowed(self, open_: Collection[Predicate], order: Mapping[Predicate, int]) -> set[Predicate]:
        """Recomputes states from those before them: sound from a post-fixpoint. Where nothing was widened and nothing
        before changes, that would give what is known. open_: where to begin; the result: where it may go on."""
        work = [(order[predicate], predicate) for predicate in open_]
        heapq.heapify(work)
        queued, later = set(open_), set[Predicate]()
        while work and time.monotonic() <= self.until:
            place, predicate = heapq.heappop(work)
            queued.discard(predicate)
            joined: AbstractState | None = None
            for index in self.system.defining[predicate]:
                after = self._after(index)
                if after is not None:
                    joined = after if joined is None else joined.joined(after)
            if joined is None or joined == self.states[predicate]:
                continue
            self.states[predicate] = joined
            for index in self.system.using.get(predicate, ()):
                head = self.system.clauses[index].head
                if head is None or head.predicate in queued or head.predicate not in self.states:
                    continue
                if order[head.predicate] <= place:
                    later.add(head.predicate)
                else:
                    queued.add(head.predicate)
                    heapq.heappush(work, (order[head.predicate], head.predicate))
        return later

    def _order(self) -> dict[Predicate, int]:
        """A number for each predicate, such that inner loops are stable before what follows them is looked at."""
        predicates = self.system.predicates
        number = {predicate: i for i, predicate in enumerate(predicates)}
        following: list[list[int]] = [[] for _ in predicates]
        first: list[int] = []
        for clause in self.system.clauses:
            if clause.head is None:
                continue
            after = number[clause.head.predicate]
            if clause.is_fact:
                first.append(after)
            for atom in clause.body:
                following[number[atom.predicate]].append(after)

        next_ = _next_in_line(following, first)
        later = frozenset(next_.values())
        last = {node: node for node in range(len(predicates)) if node not in later}
        for node in last:
            while last[node] in next_:
                last[node] = next_[last[node]]
        order = weak_topological_order(first, lambda node: following[last[node]])
        found: dict[Predicate, int] = {}
        for node in order.nodes:
            line: int | None = node
            while line is not None:
                found[predicates[line]] = len(found)
                line = next_.get(line)
        return found


class _Turn(NamedTuple):
    """When a clause is looked at: the smallest first."""

    place: int
    """Of its head in the order of predicates; of clauses that lead back to the head of a loop, of the loop's end."""
    is_back: bool = False
    inner_first: int = 0


def _turns(system: HornSystem, order: Mapping[Predicate, int]) -> list[_Turn]:
    """The turns of the clauses; any turn for those of predicates that no fact leads to, which have no order.

    Those that lead back to the head of a loop have one turn, when all ways through the loop have been gone: else it
    would be widened before its longer ways were gone once. Loops of more than LARGEST_TO_THRESHOLDS locations are
    widened in haste anyway: te_interp of tinyexpr takes 13,400 steps where these have no such turns, else 16,000.
    """
    places = [
        -1 if clause.is_fact or clause.head is None else order.get(clause.head.predicate, 0)
        for clause in system.clauses
    ]
    latest = [max((order.get(atom.predicate, 0) for atom in clause.body), default=-2) for clause in system.clauses]
    ends: dict[int, int] = {}
    for place, last in zip(places, latest, strict=True):
        if last >= place:
            ends[place] = max(ends.get(place, 0), last)
    return [
        _Turn(ends[place], True, -place)
        if last >= place and ends[place] - place < LARGEST_TO_THRESHOLDS
        else _Turn(place)
        for place, last in zip(places, latest, strict=True)
    ]


def _ranges(predicate: Predicate) -> list[Pieces]:
    """All values of a predicate's arguments that are numbers; any for the others."""
    return [of(0, (1 << sort.size()) - 1) if isinstance(sort, z3.BitVecSortRef) else ANY for sort in predicate.sorts]


def _hurry(visits: int) -> Hurry:
    if visits > NOTHING_AFTER:
        return Hurry.NOTHING
    return Hurry.UNBOUNDED if visits > LATE_AFTER else Hurry.THRESHOLD


def _next_in_line(following: Sequence[Sequence[int]], first: Sequence[int]) -> dict[int, int]:
    """The only successor of nodes, where they are its only predecessor: most of a program goes straight on."""
    before: list[set[int]] = [set() for _ in following]
    for node, successors in enumerate(following):
        for successor in successors:
            before[successor].add(node)
    beginning = frozenset(first)
    return {
        node: successors[0]
        for node, successors in enumerate(following)
        if len(set(successors)) == 1
        and len(before[successors[0]]) == 1
        and successors[0] != node
        and successors[0] not in beginning
    }


def _thresholds(system: HornSystem, terms: TermTable) -> list[int]:
    """The numbers that something is compared with and their neighbours, without addresses of other objects."""
    roots: dict[int, z3.ExprRef] = {}  # by their ids in Python: most clauses hand on the same objects
    for clause in system.clauses:
        roots[id(clause.constraint)] = clause.constraint
        for atom in (*clause.body, *(() if clause.head is None else (clause.head,))):
            roots.update(zip(map(id, atom.arguments), atom.arguments, strict=True))
    found = {0, -1, 1}
    if not roots:
        return sorted(found)
    owner = next(iter(roots.values())).ctx
    for facts in terms.operations(roots.values(), set()):
        for part in facts.below if facts.kind in COMPARISONS else ():
            of_part = terms.of(part, owner)
            if of_part.constant is not None and of_part.width >= 0:
                number = of_part.constant[0][0]
                if abs(number) < MAX_THRESHOLD:
                    found.update((number - 1, number, number + 1, -number))
    return sorted(found)
