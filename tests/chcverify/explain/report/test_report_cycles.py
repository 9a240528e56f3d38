"""How a cycle of a derivation is told to people."""

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Link, Step
from chcverify.explain.clause_text import report_data
from chcverify.explain.report.sections import derivation as section
from chcverify.horn.system import Clause, HornSystem, Predicate

P, Q = (Predicate(name, (z3.IntSort(),)) for name in "PQ")
x, m = z3.Ints("x m")
SYSTEM = HornSystem.of(
    [
        Clause(P(x), (), x == 0),
        Clause(Q(x + 1), (P(x),), x < 500),
        Clause(P(x), (Q(x),), z3.BoolVal(True)),
        Clause(None, (P(x),), x == 500),
    ]
)
CYCLE = Cycle(m, 500, 0, (Link(1, (m + 1,), (None,)), Link(2, (m + 1,), (None,))))
DERIVATION = Derivation((Step(0, (z3.IntVal(0),), ()), CYCLE, Step(3, (), (1,))))


def test_a_cycle_is_one_line():
    shown = report_data(SYSTEM, DERIVATION)
    assert [line.fact for line in shown.derivation] == ["P(0)", "P(500)", "false"]
    line = shown.derivation[1]
    assert line.premises == (0,)
    assert line.cycle is not None
    assert (line.cycle.count, line.cycle.links) == (500, ((1, "Q(n + 1)"), (2, "P(n + 1)")))
    page = section(shown, is_open=True)
    assert "500 times, for n = 0, …, 499: <code>Q(n + 1)</code>, <code>P(n + 1)</code>" in page
    assert '<a href="#clause-1">1</a>, <a href="#clause-2">2</a>' in page
