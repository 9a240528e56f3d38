"""The library as programs use it."""

import subprocess
import sys
from pathlib import Path

import pytest
import z3

import chcverify
from chcverify import Clause, HornSystem, InputError, NotHorn, Predicate, Safe, Unknown, Unsafe

SAFE = "int main(void) {\n  unsigned x = 0;\n  while (x < 10) x += 2;\n  if (x != 10) reach_error();\n}\n"
UNSAFE = SAFE.replace("x != 10", "x == 10")
DECLARATIONS = "extern void reach_error(void);\n"


def counter(bound: int) -> HornSystem:
    x = z3.Int("x")
    p = z3.Function("P", z3.IntSort(), z3.BoolSort())
    # x = 0 => P(x); P(x) & x < 9 => P(x + 1); P(x) => x <= bound
    return chcverify.from_formulas(
        [z3.Implies(x == 0, p(x)), z3.Implies(z3.And(p(x), x < 9), p(x + 1)), z3.Implies(p(x), x <= bound)]
    )


def test_import_is_cheap():
    heavy = "('z3', 'pycparser', 'click', 'rich', 'yaml', 'cvc5', 'pysmt')"
    script = f"import sys, chcverify; dir(chcverify); print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_name_is_there():
    for name in chcverify.__all__:
        assert getattr(chcverify, name) is not None
        assert name in dir(chcverify)
    with pytest.raises(AttributeError):
        chcverify.no_such_name  # noqa: B018


def test_verify_a_text():
    outcome = chcverify.verify(DECLARATIONS + SAFE, timeout=600, jobs=1)
    assert (outcome.status, outcome.word) == ("safe", "true")
    assert outcome.invariants and {i.origin.file for i in outcome.invariants} == {"source.c"}
    assert outcome.checkers and outcome.certificate


def test_verify_a_file_with_events_and_report(tmp_path: Path):
    path, report = tmp_path / "p.c", tmp_path / "p.html"
    path.write_text(DECLARATIONS + UNSAFE)
    events = []
    outcome = chcverify.verify(path, timeout=600, jobs=1, on_event=events.append, report=report)
    assert (outcome.status, outcome.word) == ("unsafe", "false(unreach-call)")
    assert outcome.trace[-1].kind == "violation" and outcome.trace[-1].origin.line == 5
    assert next(event.phase for event in events if not event.engine) == "encode"
    assert [event.seconds for event in events] == sorted(event.seconds for event in events)
    assert "false(unreach-call)" in report.read_text(encoding="utf-8")


def test_verify_clauses_as_text():
    text = chcverify.to_smtlib(counter(9))
    assert chcverify.verify(text, timeout=600, jobs=1, engines=["spacer"]).word == "sat"


def test_verify_raises_for_unusable_input(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        chcverify.verify(tmp_path / "missing.c")
    with pytest.raises(InputError, match="no engine 'magic'"):
        chcverify.verify(DECLARATIONS + SAFE, engines=["magic"])


def test_solve_both_ways():
    events = []
    system = counter(9)
    safe = chcverify.solve(system, timeout=600, jobs=1, on_event=events.append)
    assert isinstance(safe, Safe)
    assert chcverify.check(system, safe.model).accepted
    assert any(event.engine and event.phase == "start" for event in events)
    system = counter(8)
    unsafe = chcverify.solve(system, timeout=600, jobs=1, engines=["spacer"])
    assert isinstance(unsafe, Unsafe)
    assert chcverify.check(system, unsafe.derivation).accepted
    assert not chcverify.check(system, safe.model).accepted


def test_solve_in_time():
    assert isinstance(chcverify.solve(counter(9), timeout=1e-6), Unknown)  # too little even to begin
    with pytest.raises(InputError):
        chcverify.solve(counter(9), engines=["magic"])


def test_read_reduce_and_back():
    system = chcverify.load(chcverify.to_rules(counter(9)), language="horn")
    assert len(system.predicates) == 2 and len(system.clauses) == 4
    reduced, back = chcverify.reduce(system)
    result = chcverify.solve(reduced, timeout=600, jobs=1)
    assert isinstance(result, Safe)
    model = back.model(result.model)
    assert chcverify.check(system, model).accepted
    text = chcverify.model_to_text(system, model)
    assert chcverify.check(system, chcverify.model_from_text(system, text)).accepted


def test_load_a_program():
    assert len(chcverify.load(DECLARATIONS + SAFE).queries) == 1
    trapped = chcverify.load('int main(void) {\n  __asm__("nop");\n}\n')
    assert [clause.name for clause in trapped.clauses if clause.is_query] == ["not modelled: assembler statement"]
    with pytest.raises(chcverify.Refused):
        chcverify.load("int main(void) { return 0; }\n", property="no-data-race")


def test_formulas_that_are_no_clauses():
    x = z3.Int("x")
    p, q = (z3.Function(name, z3.IntSort(), z3.BoolSort()) for name in "pq")
    f = z3.Function("f", z3.IntSort(), z3.IntSort())
    for formula in (z3.Or(p(x), q(x)), z3.Implies(p(x), f(x) > 0)):
        with pytest.raises(NotHorn):
            chcverify.from_formulas([formula])


def test_formulas_with_quantifiers_and_nullary_predicates():
    x, y = z3.Ints("x y")
    p, done = z3.Function("p", z3.IntSort(), z3.BoolSort()), z3.Bool("done")
    system = chcverify.from_formulas(
        [p(0), z3.ForAll([x, y], z3.Implies(z3.And(p(x), y > x), p(y))), z3.Implies(p(x), done), z3.Not(done)]
    )
    assert sorted(predicate.name for predicate in system.predicates) == ["done", "p"]
    assert isinstance(chcverify.solve(system, timeout=600, jobs=1), Unsafe)


def test_clauses_by_hand():
    p = Predicate("P", (z3.IntSort(),))
    x = z3.Int("x")
    system = HornSystem.of([Clause(p(x), (), x == 0), Clause(None, (p(x),), x != 0)])
    assert isinstance(chcverify.solve(system, timeout=600, jobs=1, second_check="off"), Safe)
