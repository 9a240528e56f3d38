"""Formulas about words made weaker: whatever has a solution keeps one, and what needs no circuits is still refuted."""

from collections.abc import Callable

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.terms.bitvectors.modular_sums import ModularSum
from chcverify.terms.bitvectors.words_apart import OtherOperations, WordsApart, weaker

X, Y, Z = (z3.BitVec(name, 32) for name in "xyz")
OPERATIONS: dict[str, Callable[[z3.BitVecRef, z3.BitVecRef], z3.BoolRef]] = {
    "<=": lambda left, right: left <= right,
    "<": lambda left, right: left < right,
    "unsigned <=": z3.ULE,
    "unsigned >": z3.UGT,
    "=": lambda left, right: left == right,
}


def sums(width: int) -> st.SearchStrategy[z3.BitVecRef]:
    variables = [z3.BitVec(name, width) for name in "abc"]
    few = st.sampled_from([-1, 0, 0, 1, 1, 2])

    def total(factors: list[int], constant: int) -> z3.BitVecRef:
        parts = [factor * variable for factor, variable in zip(factors, variables, strict=True) if factor]
        return sum(parts, z3.BitVecVal(constant, width))

    return st.builds(total, st.lists(few, min_size=3, max_size=3), st.integers(-4, 3))


def formulas(width: int) -> st.SearchStrategy[z3.BoolRef]:
    operations = st.sampled_from(list(OPERATIONS.values()))
    comparisons = st.builds(lambda make, left, right: make(left, right), operations, sums(width), sums(width))
    return st.recursive(
        comparisons,
        lambda below: st.one_of(
            st.builds(z3.Not, below),
            st.lists(below, min_size=2, max_size=4).map(z3.And),
            st.lists(below, min_size=2, max_size=4).map(z3.Or),
        ),
        max_leaves=8,
    )


def is_satisfiable(formula: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.add(formula)
    return solver.check() == z3.sat


@settings(max_examples=50, deadline=None)
@given(st.sampled_from([1, 2, 3, 4]).flatmap(formulas))
def test_what_has_a_solution_keeps_one(formula: z3.BoolRef) -> None:
    lighter = weaker(formula)
    assert lighter is not None
    assert is_satisfiable(lighter) or not is_satisfiable(formula)


@settings(max_examples=15, deadline=None)
@given(formulas(3))
def test_each_solution_gives_values_to_the_integers(formula: z3.BoolRef) -> None:
    """The values of one solution at a time: the weaker formula and the facts hold together with them."""
    solver = z3.Solver()
    solver.add(formula)
    variables = [z3.BitVec(name, 3) for name in "abc"]
    for _ in range(5):
        if solver.check() != z3.sat:
            return
        model = solver.model()
        here = [variable == model.eval(variable, model_completion=True) for variable in variables]
        lighter = weaker(z3.And(formula, *here))
        assert lighter is not None
        assert is_satisfiable(lighter)
        solver.add(z3.Not(z3.And(here)))


REFUTED = {
    "equal variables": z3.And(X == Y, X - Z >= 3, Y - Z < 3),
    "the same written otherwise": z3.And(X == Y, X - Z >= 3, z3.BitVecVal(2, 32) >= z3.BitVecVal(0, 32) - Z + Y),
    "no difference": z3.And(X == Y, Z == Y, X - Z - 1 >= 0),
    "a difference in two directions": z3.And(X - Y >= 4, X - Y <= 100, Y - X >= -3),
    "opposite inequalities": z3.And(X - Y - 3 >= 0, Y - X + 3 >= 0, X - Y != 3),
    "a sum in another order": z3.And(X == Z, X + Y >= 9, Y + Z < 9),
    "unsigned": z3.And(z3.ULE(X - Y, 5), z3.UGE(X - Y, 6)),
    "around the ends": z3.And(X - Y >= 2**31 - 2, X - Y + 4 >= 0),
    "two differences": z3.And(X - Y <= Z - Y, Z - Y < X - Y),
    "constants": z3.And(X <= 5, X - 1 >= 5, X >= 0),
}


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_refuted_without_circuits(name: str) -> None:
    assert not is_satisfiable(REFUTED[name])
    lighter = weaker(REFUTED[name])
    assert lighter is not None
    assert not is_satisfiable(lighter)


def test_inequalities_that_wrap_around_are_no_contradiction() -> None:
    lighter = weaker(z3.And(X - Y - 1 >= 0, Y - X - 1 >= 0))  # x - y = -2^31
    assert lighter is not None
    assert is_satisfiable(lighter)


@pytest.mark.parametrize("formula", [X * Y >= 3, X & 3 == Y, z3.Int("i") >= 0, z3.ForAll([X], X >= Y)])
def test_other_operations_are_left_alone(formula: z3.BoolRef) -> None:
    assert weaker(formula) is None
    with pytest.raises(OtherOperations):
        WordsApart().weaker(formula)


def test_formulas_share_their_integers() -> None:
    words = WordsApart()
    solver = z3.Solver()
    for formula in (X == Y, X - Z >= 3, Y - Z < 3):
        assert solver.check() == z3.sat
        solver.add(words.weaker(formula), *words.new_facts())
    assert solver.check() == z3.unsat


def test_sums_are_collected_modulo_the_range() -> None:
    total = ModularSum.of(2 * X - (X - Y) + z3.BitVecVal(2**32 - 1, 32) * Z + 7)
    named = {str(total.terms[key]): factor for key, factor in total.factors.items()}
    assert named == {"x": 1, "y": 1, "z": 2**32 - 1}
    assert total.constant == 7
