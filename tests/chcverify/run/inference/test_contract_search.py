"""The largest part of candidate contracts that is proved: wrong clauses are dropped, right ones stay."""

import time
from pathlib import Path

import pytest

from chcverify.options import InputOptions, Limits, Options
from chcverify.results.source_facts import ContractCandidate
from chcverify.run.inference.contract_search import ContractSearch, ContractSearchResult
from chcverify.run.inference.summary_run import contract_candidates_of
from chcverify.task import resolve

TEXT = """#include <assert.h>
int g;
int twice(int x) { g = 3; return x + x; }
int main(void) { assert(twice(2) == 4); return 0; }
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file with a function that writes a global variable."""
    path = tmp_path / "a.c"
    path.write_text(TEXT)
    return path


def search(path: Path, *candidates: ContractCandidate) -> ContractSearchResult:
    """The result for these candidates."""
    given = InputOptions(str(path))
    options = Options(given, Limits(timeout=300))
    return ContractSearch(resolve(given), options, lambda lines: TEXT, time.monotonic() + 300).result(candidates)


def clauses(result: ContractSearchResult, function: str) -> set[tuple[str, str]]:
    """The kinds and texts of the written clauses of a function."""
    return {(clause.kind, clause.text) for clause in result.contracts.get(function, ())}


def test_wrong_clauses_are_dropped(source: Path) -> None:
    ensures = ("g == 3", "\\result == 2 * x + 1")
    result = search(source, ContractCandidate("twice", ("-100 <= x && x <= 100",), ("g",), ensures))
    written = clauses(result, "twice")
    assert ("ensures", "g == 3") in written
    assert ("ensures", "\\result == 2 * x + 1") not in written
    assert "g == 3" in result.text


def test_a_function_that_writes_more_than_it_says_has_no_contract(source: Path) -> None:
    result = search(source, ContractCandidate("twice", (), ("\\nothing",), ()))
    assert not clauses(result, "twice")
    assert any("twice" in note for note in result.notes)


def test_what_is_refused_is_named(source: Path) -> None:
    result = search(source, ContractCandidate("twice", (), (), (), reason="it calls itself"))
    assert result.notes == ("no contract written for twice: it calls itself",)


def test_the_candidates_of_a_program(source: Path) -> None:
    given = InputOptions(str(source))
    found = contract_candidates_of(resolve(given), Options(given, Limits(timeout=300)), time.monotonic())
    assert {candidate.function: candidate.assigns for candidate in found if not candidate.reason}["twice"] == ("g",)
