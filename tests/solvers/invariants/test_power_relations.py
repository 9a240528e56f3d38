"""Arguments that are scaled again and again: the powers that are candidates, and what follows from them."""

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from solvers.invariants.congruences.power_relations import power_relations, without_implied

d, p, b, e, q = z3.Ints("d p b e q")
WORD = 1 << 32
STATE = Predicate("loop", (z3.IntSort(),) * 3)


def system_with(*steps: z3.ArithRef) -> HornSystem:
    """P(d, p, b) from steps."""
    start = Clause(Application(STATE, (b, z3.IntVal(1), b)), (), b > 0)
    new = z3.Ints("d1 p1 b1")
    defined = z3.And([value == step for value, step in zip(new, steps, strict=True)])
    step = Clause(Application(STATE, tuple(new)), (Application(STATE, (d, p, b)),), z3.And(d < WORD, defined))
    return HornSystem((STATE,), (start, step))


def test_numbers_that_are_doubled_together_have_one_power() -> None:
    found = power_relations(system_with(2 * d, p / 2, b))[STATE]
    x, y, base = STATE.formals
    assert {tuple((str(one), str(of)) for one, of in relation.scaled) for relation in found} >= {
        ((str(x), "1"),),
        ((str(x), str(base)),),
        ((str(y), "1"),),
        ((str(x), str(base)), (str(y), "1")),
    }
    assert all(len(one.scaled) == 2 and len(one.powers) == 64 for one in without_implied(found))


def test_powers_keep_to_what_is_known() -> None:
    relation = power_relations(system_with(3 * d, p, b))[STATE][0]
    x = STATE.formals[0]
    assert relation.powers[:4] == (1, 3, 9, 27)
    assert relation.within(z3.And(x > 2, x < 30)).powers == (3, 9, 27)
    assert list(relation.products()) == []


def test_products_follow() -> None:
    relation = next(one for one in power_relations(system_with(2 * d, 2 * p, b))[STATE] if len(one.scaled) == 2)
    (product,) = relation.products()
    solver = z3.Solver()
    solver.add(relation.within(STATE.formals[0] < 8).formula(), *(formal > 0 for formal in STATE.formals))
    solver.add(z3.Not(product))
    assert solver.check() == z3.unsat


def test_nothing_is_scaled() -> None:
    assert power_relations(system_with(d + 2, p - b, b))[STATE] == []
