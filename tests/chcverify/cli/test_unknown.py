"""What the command prints where there is no verdict, and of undefined behaviour where there is one."""

import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "chcverify"]
HARD = """extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static void check(int condition) {
  if (!condition) reach_error();
}
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = 7;
  while (x != 1) {
    if (x % 2 == 0) x = x / 2; else x = 3 * x + 1;
    y = y * x + 3;
  }
  check(y != 123457u);
  return 0;
}
"""
OVERFLOW = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(int argc, char **argv) {
  int x = __VERIFIER_nondet_int();
  if (x + 1 < x) reach_error();
}
"""


def run(path: Path, *options: str) -> tuple[str, str]:
    command = [*COMMAND, path.name, *options]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False, timeout=60)
    return done.stdout, " ".join(done.stderr.split())


def test_unknown_names_the_assertion_at_its_call_and_the_loop(tmp_path: Path) -> None:
    path = tmp_path / "hard.c"
    path.write_text(HARD)
    word, said = run(path, "--engine", "explicit,acceleration", "--timeout", "20")
    assert word == "unknown\n"
    assert "hard: the assertion at hard.c:12 behind the loop at line 8" in said
    assert "explicit:" not in said and "-v says why" in said
    assert "explicit:" in run(path, "--engine", "explicit,acceleration", "--timeout", "20", "-v")[1]


def test_undefined_behaviour_on_the_way_is_printed_by_default(tmp_path: Path) -> None:
    path = tmp_path / "overflow.c"
    path.write_text(OVERFLOW)
    word, said = run(path, "--engine", "spacer", "--timeout", "30")
    assert word == "false(unreach-call)\n"
    assert "warning: overflow.c:5:7: signed overflow: 2147483647 + 1" in said
    assert "argc = " in said and "argument of main" not in said
