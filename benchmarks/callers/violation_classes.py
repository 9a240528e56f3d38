"""Prints how chcverify classifies the violations of the functions in this folder.

A violation that every caller meets (functions called `*_any`) has to be classified as manifest. One that only a wrong
caller meets (functions called `*_wrong`) has to be classified as latent, with a precondition that is proved.

    python benchmarks/callers/violation_classes.py [--timeout 60] [FILE.c ...]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
WANTED = {"any": "manifest", "wrong": "latent"}


def row(path: Path, function: str, timeout: float) -> tuple[bool, str]:
    """Whether the function's violations have the expected class, and its line of the table."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "t.json"
        command = [sys.executable, "-m", "chcverify", str(path), "--entry", function, "--entry-null", "--preconditions"]
        command += ["--property", "undefined-behaviour", "--timeout", str(timeout), "--table", str(table)]
        subprocess.run(command, capture_output=True, check=False)
        (found,) = json.loads(table.read_text())["functions"]
    classes = {one.get("class", "open") for one in found["open"] if one["verdict"] == "violated"}
    proved = found.get("requires_proved", False)
    wanted = WANTED[function.rpartition("_")[2]]
    good = (wanted in classes) if wanted == "manifest" else (classes == {"latent"} and proved)
    texts = " && ".join(found.get("requires", []))
    shown = f"{'' if good else '**no** '}{', '.join(sorted(classes)) or 'none'}"
    needed = "yes" if set(found.get("requires", [])) == set(found.get("requires_necessary", [])) else "not shown"
    needed = needed if texts else ""
    return good, f"| {path.name} | {function} | {shown} | `{texts}` | {needed} | {time.monotonic() - begin:.1f} |"


def main() -> int:
    """Prints the table; exit status 1 if a function's violations are not classified as its name says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--function", action="append", help="only this one")
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    print("| file | function | violations | requires | necessary | s |\n|---|---|---|---|---|--:|")
    results = []
    for path in given.files or sorted(HERE.glob("*.c")):
        for name in functions(path):
            if given.function is None or name in given.function:
                good, line = row(path, name, given.timeout)
                print(line, flush=True)
                results.append(good)
    print(f"\n{sum(results)} of {len(results)} functions have the expected class")
    return 0 if all(results) else 1


def functions(path: Path) -> list[str]:
    """The names of the functions of pairs in a file."""
    words = path.read_text().replace("(", " ( ").replace("*", " ").split()
    found = [word for word, after in pairwise(words) if after == "("]
    return [word for word in dict.fromkeys(found) if word.rpartition("_")[2] in WANTED and "_" in word]


if __name__ == "__main__":
    sys.exit(main())
