"""The files of a cache: certificates by key, and the last model of each input. Safe for runs in parallel.

Files are written under another name and renamed, so that a reader sees all of a file or none of it. A file that cannot
be used is as good as none, with a note for people.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass

FORMAT, VERSION = "chcverify-cache", 1
MAX_FILE_MB = 64
"""Megabytes; larger files are not read. Chosen by hand: no certificate of the benchmarks has more than 1 MB."""
_CERTIFICATES, _MODELS, _NEW = "certificates", "models", ".new-"
CHECKS, FUNCTIONS, UNDECIDED = "checks", "functions", "undecided"
"""Folders of documents: about the checks of a program's clauses, about functions of which nothing is decided, and about
clauses that are undecided."""

Kind = Literal["model", "derivation"]


@dataclass(frozen=True)
class CacheEntry:
    """A certificate in the names of the normal form. engine: the label of the run that had made it."""

    kind: Kind
    certificate: str
    engine: str = ""


@dataclass(frozen=True)
class CacheSize:
    """The files of a cache: their number, and their size in bytes."""

    files: int
    bytes: int


class CacheStore:
    """A cache in a directory. notes: what could not be read or written, a line each."""

    def __init__(self, directory: str, version: str) -> None:
        """version: of the checker; certificates that another version stored are not found."""
        self.directory = Path(directory)
        self.version = version
        self.notes: list[str] = []

    def read(self, key: str) -> CacheEntry | None:
        """The entry with the key; None if there is none that can be used."""
        path = self._path(_CERTIFICATES, key)
        document = self._document(path)
        if document is None:
            return None
        entry = entry_of(document)
        if entry is None:
            self._note(path, "not an entry of a cache")
            return None
        _used(path)
        return entry

    def write(self, key: str, entry: CacheEntry) -> None:
        """Stores the entry under the key."""
        self._write(self._path(_CERTIFICATES, key), asdict(entry))

    def read_document(self, folder: str, key: str) -> dict[str, Any]:
        """The document of another kind with the key; {} if there is none that can be read."""
        path = self._path(folder, key)
        document = self._document(path)
        if document is not None:
            _used(path)
        return document or {}

    def write_document(self, folder: str, key: str, document: dict[str, Any]) -> None:
        """Stores a document of another kind under the key."""
        self._write(self._path(folder, key), document)

    def models_path(self, name: str) -> Path:
        """The path of the model of an input, which need not exist."""
        digest = hashlib.sha256(f"{FORMAT}\0{VERSION}\0{name}".encode("utf-8", "surrogateescape")).hexdigest()
        return self.directory / _MODELS / f"{digest}.json"

    def write_model(self, name: str, document: dict[str, Any]) -> None:
        """Stores the model of an input in place of the one before."""
        self._write(self.models_path(name), document)

    def _path(self, folder: str, key: str) -> Path:
        digest = hashlib.sha256(f"{FORMAT}\0{VERSION}\0{self.version}\0{key}".encode()).hexdigest()
        return self.directory / folder / digest[:2] / f"{digest}.json"

    def _document(self, path: Path) -> dict[str, Any] | None:
        try:
            return read_document(path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            self._note(path, getattr(error, "strerror", None) or str(error))
            return None

    def _write(self, path: Path, document: dict[str, Any]) -> None:
        new = path.parent / f"{_NEW}{os.getpid()}-{secrets.token_hex(8)}"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                new.write_text(json.dumps({"format": FORMAT, "version": VERSION, **document}), encoding="ascii")
                os.replace(new, path)
            except BaseException:
                new.unlink(missing_ok=True)
                raise
        except OSError as error:
            self._note(path, f"cannot be written: {error.strerror or error}")

    def _note(self, path: Path, reason: str) -> None:
        self.notes.append(f"cache: {path} is ignored: {' '.join(reason.split()).lower()}")


def entry_of(document: Any) -> CacheEntry | None:
    """The entry of a JSON value; None if it is none."""
    if not isinstance(document, dict):
        return None
    fields = {name: document.get(name) for name in ("kind", "certificate", "engine")}
    if fields["kind"] not in ("model", "derivation") or not all(isinstance(v, str) for v in fields.values()):
        return None
    return CacheEntry(**fields)  # type: ignore[arg-type]  # checked above


def _used(path: Path) -> None:
    """Notes that a file was of use: `prune` removes the others first."""
    with suppress(OSError):
        os.utime(path)


def read_document(path: Path) -> dict[str, Any]:
    """The JSON object in a file of a cache. OSError or ValueError if there is none, or one of another format."""
    if path.stat().st_size > MAX_FILE_MB << 20:
        raise ValueError(f"larger than {MAX_FILE_MB} MB")
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError("not a text file") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(document, dict) or (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise ValueError("not a file of this cache")
    return document


def require_directory(path: str, writable: bool = True) -> None:
    """InputError if the path cannot be the directory of a cache; makes it if there is none and it shall be writable."""
    directory = Path(path)
    try:
        if writable:
            directory.mkdir(parents=True, exist_ok=True)
        if not directory.is_dir():
            raise InputError(path, 0, 0, "no such directory" if not directory.exists() else "not a directory")
    except FileExistsError as error:
        raise InputError(path, 0, 0, "not a directory") from error
    except OSError as error:
        raise InputError(path, 0, 0, f"cannot be the cache: {(error.strerror or str(error)).lower()}") from error
    if writable and not os.access(directory, os.W_OK | os.X_OK):
        raise InputError(path, 0, 0, "permission denied")


def size(directory: str) -> CacheSize:
    """The number and the size of the files of a cache."""
    found = [status for _, status in _files(Path(directory))]
    return CacheSize(len(found), sum(status.st_size for status in found))


def prune(directory: str, most_bytes: int) -> int:
    """Removes the files that were not used for the longest time, until the rest is small enough; their number."""
    found = sorted(_files(Path(directory)), key=lambda item: item[1].st_mtime)
    excess = sum(status.st_size for _, status in found) - most_bytes
    removed = 0
    for path, status in found:
        if excess <= 0:
            break
        with suppress(OSError):
            path.unlink()
            excess -= status.st_size
            removed += 1
    return removed


def _files(directory: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The files that `CacheStore` writes; others in the directory are left alone."""
    for folder in (f"{_CERTIFICATES}/*", f"{UNDECIDED}/*", f"{CHECKS}/*", f"{FUNCTIONS}/*", _MODELS):
        for path in (*directory.glob(f"{folder}/*.json"), *directory.glob(f"{folder}/{_NEW}*")):
            with suppress(OSError):
                yield path, path.stat()
