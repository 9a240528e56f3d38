"""Ranks that count remaining steps: they are the lengths of the longest runs, and there are none where runs go on."""

import itertools
import random
import time
from collections.abc import Mapping

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import substitute
from solvers.termination.ranking_search import NotFound, prove
from solvers.termination.remaining_steps import StepFormula, ranks_by_remaining_steps

x, x1, i = z3.Ints("x x1 i")
VALUES = range(4)
NAMES = ("outer", "first", "second")
PLACES = {name: Predicate(name, (z3.IntSort(),)) for name in NAMES}
Step = tuple[str, int, str, int]


def chosen_steps(rng: random.Random) -> list[Step]:
    """Some steps between facts; a step (a, v, b, w) leads from a(v) to b(w)."""
    facts = list(itertools.product(NAMES, VALUES))
    return [(*rng.choice(facts), *rng.choice(facts)) for _ in range(rng.randint(2, 8))]


def formula_of(step: Step) -> StepFormula:
    start, value, target, after = step
    return StepFormula(PLACES[start], PLACES[target], (x,), (x1,), z3.And(x == value, x1 == i, i == after))


def longest(steps: list[Step]) -> Mapping[tuple[str, int], int] | None:
    """The length of the longest run from each fact at which a step begins; None if a run can go on for ever."""
    starts = {step[0] for step in steps}
    length = dict.fromkeys(itertools.product(starts, VALUES), 0)
    for _ in range(len(length) + 1):
        # a step to where no other begins counts, and is the last one
        following = {
            fact: max((1 + length.get((b, w), 0) for a, v, b, w in steps if (a, v) == fact), default=0)
            for fact in length
        }
        if following == length:
            return length
        length = following
    return None


@pytest.mark.parametrize("seed", range(40))
def test_a_rank_is_the_length_of_the_longest_run(seed: int) -> None:
    steps = chosen_steps(random.Random(seed))
    known = Model({place: z3.BoolVal(True) for place in PLACES.values()})
    ranks = ranks_by_remaining_steps([formula_of(step) for step in steps], known, time.monotonic() + 600)
    expected = longest(steps)
    inside = {a for a, _, _, _ in steps}
    if any(b not in inside for _, _, b, _ in steps):
        return  # a component has no such steps
    assert (ranks is None) == (expected is None)
    for (name, value), length in (expected or {}).items():
        assert ranks is not None
        rank = substitute(ranks[PLACES[name]], [(PLACES[name].formals[0], z3.IntVal(value))])
        assert z3.simplify(rank).eq(z3.IntVal(length))


def words(moves: bool) -> HornSystem:
    """while (t[p]) { while (t[p] == 1) p++; while (t[p] && t[p] != 1) p++; } for p <= 9 and t[9] = 0.

    moves: else the second inner loop is left at once."""
    text, p = z3.Const("t", z3.ArraySort(z3.IntSort(), z3.IntSort())), z3.Int("p")
    outer, blanks, word = (Predicate(name, (text.sort(), z3.IntSort()), names=("t", "p")) for name in NAMES)
    here = z3.Select(text, p)
    skips = z3.And(here != 0, here != 1, z3.BoolVal(moves))
    return HornSystem.of(
        [
            Clause(outer(text, z3.IntVal(0)), (), z3.Select(text, z3.IntVal(9)) == 0),
            Clause(blanks(text, p), (outer(text, p),), here != 0),
            Clause(blanks(text, p + 1), (blanks(text, p),), here == 1),
            Clause(word(text, p), (blanks(text, p),), here != 1),
            Clause(word(text, p + 1), (word(text, p),), skips),
            Clause(outer(text, p), (word(text, p),), z3.Not(skips)),
        ]
    )


def known_of(system: HornSystem) -> Model:
    """t[9] = 0 and p <= 9."""
    return Model(
        {
            place: z3.And(z3.Select(place.formals[0], z3.IntVal(9)) == 0, place.formals[1] <= 9)
            for place in system.predicates
        }
    )


def test_words_of_a_text() -> None:
    system = words(True)
    proof = prove(system, known_of(system), time.monotonic() + 600, is_thorough=False)
    assert certify(system, proof, time.monotonic() + 600, "off").accepted


def test_no_ranks_where_a_run_stays_in_front_of_a_word() -> None:
    system = words(False)
    with pytest.raises(NotFound):
        prove(system, known_of(system), time.monotonic() + 60, is_thorough=False)
