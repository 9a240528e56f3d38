"""From a witness to what is put into its program: marks in the syntax tree, and the values that the witness names."""

import re
from dataclasses import replace

from chcverify.problems.protocol import Refused
from encoders.c.execution.oracles import Call
from encoders.c.witnesses.instrumentation import CallPoint, Passing, Target, WitnessPath
from encoders.c.witnesses.source_marks import Mark, previous_of
from encoders.c.witnesses.witness_reader import Invariant, Waypoint, Witness

_EQUALITY = re.compile(r"\(?\s*([A-Za-z_]\w*)\s*==\s*(-?\d+)\s*\)?")
_RESULT = re.compile(r"\\result\s*(==|!=|<=|>=|<|>)\s*\(?\s*(-?)\s*(\d+)[uUlL]*\s*\)?")
_PREVIOUS = re.compile(r"\\at\(\s*([A-Za-z_]\w*)\s*,\s*AnyPrev\s*\)")
Marks = list[tuple[Mark, list[Passing]]]


def invariant_marks(witness: Witness) -> Marks:
    """One mark for each invariant."""
    return [(_invariant_mark(invariant, number), []) for number, invariant in enumerate(witness.invariants)]


def _invariant_mark(invariant: Invariant, number: int) -> Mark:
    where = invariant.position
    if invariant.kind == "location_invariant":
        return Mark("statement", where.file, where.line, where.column, invariant.value)
    previous = tuple(dict.fromkeys(_PREVIOUS.findall(invariant.value)))
    value = _PREVIOUS.sub(lambda at: f"(__typeof__({at[1]})){previous_of(number, at[1])}", invariant.value)
    if "\\" in value:
        raise Refused(f"unsupported in an invariant: {invariant.value}")
    return Mark("loop", where.file, where.line, where.column, value, previous)


def unrolled(witness: Witness, rounds: int) -> Witness:
    """The witness of a run that does not end as one of its first rounds of the cycle; itself without a cycle."""
    first = min((point.segment for point in witness.waypoints if point.action == "cycle"), default=witness.segments)
    length = witness.segments - first
    found = [point for point in witness.waypoints if point.segment < first]
    for number in range(rounds if length else 0):
        around = [point for point in witness.waypoints if point.segment >= first]
        found += [
            replace(p, segment=p.segment + number * length, action="follow" if p.action == "cycle" else p.action)
            for p in around
        ]
    return replace(witness, waypoints=tuple(found), segments=first + rounds * length)


def path_marks(witness: Witness) -> Marks:
    """One mark for each position and expression, with the waypoints that are passed there."""
    found: dict[Mark, list[Passing]] = {}
    for point in witness.waypoints:
        position = point.position
        if point.kind == "assumption":
            mark = Mark("statement", position.file, position.line, position.column, point.value)
        elif point.kind == "branching":
            mark = Mark("branch", position.file, position.line, position.column)
        else:
            continue
        holds = point.kind != "branching" or point.value == "true"
        found.setdefault(mark, []).append(Passing(point.segment, point.action, holds))
    return list(found.items())


def path_of(witness: Witness, marks: Marks) -> WitnessPath:
    """The waypoints of a violation, with the numbers of their marks."""
    calls = tuple(
        CallPoint(p.position.file, p.position.line, p.position.column, p.segment, p.action, result_of(p))
        for p in witness.waypoints
        if p.kind in ("function_enter", "function_return")
    )
    branches = frozenset(number for number, (mark, _) in enumerate(marks) if mark.kind == "branch")
    return WitnessPath(
        witness.segments, target_of(witness), {n: passing for n, (_, passing) in enumerate(marks)}, branches, calls
    )


def target_of(witness: Witness) -> Target | None:
    """The statement in which the violation is; None of a run that does not end."""
    final = witness.waypoints[-1]
    if final.kind != "target" or final.end is None:
        return None
    first, last = final.position, final.end
    return Target(first.file, (first.line, first.column or 1), (last.line, last.column or 1))


def result_of(point: Waypoint) -> tuple[str, int] | None:
    """The operator and the number of a function_return; None for a function_enter."""
    if point.kind == "function_enter":
        return None
    match = _RESULT.fullmatch(point.value)
    if match is None:
        raise Refused(f"unsupported constraint of a function_return: {point.value}")
    return match[1], int(match[2] + match[3])


def values_of(witness: Witness) -> tuple[dict[Call, list[int]], dict[str, list[int]], dict[Call, int]]:
    """The values of calls and variables in the order of the run, and those of calls in the rest of it.

    A call that is to avoid != 3 gives 3."""
    calls: dict[Call, list[int]] = {}
    variables: dict[str, list[int]] = {}
    rest: dict[Call, int] = {}
    for point in witness.waypoints:
        position = point.position
        if point.kind == "function_return" and (result := result_of(point)) is not None:
            if (result[0], point.action) == ("==", "follow"):
                calls.setdefault((position.file, position.line, position.column), []).append(result[1])
            elif (result[0], point.action) == ("!=", "avoid"):
                rest.setdefault((position.file, position.line, position.column), result[1])
        elif point.kind == "assumption":
            for part in point.value.split("&&"):
                if match := _EQUALITY.fullmatch(part.strip()):
                    variables.setdefault(match[1], []).append(int(match[2]))
    return calls, variables, rest
