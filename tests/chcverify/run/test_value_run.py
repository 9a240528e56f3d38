"""Programs about whose memory one verdict is asked for: the value analysis comes before engines."""

import time
from pathlib import Path

import pytest

from chcverify.options import EngineOptions, InputOptions, Limits, Options
from chcverify.results.outcome import Outcome
from chcverify.run.supervisor import supervise
from chcverify.task import Task

COPY = """
#include <stdlib.h>
#include <string.h>
static char *copied(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  if (copy) strcpy(copy, text);
  return copy;
}
int main(void) {
  char *copy = copied("verifier");
  free(copy);
  return 0;
}
"""


def outcome_of(tmp_path: Path, text: str, engines: EngineOptions | None = None) -> Outcome:
    path = tmp_path / "p.c"
    path.write_text(text)
    task = Task(str(path), "c", "valid-memsafety")
    options = Options(InputOptions(str(path)), Limits.of(120), engines or EngineOptions())
    return supervise(task, options, time.monotonic())


def test_a_copied_string_needs_no_engine(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, COPY)
    assert (outcome.word, outcome.engine) == ("true", "value analysis")
    assert outcome.checkers


@pytest.mark.parametrize(
    ("right", "wrong", "word"),
    [("strlen(text) + 1", "strlen(text)", "false(valid-deref)"), ("free(copy);", "", "false(valid-memtrack)")],
)
def test_faulty_copies(tmp_path: Path, right: str, wrong: str, word: str) -> None:
    assert outcome_of(tmp_path, COPY.replace(right, wrong)).word == word


def test_an_engine_that_was_asked_for_decides(tmp_path: Path) -> None:
    text = "int main(void) { int a[4]; a[3] = 1; return a[3]; }"
    outcome = outcome_of(tmp_path, text, EngineOptions(names=("pdr",)))
    assert (outcome.word, outcome.engine) == ("true", "pdr")
