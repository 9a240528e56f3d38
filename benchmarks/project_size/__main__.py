"""Prints the time and the memory of one command on generated projects, against their size.

A project consists of copies of the files in benchmarks/functions, whose functions have names of their own in each
copy. Of each project, functions that are spread over its files are verified in one command; `--functions 0` takes all.

    python -m benchmarks.project_size [--lines 2000,6000,20000] [--functions 3] [--timeout 60]
"""

import argparse
import re
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "functions"
_FUNCTION = re.compile(r"^(?:[A-Za-z_][\w \t*]*[ *])(\w+)\([^;{]*\)\s*\{", re.MULTILINE)


@dataclass(frozen=True)
class Project:
    """A generated project."""

    files: tuple[Path, ...]
    functions: tuple[str, ...]
    """With external linkage, in the order of the files."""
    lines: int


@dataclass(frozen=True)
class Cost:
    """What a command took."""

    processor_s: float
    """Of all its processes."""
    memory_mb: int
    """Of its largest process."""
    verdicts: str
    """The line with the numbers of functions."""


def generated(folder: Path, lines: int) -> Project:
    """A project of at least so many lines."""
    files: list[Path] = []
    functions: list[str] = []
    count = copy = 0
    while count < lines:
        for source in sorted(SOURCES.glob("*.c")):
            text = source.read_text()
            names = list(dict.fromkeys(_FUNCTION.findall(text)))
            text = re.sub(rf"\b({'|'.join(names)})\b", rf"\1_{copy}", text)
            public = [m[1] for m in _FUNCTION.finditer(text) if not m[0].startswith("static")]
            files.append(folder / f"{source.stem}_{copy}.c")
            files[-1].write_text(text)
            functions += public
            count += text.count("\n")
        copy += 1
    return Project(tuple(files), tuple(functions), count)


def cost(project: Project, most: int, timeout_s: float) -> Cost:
    """What it takes to verify some functions of a project; most: of them, 0 for all."""
    step = max(1, len(project.functions) // most) if most else 1
    chosen = project.functions[::step][: most or None]
    command = [sys.executable, "-c", _MEASURED, "verify", *map(str, project.files), "--property", "undefined-behaviour"]
    command += ["--config", "none", "--no-preconditions", "--timeout", str(timeout_s)]
    command += [word for name in chosen for word in ("--entry", name)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    memory = ended.stderr.split()[-1]
    lines = [line for line in ended.stderr.splitlines() if line][:-1]
    sums = next((line for line in lines if re.match(r"\d+ functions?:", line)), lines[-1] if lines else "nothing")
    return Cost(seconds, int(memory) // 1024, sums.partition(";")[0])


_MEASURED = """
import resource, sys
from chcverify.__main__ import main
try:
    main()
finally:
    used = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    sys.stderr.write(f"\\nmemory {max(used)}")
"""


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", default="2000,6000,20000", help="least numbers of lines; default: 2000,6000,20000")
    parser.add_argument("--functions", type=int, default=3, help="of each project that are verified; 0: all")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each function; default: 60")
    given = parser.parse_args()
    print("| lines | files | functions | processor s | largest process, MB | verdicts |\n|--:|--:|--:|--:|--:|---|")
    for lines in map(int, given.lines.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            project = generated(Path(folder), lines)
            found = cost(project, given.functions, given.timeout)
        figures = f"{project.lines} | {len(project.files)} | {len(project.functions)}"
        print(f"| {figures} | {found.processor_s:.1f} | {found.memory_mb} | {found.verdicts} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
