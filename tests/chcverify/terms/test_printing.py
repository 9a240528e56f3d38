"""Printed terms: texts that z3 reads back as the same term, and texts for people."""

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.terms.printing.binders import fresh, has_binder, rename_apart, rename_bound
from chcverify.terms.printing.infix import infix_text
from chcverify.terms.printing.negation import negations_inside
from chcverify.terms.printing.smtlib import Malformed, benchmark, expressions, name_of, symbol
from tests.chcverify.terms.equivalence import equivalent

x, y = z3.Ints("x y")
b, c = z3.Bools("b c")
u = z3.BitVec("u", 8)
a = z3.Array("a", z3.IntSort(), z3.IntSort())


def test_bound_variables_get_names_of_their_own():
    formula = z3.And(x > 0, z3.ForAll([x], z3.Exists([y], y > x)), z3.Exists([x], x == y))
    renamed = rename_bound(formula, "q!")
    assert equivalent(formula, renamed)
    names = [part.var_name(0) for part in (renamed.arg(1), renamed.arg(1).body(), renamed.arg(2))]
    assert len(set(names)) == 3 and all(name.startswith("q!") for name in names)
    array = z3.Lambda([x], x + 1)
    assert z3.simplify(rename_bound(array, "q!")[y]).eq(z3.simplify(y + 1))
    assert has_binder(formula.sexpr()) and not has_binder((x > 0).sexpr())
    assert fresh("v", "(> v v_)") == "v__"


def test_renamed_variables_are_not_captured():
    formula = z3.Exists([x], x > y)
    names, renamed = rename_apart(formula, [y], ["x"], formula.sexpr())
    assert names != ["x"] and equivalent(z3.substitute(renamed, (z3.Int(names[0]), y)), formula)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (z3.And(x >= 0, y == x + 1), "x ≥ 0 ∧ y = x + 1"), (z3.Or(b, z3.And(c, z3.Not(b))), "b ∨ c ∧ ¬b"),
        (z3.And(z3.Or(b, c), b), "(b ∨ c) ∧ b"), (x - (y - 1), "x - (y - 1)"), (z3.Not(x == y), "x ≠ y"),
        (x + -y, "x - y"), (2 * (x + y), "2·(x + y)"), (a[x + 1], "a[x + 1]"), (z3.Store(a, x, 3), "a[x := 3]"),
        (z3.If(b, x, y), "if b then x else y"), (z3.Not(z3.ULT(u, 3)), "¬(u <ᵤ 3)"),
        (u + z3.BitVecVal(255, 8), "u + -1"),
    ],
)  # fmt: skip
def test_infix(term, text):
    assert infix_text(term) == text


def test_long_terms_are_cut():
    total = x
    for i in range(2000):
        total = total + z3.Int(f"number{i}")
    assert "…" in infix_text(total) and len(infix_text(total)) < 2000


@pytest.mark.parametrize(
    "formula",
    [
        z3.Not(z3.And(b, z3.Or(c, x > 0))), z3.Not(z3.Implies(b, x <= y)), z3.Not(z3.Not(b)), z3.Not(x < 3),
        z3.Implies(z3.Not(b), z3.Not(z3.Or(b, x == y))), z3.Not(z3.ForAll([x], x > y)), z3.Not(z3.ULT(u, 3)),
    ],
)  # fmt: skip
def test_negations_stand_at_atoms(formula):
    result = negations_inside(formula)
    assert equivalent(result, formula)
    stack = [result]
    while stack:
        part = stack.pop()
        if z3.is_not(part):
            assert not (z3.is_and(part.arg(0)) or z3.is_or(part.arg(0)) or z3.is_implies(part.arg(0)))
        elif not z3.is_quantifier(part):
            stack += part.children()


def test_scripts_are_read_back():
    formula = z3.And(z3.Int("a b") > 0, z3.Or(b, a[x] == y), z3.ULT(u, 3))
    (again,) = z3.parse_smt2_string(benchmark(formula))
    assert equivalent(again, formula)


def test_symbols():
    assert [symbol(name) for name in ("x", "a b", "let", "9")] == ["x", "|a b|", "|let|", "|9|"]
    assert [name_of(text) for text in ("x", "|a b|", "|")] == ["x", "a b", "|"]
    with pytest.raises(ValueError, match="no SMT-LIB symbol"):
        symbol("a|b")
    assert Malformed("wrong", 7).position == 7


ATOMS = st.sampled_from(["a", "|b (|", '"(""\t"', "12", "; ) (\n"])
TREES = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=4).map(lambda parts: f"({' '.join(parts)} )"))


@given(st.lists(TREES, max_size=5))
def test_expressions_are_the_lists_and_atoms_that_were_joined(parts: list[str]) -> None:
    text = " ".join(parts)
    assert [text[start:end] for start, end in expressions(text)] == [part for part in parts if part[0] != ";"]


@pytest.mark.parametrize("text", ["(a (b)", "(a))", "(a |)", "((a) ; )"])
def test_lists_without_their_end_are_reported(text: str) -> None:
    with pytest.raises(Malformed):
        list(expressions(text))


def test_variables_whose_names_are_written_with_escapes_are_renamed() -> None:
    plain, barred = z3.Int("x"), z3.Int("a|b")
    formula = plain > barred
    names, renamed = rename_apart(formula, [plain, barred], ["v_0", "v_1"], benchmark(formula))
    assert names == ["v_0", "v_1"] and str(renamed) == "v_0 > v_1"
