"""The programs of benchmarks/known_bugs: runs find the bug of each, and none in the corrected version."""

from pathlib import Path

import pytest

from chcverify.options import SourceFile
from chcverify.processor_time import ProcessorLimit
from encoders.c.execution.interpreter import Execution
from encoders.c.execution.testing.random_runs import random_runs
from encoders.c.frontend import load_files
from encoders.c.lowering.environment import Allocations, Surroundings
from encoders.c.types.c_types import LP64

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "known_bugs"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.c"))
RARE = frozenset(
    ["base64_output", "echo_length", "image_size", "label_copy", "lz_distance", "strncpy_end", "url_escape", "utf8_end"]
)
"""Those whose bugs random runs meet seldom: engines find them."""


def violation(name: str, *flags: str) -> Execution | None:
    """A run that violates a check, among random ones."""
    source = SourceFile(str(FOLDER / f"{name}.c"), flags)
    surroundings = Surroundings(allocations=Allocations.MAY_FAIL)
    program = load_files([source], LP64, "undefined-behaviour", surroundings=surroundings)
    return random_runs(program, seed=1, count=300, limit=ProcessorLimit.of(3.0))


@pytest.mark.parametrize("name", PROGRAMS)
def test_runs_of_the_corrected_version_violate_nothing(name: str) -> None:
    assert violation(name, "-DFIXED") is None


@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - RARE))
def test_runs_find_the_bug(name: str) -> None:
    found = violation(name)
    assert found is not None and found.violation is not None
