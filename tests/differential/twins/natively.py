"""Runs the programs of pairs under sanitizers or valgrind, with all inputs."""

import os
import subprocess
from pathlib import Path

from .twins import Program

_INPUT = "extern char *getenv(const char *); extern int atoi(const char *);\n"
_HARNESS = f'{_INPUT}int __VERIFIER_nondet_int(void) {{ return atoi(getenv("INPUT")); }}\n'
_COMMON = ("-std=gnu11", "-w", "-g", "-O0", "-fno-builtin", "-DNATIVE")
_SANITIZED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
_TEXT = "abcdefghijklmno\n"  # the standard input; also without any
_INPUTS = 16
_REPORTED = 199  # the exit status where a tool reports something


def is_violated(program: Program, folder: Path) -> bool:
    """Does a run with some input violate the property, as far as the tools see?"""
    paths = program.write(folder)
    (folder / "harness.c").write_text(_HARNESS, encoding="utf-8")
    paths.append(folder / "harness.c")
    if program.property != "uninitialised" and _fails_sanitized(program, paths, folder):
        return True
    binary = _built(paths, folder / "plain", ())
    command = ["valgrind", "-q", f"--error-exitcode={_REPORTED}", str(binary)]
    numbers = range(0, _INPUTS, 5) if program.property == "uninitialised" else range(3, 4)
    return any(_fails(command, {"INPUT": str(number)}, _TEXT) for number in numbers)


def _fails_sanitized(program: Program, paths: list[Path], folder: Path) -> bool:
    binary = _built(paths, folder / "sanitized", _SANITIZED)
    leaks = int(program.property == "leak")
    options = f"detect_leaks={leaks}:detect_stack_use_after_return=1:exitcode={_REPORTED}"
    runs = [({"INPUT": str(number)}, _TEXT) for number in range(_INPUTS)] + [({"INPUT": "0"}, "")]
    if program.property == "null":
        runs.append(({"INPUT": "0", "NO_MEMORY": "1"}, _TEXT))
    tools = {"ASAN_OPTIONS": options, "UBSAN_OPTIONS": f"exitcode={_REPORTED}"}
    return any(_fails([str(binary)], {**tools, **values}, text) for values, text in runs)


def _built(paths: list[Path], binary: Path, flags: tuple[str, ...]) -> Path:
    command = ["gcc", *_COMMON, *flags, "-o", str(binary), *map(str, paths), "-lm"]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    return binary


def _fails(command: list[str], environment: dict[str, str], text: str) -> bool:
    """Does a tool report something in a run, or a signal end it?"""
    values = {**os.environ, **environment}
    ended = subprocess.run(
        command, input=text, env=values, capture_output=True, text=True, errors="replace", check=False, timeout=100
    )
    return ended.returncode == _REPORTED or ended.returncode < 0
