"""Reads witnesses from their files, with positions in the preprocessed program.

A witness counts lines of the file on disk; the front end counts by line markers. Positions are converted here.
"""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, cast

from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass
from chcverify.task import read_text
from encoders.c.source_map.source_map import SourceMap, source_map_of
from encoders.c.witnesses.witness_documents import InvariantItem, SegmentItem, WaypointDocument, WitnessEntry
from encoders.c.witnesses.witness_schema import check_witness
from encoders.c.witnesses.witness_writer import SPECIFICATIONS, TRANSITION

LAST_COLUMN = 1 << 30  # a column behind all others


class NotSupported(Exception):
    """A part of the witness that cannot be interpreted here: which, and why."""


@dataclass(frozen=True)
class SourcePosition:
    """A position in the preprocessed program. column: None if only the line is given."""

    file: str
    line: int
    column: int | None


@dataclass(frozen=True)
class Invariant:
    kind: Literal["loop_invariant", "location_invariant", "loop_transition_invariant"]
    position: SourcePosition
    value: str
    """Of transitions with \\at(x, AnyPrev) for values at any visit before."""


@dataclass(frozen=True)
class Waypoint:
    """A place in a witness that a run is to pass, or to avoid."""

    segment: int
    """The one that it belongs to, from 0."""
    kind: str
    action: Literal["follow", "avoid", "cycle"]
    """cycle: it is to follow, again and again."""
    position: SourcePosition
    """Of the statement or keyword, or of a called function's name."""
    value: str = ""
    """Of the constraint, "" if it has none."""
    end: SourcePosition | None = None
    """Of a target, the last place of its statement."""


@dataclass(frozen=True)
class Witness:
    """The content of a witness for one program. segments: of a violation, their number.

    data_model, specification (a property's name): of its task.
    """

    data_model: str
    specification: str
    invariants: tuple[Invariant, ...] = ()
    waypoints: tuple[Waypoint, ...] = ()
    segments: int = 0

    @property
    def is_violation(self) -> bool:
        return self.segments > 0


def read_witness(path: str, program: str) -> Witness:
    """The witness in a file, about a program's file.

    Raises InputError for what is no witness of the program, NotSupported for parts that cannot be interpreted.
    """
    import yaml  # only witnesses and tasks need it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # traces may be long
    try:
        data = yaml.load(read_text(path), Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise InputError(path, line, column, f"not YAML: {getattr(error, 'problem', None) or error}") from error
    text = read_text(program)
    errors = check_witness(data, dict.fromkeys(_files(data), text))
    if errors:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise InputError(path, 0, 0, f"not a witness of this program: {errors[0]}{more}")
    digest = hashlib.sha256(Path(program).read_bytes()).hexdigest()
    given = cast(list[WitnessEntry], data)
    entries = [entry for entry in given if digest in entry["metadata"]["task"]["input_file_hashes"].values()]
    if len(entries) != len(given):
        raise InputError(path, 0, 0, f"not a witness of {program}: the hash is of another file")
    layout = source_map_of(text, program)
    if layout is None:
        raise InputError(program, 0, 0, "the brackets do not match")
    return _WitnessReader(layout, program).witness(entries)


def _files(data: object) -> list[str]:
    """The names of input files, as far as this is a witness at all."""
    try:
        entries = cast(list[WitnessEntry], data)
        return [name for entry in entries for name in entry["metadata"]["task"]["input_files"] if isinstance(name, str)]
    except (TypeError, KeyError):
        return []


class _WitnessReader:
    def __init__(self, layout: SourceMap, program: str) -> None:
        self.layout, self.program = layout, program
        self.presumed = {line: position for position, lines in layout.tokens.physical.items() for line in lines}

    def witness(self, entries: list[WitnessEntry]) -> Witness:
        first = entries[0]
        task = first["metadata"]["task"]
        asked = _formulas(task["specification"])
        wanted = next((name for name, text in SPECIFICATIONS.items() if asked and asked <= _formulas(text)), None)
        if wanted is None:
            raise NotSupported(f"witnesses of {task['specification'].strip()}")
        if first["entry_type"] == "violation_sequence":
            if len(entries) > 1:
                raise NotSupported("several violation sequences in one witness")
            segments = first["content"]
            waypoints = tuple(self.waypoints(segments))
            return Witness(task["data_model"], wanted, waypoints=waypoints, segments=len(segments))
        other = next((e["entry_type"] for e in entries if e["entry_type"] != "invariant_set"), None)
        if other:
            raise NotSupported(f"an entry of the type {other}")
        found = [item for entry in entries if entry["entry_type"] == "invariant_set" for item in entry["content"]]
        return Witness(task["data_model"], wanted, tuple(map(self.invariant, found)))

    def position(self, line: int, column: int | None) -> SourcePosition:
        file, number = self.presumed.get(line, (self.program, line))
        return SourcePosition(file, number, column)

    def invariant(self, data: InvariantItem) -> Invariant:
        if "invariant" not in data:
            raise NotSupported(f"the entry {next(iter(data), '')} of an invariant set")
        item = data["invariant"]
        formats = {**dict.fromkeys(("loop_invariant", "location_invariant"), "c_expression")}
        formats[TRANSITION] = "ext_c_expression"
        if formats.get(item["type"]) != item["format"]:
            raise NotSupported(f"a {item['type']} as {item['format']}")
        location = item["location"]
        return Invariant(item["type"], self.position(location["line"], location.get("column")), item["value"])

    def waypoints(self, segments: list[SegmentItem]) -> Iterator[Waypoint]:
        for number, segment in enumerate(segments):
            for item in segment["segment"]:
                data = item["waypoint"]
                yield self.waypoint(number, data)

    def waypoint(self, number: int, data: WaypointDocument) -> Waypoint:
        kind, location = data["type"], data["location"]
        line, column = location["line"], location.get("column")
        value = str(data.get("constraint", {}).get("value", "")).strip()
        position, end = self.position(line, column), None
        if kind in ("function_enter", "function_return"):
            position = self.called(line, column)
        elif kind == "target":
            position, end = self.span(line, column)
        elif kind == "branching" and value not in ("true", "false"):
            raise NotSupported(f"a branching with the value {value}")
        return Waypoint(number, kind, data["action"], position, value, end)

    def tokens(self, line: int, column: int | None) -> list[int]:
        items = self.layout.tokens.items
        return [i for i, t in enumerate(items) if t.line == line and column in (None, t.column)]

    def called(self, line: int, column: int | None) -> SourcePosition:
        """The name of the function whose call's parenthesis closes there."""
        layout = self.layout
        for close in self.tokens(line, column):
            if layout.text(close) == ")" and layout.text(name := layout.close(close) - 1).isidentifier():
                token = layout.token(name)
                return self.position(token.line, None if layout.tokens.expanded else token.column)
        raise NotSupported(f"the call at line {line}")

    def span(self, line: int, column: int | None) -> tuple[SourcePosition, SourcePosition]:
        """The first and the last position of the statement that begins there."""
        layout = self.layout
        start = next((i for i in self.tokens(line, column) if i in layout.ends), None)
        if start is None:
            raise NotSupported(f"the statement at line {line}")
        first, last = layout.token(start), layout.token(layout.ends[start])
        known = not layout.tokens.expanded
        return self.position(first.line, first.column if known else 1), self.position(
            last.line, last.column if known else LAST_COLUMN
        )


def _formulas(text: str) -> frozenset[str]:
    """The checks of a property's text, without blanks."""
    return frozenset(part for part in re.split(r"(?=CHECK\()", re.sub(r"\s+", "", text)) if part)
