"""Local variables that matter in one branch only: facts among the conjuncts, and cases."""

import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.effort import MAX_COMBINED
from chcverify.terms.native.arena import Arena
from chcverify.terms.quantifiers.guarded_locals import guarded_cases, with_facts
from tests.chcverify.terms.equivalence import equivalent

x, y, v, w = z3.Ints("x y v w")
zero = z3.IntVal(0)
LEAVES = [x, y, v, w, z3.IntVal(0), z3.IntVal(3)]


def terms() -> st.SearchStrategy[z3.ArithRef]:
    return st.recursive(
        st.sampled_from(LEAVES),
        lambda inner: st.one_of(
            st.builds(lambda a, b: a + b, inner, inner),
            st.builds(lambda a, b, c: z3.If(a == b, c, a), inner, inner, inner),
        ),
        max_leaves=6,
    )


def formulas() -> st.SearchStrategy[z3.BoolRef]:
    comparisons = st.one_of(
        st.builds(lambda a, b: a <= b, terms(), terms()), st.builds(lambda a, b: a == b, terms(), terms())
    )
    return st.recursive(
        comparisons,
        lambda inner: st.one_of(
            st.builds(z3.Not, inner), st.builds(z3.And, inner, inner), st.builds(z3.Or, inner, inner)
        ),
        max_leaves=3,
    )


def changed(parts: list[z3.BoolRef]) -> list[str]:
    arena = Arena()
    locals_ = {arena.handle(v), arena.handle(w)}
    return [str(arena.wrap(part)) for part in with_facts([arena.handle(part) for part in parts], locals_, arena)]


def test_atoms_have_their_truth_values_in_the_others() -> None:
    assert changed([z3.Not(x == 0), z3.If(zero == x, v, y) <= 3]) == ["Not(x == 0)", "y <= 3"]
    assert changed([x <= 3, z3.Implies(x <= 3, w == 1), z3.Not(z3.And(x <= 3, w == 1))]) == [
        "x <= 3", "w == 1", "Not(w == 1)",
    ]  # fmt: skip
    assert changed([v <= 3, z3.Not(v <= 3)]) == ["v <= 3", "False"]
    assert changed([x <= 3, z3.Not(z3.And(x <= 3, y == 1))]) == ["x <= 3", "Not(And(x <= 3, y == 1))"], "no local"


@settings(max_examples=60, deadline=None)
@given(st.lists(formulas(), min_size=1, max_size=4))
def test_facts_keep_the_meaning(parts: list[z3.BoolRef]) -> None:
    arena = Arena()
    after = with_facts([arena.handle(part) for part in parts], {arena.handle(v), arena.handle(w)}, arena)
    assert equivalent(z3.And(parts), z3.And([z3.BoolVal(True), *map(arena.wrap, after)]))


@settings(max_examples=60, deadline=None)
@given(st.lists(formulas(), min_size=1, max_size=4))
def test_cases_keep_the_meaning(parts: list[z3.BoolRef]) -> None:
    arena = Arena()
    cases = guarded_cases([arena.handle(part) for part in parts], {arena.handle(v), arena.handle(w)}, arena)
    assert len(cases) <= MAX_COMBINED
    disjuncts = [z3.And([z3.BoolVal(True), *map(arena.wrap, case)]) for case in cases]
    assert equivalent(z3.And(parts), z3.Or([z3.BoolVal(False), *disjuncts]))


def test_a_case_without_the_local_variable() -> None:
    # the remainder of a division by x, any number if x is 0
    arena = Arena()
    parts = [arena.handle(z3.If(x == 0, v, y % 7) >= 2)]
    first, second = guarded_cases(parts, {arena.handle(v)}, arena)
    mentioned = [{str(arena.wrap(term)) for part in case for term in arena.variables(part)} for case in (first, second)]
    assert {"x", "v"} in mentioned and {"x", "y"} in mentioned


def test_a_contradiction_has_no_case() -> None:
    arena = Arena()
    assert guarded_cases([arena.false, arena.handle(v >= x)], {arena.handle(v)}, arena) == []


def test_conditions_about_bound_variables_are_no_cases() -> None:
    arena = Arena()
    parts = [arena.handle(z3.ForAll([y], z3.If(y == 0, v, y) >= 0))]
    assert guarded_cases(parts, {arena.handle(v)}, arena) == [parts]
