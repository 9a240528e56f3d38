"""Random runs: a program without inputs has one run, which is made whatever the time."""

import time
from pathlib import Path

from chcverify.options import SourceFile
from chcverify.processor_time import ProcessorLimit
from encoders.c.execution.random_runs import random_runs
from encoders.c.frontend import load_files
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
