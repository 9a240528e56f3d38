"""Writes verdicts about C programs as verification witnesses, YAML format 2.0 (Ayaziová et al., SPIN 2024) or 2.1.

Version 2.1 adds entries for threads, contracts and termination; witnesses of termination always have that version. Else
the entries written here differ in the version number, and in the name of the format of a call's result.
`true` becomes an invariant_set, `false` a violation_sequence. Only what is certain about the file on disk is written: a
missing invariant or waypoint only makes the validator work harder.
"""

import hashlib
import re
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from chcverify.properties.termination import TERMINATION
from chcverify.results.outcome import Outcome
from chcverify.results.source_facts import SourceInvariant
from chcverify.task import Task, read_text
from encoders.c.source_map.c_expressions import c_conjuncts
from encoders.c.source_map.source_map import SourceMap, source_map_of
from encoders.c.witnesses.waypoints import waypoints
from encoders.c.witnesses.witness_documents import (
    InvariantDocument,
    InvariantItem,
    LocationDocument,
    MetadataDocument,
    SegmentItem,
    WaypointItem,
    WitnessEntry,
)

TRANSITION: Literal["loop_transition_invariant"] = "loop_transition_invariant"
_Kind = Literal["loop_invariant", "location_invariant"]
VERSIONS = ("2.0", "2.1")
SPECIFICATIONS = {
    "unreach-call": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
    "no-overflow": "CHECK( init(main()), LTL(G ! overflow) )",
    "valid-memsafety": (
        "CHECK( init(main()), LTL(G valid-free) )\n"
        "CHECK( init(main()), LTL(G valid-deref) )\n"
        "CHECK( init(main()), LTL(G valid-memtrack) )"
    ),
    "valid-memcleanup": "CHECK( init(main()), LTL(G valid-memcleanup) )",
    "termination": "CHECK( init(main()), LTL(F end) )",
}
"""The text of each property's file. The lines of valid-memsafety are one property; witnesses may name some of them."""
LONG_BITS = {"LP64": 64, "ILP32": 32}
_NOT_PURE = {"(", "?", "&&", "||", "/", "%", "[", "->", ",", "{", "&", "*"}
_ASSIGNMENTS = {"=", "+=", "-=", "++", "--"}


class NoWitness(Exception):
    """The verdict cannot be written as a witness; the text is the reason."""


def witness_text(entry: WitnessEntry) -> str:
    """A witness as YAML."""
    import yaml  # only witnesses and tasks need it

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # traces may be long
    return str(yaml.dump([entry], Dumper=dumper, sort_keys=False, width=1000))


def witness(
    outcome: Outcome,
    task: Task,
    version: str,
    now: datetime | None = None,
    identifier: uuid.UUID | None = None,
    format_version: str = VERSIONS[0],
) -> WitnessEntry:
    """The witness of a verdict, which has one entry.

    now, identifier: of its metadata, by default the present and a random one. Raises NoWitness; InputError if the
    program can no longer be read.
    """
    if outcome.status == "unknown":
        raise NoWitness("there is no verdict")
    if task.language != "c":
        raise NoWitness("there are witnesses of C programs only")
    if task.property not in SPECIFICATIONS:
        raise NoWitness(f"there are no witnesses of {task.property}")
    if task.entry not in (None, "main"):
        raise NoWitness("there are witnesses of whole programs only, not of --entry")
    files = [source.path for source in task.files]
    layout = source_map_of(read_text(task.input_file), task.input_file)
    if task.property == TERMINATION.name:
        format_version = VERSIONS[1]
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    metadata: MetadataDocument = {
        "format_version": format_version,
        "uuid": str(identifier or uuid.uuid4()),
        "creation_time": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "producer": {"name": "chcverify", "version": version} | _configuration(task),
        "task": {
            "input_files": files,
            "input_file_hashes": {file: hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files},
            "specification": SPECIFICATIONS[task.property],
            "data_model": task.data_model or "LP64",
            "language": "C",
        },
    }
    if outcome.status == "safe":
        return {"entry_type": "invariant_set", "metadata": metadata, "content": _invariant_set(outcome, task, layout)}
    content = _sequence(outcome, task, layout)
    if format_version != VERSIONS[0]:
        _rename_formats(content)
    return {"entry_type": "violation_sequence", "metadata": metadata, "content": content}


def _configuration(task: Task) -> dict[str, str]:
    """The compiler's flags, if there are any."""
    return {"configuration": task.configuration} if task.configuration else {}


def _sequence(outcome: Outcome, task: Task, layout: SourceMap | None) -> list[SegmentItem]:
    found = waypoints(layout, outcome.trace, task.input_file, task.property != "unreach-call") if layout else []
    if not found and task.property == TERMINATION.name:
        raise NoWitness("no place in the file is on the cycle")
    if not found:
        raise NoWitness("the place of the violation is not in the file itself")
    segments: list[SegmentItem] = []
    waiting: list[WaypointItem] = []
    for waypoint in found:
        waiting.append({"waypoint": waypoint})
        if waypoint["action"] in ("follow", "cycle"):
            segments.append({"segment": waiting})
            waiting = []
    return segments


def _rename_formats(content: Iterable[SegmentItem]) -> None:
    """Gives the format of calls' results the name that it has in version 2.1."""
    for segment in content:
        for item in segment["segment"]:
            constraint = item["waypoint"].get("constraint")
            if constraint is not None and constraint.get("format") == "acsl_expression":
                constraint["format"] = "ext_c_expression"


# --- invariants -------------------------------------------------------------------------------------------------------


def _invariant_set(outcome: Outcome, task: Task, layout: SourceMap | None) -> list[InvariantItem]:
    found = [] if layout is None else [*_invariants(outcome, task, layout), *_transitions(outcome, task, layout)]
    return [{"invariant": item} for item in found]


def _invariants(outcome: Outcome, task: Task, layout: SourceMap) -> list[InvariantDocument]:
    """The invariants at loops, then at labels that a goto jumps back to, in the order of the file.

    The others follow from these. Bit-vectors and floats are left out: their printed invariants lack the signs and
    roundings of C.
    """
    if re.search(r"BitVec|FloatingPoint|RoundingMode", outcome.certificate):
        return []
    places: dict[tuple[_Kind, int], list[SourceInvariant]] = {}
    for invariant in dict.fromkeys(outcome.invariants):
        if "<" not in invariant.function and (place := _kind_and_token(layout, invariant, task.property)):
            places.setdefault(place, []).append(invariant)
    out: list[InvariantDocument] = []
    for (kind, index), invariants in sorted(places.items(), key=lambda item: (item[0][0] != "loop_invariant", item[0])):
        function = layout.function_at(index)
        if len(invariants) > 1 or function is None or not layout.instances(function):
            continue  # of several instances each has its own
        scope = layout.close(index + 1) if kind == "loop_invariant" else index
        names = set(re.findall(r"[A-Za-z_]\w*", invariants[0].text))
        long = LONG_BITS[task.data_model or "LP64"]
        conjuncts = c_conjuncts(invariants[0].text, ranges_at(layout, names, scope, long))
        if conjuncts:
            location = location_of(layout, index, task.input_file)
            value = conjoined(conjuncts)
            out.append({"type": kind, "location": location, "value": value, "format": "c_expression"})
    return out


def _transitions(outcome: Outcome, task: Task, layout: SourceMap) -> list[InvariantDocument]:
    """For loops with ranks an invariant of all pairs of visits: one of the ranks became smaller, from at least 0."""
    places: dict[int, list[str]] = {}
    for rank in dict.fromkeys(outcome.ranks):
        place = _kind_and_token(layout, SourceInvariant(rank.origin, rank.function, True, ""), task.property)
        if place is not None:
            places.setdefault(place[1], []).append(rank.text)
    out: list[InvariantDocument] = []
    for index, texts in sorted(places.items()):
        function = layout.function_at(index)
        names = {name for text in texts for name in re.findall(r"[A-Za-z_]\w*", text)}
        known = ranges_at(layout, names, layout.close(index + 1), LONG_BITS[task.data_model or "LP64"])
        plain = all(re.fullmatch(r"[-+*()?:<>=!&|\s\w]*", text) for text in texts)  # no member, element or quotient
        if function is None or not layout.instances(function) or names - known.keys() or not plain:
            continue  # of several instances each has its own
        value = " || ".join(_decreases(text) for text in texts)
        location = location_of(layout, index, task.input_file)
        out.append({"type": TRANSITION, "location": location, "value": value, "format": "ext_c_expression"})
    return out


def _decreases(text: str) -> str:
    """The relation that a term, in numbers without bounds, became smaller from at least 0."""
    now = re.sub(r"[A-Za-z_]\w*", lambda name: f"(__int128){name[0]}", text)
    before = re.sub(r"[A-Za-z_]\w*", lambda name: f"(__int128)\\at({name[0]}, AnyPrev)", text)
    return f"({before} >= 0 && {before} > {now})"


def _kind_and_token(layout: SourceMap, invariant: SourceInvariant, property_: str) -> tuple[_Kind, int] | None:
    """The kind of an invariant, and the token that it belongs to; None if C has no such position."""
    origin = invariant.origin
    index = layout.find(origin.file, origin.line, origin.column)
    near = [index] if index is not None else layout.on_line(origin.file, origin.line) if layout.tokens.expanded else []
    starts = [start for start in near if start in layout.ends]
    loops = [start for start in starts if layout.text(start) in ("for", "while")]
    if invariant.is_loop_head and len(loops) == 1:
        return "loop_invariant", loops[0]
    if index is None or index not in layout.ends or property_ != "unreach-call":
        return None
    if _begins_loop(layout, index) and _is_pure(layout, index):
        return "location_invariant", index
    return None


def _begins_loop(layout: SourceMap, start: int) -> bool:
    """True if the statement has a label before it, to which a goto behind it jumps."""
    function, label = layout.function_at(start), layout.text(start - 2)
    if function is None or layout.text(start - 1) != ":":
        return False
    return any(layout.text(i) == "goto" and layout.text(i + 1) == label for i in range(start, function.last))


def _is_pure(layout: SourceMap, start: int) -> bool:
    """True if the statement has one effect, its last: what holds inside it then holds before it, too."""
    words = [layout.text(index) for index in range(start, layout.ends[start])]
    if words[0] != "return" and not words[0].isidentifier():
        return False
    effects = sum(word in _ASSIGNMENTS for word in words)
    return not _NOT_PURE & set(words) and (effects == 1 if words[0] != "return" else effects == 0)


def ranges_at(layout: SourceMap, names: Iterable[str], index: int, long: int) -> dict[str, tuple[int, int]]:
    """The ranges of the integers among the names, as they are visible at a token and nowhere hidden or repeated."""
    function = layout.function_at(index)
    out: dict[str, tuple[int, int]] = {}
    for name in names:
        variable = layout.visible(name, index)
        if variable is None or (bounds := variable.range(long)) is None or function is None:
            continue
        if function.name == "main" or sum(other.name == name for other in layout.variables) == 1:
            out[name] = bounds  # callers' variables may be spoken of as well
    return out


def conjoined(conjuncts: list[str]) -> str:
    if len(conjuncts) == 1:
        return conjuncts[0]
    return " && ".join(f"({text})" if "||" in text or "?" in text else text for text in conjuncts)


def location_of(layout: SourceMap, index: int, file: str) -> LocationDocument:
    """The location of a token."""
    token, function = layout.token(index), layout.function_at(index)
    place: LocationDocument = {"file_name": file, "line": token.line, "column": token.column}
    if function:
        place["function"] = function.name
    return place
