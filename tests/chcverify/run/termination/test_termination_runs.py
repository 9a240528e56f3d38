"""Runs of the command's phases about termination: random loops, and words for certificates."""

import time
from pathlib import Path

import pytest

from chcverify.certificate.files.termination_json import certificate_from_text
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.termination import RecurrenceSet
from chcverify.errors import InputError
from chcverify.options import InputOptions, Limits, Options, OutputOptions
from chcverify.problems.c_problem import CProblem, load
from chcverify.results.events import ignore
from chcverify.run.cross_check import CrossCheck
from chcverify.run.driver import VerificationRun
from chcverify.run.termination.loop_notes import lasso_notes, ranking_notes
from chcverify.run.termination.termination_run import TerminationRun
from chcverify.task import Task, resolve
from tests.chcverify.certificate.termination_systems import endless, nested
from tests.differential.termination.random_loops import compared


@pytest.mark.parametrize("seed", [0, 3, 4, 12, 119, 126, 130])
def test_random_loops(seed: int, tmp_path: Path) -> None:
    terminates, verdict = compared(seed, tmp_path, 30.0)
    assert verdict in ("unknown", "true" if terminates else "false(termination)")


WRAPPING = (
    "extern int __VERIFIER_nondet_int(void);\n"
    "int main(void) { unsigned x = 0; while (__VERIFIER_nondet_int()) x += 2; return 0; }"
)


def test_a_closed_recurrence_set_is_found(tmp_path: Path) -> None:
    path = tmp_path / "wrapping.c"
    path.write_text(WRAPPING, encoding="utf-8")
    options = Options(InputOptions(str(path), property="termination"), limits=Limits(timeout=600.0))
    run = TerminationRun(resolve(options.input), options, time.monotonic(), ignore)
    problem = load(run.task)
    assert isinstance(problem, CProblem)
    outcome = run.recurrent_run(problem, time.monotonic() + 300)
    assert outcome is not None and outcome.word == "false(termination)"
    assert any("again and again" in note.text for note in outcome.loops)
    found = certificate_from_text(problem.system, outcome.certificate)
    assert isinstance(found, RecurrenceSet)
    assert certify(problem.system, found, time.monotonic() + 600, "require").accepted


NESTED = """int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < n; i++) { unsigned j = n; while (j > i) j--; }
  return 0;
}
"""


def test_variants_of_loops_in_a_program(tmp_path: Path) -> None:
    path = tmp_path / "nested.c"
    path.write_text("extern unsigned __VERIFIER_nondet_uint(void);\n" + NESTED, encoding="utf-8")
    output = OutputOptions(show_invariants=True)
    options = Options(InputOptions(str(path), property="termination"), limits=Limits(timeout=600.0), output=output)
    outcome = TerminationRun(resolve(options.input), options, time.monotonic(), ignore).outcome()
    inner = [variant.text for variant in outcome.variants if "j" in variant.text]
    outer = [variant.text for variant in outcome.variants if "i" in variant.text and "j" not in variant.text]
    assert len(inner) == len(outer) == 1 and all(variant.function == "main" for variant in outcome.variants)


def test_words_of_ranks() -> None:
    notes = ranking_notes(nested()[1])
    assert any("decreases" in note.text and "compared from left to right" in note.text for note in notes)


def test_words_of_an_endless_run() -> None:
    (note,) = lasso_notes(*endless())
    assert str(note) == "head: the run comes back to this state with $0 = 5: it never ends"


def test_runs_for_sets_of_checks_do_not_decide_termination() -> None:
    """A model alone says nothing about it: that of an empty set of queries least of all."""
    task = Task("a.c", "c", "termination")
    for kind in (VerificationRun, CrossCheck):
        with pytest.raises(InputError, match="not decided by a model alone"):
            kind(task, Options(InputOptions("a.c")), 0.0, ignore)


def test_a_loop_of_a_library_function_is_named_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "length.c"
    path.write_text("#include <string.h>\nunsigned long f(const char *s) { return strlen(s); }\n", encoding="utf-8")
    options = Options(InputOptions(str(path), property="termination", entries=("f",)), limits=Limits(timeout=600.0))
    outcome = TerminationRun(resolve(options.input), options, time.monotonic(), ignore).outcome()
    assert [note.place.partition(":")[0] for note in outcome.loops] == ["<library>/string.c"]


SEARCH = """#include <stdlib.h>
#include <string.h>
static const char *names[] = {"abs", "cos", "exp", "log", "sin", "tan"};
int search(const char *name, int length) {
  int low = 0, high = 5;
  while (low <= high) {
    int middle = low + (high - low) / 2, order = strncmp(name, names[middle], length);
    if (order == 0) return middle;
    if (order > 0) low = middle + 1; else high = middle - 1;
  }
  return -1;
}
double number(const char *text) { return strtod(text, 0); }
"""


@pytest.mark.parametrize("name", ["search", "number"])
def test_functions_that_need_facts_of_the_value_analysis(name: str, tmp_path: Path) -> None:
    path = tmp_path / "search.c"
    path.write_text(SEARCH, encoding="utf-8")
    options = Options(InputOptions(str(path), property="termination", entries=(name,)), limits=Limits(timeout=600.0))
    outcome = TerminationRun(resolve(options.input), options, time.monotonic(), ignore).outcome()
    assert outcome.word == "true" and outcome.loops and outcome.checkers
    assert not any("tracked" in note.text for note in outcome.loops)


@pytest.mark.parametrize(
    ("loop", "has_variant"), [("while (*s) s++", False), ("for (int i = 0; i < n; i++) s++", True)]
)
def test_no_variant_is_about_the_number_of_an_address(loop: str, has_variant: bool, tmp_path: Path) -> None:
    path = tmp_path / "walk.c"
    path.write_text(f"void f(const char *s, int n) {{ {loop}; }}\n", encoding="utf-8")
    limits, output = Limits(timeout=600.0), OutputOptions(show_invariants=True)
    options = Options(InputOptions(str(path), property="termination", entries=("f",)), limits=limits, output=output)
    outcome = TerminationRun(resolve(options.input), options, time.monotonic(), ignore).outcome()
    assert outcome.word == "true" and bool(outcome.variants) is has_variant


CELLS = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct range { int low; };
int main(void) {
  struct range *r = malloc(sizeof *r); int *x = malloc(sizeof *x);
  if (!r || !x) return 0;
  r->low = __VERIFIER_nondet_int(); *x = __VERIFIER_nondet_int();
  while (r->low > 0) r->low = r->low - 1;
  while (*x > 0) *x = *x - 1;
  return 0;
}
"""


def test_notes_name_cells_as_c_does(tmp_path: Path) -> None:
    path = tmp_path / "cells.c"
    path.write_text(CELLS, encoding="utf-8")
    options = Options(InputOptions(str(path), property="termination"), limits=Limits(timeout=600.0))
    outcome = TerminationRun(resolve(options.input), options, time.monotonic(), ignore).outcome()
    assert outcome.word == "true"
    assert [note.text.split(" decreases")[0] for note in outcome.loops] == ["r->low", "*x"]
