"""Contracts on the command line: proofs of each, use in place of bodies, loop invariants, and what is refused."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from chcverify.cli.commands.contracts import command
from chcverify.cli.shared_options import Start

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


def test_inferred_invariants_are_read_again_and_prove_the_program(tmp_path: Path) -> None:
    text = """#include <assert.h>
    int main(void) { int i = 0, s = 0;
    while (i < 1000) { i++; s += 2; }
    assert(s == 2000); return 0; }"""
    (tmp_path / "p.c").write_text(text)
    command = [*COMMAND, "annotate", "p.c", "--as", "acsl"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=1200)
    assert "/*@ loop invariant " in ended.stdout, ended.stderr
    again = run(tmp_path, ended.stdout, "--contracts", "--engine", "given-invariants")
    assert again.stdout == "true\n", again.stderr
    assert run(tmp_path, ended.stdout, "--contracts", "--property", "invariant").stdout == "true\n"


def test_a_header_of_contracts_is_read_again(tmp_path: Path) -> None:
    header = "#include <stddef.h>\nstruct s { unsigned n; int *p; };\nint at(struct s *s, unsigned i);\n"
    (tmp_path / "lib.h").write_text(header)
    body = "int at(struct s *s, unsigned i) { return 1 / s->n; }\nstatic int own(int x) { return 1 / x; }\n"
    (tmp_path / "lib.c").write_text(f'#include "lib.h"\n{body}')

    def words(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*COMMAND, *arguments, "--property", "undefined-behaviour", "--timeout", "200"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    written = words("contracts", "lib.c", "-o", "lib.contracts.h")
    assert written.returncode == 0, written.stderr
    text = (tmp_path / "lib.contracts.h").read_text()
    assert "/*@ requires \\valid(s) && s->n != 0; */" in text
    assert "own" not in text
    again = words("lib.c", "lib.contracts.h", "--contracts", "--entry-null", "--entry", "at")
    assert again.stdout == "true\n", again.stderr
    assert subprocess.run(["gcc", "-fsyntax-only", "lib.contracts.h"], cwd=tmp_path, check=False).returncode == 0


def test_contracts_needs_a_file_that_it_may_write(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int f(void) { return 0; }\n")
    words = [str(tmp_path / "a.c"), "-o", str(tmp_path / "missing" / "a.h")]
    ended = CliRunner().invoke(command, words, obj=Start(0.0))
    assert ended.exit_code != 0
    assert not (tmp_path / "missing").exists()


@pytest.mark.parametrize(
    ("clauses", "body", "options"),
    [
        ("ensures \\result == 1;", "int f(int x) { return x == 70000 ? 2 : 1; }", ("--contracts", "--entry", "f")),
        ("assigns \\nothing; ensures \\result >= 0;", "int f(int x) { return x; }", ("--modular", "--entry", "f")),
    ],
)
def test_a_false_contract_is_refuted(tmp_path: Path, clauses: str, body: str, options: tuple[str, ...]) -> None:
    ended = run(tmp_path, f"/*@ {clauses} */\n{body}\n", *options)
    assert ended.returncode == 1, ended.stderr


def test_a_harness_on_standard_output(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int f(int x) { return x; }\n")
    command = [*COMMAND, "harness", "f", "p.c", "-o", "-"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "chcverify_harness" in ended.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["p.c"]
