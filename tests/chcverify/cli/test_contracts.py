"""Contracts on the command line: proofs of each, use in place of bodies, loop invariants, and what is refused."""

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "chcverify"]
SUMS = """
/*@ requires 0 <= n <= 10; assigns \\nothing; ensures \\result == 2 * n; */
int f(int n) { return n ? f(n - 1) + 2 : 0; }
/*@ requires 0 <= n <= 5; assigns \\nothing; ensures \\result == %s * n; */
int g(int n) { return f(2 * n); }
int main(void) { %s return 0; }
"""


def run(folder: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "p.c").write_text(text)
    command = [*COMMAND, "p.c", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=1200)


def test_each_contract_is_proved_once(tmp_path: Path) -> None:
    ended = run(tmp_path, SUMS % (4, '__CPROVER_assert(g(3) + f(1) == 14, "");'), "--modular")
    assert (ended.stdout, ended.returncode) == ("true\n", 0)
    assert [(line.split()[0], line.split()[2]) for line in ended.stderr.splitlines()[1:4]] == [
        ("true", "f"),
        ("true", "g"),
        ("true", "main"),
    ]
    assert "assumed: contract of f (p.c:2), proved in this run\n" in ended.stderr
    assert "assumed: contract of g (p.c:4), proved in this run\n" in ended.stderr


def test_the_verdict_rests_on_all_contracts(tmp_path: Path) -> None:
    text = SUMS % (5, '__CPROVER_assert(g(1) == 5, "");')  # g does not keep its contract, from which main follows
    ended = run(tmp_path, text, "--modular")
    assert (ended.stdout, ended.returncode) == ("false(contract)\n", 1)
    assert "g ensures \\result == 5 * n at p.c:4" in " ".join(ended.stderr.split())
    assert "assumed: contract of g (p.c:4), not proved in this run" in ended.stderr
    used = run(tmp_path, text, "--use-contract", "g")
    assert (used.stdout, used.returncode) == ("true\n", 0)
    assert "assumed: contract of g (p.c:4), not proved in this run" in used.stderr


def test_a_call_that_a_contract_does_not_allow(tmp_path: Path) -> None:
    ended = run(tmp_path, SUMS % (4, "g(6);"), "--modular")
    assert (ended.stdout, ended.returncode) == ("false(contract)\n", 1)
    assert "g requires 0 <= n <= 5 at p.c:4" in " ".join(ended.stderr.split())


def test_a_proof_of_one_contract_is_checked_again(tmp_path: Path) -> None:
    text = SUMS % (4, "")
    ended = run(tmp_path, text, "--modular", "--entry", "g", "--certificate", "c.smt2")
    assert (ended.stdout, ended.returncode) == ("true\n", 0)
    assert "assumed: contract of f (p.c:2), not proved in this run" in ended.stderr
    command = [*COMMAND, "check", "c.smt2", "p.c", "--modular", "--entry", "g"]
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=1200)
    assert again.stdout == "accepted\n", again.stderr


@pytest.mark.parametrize(
    "options", [("--test", "t.c"), ("--witness", "w.yml"), ("--replay", "native"), ("--check", "assertion")]
)
def test_what_is_about_the_program_s_own_code_is_refused(options: tuple[str, ...], tmp_path: Path) -> None:
    ended = run(tmp_path, SUMS % (4, ""), "--modular", *options)
    assert (ended.stdout, ended.returncode) == ("", 2)
    assert "not with contracts in place of bodies" in ended.stderr


def test_wrong_invariants_get_warnings_and_prove_nothing(tmp_path: Path) -> None:
    text = """int main(void) { int i = 0, s = 0;
    //@ loop invariant s == 2 * i && i <= 1000;
    //@ loop invariant i != 7;
    while (i < 1000) { i++; s += 2; }
    __CPROVER_assert(s == %d, ""); return 0; }"""
    ended = run(tmp_path, text % 2000, "--contracts")
    assert (ended.stdout, ended.returncode) == ("true\n", 0)
    assert "warning: the loop invariant 'i != 7' at p.c:3 is not kept by the loop body" in ended.stderr
    assert "p.c:2" not in ended.stderr
    assert run(tmp_path, text % 7, "--contracts").stdout == "false(unreach-call)\n"
    ended = run(tmp_path, text % 2000, "--contracts", "--property", "invariant,assertion")
    assert (ended.stdout, ended.returncode) == ("false(invariant)\n", 1)
    rows = [" ".join(line.split()) for line in ended.stderr.splitlines()]
    assert "proved invariant line 2: loop invariant s == 2 * i && i <= 1000" in rows
    assert any(row.startswith("violated invariant line 3: loop invariant i != 7") for row in rows)
