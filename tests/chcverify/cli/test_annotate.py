"""`chcverify annotate` and `--show-invariants` as their users run them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, j = 0;
  while (i < n) { i++; j++; }
  do j--, i--; while (i > 0);
  if (i BAD j) reach_error();
  return 0;
}
"""


def chcverify(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "chcverify", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)


@pytest.fixture
def safe(tmp_path: Path) -> str:
    (tmp_path / "safe.c").write_text(PROGRAM.replace("BAD", "!="))
    return str(tmp_path / "safe.c")


@pytest.fixture
def open_(tmp_path: Path) -> str:
    """A program that the data flow analysis does not decide; its loops have invariants that it finds."""
    text = PROGRAM.replace("i BAD j", "i == j && n > 0 && i != 0")
    (tmp_path / "open.c").write_text(text)
    return str(tmp_path / "open.c")


def test_the_annotated_program_compiles_and_has_the_same_verdict(safe: str, tmp_path: Path) -> None:
    out = tmp_path / "out.c"
    result = chcverify("annotate", safe, "-o", str(out), "--engine", "df")
    assert (result.returncode, result.stdout) == (0, "")
    assert "2 loop heads annotated" in result.stderr
    assert out.read_text().count("__VERIFIER_assume(") == 3
    if shutil.which("gcc"):
        assert subprocess.run(["gcc", "-fsyntax-only", str(out)], capture_output=True, check=False).returncode == 0
    again = chcverify(str(out), "--engine", "df")
    assert (again.returncode, again.stdout) == (0, "true\n")


def test_an_enumeration_of_states_is_replaced_by_invariants(tmp_path: Path) -> None:
    """`bounded` unrolls the loop and lists its states, which is the quickest proof."""
    file = tmp_path / "few.c"
    file.write_text("""#include <assert.h>
int main(void) { int i = 0, s = 0; while (i < 7) { i++; s += 2; } assert(s == 14); return 0; }""")
    result = chcverify("annotate", str(file), "--as", "comment")
    assert "s == 2 * i" in result.stdout, result.stdout + result.stderr


def test_comments_to_standard_output(safe: str) -> None:
    result = chcverify("annotate", safe, "--as", "comment", "--engine", "df")
    assert result.returncode == 0
    assert "/* invariant: " in result.stdout
    assert "i == j" in result.stdout


def test_violations_are_not_annotated(tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text(PROGRAM.replace("BAD", "=="))
    result = chcverify("annotate", str(tmp_path / "bad.c"), "-o", str(tmp_path / "out.c"))
    assert (result.returncode, len(result.stderr.splitlines())) == (1, 1)
    assert not (tmp_path / "out.c").exists()


def test_bad_input_is_one_line(safe: str, tmp_path: Path) -> None:
    (tmp_path / "x.smt2").write_text("(set-logic HORN)\n(check-sat)\n")
    for arguments in (
        [str(tmp_path / "x.smt2")],
        [safe, "-o", safe],
        [safe, "-o", str(tmp_path / "no" / "out.c")],
        [str(tmp_path / "missing.c")],
        [safe, "--as", "poem"],
    ):
        result = chcverify("annotate", *arguments)
        assert (result.returncode, len(result.stderr.splitlines())) == (2, 1), result.stderr


def test_invariants_without_a_verdict(open_: str) -> None:
    result = chcverify(open_, "--engine", "df-boxes-eq", "--timeout", "600", "--show-invariants")
    assert (result.returncode, result.stdout) == (3, "unknown\n")
    message = "".join(result.stderr.split())  # long paths are wrapped, also within a name
    assert "open.c:5loopheadinmain" in message
    assert "i==j" in message or "j==i" in message
