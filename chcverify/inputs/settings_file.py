"""`chcverify.toml`: the settings of a project, in the directory of the input or one above it."""

import math
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass
from chcverify.task import read_text

NAME = "chcverify.toml"
NONE = "none"  # instead of a file's name: no settings


@dataclass(frozen=True)
class Setting:
    """One key."""

    option: str
    """The parameter of the command line that the key stands for."""
    kind: type | tuple[type, ...]
    """The kind of its values in the file."""
    example: str
    """An example value as TOML, for `chcverify init`."""
    help: str
    """What it means, in one line."""
    is_path: bool = False
    """The values are paths relative to the directory of the settings."""
    choices: tuple[str, ...] = ()


SETTINGS: Mapping[str, Setting] = {
    "files": Setting("files", list, '["src/*.c"]', "The C files of the program, where the command names none.", True),
    "project": Setting("project", str, '"build"', "Instead: compile_commands.json, or its directory.", True),
    "include": Setting("include_directories", list, '["include"]', "Directories of headers (-I).", True),
    "define": Setting("defines", list, '["NDEBUG", "LIMIT=8"]', "Macros (-D)."),
    "undefine": Setting("undefines", list, '["DEBUG"]', "Macros that are not defined (-U)."),
    "include-files": Setting("include_files", list, '["config.h"]', "Read before each file (-include)."),
    "stubs": Setting("stubs", str, '"stubs"', "A directory: its file f.c defines f where no other file does.", True),
    "std": Setting("standard", str, '"c11"', "The standard of C."),
    "data-model": Setting("data_model", str, '"LP64"', "ILP32 or LP64.", choices=("ILP32", "LP64")),
    "property": Setting("property_", str, '"unreach-call"', "What to show."),
    "undefined-functions": Setting(
        "undefined_functions", str, '"havoc"', "What functions without a body may change: pure, havoc or refuse.",
        choices=("pure", "havoc", "refuse"),
    ),
    "volatile": Setting(
        "volatile", str, '"fresh"', "What reads of volatile objects give: fresh or plain.", choices=("fresh", "plain")
    ),
    "assembler": Setting(
        "assembler", str, '"refuse"', "What assembler statements do: refuse, or outputs: any values for their outputs.",
        choices=("refuse", "outputs"),
    ),
    "array-bounds": Setting(
        "array_bounds", str, '"inner"', "What an index must not leave: inner (its array) or object.",
        choices=("inner", "object"),
    ),
    "malloc": Setting(
        "malloc", str, '"may-fail"', "May malloc and its like give null? may-fail or never-fails.",
        choices=("may-fail", "never-fails"),
    ),
    "entry": Setting("entries", list, '["buffer_*"]', "Functions to verify by themselves, instead of main."),
    "entry-null": Setting("entry_null", bool, "false", "May pointers that they are given be null?"),
    "entry-alias": Setting("entry_alias", bool, "false", "May two arguments point to one object?"),
    "entry-strings": Setting("entry_strings", bool, "false", "Do pointers to char lead to strings that end?"),
    "entry-sizes": Setting("entry_sizes", bool, "false", "Is n at most the number of p's elements in f(p, n)?"),
    "entry-asserts": Setting("entry_asserts", bool, "false", "Do assertions hold that functions begin with?"),
    "entry-depth": Setting("entry_depth", int, "1", "Levels of objects behind pointers in objects."),
    "entry-globals": Setting(
        "entry_globals", str, '"initial"', "Values of variables at the call: initial or arbitrary.",
        choices=("initial", "arbitrary"),
    ),
    "contracts": Setting("contracts", bool, "false", "Read ACSL in comments?"),
    "use-contract": Setting("uses", list, '["f"]', "Functions whose contracts stand for their bodies."),
    "modular": Setting("modular", bool, "false", "Prove each contract by itself, and use it at all calls?"),
    "timeout": Setting("timeout", (int, float), "60", "Seconds for a run, or for each entry."),
    "memory": Setting("memory", int, "4000", "MB for each process."),
    "jobs": Setting("jobs", int, "4", "Busy processes."),
    "patience": Setting(
        "patience", (int, float), "2",
        "Seconds of the processor without a verdict, after which a function is given up; 0: never.",
    ),
}  # fmt: skip


def find(start: str) -> Path | None:
    """The settings for an input: in its directory, or the next one above that has any. start: a file or a directory."""
    path = Path(start).absolute()
    for directory in ([path] if path.is_dir() else []) + list(path.parents):
        if (directory / NAME).is_file():
            return directory / NAME
    return None


def read(path: Path) -> dict[str, Any]:
    """The values by the names of the options that they stand for. Raises InputError with the line of what is wrong."""
    shown = os.path.relpath(path)
    shown = str(path) if shown.startswith("..") else shown
    text = read_text(str(path))
    import tomllib  # most runs have no such file

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"(.*) \(at line (\d+), column (\d+)\)", str(error))
        line, column = (int(found[2]), int(found[3])) if found else (max(1, text.count("\n")), 1)
        raise InputError(shown, line, column, f"not TOML: {(found[1] if found else str(error)).lower()}") from error
    found_values: dict[str, Any] = {}
    for key, value in document.items():
        line = next(
            (n for n, row in enumerate(text.splitlines(), 1) if re.match(rf'\s*\[*\s*"?{re.escape(key)}\b', row)), 1
        )
        setting = SETTINGS.get(key)
        if setting is None:
            raise InputError(shown, line, 1, f"no such setting: {key}; there are {', '.join(SETTINGS)}")
        _require(setting, key, value, lambda message, line=line: InputError(shown, line, 1, message))  # type: ignore[misc]
        found_values[setting.option] = _located(setting, value, path.parent)
    return found_values


_LEAST = {"timeout": 0.001, "entry-depth": 0, "memory": 64, "jobs": 1, "patience": 0}


def _require(setting: Setting, key: str, value: Any, error: Callable[[str], InputError]) -> None:
    """Raises the error if the value is not one of the setting."""
    if isinstance(value, bool) != (setting.kind is bool) or not isinstance(value, setting.kind):
        names = {list: "a list of texts", str: "a text", bool: "true or false", int: "a whole number"}
        wanted = names.get(setting.kind, "a number") if isinstance(setting.kind, type) else "a number"
        raise error(f"{key} is not {wanted}")
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        raise error(f"{key} is not a list of texts")
    if setting.choices and value not in setting.choices:
        raise error(f"{key} is not one of {', '.join(setting.choices)}")
    if isinstance(value, int | float) and not _LEAST.get(key, value) <= value < math.inf:
        raise error(f"{key} is too small")


def _located(setting: Setting, value: Any, directory: Path) -> Any:
    """The value with its paths from here; lists as tuples, as the command line gives them."""
    if isinstance(value, str):
        return _path(value, directory) if setting.is_path else value
    if not isinstance(value, list):
        return value
    if not setting.is_path:
        return tuple(value)
    if setting.option != "files":
        return tuple(_path(item, directory) for item in value)
    found: list[str] = []
    for item in value:
        some = sorted(str(match) for match in directory.glob(item)) if any(c in item for c in "*?[") else []
        found += [_path(match, directory) for match in some or [item]]
    return tuple(found)


def _path(text: str, directory: Path) -> str:
    path = os.path.normpath(os.path.join(directory, text))
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def template() -> str:
    """The text of a file with all settings as comments."""
    head = "# Settings of chcverify for the files in this directory and below; the command line wins.\n"
    parts = [f"# {setting.help}\n#{key} = {setting.example}\n" for key, setting in SETTINGS.items()]
    return "\n".join([head, *parts])
