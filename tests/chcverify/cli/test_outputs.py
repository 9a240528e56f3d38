"""--test, --junit and --cache, as a user sees them."""

import shutil
import subprocess
import sys
from xml.etree import ElementTree

import pytest

COMMAND = [sys.executable, "-m", "chcverify", "--timeout", "600"]
UNSAFE = """extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 41 && x < 43) reach_error(); return 0; }
"""


def _run(folder, *arguments):
    return subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, timeout=900)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc runs the test")
def test_a_test_and_a_junit_file_of_a_violation(tmp_path):
    (tmp_path / "p.c").write_text(UNSAFE)
    done = _run(tmp_path, "p.c", "--test", "t.c", "--junit", "r.xml")
    assert done.stdout == "false(unreach-call)\n" and done.returncode == 1
    assert "test: t.c confirmed: compiled by gcc with sanitizers" in done.stderr
    assert "__chcverify_program_main" in (tmp_path / "t.c").read_text()
    assert ElementTree.parse(tmp_path / "r.xml").find("testsuite/testcase/failure") is not None


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc runs the test")
def test_a_test_of_a_function_in_one_of_several_files(tmp_path):
    """The arguments, and what they point to, are those of the violating call."""
    (tmp_path / "lib.h").write_text(
        "extern void reach_error(void);\nstruct s { int a; char *t; double d; };\nint half(int);\n"
    )
    (tmp_path / "half.c").write_text('#include "lib.h"\nint half(int x) { return x / TWO; }\n')
    (tmp_path / "f.c").write_text(
        '#include "lib.h"\nint f(struct s *p, unsigned n) {\n'
        "  if (half(n) == 3 && p->a == 5 && p->t && *p->t == 'x' && p->d > 2.5) reach_error();\n  return 0;\n}\n"
    )
    done = _run(tmp_path, "f.c", "half.c", "-D", "TWO=2", "--entry", "f", "--test", "t.c")
    assert done.stdout == "false(unreach-call)\n", done.stderr
    assert "test: t.c confirmed" in done.stderr, done.stderr


def test_without_a_violation_there_is_no_test(tmp_path):
    (tmp_path / "p.c").write_text(UNSAFE.replace("x < 43", "x < 42"))
    done = _run(tmp_path, "p.c", "--test", "t.c")
    assert done.stdout == "true\n" and "test: no violation, so t.c is not written" in done.stderr
    assert not (tmp_path / "t.c").exists()


def test_a_second_run_answers_from_the_cache(tmp_path):
    (tmp_path / "p.c").write_text(UNSAFE.replace("x < 43", "x < 42"))
    first, second = (_run(tmp_path, "p.c", "--cache", "c") for _ in range(2))
    assert first.stdout == second.stdout == "true\n"
    assert "decided by cache" in second.stderr and "decided by cache" not in first.stderr
    entry = next((tmp_path / "c").glob("certificates/*/*.json"))
    entry.write_text("{")
    third = _run(tmp_path, "p.c", "--cache", "c", "--cache-only", "-v")
    assert third.stdout == "unknown\n" and third.returncode == 3
    assert f"warning: cache: c/certificates/{entry.parent.name}/" in "".join(third.stderr.split("\n"))


WRONG = {
    ("p.c", "--cache-only"): "--cache-only needs --cache",
    ("p.c", "--cache", "p.c"): "p.c: not a directory",
    ("p.c", "--cache", "c", "--cache-only"): "c: no such directory",
    ("p.c", "--cache", "c", "--cross-check"): "--cache is not for --cross-check",
    ("p.c", "--test", "p.c"): "p.c: is an input",
    ("p.c", "--test", "x", "--junit", "x"): "two outputs have the same name",
    ("p.smt2", "--test", "x"): "--test: for C programs only",
    ("cache", "missing"): "missing: no such directory",
}


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_wrong_uses_are_one_line(tmp_path, arguments):
    (tmp_path / "p.c").write_text(UNSAFE)
    (tmp_path / "p.smt2").write_text("(set-logic HORN)\n(check-sat)\n")
    command = [sys.executable, "-m", "chcverify", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=900)
    assert (done.returncode, done.stdout) == (2, "")
    assert WRONG[arguments] in done.stderr and len(done.stderr.splitlines()) == 1
