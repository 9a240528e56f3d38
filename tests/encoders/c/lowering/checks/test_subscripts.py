"""Indices of arrays inside objects: the interpreter, and for a sample the clauses, against gcc's sanitizers."""

import shutil
import subprocess
from pathlib import Path

import pytest
import z3

from chcverify.horn.system import HornSystem
from chcverify.results.checks import CheckKind
from encoders.c.encoding.encoder import encode
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import run
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

TYPES = """
struct inner { char text[3], end; };
struct outer { struct inner inner[2]; int after[2]; union { short s[2]; char c[6]; } u; };
"""
BODIES = {
    "row": "int a[3][4] = {{0}}; return a[1][i];",
    "rows": "int a[3][4] = {{0}}; return a[i][1];",
    "member": "struct outer o = {0}; o.after[i] = 1; return o.u.c[0];",
    "nested": "struct outer o = {0}; o.inner[1].text[i] = 1; return 0;",
    "array of records": "struct outer o = {0}; o.inner[i].end = 1; return 0;",
    "union": "struct outer o = {0}; return o.u.s[i];",
    "through a pointer": "struct outer o = {0}, *p = &o; p->inner[0].text[i] = 1; return 0;",
    "through a pointer to an array": "int a[2][3] = {{0}}, (*p)[3] = a; return (*p)[i];",
    "address": "struct outer o = {0}; short *p = &o.u.s[i]; return p == 0;",
    "address of a row": "int a[3][4] = {{0}}; int (*p)[4] = &a[i]; return p == 0;",
    "row as a pointer": "int a[3][4] = {{0}}; int *p = a[i]; return p == 0;",
    "side effect": "struct outer o = {0}; o.after[i++] = i; return 0;",
    "not evaluated": "struct outer o = {0}; return i < 2 && o.after[i] ? 1 : sizeof o.after[i + 9] == 0;",
}
INDICES = range(-1, 6)


def program(body: str, index: str) -> str:
    return f"{TYPES}int main(int count, char **given) {{ int i = {index}; {body} }}"


def leaves(body: str, index: int) -> bool:
    text = program(body, str(index)).replace("int count, char **given", "void")
    found = run(load_source(text, "p.c", LP64, "bounds"), Inputs(()))
    assert found.violation is None or found.violation.check.kind is CheckKind.BOUNDS
    assert found.outcome in ("end", "error")
    return found.violation is not None


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("name", BODIES)
def test_runs_agree_with_sanitizers(name: str, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(program(BODIES[name], "given[1][0] - 'c'"))
    options = ["-w", "-O0", "-fsanitize=bounds-strict", "-fno-sanitize-recover=all", "-o", "p"]
    subprocess.run(["gcc", *options, "p.c"], cwd=tmp_path, check=True)
    for index in INDICES:
        ended = subprocess.run(
            ["./p", chr(ord("c") + index)], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert leaves(BODIES[name], index) == ("out of bounds" in ended.stderr), index


@pytest.mark.parametrize("name", ["row", "nested", "address"])
def test_clauses_agree_with_runs(name: str) -> None:
    text = program(BODIES[name], "__VERIFIER_nondet_int(); __VERIFIER_assume(i == INDEX)")
    text = "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);" + text
    for index in INDICES:
        chosen = text.replace("INDEX", str(index)).replace("int count, char **given", "void")
        assert is_violated(encode(load_source(chosen, "p.c", LP64, "bounds")).system) == leaves(BODIES[name], index)


def is_violated(system: HornSystem) -> bool:
    """What z3 says: there is a model of the clauses, or there is none."""
    solver = z3.SolverFor("HORN")
    for clause in system.clauses:
        head = z3.BoolVal(False) if clause.head is None else clause.head.term
        rule = z3.Implies(z3.And([*(a.term for a in clause.body), clause.constraint]), head)
        solver.add(z3.ForAll(list(clause.variables), rule) if clause.variables else rule)
    found = solver.check()
    assert found != z3.unknown
    return bool(found == z3.unsat)
