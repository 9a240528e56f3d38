"""A few random programs and mutants under each sanitizer; any number with `python -m tests.differential.memory`."""

import pytest

from chcverify.results.checks import CheckKind

from .__main__ import compared
from .compare import found
from .generate import make
from .mutate import mutants_of
from .sanitizers import compilers
from .verdicts import compared as verdicts
from .verdicts import possible_verdicts, program


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("start", [0, 10])
def test_as_the_sanitizer(compiler: str, start: int) -> None:
    if compiler not in compilers():
        pytest.skip(f"needs {compiler} with its sanitizers")
    assert [(c.name, c.problem) for c in compared(compiler, False, range(start, start + 10)) if c.problem] == []


def test_mutants_as_the_sanitizer() -> None:
    if "gcc" not in compilers():
        pytest.skip("needs gcc with its sanitizers")
    assert [(c.name, c.problem) for c in compared("gcc", True, range(3)) if c.problem] == []


def test_programs_without_faults_violate_nothing() -> None:
    for seed in range(12):
        assert found(make(seed, fault_rate=0.0), "valid-memsafety").kind is None


def test_mutants_violate_most_kinds_of_checks() -> None:
    mutants = [mutant for seed in range(12) for _, (_, mutant) in mutants_of(make(seed, 0.0), seed)]
    kinds = {found(mutant, "valid-memsafety").kind for mutant in mutants}
    assert kinds >= {None, CheckKind.BOUNDS, CheckKind.LEAK}


@pytest.mark.parametrize(
    ("seed", "property_"), [(1, "valid-memsafety"), (2, "valid-memsafety"), (3, "valid-memcleanup")]
)
def test_verdicts_agree_with_all_runs(seed: int, property_: str) -> None:
    assert (answer := verdicts(seed, property_)).agree, answer


def test_small_programs_have_all_verdicts() -> None:
    seen = set()
    for seed in range(60):
        try:
            seen |= possible_verdicts(program(seed), "valid-memsafety")
        except ValueError:
            continue
    assert seen == {"true", "false(valid-deref)", "false(valid-free)", "false(valid-memtrack)"}
