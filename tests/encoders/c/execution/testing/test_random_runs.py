"""Random runs: a program without inputs has one run, which is made whatever the time; neighbours of violating runs."""

import time
from pathlib import Path

from chcverify.options import SourceFile
from chcverify.processor_time import ProcessorLimit
from chcverify.results.checks import CheckKind
from encoders.c.cfa.program_checks import assuming, checks_of, selectable
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import ExecutionLimits, run
from encoders.c.execution.testing.random_runs import KnownRuns, RandomAttempts, ViolatingRun, random_runs
from encoders.c.frontend import load_files, load_source
from encoders.c.types.c_types import LP64

LOOPS = "int main(void) {{ int t[4], s = {start}; for (int i = 0; i < 900; i++) s ^= i; return t[4 + (s & 1)]; }}"


def test_a_program_without_inputs_is_run_though_no_time_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("#include <assert.h>\n" + LOOPS.format(start="0").replace("return", "assert(s > 5000); return"))
    program = load_files([SourceFile(str(path))], LP64)
    found = random_runs(program, seed=0, count=200, steps=500, limit=ProcessorLimit.of(-1))
    assert found is not None and found.outcome == "error"  # in the second try, with ten times the steps


def test_other_programs_keep_to_the_time(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    text = "extern int __VERIFIER_nondet_int(void);\n" + LOOPS.format(start="__VERIFIER_nondet_int()")
    path.write_text("#include <assert.h>\n" + text.replace("return", "assert(s != 123456); return"))
    program = load_files([SourceFile(str(path))], LP64)
    begin = time.process_time()
    assert random_runs(program, seed=0, count=200, steps=100_000, limit=ProcessorLimit.of(-1)) is None
    assert time.process_time() - begin < 5.0


def test_a_run_ends_where_the_time_of_the_processor_is_over() -> None:
    """A longer run of a recursive function went on for ten times that time: until the limit of the clock."""
    program = load_source("int main(void) { for (;;) ; }", "a.c", LP64)
    is_over, in_an_hour = time.process_time(), time.monotonic() + 3_600
    found = run(program, Inputs(()), ExecutionLimits.of(100_000, ProcessorLimit(is_over, in_an_hour)))
    assert found.outcome == "limit" and found.steps == 0


def test_runs_that_reach_the_limit_late_are_tried_again() -> None:
    """Number 1 is in the first quarter of the runs, 5 and 6 are behind it; the latter are tried when all were made."""
    attempts, made = RandomAttempts(8, longer=10), []
    while (attempt := attempts.current()) is not None:
        made.append(attempt)
        attempts.passed(is_cut_off=attempt[0] in (1, 5, 6), was_asked=True)
    short = [(number, 1) for number in range(8)]
    assert made == [*short[:2], (1, 10), *short[2:], (5, 10), (6, 10)]


SMALL_BLOCKS = """#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char size = __VERIFIER_nondet_uchar();
  if (size < 1 || size > 100) return 0;
  char *block = malloc(size);
  if (!block) return 0;
  block[40] = 0;
  block[41] = 1;
  block[42] = 2;
  free(block);
  return 0;
}"""


def test_neighbours_of_a_violating_run_violate_what_comes_behind_it() -> None:
    """Blocks of 40, 41 and 42 bytes are rare; the two larger ones are found from the first."""
    program = selectable(load_source(SMALL_BLOCKS, "a.c", LP64, "valid-memsafety"))
    known = KnownRuns([ViolatingRun(0, {0: 40}, (40,))])
    lines = []
    for _ in range(2):
        found = random_runs(program, seed=0, count=0, known=known)
        assert found is not None and found.violation is not None
        lines.append(found.violation.check.origin.line)
        program = assuming(program, frozenset({found.violation.check}))
    assert lines == [9, 10]
    assert random_runs(program, seed=0, count=0, known=known) is None
    assert known.violating == []


def test_automata_are_compiled_once_for_programs_that_differ_in_what_is_assumed() -> None:
    program = selectable(load_source(SMALL_BLOCKS, "a.c", LP64, "valid-memsafety"))
    known = KnownRuns()
    first = known.compiled(program)
    check = next(check for check in checks_of(program) if check.kind is CheckKind.BOUNDS)
    second = known.compiled(assuming(program, frozenset({check})))
    assert second.program.assumed == {check} and second.compiled_locations is first.compiled_locations
    assert first.program.assumed == frozenset()
    other = load_source(SMALL_BLOCKS, "a.c", LP64, "valid-memsafety")
    assert known.compiled(other).compiled_locations is not first.compiled_locations


def test_random_runs_go_on_where_they_stopped() -> None:
    """The same violations are found with and without what runs so far leave, in fewer runs."""
    text = SMALL_BLOCKS.replace("block[40] = 0;", "if (size == 3) block[3] = 0;\n  block[40] = 0;")
    known, lines = KnownRuns(), []
    program = selectable(load_source(text, "a.c", LP64, "valid-memsafety"))
    fresh = program
    while (found := random_runs(program, seed=0, count=400, known=known)) is not None:
        assert found.violation is not None
        lines.append(found.violation.check.origin.line)
        program = assuming(program, program.assumed | {found.violation.check})
    assert 10 in lines and len(set(lines)) == len(lines)
    assert known.attempts is not None and known.attempts.current() is None  # all were made
    assert random_runs(program, seed=0, count=400) is None  # all of them once more
    known.begin_again()
    again = random_runs(fresh, seed=0, count=400, known=known)
    assert again is not None and again.violation is not None and again.violation.check.origin.line == lines[0]


def test_a_program_without_inputs_is_not_run_again(tmp_path: Path) -> None:
    """Its short run and the longer one are made once, whatever the time, and not again for the checks that are left."""
    path = tmp_path / "a.c"
    path.write_text(LOOPS.format(start="0").replace("return", "t[3] = s; return"))
    program = selectable(load_files([SourceFile(str(path))], LP64, "valid-memsafety"))
    known, found = KnownRuns(), []
    while (
        run := random_runs(program, seed=0, count=200, steps=500, limit=ProcessorLimit.of(-1), known=known)
    ) is not None:
        assert run.violation is not None
        found.append(run.violation.check)
        program = assuming(program, program.assumed | {run.violation.check})
    assert len(found) == 1 and found[0].origin.line == 1
    assert known.attempts is not None and known.attempts.draws_nothing and known.attempts.current() is None


def test_floating_point_inputs_are_drawn_near_the_constants_of_the_program(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("""#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double at_bound = __VERIFIER_nondet_double(), between = __VERIFIER_nondet_double();
  if (between > 0.03125 && between < 600.0) assert(at_bound != -611.5);
  return 0;
}
""")
    program = load_files([SourceFile(str(path))], LP64)
    assert random_runs(program, seed=0, count=200, steps=500) is not None
