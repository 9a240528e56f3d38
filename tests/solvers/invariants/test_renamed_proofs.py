"""Proofs under other names: what is found is a proof, and symmetric goals are found."""

import random
from fractions import Fraction

import pytest
import z3

from chcverify.terms.core.sums import sum_of
from solvers.invariants.renamed_proofs import RenamedProofs

a, b, c, d = z3.Reals("a b c d")
p, q = z3.Bools("p q")


def is_refuted(*parts: z3.BoolRef) -> bool:
    solver = z3.SimpleSolver()
    solver.add(*parts)
    return bool(solver.check() == z3.unsat)


def learnt(given: list[z3.BoolRef], goal: z3.BoolRef) -> RenamedProofs:
    proofs = RenamedProofs(given)
    core = proofs.core(goal, 60)
    assert core is not None and is_refuted(*core, z3.Not(goal))
    proofs.add(core, goal)
    return proofs


def test_a_goal_of_another_variable_has_the_same_proof() -> None:
    given = [a <= c, c <= 3, b <= d, d <= 3, p]
    assert learnt(given, a <= 3).find(b <= 3) == {2, 3}


def test_the_order_of_arguments_does_not_matter() -> None:
    given = [z3.Or(a == 1, a == 2), z3.Or(b == 2, b == 1), a + c == 5, d + b == 5]
    assert learnt(given, c >= 3).find(d >= 3) == {1, 3}


@pytest.mark.parametrize(
    ("given", "goal", "other"),
    [
        ([a <= c, c <= 3, b <= d, d <= 4], a <= 3, b <= 3),  # another number
        ([a <= c, c <= 3, b <= d, p], a <= 3, b <= 3),  # nothing in the place of c <= 3
        ([a <= c, c <= 3, b <= d, d <= 3], a <= 3, b <= 2),  # another goal
        ([a <= c, c <= 3, b <= d, a <= 3], a <= 3, b <= 3),
        ([a + a <= 3], a + a <= 3, a + b <= 3),  # equal arguments are not different ones
    ],
)
def test_what_has_no_such_proof_is_not_found(given: list[z3.BoolRef], goal: z3.BoolRef, other: z3.BoolRef) -> None:
    assert learnt(given, goal).find(other) is None


def test_conjuncts_that_may_not_be_used_are_not_used() -> None:
    given = [a <= 3, b <= 3, b <= 3 + 0 * c]
    assert learnt(given, a <= 3).find(b <= 3, {1}) is None


def test_no_core_where_the_goal_does_not_follow() -> None:
    assert RenamedProofs([a <= 3]).core(a <= 2, 60) is None


def test_terms_with_quantifiers_are_refused() -> None:
    with pytest.raises(ValueError, match="quantifiers"):
        RenamedProofs([z3.ForAll([a], a <= b)])


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_found_follows(seed: int) -> None:
    """Against a solver, for random conjuncts about few variables: many that look alike, few that are images."""
    rng = random.Random(seed)
    variables = z3.Reals("x y z u v w")
    flags = z3.Bools("f g h")

    def literal() -> z3.BoolRef:
        one, two = rng.choice(variables), rng.choice(variables)
        bound = z3.RealVal(Fraction(rng.randint(0, 2)))
        return rng.choice(
            [one <= two, one - two <= bound, one == bound, sum_of([one, two]) >= bound, rng.choice(flags)]
        )

    given = [z3.Or(literal(), literal()) if rng.random() < 0.4 else literal() for _ in range(14)]
    proofs = RenamedProofs(given)
    for _ in range(60):
        goal = z3.Or(literal(), literal())
        found = proofs.find(goal)
        if found is not None:
            assert is_refuted(*(given[position] for position in found), z3.Not(goal))
        elif (core := proofs.core(goal, 60)) is not None:
            proofs.add(core, goal)
