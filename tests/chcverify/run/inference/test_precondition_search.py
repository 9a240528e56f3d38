"""What callers must guarantee: proved sufficient, possible, and needed; and what no caller can avoid."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, InputOptions, Limits, Options
from chcverify.results.checks import CheckStatus, ViolationClass
from chcverify.results.outcome import Outcome
from chcverify.run.inference.precondition_search import with_precondition
from chcverify.run.supervisor import supervise
from chcverify.task import Task, resolve

LATENT = "int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }\n"
BOTH = "int both(int n, int d) { int *p = 0; if (n) return *p; return 1 / d; }\n"
PARTS = "static const int t[4]; int pick(unsigned i, int d) { return t[i] / d; }\n"
MEMBERS = """struct text { unsigned long length; unsigned char *bytes; };
int sum_of(const struct text *t) {
  int s = 0;
  for (unsigned long i = 0; i < t->length; i++) s ^= t->bytes[i];
  return s;
}
"""
ASSERTED = "#include <assert.h>\nvoid span(int low, int high) { assert(high <= low); }\n"


def outcome_of(task: Task) -> Outcome:
    """The outcome of a run, without precondition."""
    return supervise(task, Options(InputOptions(task.input_file), Limits(timeout=300)), time.monotonic())


def inferred(path: Path, text: str, function: str) -> tuple[Task, Outcome]:
    """The task, and its outcome with classes and precondition."""
    path.write_text(text)
    task = resolve(InputOptions(str(path), property="undefined-behaviour", entries=(function,)))
    options = Options(InputOptions(str(path)), Limits(timeout=300))
    return task, with_precondition(task, outcome_of(task), options)


def classes(outcome: Outcome) -> set[tuple[str, ViolationClass]]:
    """The kinds of the violated checks with their classes."""
    return {(v.check.kind.value, v.meets) for v in outcome.checks if v.status is CheckStatus.VIOLATED}


def test_the_precondition_is_sufficient_in_a_run_of_its_own(tmp_path: Path) -> None:
    task, outcome = inferred(tmp_path / "a.c", LATENT, "sum")
    assert classes(outcome) == {("bounds", ViolationClass.LATENT)}
    found = outcome.precondition
    assert found is not None and found.is_proved
    assert found.text == "requires \\valid_read(a + (0 .. n - 1));" and found.is_necessary
    kept = replace(task, harness=replace(task.harness, requires=found.requires))
    assert outcome_of(kept).status == "safe"


def test_a_length_in_a_structure_is_that_of_its_array(tmp_path: Path) -> None:
    """An array of no elements may be null, so that the range alone is asked for."""
    task, outcome = inferred(tmp_path / "a.c", MEMBERS, "sum_of")
    found = outcome.precondition
    assert found is not None and found.is_proved and found.is_necessary
    assert found.requires == ("\\valid(t->bytes + (0 .. t->length - 1))",)
    kept = replace(task, harness=replace(task.harness, requires=found.requires))
    assert outcome_of(kept).status == "safe"


def test_both_classes_in_one_function(tmp_path: Path) -> None:
    _, outcome = inferred(tmp_path / "a.c", BOTH, "both")
    assert classes(outcome) == {("null", ViolationClass.MANIFEST), ("division", ViolationClass.LATENT)}
    assert outcome.precondition is not None
    assert outcome.precondition.text == "requires d != 0;"


def test_null_pointers_of_the_last_level_are_no_reason_to_call_a_violation_manifest(tmp_path: Path) -> None:
    """One level of objects leaves `s->next->next` null in all calls, with two it is a pointer like others."""
    text = "struct s { int n; struct s *next; }; int third(struct s *s) { return s->next->next->n; }\n"
    task, outcome = inferred(tmp_path / "a.c", text, "third")
    assert classes(outcome) == {("null", ViolationClass.LATENT)}
    found = outcome.precondition
    assert found is not None and found.is_proved and found.is_necessary
    assert found.requires == ("\\valid(s->next)", "\\valid(s->next->next)")
    kept = replace(task, harness=replace(task.harness, requires=found.requires))
    assert outcome_of(kept).status == "safe"


def test_each_part_is_shown_to_be_necessary(tmp_path: Path) -> None:
    _, outcome = inferred(tmp_path / "a.c", PARTS, "pick")
    found = outcome.precondition
    assert found is not None and found.is_proved and found.is_necessary
    assert set(found.requires) == {"i < 4", "d != 0"} == set(found.necessary)


def test_what_an_assertion_says_of_the_parameters_is_a_precondition(tmp_path: Path) -> None:
    _, outcome = inferred(tmp_path / "a.c", ASSERTED, "span")
    assert outcome.precondition is not None
    assert (outcome.precondition.requires, outcome.precondition.is_proved) == (("high <= low",), True)


def test_what_only_a_condition_excludes_that_no_call_keeps_is_manifest(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int never(int n) { return 1 / (n - n); }\n")
    task = resolve(InputOptions(str(path), property="division", entries=("never",)))
    task = replace(task, all_checks=True)
    outcome = with_precondition(task, outcome_of(task), Options(InputOptions(str(path)), Limits(timeout=300)))
    assert outcome.precondition is None
    assert classes(outcome) == {("division", ViolationClass.MANIFEST)}


@pytest.mark.parametrize(("file", "pair"), [("numbers.c", "rest"), ("memory.c", "read")])
def test_pairs_are_told_apart(file: str, pair: str) -> None:
    """A sample of benchmarks/callers, whose script tries all of them."""
    path = Path(__file__).resolve().parents[4] / "benchmarks" / "callers" / file
    found = []
    for function in (f"{pair}_any", f"{pair}_wrong"):
        given = InputOptions(str(path), property="undefined-behaviour", entries=(function,))
        task = replace(resolve(given), harness=HarnessOptions(null=True))
        found.append(classes(with_precondition(task, outcome_of(task), Options(given, Limits(timeout=300)))))
    assert {meets for _, meets in found[0]} == {ViolationClass.MANIFEST}
    assert {meets for _, meets in found[1]} == {ViolationClass.LATENT}
