"""JSON compilation databases (compile_commands.json, as CMake, Meson, Bear and clang write them)."""

import json
import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from chcverify.errors import InputError
from chcverify.inputs.compiler_flags import read_call
from chcverify.options import SourceFile
from chcverify.quick_dataclass import dataclass

NAME = "compile_commands.json"
_NATIVE = ("cc", "gcc", "clang", "c89", "c99")
_LAUNCHERS = ("ccache", "distcc", "sccache", "icecc")


@dataclass(frozen=True)
class Project:
    """The C files of a database with their flags. data_model: that all of them are compiled for, None if none says so.

    skipped: files of other languages.
    """

    sources: tuple[SourceFile, ...]
    data_model: str | None = None
    skipped: tuple[str, ...] = ()


def read_database(path: str, wanted: Iterable[str] = ()) -> Project:
    """The project of a database, or of the directory with one.

    wanted: its files to take; all if there are none. Raises InputError for what is no database, and for files that it
    does not have.
    """
    file = Path(path) / NAME if Path(path).is_dir() else Path(path)
    entries = _entries(str(file))
    sources: dict[str, SourceFile] = {}
    models: dict[str, str] = {}
    skipped: list[str] = []
    for number, entry in enumerate(entries, 1):
        source, model = _source(entry, f"{file}: entry {number}", file.parent)
        if source is None:
            skipped.append(str(entry["file"]))
            continue
        sources.setdefault(os.path.realpath(source.path), source)
        if model is not None:
            models.setdefault(model, source.path)
    if len(models) > 1:
        one, other = models.items()
        raise InputError(str(file), 0, 0, f"{one[1]} is compiled for {one[0]}, {other[1]} for {other[0]}")
    chosen = _chosen(sources, wanted, str(file))
    if not chosen:
        raise InputError(str(file), 0, 0, "names no C file")
    return Project(chosen, next(iter(models), None), tuple(skipped))


def _chosen(sources: dict[str, SourceFile], wanted: Iterable[str], file: str) -> tuple[SourceFile, ...]:
    found = []
    for name in wanted:
        source = sources.get(os.path.realpath(name))
        if source is None:
            raise InputError(name, 0, 0, f"is not in {file}")
        found.append(source)
    return tuple(found or sources.values())


def _entries(path: str) -> list[dict[str, Any]]:
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(path, error.lineno, error.colno, f"not JSON: {error.msg.lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(path, 0, 0, "not JSON: not UTF-8") from error
    except RecursionError as error:
        raise InputError(path, 0, 0, "not JSON: nested too deep") from error
    except OSError as error:
        raise InputError(path, 0, 0, (error.strerror or str(error)).lower()) from error
    if not isinstance(document, list):
        raise InputError(path, 0, 0, "not a compilation database: no list at its top")
    for number, entry in enumerate(document, 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str) or not entry["file"]:
            raise InputError(path, 0, 0, f"not a compilation database: entry {number} names no file")
    return document


def _source(entry: dict[str, Any], where: str, around: Path) -> tuple[SourceFile | None, str | None]:
    """The source of an entry, None if it is no C, and its data model. around: the directory of the database."""
    directory = entry.get("directory", "")
    if not isinstance(directory, str):
        raise InputError(where, 0, 0, "its directory is not a text")
    base = os.path.join(str(around), directory)
    compiler, *arguments = _arguments(entry, where)
    name = entry["file"]
    call = (
        read_call(arguments, base, where, os.path.basename(compiler) in _NATIVE)
        if _is_c(name) or "-xc" in "".join(arguments)
        else None
    )
    if call is None or not (call.language == "c" if call.language else _is_c(name)):
        return None, None
    return SourceFile(_shown(os.path.join(base, name)), call.flags), call.data_model


def _is_c(name: str) -> bool:
    return name.endswith((".c", ".i"))


def _arguments(entry: dict[str, Any], where: str) -> list[str]:
    """The compiler's name and its arguments, without a launcher in front."""
    given = entry.get("arguments")
    if given is None:
        command = entry.get("command")
        if not isinstance(command, str):
            raise InputError(where, 0, 0, "has neither arguments nor a command")
        try:
            given = shlex.split(command)
        except ValueError as error:
            raise InputError(where, 0, 0, f"its command cannot be read: {str(error).lower()}") from error
    if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
        raise InputError(where, 0, 0, "its arguments are not texts")
    if not given:
        raise InputError(where, 0, 0, "its command is empty")
    while len(given) > 1 and os.path.basename(given[0]) in _LAUNCHERS:
        given = given[1:]
    return given


def _shown(path: str) -> str:
    """The path as short as it can be: from here, if that is not further away."""
    path = os.path.normpath(path)
    relative = os.path.relpath(path)
    return path if relative.startswith("..") and os.path.isabs(path) else relative
