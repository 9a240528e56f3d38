"""`--replay native` and `--warn-ub`, as a user sees them."""

import shutil
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "chcverify"]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc runs the program")
def test_native_replay_and_warnings(tmp_path):
    program = "void reach_error(void); int __VERIFIER_nondet_int(void);\nint main(void) {\n%s\n}\n"
    good, bad = tmp_path / "good.c", tmp_path / "bad.c"
    good.write_text(program % "int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error();")
    bad.write_text(program % "int x; if (x == 5) reach_error();")
    for path, word, told in (
        (good, "false(unreach-call)", "good.c:3:38: signed overflow: 2147483647 + 1"),
        (bad, "unknown", "use of an uninitialised value of x"),
    ):
        command = [*COMMAND, "--replay", "native", "--warn-ub", "--engine", "spacer", "--timeout", "600", path.name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
        assert done.stdout == word + "\n" and told in " ".join(done.stderr.split())
