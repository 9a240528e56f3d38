"""What gcc's thread sanitizer reports of a program, compiled and run a few times."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

from .small_programs import SmallProgram, c_text

_DEFINITIONS = """
#include <pthread.h>
static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }
void reach_error(void) {}
"""
_RUNS = 3
_SECONDS = 20  # of one run; a deadlock is stopped by it


@cache
def is_installed() -> bool:
    """True if gcc links and runs programs with the sanitizer here."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return False
    command = [gcc, "-fsanitize=thread", "-x", "c", "-", "-o", "/dev/null"]
    return (
        subprocess.run(command, input="int main(void){}", text=True, capture_output=True, check=False).returncode == 0
    )


def reports_race(program: SmallProgram, directory: Path) -> bool:
    """True if the sanitizer reports a race in one of a few runs. A section is a mutex of its own for it."""
    source, executable = directory / "small.c", directory / "small"
    source.write_text(_DEFINITIONS + c_text(program, with_errors=False), encoding="utf-8")
    subprocess.run(
        ["gcc", "-w", "-g", "-O0", "-fsanitize=thread", str(source), "-o", str(executable)], check=True, timeout=120
    )
    for _ in range(_RUNS):
        try:
            done = subprocess.run([str(executable)], capture_output=True, text=True, check=False, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        if "WARNING: ThreadSanitizer: data race" in done.stderr:
            return True
    return False
