"""Boogie programs beside what Boogie says of them, procedure by procedure.

    python -m benchmarks.boogie.suite DIRECTORY [--timeout S] [NAME ...]

NAME.bpl has the output of Boogie beside it, in NAME.bpl.expect, as in Boogie's own tests. Programs whose output has not
one line that counts procedures are left out, since they are tests of bad input; of those that Boogie only reads
(`-noVerify`) it is asked that they are read. "!" marks a procedure that is proved here and has an error there: an
invariant may be missing there, or a trigger. Exit status 1 if there is one.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from chcverify.options import BoogieOptions, InputOptions
from chcverify.problems.boogie_problem import load_boogie_program
from chcverify.task import resolve

_SUMMARY = "Boogie program verifier finished with"
_ERROR = re.compile(r"^\S+\((\d+),\d+\): Error")
_PRINTED = "<console>"
"""Instead of the name of the file: positions are of a program that Boogie printed, so that only the whole counts."""
_TRACE_STEP = re.compile(r"^\s+\S+\((\d+),\d+\): ")
_OPTIONS = {"-inferModifies": ("--infer-modifies",), "-inlineDepth:1": ("--inline-depth", "1")}


class Verdict(Enum):
    """What is known of a procedure."""

    VERIFIED = "verified"
    ERROR = "error"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Comparison:
    """What both say of a program. unlike: the procedures with other verdicts: ours, that of Boogie."""

    agrees: bool
    unlike: tuple[tuple[str, Verdict, Verdict], ...] = ()
    message: str = ""
    """Why the program is not read, or the reasons of what is unknown."""


def programs(directory: Path, names: Sequence[str]) -> Iterator[Path]:
    """The programs whose output has one line that counts procedures."""
    for path in sorted(directory.rglob("*.bpl")):
        output = path.with_name(path.name + ".expect")
        is_wanted = not names or any(name in str(path) for name in names)
        if is_wanted and output.exists() and output.read_text(encoding="utf-8").count(_SUMMARY) == 1:
            yield path


def lines_with_errors(output: str) -> list[int]:
    """For each error a line of the body in which it is: that where its trace begins, or its own."""
    found: list[int] = []
    waits_for_trace = False
    for line in output.splitlines():
        error, step = _ERROR.match(line), _TRACE_STEP.match(line)
        if error:
            found.append(int(error.group(1)))
        elif step and waits_for_trace:
            found[-1] = int(step.group(1))
        waits_for_trace = line.strip() == "Execution trace:" and bool(found)
    return found


def expected(path: Path, ends: Sequence[tuple[str, int]]) -> dict[str, Verdict]:
    """What Boogie says of the bodies. ends: their names and last lines, in the order of the file."""
    found = dict.fromkeys((name for name, _ in ends), Verdict.VERIFIED)
    for line in lines_with_errors(path.with_name(path.name + ".expect").read_text(encoding="utf-8")):
        found[next((name for name, end in ends if end >= line), "outside of all bodies")] = Verdict.ERROR
    return found


def options_of(text: str) -> tuple[str, ...]:
    """The options of the command for those in the `RUN` line."""
    run = next((line for line in text.splitlines() if "RUN:" in line), "").replace("/inlineDepth", "-inlineDepth")
    return tuple(option for word, options in _OPTIONS.items() if word in run for option in options)


def compared(path: Path, timeout_s: float) -> Comparison:
    """The comparison for one program."""
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as directory:
        stats = Path(directory, "stats.json")
        command = [sys.executable, "-m", "chcverify", str(path), "--timeout", str(timeout_s), "--stats", str(stats)]
        ended = subprocess.run([*command, *options_of(text)], capture_output=True, text=True, check=False)
        if ended.returncode == 2 or not stats.exists():
            return Comparison(False, message=(ended.stderr.strip() or "no output").splitlines()[0])
        written = json.loads(stats.read_text(encoding="utf-8"))
    if "noVerify" in text.split("\n")[0]:
        return Comparison(True)
    checks = written.get("checks", ())
    found: dict[str, set[str]] = {}
    for check in checks:
        found.setdefault(check["text"].split(": ")[0], set()).add(check["verdict"])
    infers = BoogieOptions(infer_modifies="--infer-modifies" in options_of(text))
    implementations = load_boogie_program(resolve(InputOptions(path=str(path), boogie=infers))).implementations
    unlike = []
    output = path.with_name(path.name + ".expect").read_text(encoding="utf-8")
    if _PRINTED in output:
        own_errors = any(check["verdict"] == "violated" for check in checks)
        return Comparison(own_errors, () if own_errors else (("all", Verdict.UNKNOWN, Verdict.ERROR),))
    for name, other in expected(path, [(item.name, item.body.end.line) for item in implementations]).items():
        verdicts = found.get(name, set()) if checks or written["verdict"] == "true" else {"unknown"}
        own = Verdict.ERROR if "violated" in verdicts else Verdict.VERIFIED
        if own is Verdict.VERIFIED and "unknown" in verdicts:
            own = Verdict.UNKNOWN
        if own is not other:
            unlike.append((name, own, other))
    reasons = Counter(check["reason"] for check in checks if check["verdict"] == "unknown")
    return Comparison(not unlike, tuple(unlike), "; ".join(f"{n} {reason}" for reason, n in reasons.most_common(2)))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Boogie programs beside what Boogie says of them.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("names", nargs="*", help="parts of paths; default: all")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds of each run")
    given = parser.parse_args(arguments)
    count = agreed = proved_with_error = 0
    for path in programs(given.directory, given.names):
        found = compared(path, given.timeout)
        count += 1
        agreed += found.agrees
        differences = []
        for name, own, other in found.unlike:
            is_missed = own is Verdict.VERIFIED
            proved_with_error += is_missed
            differences.append(f"{name} {own.value}, not {other.value}{'!' if is_missed else ''}")
        word = "agrees" if found.agrees else "differs"
        cells = f"{path.relative_to(given.directory)!s:50} {word}  {', '.join(differences)}  {found.message}"
        print(cells.rstrip(), flush=True)
    print(f"{agreed} of {count} agree; {proved_with_error} procedures with an error there are proved here")
    return min(proved_with_error, 1)


if __name__ == "__main__":
    sys.exit(main())
