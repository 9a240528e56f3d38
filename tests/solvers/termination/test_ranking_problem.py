"""The question for ranks as text: solutions satisfy it, other ranks do not."""

import re
from collections.abc import Mapping

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.termination.ranking_problem import ranking_problem
from tests.chcverify.certificate.termination_systems import endless, nested


def answer(text: str, definitions: Mapping[str, str]) -> z3.CheckSatResult:
    """Whether the text holds with these definitions in place of the declarations."""
    for name, body in definitions.items():
        declared = re.search(rf"\(declare-fun {re.escape(name)} \(([^)]*)\) (\w+)\)", text)
        assert declared, text
        formals = " ".join(f"(x{i} {sort})" for i, sort in enumerate(declared[1].split()))
        text = text.replace(declared[0], f"(define-fun {name} ({formals}) {declared[2]} {body})")
    solver = z3.Solver()
    solver.from_string(text)
    return solver.check()


def test_a_rank_of_an_inner_loop_solves_it() -> None:
    """for (x = any; x > 0; x--) for (y = x; y > 0; y--): from x on there are less than (x + 1)^2 steps."""
    text = ranking_problem(nested()[0])
    model = {"outer": "true", "inner": "(and (> x0 0) (<= x1 x0))"}
    ranks = {
        "rank.outer": "(ite (< x0 0) 0 (* (+ x0 1) (+ x0 1)))",
        "rank.inner": "(+ (* x0 x0) x0 (ite (< x1 0) 0 x1))",
    }
    assert "(set-logic ALL)" in text and answer(text, {**model, **ranks}) == z3.sat
    assert answer(text, {**model, "rank.outer": "x0", "rank.inner": "x0"}) == z3.unsat


def test_a_single_loop_has_a_rank() -> None:
    x, loop = z3.Int("x"), Predicate("loop", (z3.IntSort(),))
    system = HornSystem.of([Clause(loop(x), (), z3.BoolVal(True)), Clause(loop(x - 1), (loop(x),), x > 0)])
    text = ranking_problem(system)
    assert answer(text, {"loop": "true", "rank.loop": "x0"}) == z3.sat
    assert answer(text, {"loop": "true", "rank.loop": "(- x0)"}) == z3.unsat
    assert answer(text, {"loop": "(> x0 5)", "rank.loop": "x0"}) == z3.unsat, "no model of the clauses"


def test_a_run_that_does_not_end_has_no_rank() -> None:
    text = ranking_problem(endless()[0])
    solver = z3.Solver()
    solver.set("timeout", 20_000)
    solver.from_string(text)
    assert solver.check() != z3.sat
