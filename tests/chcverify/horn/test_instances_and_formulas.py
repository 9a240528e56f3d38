"""Ground instances of clauses, and systems made of z3's formulas."""

import pytest
import z3

from chcverify.horn.ground_instance import ground_instance
from chcverify.horn.io.clausify import NotHorn
from chcverify.horn.io.z3_formulas import from_formulas
from chcverify.horn.system import Clause, Predicate

INT = z3.IntSort()
x, y, n = z3.Ints("x y n")
P = Predicate("P", (INT, INT))
STEP = Clause(P(x + 1, n), (P(x, y),), z3.And(n > y, n < y + 3))


def numbers(*values: int) -> list[z3.ExprRef]:
    return [z3.IntVal(value) for value in values]


def test_values_of_all_variables() -> None:
    values = ground_instance(STEP, numbers(4, 9), [numbers(3, 7)])
    assert values is not None
    found = {str(variable): values[variable.get_id()].as_long() for variable in STEP.variables}
    assert found == {"x": 3, "y": 7, "n": 9}
    free = ground_instance(STEP, None, [numbers(3, 7)])
    assert free is not None and free[n.get_id()].as_long() in (8, 9)


def test_no_instance() -> None:
    assert ground_instance(STEP, numbers(4, 20), [numbers(3, 7)]) is None
    assert ground_instance(STEP, numbers(5, 9), [numbers(3, 7)]) is None


def test_formulas_of_z3() -> None:
    count, done = z3.Function("count", INT, z3.BoolSort()), z3.Bool("done")
    system = from_formulas(
        [
            count(z3.IntVal(0)),
            z3.Implies(z3.And(count(x), x < 9), count(x + 1)),
            z3.ForAll([x], z3.Implies(z3.And(count(x), x == 9), done)),
            z3.Implies(done, z3.BoolVal(False)),
        ]
    )
    assert {predicate.name for predicate in system.predicates} == {"count", "done"}
    assert len(system.clauses) == 4 and sum(clause.is_query for clause in system.clauses) == 1


def test_what_is_no_system() -> None:
    count = z3.Function("count", INT, z3.BoolSort())
    with pytest.raises(NotHorn):
        from_formulas([z3.Or(count(x), count(x + 1))])
