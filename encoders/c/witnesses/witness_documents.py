"""Witnesses as YAML holds them: the mappings of format 2.0 and 2.1 of which this project writes and reads the content.

What is read has been checked by witness_schema.py before.
"""

from typing import Literal, NotRequired, TypedDict


class LocationDocument(TypedDict):
    """A place in a file."""

    file_name: str
    line: int
    column: NotRequired[int]
    function: NotRequired[str]


class ConstraintDocument(TypedDict):
    """What holds at a waypoint. format: the name of the language of the value."""

    value: str
    format: NotRequired[str]


class WaypointDocument(TypedDict):
    """A place that a run passes, or avoids."""

    type: str
    action: Literal["follow", "avoid", "cycle"]
    location: LocationDocument
    constraint: NotRequired[ConstraintDocument]


class WaypointItem(TypedDict):
    """A waypoint in its segment."""

    waypoint: WaypointDocument


class SegmentItem(TypedDict):
    """A segment of a violation: waypoints to avoid, then one to follow."""

    segment: list[WaypointItem]


class InvariantDocument(TypedDict):
    """An invariant at a place."""

    type: Literal["loop_invariant", "location_invariant", "loop_transition_invariant"]
    location: LocationDocument
    value: str
    format: str


class InvariantItem(TypedDict):
    """An element of an invariant set; without `invariant` it is a contract, which is not read here."""

    invariant: NotRequired[InvariantDocument]


class TaskDocument(TypedDict):
    """The program and the property that a witness is about. input_file_hashes: SHA-256 by file."""

    input_files: list[str]
    input_file_hashes: dict[str, str]
    specification: str
    data_model: str
    language: str


class MetadataDocument(TypedDict):
    """Who wrote a witness, when, and about what."""

    format_version: str
    uuid: str
    creation_time: str
    producer: dict[str, str]
    task: TaskDocument


class InvariantSet(TypedDict):
    """The entry of a correctness witness."""

    entry_type: Literal["invariant_set"]
    metadata: MetadataDocument
    content: list[InvariantItem]


class ViolationSequence(TypedDict):
    """The entry of a violation witness."""

    entry_type: Literal["violation_sequence"]
    metadata: MetadataDocument
    content: list[SegmentItem]


WitnessEntry = InvariantSet | ViolationSequence
