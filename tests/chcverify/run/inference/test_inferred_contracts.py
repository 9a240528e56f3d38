"""The law of inferred contracts: the written file is accepted with contracts in place of bodies, clause by clause."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "chcverify"]
MEMORY = ("--property", "unreach-call,bounds,null,lifetime")
INPUT = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"

PROGRAMS = {
    "numbers": """
int g;
int twice(int x) { g = 3; return x + x; }
static int clamp(int x) { return x < 0 ? 0 : x > 10 ? 10 : x; }
int main(void) {
  int c = clamp(__VERIFIER_nondet_int());
  assert(twice(c) <= 20 && g == 3);
  return 0;
}""",
    "recursive": """
unsigned calls;
int count(int n) { calls++; return n <= 0 ? 0 : 1 + count(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 50) return 0;
  assert(count(n) <= n);
  return 0;
}""",
    "arrays": """
int sums[3];
void fill(int *a, int n, int v) { for (int i = 0; i < n; i++) a[i] = v; }
void note(int k) { if (k >= 0 && k < 3) sums[k] = k; }
int main(void) {
  int a[4] = {0, 0, 0, 0};
  fill(a, 4, 1);
  note(__VERIFIER_nondet_int());
  assert(sums[0] == 0);
  return 0;
}""",
    "pointers": """
struct pair { int a; };
void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
void put(struct pair *r, int a) { r->a = a; }
int main(void) {
  int x = 1, y = 4;
  struct pair s;
  swap(&x, &y);
  put(&s, x);
  assert(s.a == 4 && y == 1);
  return 0;
}""",
}
WRITTEN = {
    "numbers": {"twice": "assigns g;", "clamp": "assigns \\nothing;"},
    "recursive": {"count": "assigns calls;"},
    "arrays": {"fill": "assigns a[0 .. n - 1];", "note": "assigns sums[0 .. 2];"},
    "pointers": {"swap": "requires \\separated(p, q);", "put": "assigns r->a;"},
}


def run(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=directory, capture_output=True, text=True, check=False)


def contracts(text: str) -> dict[str, str]:
    """The contracts in a text by the names of their functions."""
    found = re.findall(r"/\*@ ((?:(?!\*/).)*) \*/\n[^(]*?(\w+)\(", text, re.DOTALL)
    return {name: contract for contract, name in found}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_written_contracts_are_accepted(name: str, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(INPUT + PROGRAMS[name])
    wrote = run(tmp_path, "annotate", "p.c", "--as", "acsl", *MEMORY, "-o", "out.c")
    assert wrote.returncode == 0, wrote.stderr
    found = contracts((tmp_path / "out.c").read_text())
    for function, clause in WRITTEN[name].items():
        assert clause in found.get(function, ""), (found, wrote.stderr)
    again = run(tmp_path, "out.c", "--modular", "--property", MEMORY[1] + ",invariant")
    assert (again.returncode, again.stdout) == (0, "true\n"), (found, again.stderr)
    for function in found:
        assert re.search(rf"^true .* {function}$", again.stderr, re.MULTILINE), again.stderr


def test_what_has_no_contract_is_named(tmp_path: Path) -> None:
    text = """
#include <stdlib.h>
int *make(void) { return malloc(4); }
int last(const char *s) { int i = 0; while (s[i]) i++; return i; }
/*@ requires 0 <= x; assigns \\nothing; */
int own(int x) { return x; }
int main(void) { assert(make() != 0 && last("ab") == 2 && own(1) == 1); return 0; }"""
    (tmp_path / "p.c").write_text(INPUT + text)
    wrote = run(tmp_path, "annotate", "p.c", "--as", "acsl", *MEMORY)
    assert wrote.returncode == 0, wrote.stderr
    assert "no contract written for make: it changes memory that has no name" in wrote.stderr
    assert "no contract written for last: how many elements s leads to has no name" in wrote.stderr
    assert "no contract written for own: it has annotations" in wrote.stderr
    assert "ensures" not in wrote.stdout


def test_pointers_need_checks_of_memory(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(INPUT + PROGRAMS["pointers"])
    wrote = run(tmp_path, "annotate", "p.c", "--as", "acsl")
    assert "no contract written for swap: it is given pointers, and memory is not checked" in wrote.stderr
    assert "requires" not in wrote.stdout


def test_a_contract_of_the_entry_names_what_the_harness_assumes(tmp_path: Path) -> None:
    text = "int g;\nint next(int *p) { g = 1; *p = *p + 1; assert(g == 1); return 0; }\n"
    (tmp_path / "p.c").write_text(INPUT + text)
    wrote = run(tmp_path, "annotate", "p.c", "--entry", "next", "--as", "acsl", *MEMORY, "-o", "out.c")
    assert wrote.returncode == 0, wrote.stderr
    assert "requires \\valid(p);" in contracts((tmp_path / "out.c").read_text())["next"]
    again = run(tmp_path, "out.c", "--modular", "--entry", "next", *MEMORY)
    assert (again.returncode, again.stdout) == (0, "true\n"), again.stderr


def test_without_contracts_only_loops_are_annotated(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(INPUT + PROGRAMS["numbers"])
    wrote = run(tmp_path, "annotate", "p.c", "--as", "acsl", "--no-function-contracts")
    assert "assigns" not in wrote.stdout
