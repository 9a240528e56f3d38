"""Programs on what C leaves to the implementation and what is easily got wrong: as gcc, in both data models."""

import re
from pathlib import Path

import pytest

from encoders.c.types.c_types import ILP32, LP64, DataModel

from .compare import Case, compare
from .generate import HEADER
from .native import GCC

PROGRAMS = sorted(Path(__file__).with_name("programs").glob("*.c"))


def case(path: Path) -> Case:
    """The program of a file, with a few numbers to read."""
    text = path.read_text(encoding="utf-8")
    count = 1 + max(map(int, re.findall(r"\bout_(\d+)", text)))
    return Case(HEADER + text, count, (3, 5, -7, 11))


@pytest.mark.skipif(GCC is None, reason="needs gcc")
@pytest.mark.parametrize("model", (LP64, ILP32), ids=lambda model: model.name)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_as_gcc(path: Path, model: DataModel) -> None:
    found = compare(case(path), model, thorough=False)
    assert found.problems == () and found.theories
