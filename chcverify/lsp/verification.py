"""One run of the command on the text of an editor, in a process group of its own that a cancellation ends."""

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from chcverify.effort import WAIT_S
from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class Settings:
    """What a client may set."""

    timeout_s: float = 30.0
    """Seconds of a run."""
    debounce_s: float = 0.5
    """Seconds without changes before a run starts."""
    on_change: bool = True
    """Verify after changes, not only when a file is opened or saved."""
    arguments: tuple[str, ...] = ()
    """For `chcverify verify`."""

    @classmethod
    def of(cls, options: Any) -> "Settings":
        """The settings in a client's initializationOptions; ValueError for one of a wrong type."""
        given = options if isinstance(options, Mapping) else {}
        default = cls()
        numbers = [given.get("timeout", default.timeout_s), given.get("debounce", default.debounce_s)]
        arguments, on_change = given.get("arguments", []), given.get("onChange", default.on_change)
        if not all(isinstance(n, int | float) and not isinstance(n, bool) and n >= 0 for n in numbers):
            raise ValueError("timeout and debounce must be numbers of seconds")
        if not isinstance(arguments, list | tuple) or not all(isinstance(word, str) for word in arguments):
            raise ValueError("arguments must be a list of texts")
        return cls(float(numbers[0]), float(numbers[1]), bool(on_change), tuple(arguments))


@dataclass(frozen=True)
class SourcePoint:
    """A position in a file, from 1, with a text."""

    file: str
    line: int
    column: int
    text: str


@dataclass(frozen=True)
class ReportedError:
    """A violation: what, where, and the steps of the error trace."""

    rule: str
    at: SourcePoint
    steps: tuple[SourcePoint, ...]


@dataclass(frozen=True)
class VerificationResult:
    """The result of a run."""

    word: str
    """The verdict, "" for unusable input."""
    reason: str = ""
    """Why there is no verdict."""
    seconds: float = 0.0
    findings: tuple[ReportedError, ...] = ()
    invariants: tuple[SourcePoint, ...] = ()
    """At loop heads."""
    problem: SourcePoint | None = None
    """The position of unusable input."""


async def verify(path: str, text: str, function: str, settings: Settings) -> VerificationResult:
    """The result of a run on the text of the file. function: to begin with. A cancellation ends all its processes."""
    with tempfile.TemporaryDirectory(prefix="chcverify-") as directory:
        source = _source(path, text, Path(directory))
        outputs = {name: os.path.join(directory, f"result.{name}") for name in ("sarif", "stats", "trace")}
        # -P: no module is loaded from the folder of the file
        command = [sys.executable, "-P", "-m", "chcverify", "verify", *settings.arguments]
        command += ["--timeout", str(settings.timeout_s), *(f"--{name}={file}" for name, file in outputs.items())]
        command += [*_entry(function), *(("-I", str(Path(path).parent)) if source != path else ()), "--", source]
        errors = await _run(command, str(Path(path).parent), settings.timeout_s + WAIT_S)
        documents = {name: _read(file) for name, file in outputs.items()}
        return _result(documents, errors, source, path)


def _source(path: str, text: str, directory: Path) -> str:
    """The file to verify: the path itself, or a copy of a text that is not saved."""
    with suppress(OSError, UnicodeDecodeError):
        if Path(path).read_text(encoding="utf-8") == text:
            return path
    copy = directory / Path(path).name
    copy.write_text(text, encoding="utf-8", errors="surrogateescape")
    return str(copy)


def _entry(function: str) -> Sequence[str]:
    return () if function == "main" else ("--entry", function)


async def _run(command: Sequence[str], directory: str, seconds: float) -> str:
    """The standard error of the command, which is killed with all it started when this is cancelled or too late."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=directory if os.path.isdir(directory) else None,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _, errors = await asyncio.wait_for(process.communicate(), seconds)
        return errors.decode("utf-8", "replace")
    except TimeoutError:
        return f"stopped after {seconds:g} s"
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # what it started dies with it
        with suppress(ProcessLookupError):
            await process.wait()


def _read(path: str) -> dict[str, Any]:
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _result(documents: Mapping[str, dict[str, Any]], errors: str, source: str, path: str) -> VerificationResult:
    """The result in terms of the editor's file. source: the file that was verified."""
    stats = documents["stats"]
    if not stats:
        return _unusable(errors, source, path)

    def shown(file: str) -> str:
        return path if file == source else file

    found = [_finding(item, shown) for run in documents["sarif"].get("runs", ()) for item in run.get("results", ())]
    invariants = [
        SourcePoint(shown(item["file"]), item["line"], item["column"], item["invariant"])
        for item in documents["trace"].get("invariants", ())
        if item["loop_head"]
    ]
    return VerificationResult(
        stats["verdict"],
        str(stats.get("reason", "")).replace(source, path),
        stats.get("seconds", 0.0),
        tuple(item for item in found if item is not None),
        tuple(invariants),
    )


def _unusable(errors: str, source: str, path: str) -> VerificationResult:
    """The last line of standard error as a problem with its position."""
    lines = [line for line in errors.splitlines() if line.strip()] or ["no result"]
    message = lines[-1]
    line, column = 1, 1
    if message.startswith(f"{source}:"):
        parts = message.removeprefix(f"{source}:").split(":", 2)
        if len(parts) == 3 and parts[0].isdigit() and parts[1].isdigit():
            line, column, message = int(parts[0]), int(parts[1]), parts[2].strip()
    return VerificationResult("", message, problem=SourcePoint(path, line, column, message.replace(source, path)))


def _finding(result: Mapping[str, Any], shown: Callable[[str], str]) -> ReportedError | None:
    """A violation of a SARIF log; None for results of another kind."""
    if result.get("level") != "error" or not result.get("locations"):
        return None
    at = _point(result["locations"][0], result["message"]["text"], shown)
    flows = result.get("codeFlows") or [{"threadFlows": [{"locations": []}]}]
    locations = [item["location"] for item in flows[0]["threadFlows"][0]["locations"]]
    steps = [_point(step, step.get("message", {}).get("text", ""), shown) for step in locations]
    # Steps of a harness or of a model of a library function are in no file that an editor could open.
    return ReportedError(result["ruleId"], at, tuple(step for step in steps if "<" not in os.path.basename(step.file)))


def _point(location: Mapping[str, Any], text: str, shown: Callable[[str], str]) -> SourcePoint:
    from urllib.parse import unquote, urlparse

    physical = location["physicalLocation"]
    file = unquote(urlparse(physical["artifactLocation"]["uri"]).path)
    region = physical.get("region", {})
    return SourcePoint(shown(file), region.get("startLine", 1), region.get("startColumn", 1), text)
