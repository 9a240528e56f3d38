"""The rules of the witness format, versions 2.0 and 2.1, as far as they can be checked without running the program.

Version 2.1 adds to correctness witnesses contracts of functions, invariants of transitions (both may speak of former
values: \\old, \\at) and ghost variables with their updates; to violation witnesses waypoints of a cycle.
"""

import hashlib
import re
import uuid
from collections.abc import Iterable, Mapping
from datetime import date, datetime

from encoders.c.source_map.source_map import SourceMap, source_map_of

_SPECIFICATION = re.compile(r"\s*CHECK\s*\(\s*init\s*\(\s*main\s*\(\s*\)\s*\)\s*,\s*LTL\s*\(.+\)\s*\)\s*")
_RESULT = re.compile(r"\\result\s*(==|!=|<=|>=|<|>)\s*(-?\s*\d\w*|\(.+\))")
_NEEDS = {"assumption": True, "branching": True, "function_return": True, "function_enter": False, "target": False}
_DEFAULT_FORMAT = {"function_return": "acsl_expression"}
_ENTRIES = ("invariant_set", "violation_sequence", "ghost_instrumentation")
_INVARIANTS = (
    "loop_invariant", "location_invariant", "loop_transition_invariant", "location_transition_invariant",
)  # fmt: skip
_KEYWORDS = {"branching": {"if", "while", "for", "do", "switch", "?"}, "loop_invariant": {"for", "while", "do"}}


def check_witness(data: object, sources: Mapping[str, str] | None = None) -> list[str]:
    """Every violation of the format in a witness as read from YAML, each with its place; [] for a witness.

    sources: texts of input files by name; hashes and positions (an assumption stands at a statement, a loop invariant
    at a loop's keyword, a call's waypoint at its closing parenthesis) are checked against those.
    """
    return _Checker(sources or {}).witness(data)


class _Checker:
    def __init__(self, sources: Mapping[str, str]) -> None:
        self.errors: list[str] = []
        self.version, self.infinite = "", False
        self.sources = sources
        self.layouts: dict[str, SourceMap | None] = {name: source_map_of(text, name) for name, text in sources.items()}
        self.files: list[str] = []

    # --- what all parts need ----------------------------------------------------------------------------------------

    def bad(self, where: str, what: str) -> None:
        self.errors.append(f"{where}: {what}")

    def mapping(
        self, data: object, where: str, required: Iterable[str], optional: Iterable[str] = ()
    ) -> dict[str, object]:
        """The mapping with the keys that it may have; {} if it is none."""
        if not isinstance(data, dict):
            self.bad(where, "not a mapping")
            return {}
        required = tuple(required)
        for key in required:
            if key not in data:
                self.bad(where, f"{key} is missing")
        for key in data:
            if key not in (*required, *optional):
                self.bad(where, f"unknown key {key}")
        return data

    def sequence(self, data: object, where: str, least: int) -> list[object]:
        if not isinstance(data, list):
            self.bad(where, "not a sequence")
            return []
        if len(data) < least:
            self.bad(where, "empty")
        return data

    def string(self, data: dict[str, object], key: str, where: str, among: Iterable[str] = ()) -> str:
        """The text under a key, "" if there is none."""
        if key not in data:
            return ""
        value, among = data[key], tuple(among)
        if not isinstance(value, str) or not value.strip():
            self.bad(where, f"{key} is not a text")
            return ""
        if among and value not in among:
            self.bad(where, f"{key} is {value}, not one of {', '.join(among)}")
        return value

    # --- entries ----------------------------------------------------------------------------------------------------

    def witness(self, data: object) -> list[str]:
        kinds = set()
        for number, item in enumerate(self.sequence(data, "witness", 1)):
            where = f"entry {number}"
            entry = self.mapping(item, where, ("entry_type", "metadata", "content"))
            if "metadata" in entry:
                self.metadata(entry["metadata"], f"{where}: metadata")
            kind = self.string(entry, "entry_type", where, _ENTRIES if self.version == "2.1" else _ENTRIES[:2])
            kinds.add("violation" if kind == "violation_sequence" else "correctness")
            if "content" in entry and kind == "invariant_set":
                for index, part in enumerate(self.sequence(entry["content"], f"{where}: content", 0)):
                    self.invariant(part, f"{where}: invariant {index}")
            if "content" in entry and kind == "ghost_instrumentation":
                self.ghosts(entry["content"], f"{where}: content")
            if "content" in entry and kind == "violation_sequence":
                self.segments(self.sequence(entry["content"], f"{where}: content", 1), where)
        if len(kinds) > 1:
            self.bad("witness", "entries of both kinds")
        return self.errors

    def metadata(self, data: object, where: str) -> None:
        data = self.mapping(data, where, ("format_version", "uuid", "creation_time", "producer", "task"))
        version = self.string(data, "format_version", where, ("2.0", "2.1"))
        if self.version and version != self.version:
            self.bad(where, "entries of different versions")
        self.version = version
        try:
            uuid.UUID(self.string(data, "uuid", where) or str(uuid.UUID(int=0)))
        except ValueError:
            self.bad(where, "uuid is none")
        self.time(data.get("creation_time", ""), where)
        if "producer" in data:
            more = ("configuration", "command_line", "description")
            producer = self.mapping(data["producer"], f"{where}: producer", ("name", "version"), more)
            for key in producer:
                self.string(producer, key, f"{where}: producer")
        if "task" in data:
            self.task(data["task"], f"{where}: task")

    def time(self, value: object, where: str) -> None:
        if isinstance(value, date):  # what YAML reads from a time without quotes
            return
        try:
            if value != "":
                datetime.fromisoformat(value if isinstance(value, str) else "")
        except ValueError:
            self.bad(where, "creation_time is not of ISO 8601")

    def task(self, data: object, where: str) -> None:
        keys = ("input_files", "input_file_hashes", "specification", "data_model", "language")
        data = self.mapping(data, where, keys)
        self.string(data, "data_model", where, ("ILP32", "LP64"))
        self.string(data, "language", where, ("C",))
        specification = self.string(data, "specification", where)
        if specification and not all(map(_SPECIFICATION.fullmatch, specification.strip().splitlines())):
            self.bad(where, "specification is not of the form CHECK( init(main()), LTL(...) )")
        self.infinite = re.search(r"F\s*end", specification) is not None
        files = self.sequence(data.get("input_files", [""]), f"{where}: input_files", 1)
        if not all(isinstance(name, str) for name in files):
            self.bad(where, "input_files are not texts")
        self.files = [name for name in files if isinstance(name, str)]
        hashes = data.get("input_file_hashes", {})
        if not isinstance(hashes, dict) or ("input_file_hashes" in data and set(hashes) != set(self.files)):
            self.bad(where, "input_file_hashes are not of the input files")
            return
        for name, digest in hashes.items():
            if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}", digest):
                self.bad(where, f"the hash of {name} is not of SHA-256")
            elif name in self.sources and hashlib.sha256(self.sources[name].encode()).hexdigest() != digest:
                self.bad(where, f"the hash of {name} is of another file")

    # --- correctness ------------------------------------------------------------------------------------------------

    def invariant(self, data: object, where: str) -> None:
        if self.version == "2.1" and isinstance(data, dict) and set(data) == {"function_contract"}:
            self.contract(data["function_contract"], where)
            return
        data = self.mapping(data, where, ("invariant",))
        if "invariant" not in data:
            return
        data = self.mapping(data["invariant"], where, ("type", "location", "value", "format"))
        kind = self.string(data, "type", where, _INVARIANTS[: 4 if self.version == "2.1" else 2])
        value = self.string(data, "value", where)
        is_old = "_transition_" in kind
        self.string(data, "format", where, ("ext_c_expression",) if is_old else ("c_expression",))
        if not is_old and "\\" in value:
            self.bad(where, "a c_expression with an operator that is none of C")
        if "location" in data:
            self.location(data["location"], where, kind.replace("_transition_", "_"))

    def contract(self, data: object, where: str) -> None:
        """Checks a contract of a function: `requires` and `ensures`, each true if it is left out."""
        data = self.mapping(data, where, ("location", "format"), ("requires", "ensures"))
        self.string(data, "format", where, ("c_expression", "acsl_expression", "ext_c_expression"))
        for key in ("requires", "ensures"):
            self.string(data, key, where)
        if not {"requires", "ensures"} & set(data):
            self.bad(where, "a contract with neither requires nor ensures")
        if "location" in data:
            self.location(data["location"], where, "function_contract")

    def ghosts(self, data: object, where: str) -> None:
        """Ghost variables with their initial values, and the statements that update them."""
        data = self.mapping(data, where, ("ghost_variables", "ghost_updates"))
        names = set()
        for index, item in enumerate(self.sequence(data.get("ghost_variables", []), where, 0)):
            here = f"{where}: variable {index}"
            variable = self.mapping(item, here, ("name", "type", "scope", "initial"))
            name = self.string(variable, "name", here)
            self.string(variable, "type", here)
            self.string(variable, "scope", here, ("global",))
            initial = self.mapping(variable.get("initial", {}), here, ("value", "format"))
            self.string(initial, "format", here, ("c_expression",))
            if not name.isidentifier() or name in names:
                self.bad(here, "the name is none, or not new")
            names.add(name)
        for index, item in enumerate(self.sequence(data.get("ghost_updates", []), where, 0)):
            here = f"{where}: update {index}"
            update = self.mapping(item, here, ("location", "updates"))
            if "location" in update:
                self.location(update["location"], here, "ghost_update")
            for part in self.sequence(update.get("updates", [None]), here, 1):
                change = self.mapping(part, here, ("variable", "value", "format"))
                if self.string(change, "variable", here) not in names:
                    self.bad(here, "the update of what is no ghost variable")
                self.string(change, "format", here, ("c_expression",))

    # --- violation --------------------------------------------------------------------------------------------------

    def segments(self, segments: list[object], where: str) -> None:
        """Each is any number of waypoints to avoid, then one to follow; the target ends the last and is only there.

        Of a run that does not end the last segments are a cycle, and there is no target.
        """
        was_cyclic = False
        for number, item in enumerate(segments):
            here = f"{where}: segment {number}"
            segment = self.mapping(item, here, ("segment",))
            parts = self.sequence(segment.get("segment", [None]), here, 1)
            found = [self.waypoint(part, f"{here}: waypoint {index}") for index, part in enumerate(parts)]
            for index, (kind, action) in enumerate(found):
                last = index == len(found) - 1
                if (action in ("follow", "cycle")) != last:
                    self.bad(here, "a segment has one waypoint to follow, its last")
                if action == "cycle" and not self.infinite:
                    self.bad(here, "a cycle in a run that ends")
                if kind == "target" and not (last and number == len(segments) - 1):
                    self.bad(here, "a target before the end")
            if number == len(segments) - 1 and found and found[-1][0] != "target" and found[-1][1] != "cycle":
                self.bad(here, "the last segment does not end in a target")
            if self.infinite and found and found[-1][0] == "target":
                self.bad(here, "a target in a run that does not end")
            is_cyclic = bool(found) and found[-1][1] == "cycle"
            if was_cyclic and not is_cyclic:
                self.bad(here, "a waypoint to follow behind the cycle")
            was_cyclic = is_cyclic

    def waypoint(self, data: object, where: str) -> tuple[str, str]:
        """Its type and action."""
        data = self.mapping(data, where, ("waypoint",))
        if "waypoint" not in data:
            return "", ""
        data = self.mapping(data["waypoint"], where, ("type", "action", "location"), ("constraint",))
        kind = self.string(data, "type", where, _NEEDS)
        actions = ("follow", "avoid", "cycle") if self.version == "2.1" else ("follow", "avoid")
        action = self.string(data, "action", where, actions)
        if kind == "target" and action == "avoid":
            self.bad(where, "a target cannot be avoided")
        if "constraint" in data and not _NEEDS.get(kind, True):
            self.bad(where, f"a {kind} has no constraint")
        elif "constraint" in data:
            self.constraint(data["constraint"], kind, where)
        elif _NEEDS.get(kind, False):
            self.bad(where, "constraint is missing")
        if "location" in data:
            self.location(data["location"], where, kind)
        return kind, action

    def constraint(self, data: object, kind: str, where: str) -> None:
        data = self.mapping(data, f"{where}: constraint", ("value",), ("format",))
        value = self.string(data, "value", where)
        extended = ("ext_c_expression",) if self.version == "2.1" else ()  # its name since then
        format_ = self.string(data, "format", where, ("c_expression", "acsl_expression", *extended))
        wanted = _DEFAULT_FORMAT.get(kind, "c_expression")
        if format_ and format_ not in (wanted, *(extended if kind in _DEFAULT_FORMAT else ())):
            self.bad(where, f"the format of a {kind} is {wanted}")
        if kind == "branching" and value and not re.fullmatch(r"true|false|default|-?\d+", value):
            self.bad(where, "the value of a branching is true, false, default or a number")
        if kind == "function_return" and value and (not _RESULT.fullmatch(value) or not format_):
            self.bad(where, "the value of a function_return is not an acsl_expression: \\result, comparison, constant")

    # --- locations --------------------------------------------------------------------------------------------------

    def location(self, data: object, where: str, kind: str) -> None:
        data = self.mapping(data, f"{where}: location", ("file_name", "line"), ("column", "function"))
        file = self.string(data, "file_name", where)
        if file and self.files and file not in self.files:
            self.bad(where, f"{file} is no input file")
        for key in ("line", "column"):
            value = data.get(key, 1)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                self.bad(where, f"{key} is not a number from 1 on")
                return
        self.string(data, "function", where)
        layout = self.layouts.get(file)
        if layout is not None and "line" in data:
            self.position(layout, data, where, kind)

    def position(self, layout: SourceMap, data: dict[str, object], where: str, kind: str) -> None:
        """Checks that a token of the location's line, and column if it has one, fits the kind of the entry."""
        line, column = data["line"], data.get("column")
        tokens = [
            index
            for index, token in enumerate(layout.tokens.items)
            if token.line == line and column in (None, token.column) and _is_position_of(layout, index, kind)
        ]
        if not tokens:
            self.bad(where, f"there is no place of a {kind} at line {line}")
        elif "function" in data:
            around = {function.name for index in tokens if (function := layout.function_at(index))}
            if data["function"] not in around:
                self.bad(where, f"line {line} is not in the function {data['function']}")


def _is_position_of(layout: SourceMap, index: int, kind: str) -> bool:
    """True if an entry of this kind may be located at the token."""
    if kind in _KEYWORDS:
        return layout.text(index) in _KEYWORDS[kind]
    if kind in ("function_enter", "function_return"):
        return layout.text(index) == ")"
    return kind == "function_contract" or index in layout.ends
