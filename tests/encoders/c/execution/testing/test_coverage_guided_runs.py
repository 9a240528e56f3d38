"""Runs guided by coverage find violations behind conditions that random runs do not pass together."""

import pytest

from chcverify.effort import MAX_TRIED
from chcverify.processor_time import ProcessorLimit
from encoders.c.cfa import ir
from encoders.c.cfa.program_checks import assuming, selectable
from encoders.c.execution.interpreter import run
from encoders.c.execution.testing.coverage_guided_runs import CoverageGuidedRuns
from encoders.c.execution.testing.random_runs import KnownRuns, random_runs
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

NESTED = """extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int t[2] = {0};
  if (__VERIFIER_nondet_uchar() == 101)
    if (__VERIFIER_nondet_uchar() == 52)
      if (__VERIFIER_nondet_uchar() == 203)
        if (__VERIFIER_nondet_uchar() == 77)
          if (__VERIFIER_nondet_uchar() == 154)
            return t[2] + t[__VERIFIER_nondet_uchar()];
  return 0;
}"""


KEY = """extern unsigned char __VERIFIER_nondet_uchar(void);
static int matches(unsigned char given, unsigned char wanted) { return given == wanted; }
int main(void) {
  int t[2] = {0};
  unsigned char key = 1;
  for (int i = 0; i < 6; i++) {
    key = (unsigned char) (key * 37u + 11u);
    if (!matches(__VERIFIER_nondet_uchar(), key))
      return 0;
  }
  return t[2];
}"""


CROWDED = """extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  _Bool present = __VERIFIER_nondet_bool();
  unsigned char a[10];
  int pairs = 0;
  for (int i = 0; i < 10; i++) a[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++)
      if (a[i] < a[j] || a[i] == a[j] + 3) pairs++;
  if (a[5] == 0x91 && a[6] == 0x44) {
    int *counter = present ? &pairs : 0;
    return *counter;
  }
  return 0;
}"""


def program_of(text: str) -> ir.Program:
    return selectable(load_source(text, "a.c", LP64, "valid-memsafety"))


def test_conditions_are_passed_one_after_the_other() -> None:
    program = program_of(NESTED)
    assert random_runs(program, seed=0, count=2_000) is None
    search, known = CoverageGuidedRuns(0), KnownRuns()
    found = search.violating(program, known, ProcessorLimit.of(600))
    assert found is not None and found.violation is not None and found.violation.check.origin.line == 9
    assert run(program, found.inputs).violation == found.violation
    assert len(known.violating) == 1

    behind = assuming(program, frozenset({found.violation.check}))
    count = search.count
    again = search.violating(behind, known, ProcessorLimit.of(1.0))
    assert again is None and search.count > count  # every run that comes there ends at the check that is assumed


def test_each_comparison_of_a_key_is_met_though_none_covers_more() -> None:
    """Neither are the bytes of the key constants of the program, nor has each comparison an edge of its own."""
    program = program_of(KEY)
    assert random_runs(program, seed=0, count=2_000) is None
    found = CoverageGuidedRuns(0).violating(program, KnownRuns(), ProcessorLimit.of(600))
    assert found is not None and found.violation is not None and found.violation.check.origin.line == 11
    assert run(program, found.inputs).violation == found.violation


@pytest.mark.parametrize("seed", range(4))
def test_comparisons_that_lead_to_new_edges_come_first(seed: int) -> None:
    """The comparisons in the loops, both of whose results are covered, suggest hundreds of other inputs."""
    search = CoverageGuidedRuns(seed)
    found = search.violating(program_of(CROWDED), KnownRuns(), ProcessorLimit.of(600))
    assert found is not None and found.violation is not None and found.violation.check.id == "null:a.c:13:5"
    assert search.count < MAX_TRIED


def test_a_block_grows_to_what_is_read() -> None:
    text = """#include <stdlib.h>
    extern unsigned __VERIFIER_nondet_uint(void);
    int main(void) {
      unsigned n = __VERIFIER_nondet_uint();
      if (n > 300) return 0;
      int *block = malloc(n * sizeof(int));
      if (!block) return 0;
      block[97 * 3 - 4] = 0;
      int t[1];
      return t[1];
    }"""
    program = program_of(text)
    first = CoverageGuidedRuns(0)
    known = KnownRuns()
    small = first.violating(program, known, ProcessorLimit.of(600))
    assert small is not None and small.violation is not None and small.violation.check.origin.line == 8
    behind = assuming(program, frozenset({small.violation.check}))
    large = first.violating(behind, known, ProcessorLimit.of(600))
    assert large is not None and large.violation is not None and large.violation.check.origin.line == 10


@pytest.mark.parametrize("seed", range(3))
def test_what_is_doubled_when_it_is_full_overflows(seed: int) -> None:
    """Both numbers have to be large at a time; else 10,000 runs may not be enough."""
    text = """extern int __VERIFIER_nondet_int(void);
    int main(void) {
      int others[4];
      for (int i = 0; i < 4; i++) others[i] = __VERIFIER_nondet_int() & 7;
      int length = __VERIFIER_nondet_int(), places = __VERIFIER_nondet_int();
      if (length < 0 || length > 2000000000 || places < 0 || length > places) return others[1];
      if (length == places) places = places == 0 ? 1 : places * 2;
      return places;
    }"""
    program = selectable(load_source(text, "a.c", LP64, "no-overflow"))
    search = CoverageGuidedRuns(seed)
    found = search.violating(program, KnownRuns(), ProcessorLimit.of(600))
    assert found is not None and found.violation is not None and found.violation.check.origin.line == 7
    assert search.count < 200


def test_a_program_without_choices_is_run_once() -> None:
    search = CoverageGuidedRuns(0)
    program = program_of("int main(void) { int t[2] = {1, 2}; return t[1]; }")
    assert search.violating(program, KnownRuns(), ProcessorLimit.of(600)) is None
    assert search.count == 1


def test_what_is_kept_is_bounded() -> None:
    text = NESTED.replace("return 0;", "for (int i = 0; i < 400; i++) t[i & 1] += __VERIFIER_nondet_uchar(); return 0;")
    search = CoverageGuidedRuns(0)
    program = program_of(text.replace("t[2] + t[", "t[1 & "))
    assert search.violating(program, KnownRuns(), ProcessorLimit.of(0.5)) is None
    assert search.kept and all(len(kept.choices) <= MAX_TRIED for kept in search.kept)


def test_a_blocked_run_is_tried_with_another_last_choice() -> None:
    """Each of twelve sizes is 0 or too large in every fifth run: one in fifteen runs passes all of them."""
    text = """extern unsigned long __VERIFIER_nondet_ulong(void);
    extern void __VERIFIER_assume(int);
    int main(void) {
      int t[2] = {0};
      for (int i = 0; i < 12; i++) {
        unsigned long n = __VERIFIER_nondet_ulong();
        __VERIFIER_assume(n >= 1 && n <= 1000000000000);
        t[1] += n > 7;
      }
      return t[0];
    }"""
    search = CoverageGuidedRuns(0)
    assert search.violating(program_of(text), KnownRuns(), ProcessorLimit.of(3.0)) is None
    assert search.count > 50 and search.passed > search.count / 10
    assert all(planned.unblocks >= 0 for planned in search.unblocking)
