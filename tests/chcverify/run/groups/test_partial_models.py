"""Models that need no engine: which queries they refute, and that they are models."""

import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.run.groups.partial_models import model_of_reachability

INT = z3.IntSort()
a, b, c, d = (Predicate(name, (INT,)) for name in "abcd")
x, y = z3.Ints("x y")
TRUE = z3.BoolVal(True)


def test_only_queries_that_no_clauses_lead_to_are_refuted() -> None:
    clauses = [
        Clause(a(x), (), x > 0),
        Clause(b(x), (a(x), a(y)), x < y),
        Clause(c(x), (b(x), d(y)), TRUE),  # d has no fact
        Clause(d(x), (d(y), a(x)), x > y),
        Clause(None, (b(x),), x == 7),
        Clause(None, (c(x),), TRUE),
        Clause(None, (b(x), d(x)), TRUE),
        Clause(None, (), x > x),
        Clause(c(x), (), z3.Not(TRUE)),
    ]
    system = HornSystem.of(clauses)
    found = model_of_reachability(system)
    assert found.refuted == {5, 6, 7}
    kept = HornSystem.of([clauses[i] for i in range(9) if i != 4], system.predicates)
    assert certify(kept, found.whole(), float("inf"), "off").accepted
    assert not certify(system, found.whole(), float("inf"), "off").accepted
