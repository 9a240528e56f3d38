"""Numbers for names: equal results only of formulas that are the same but for names."""

import z3

from chcverify.terms.core.numbered_variables import with_numbered_variables

X, Y, Z = z3.Ints("x y z")


def test_names_do_not_matter_but_which_variables_are_the_same() -> None:
    first = with_numbered_variables(z3.And(X > Y, Y > 0), [X, Y])
    assert first.eq(with_numbered_variables(z3.And(Z > X, X > 0), [X, Y, Z]))
    assert not first.eq(with_numbered_variables(z3.And(Z > X, Z > 0), [X, Z]))
    assert not first.eq(with_numbered_variables(z3.And(X > X, X > 0), [X]))


def test_sorts_matter() -> None:
    p, q = z3.Bools("p q")
    word = z3.BitVec("word", 8)
    assert with_numbered_variables(p, [p]).eq(with_numbered_variables(q, [q]))
    assert not with_numbered_variables(word == word + 1, [word]).eq(with_numbered_variables(X == X + 1, [X]))


def test_other_constants_leave_the_formula_as_it_is() -> None:
    formula = z3.And(X > Y, Z > 0)
    assert with_numbered_variables(formula, [X, Y]).eq(formula)


def test_bound_variables_stay() -> None:
    bound = z3.Int("bound")
    one = with_numbered_variables(z3.ForAll([bound], bound > X), [X])
    assert one.eq(with_numbered_variables(z3.ForAll([bound], bound > Y), [Y]))
    assert not one.eq(with_numbered_variables(z3.ForAll([bound], bound > bound), []))
