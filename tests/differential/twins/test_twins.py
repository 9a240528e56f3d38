"""One pair of each class, and the form of all."""

from pathlib import Path

import pytest

from ..memory.sanitizers import compilers
from .natively import is_violated
from .twins import CLASSES, Program, programs, verdict

PAIRS = {
    "arrays": "inner_array",
    "complex": "product",
    "ends": "handlers_in_reverse",
    "expressions": "short_product",
    "formats": "escaped",
    "library": "realloc_old",
    "lifetimes": "stale_records",
    "linking": "own_send",
    "mixed": "flexible_member",
    "system": "sigset_member",
    "undefined": "vla_zero",
}
SAMPLE = [program for group, name in PAIRS.items() for program in programs(group) if program.name == name]


def test_there_are_pairs() -> None:
    found = [program for group in CLASSES for program in programs(group)]
    assert len(found) >= 300 and len({(p.group, p.name, p.is_safe) for p in found}) == len(found)
    assert len({program.texts for program in found}) == len(found)


@pytest.mark.parametrize("program", SAMPLE, ids=str)
def test_verdicts(program: Program, tmp_path: Path) -> None:
    said, text = verdict(program, tmp_path, 60)
    assert said == "true" if program.is_safe else said.startswith("false"), text


@pytest.mark.skipif("gcc" not in compilers(), reason="needs gcc with its sanitizers")
@pytest.mark.parametrize("program", SAMPLE, ids=str)
def test_tools(program: Program, tmp_path: Path) -> None:
    assert is_violated(program, tmp_path) != program.is_safe
