"""Sums of cells for arrays: what is proposed, models that come back, clauses that keep their instances."""

import random
import time

import pytest
import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.policy import certify
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Result, Safe
from chcverify.terms.core.traversal import conjunction, substitute, subterms
from chcverify.transforms.abstractions.array_sums.cell_summation import CellSummation
from chcverify.transforms.abstractions.array_sums.sum_values import SumValues
from chcverify.transforms.abstractions.array_sums.summands import CELL, PLACE, unwrapped, wanted_sums
from chcverify.transforms.base import Identity, TranslationError
from solvers.engine import Context
from solvers.registry import get

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
WORD = 1 << 32
a, b = z3.Consts("a b", ARRAY)
i, j, n, s, t, p, w = z3.Ints("i j n s t p w")
FORWARDS = Predicate("forwards", (ARRAY, INT, INT, INT, INT), names=("a", "n", "p", "i", "s"))
CHANGED = Predicate("changed", (ARRAY, INT, INT, INT), names=("a", "n", "p", "s"))
AGAIN = Predicate("again", (ARRAY, INT, INT, INT, INT), names=("a", "p", "i", "s", "t"))
ZERO = z3.IntVal(0)


def wrapped(term: z3.ArithRef) -> z3.ArithRef:
    high = z3.If(term > WORD // 2 - 1, term - WORD, term)
    return z3.If(term < -WORD // 2, term + WORD, high)


def twice(change: z3.ArrayRef, summand: z3.ArithRef = CELL) -> HornSystem:
    """Adds the summands up from the front, changes the array, and adds them up again from the back: the same?"""

    def at(place: z3.ArithRef) -> z3.ArithRef:
        return substitute(summand, [(CELL, a[place]), (PLACE, place)])

    ranges = z3.And(a[i] >= -WORD // 2, a[i] < WORD // 2)
    in_words = z3.And(s >= -WORD // 2, s < WORD // 2, t >= -WORD // 2, t < WORD // 2)
    return HornSystem.of(
        [
            # 3 <= n <= 500 => forwards(a, n, p, 0, 0)
            Clause(FORWARDS(a, n, p, ZERO, ZERO), (), z3.And(n >= 3, n <= 500)),
            # forwards(a, n, p, i, s) & i < n => forwards(a, n, p, i + 1, s + e(a[i]))
            Clause(FORWARDS(a, n, p, i + 1, wrapped(s + at(i))), (FORWARDS(a, n, p, i, s),), z3.And(i < n, ranges)),
            # forwards(a, n, p, i, s) & i >= n & b = change => changed(b, n, p, s)
            Clause(CHANGED(b, n, p, s), (FORWARDS(a, n, p, i, s),), z3.And(i >= n, b == change)),
            # changed(a, n, p, s) => again(a, p, n - 1, s, 0)
            Clause(AGAIN(a, p, n - 1, s, ZERO), (CHANGED(a, n, p, s),), z3.BoolVal(True)),
            # again(a, p, i, s, t) & i >= 0 => again(a, p, i - 1, s, t + e(a[i]))
            Clause(AGAIN(a, p, i - 1, s, wrapped(t + at(i))), (AGAIN(a, p, i, s, t),), z3.And(i >= 0, ranges)),
            # again(a, p, i, s, t) & i < 0 & s != t => false
            Clause(None, (AGAIN(a, p, i, s, t),), z3.And(i < 0, s != t, in_words)),
        ]
    )


def solved(system: HornSystem, seconds: float = 300.0) -> Result:
    """The engine's result on the variant; a model must be accepted for the system itself."""
    made = SystemVariants(time.monotonic() + 300).sums(system)
    assert made is not None
    result = get("df-sums").solve(made[0], Context.within(seconds))
    if isinstance(result, Safe):
        verdict = certify(system, made[1].model(result.model), time.monotonic() + 60, "off")
        assert verdict.accepted, verdict.reason
    return result


SWAP = z3.Store(z3.Store(a, 0, a[2]), 2, a[0])
COUNT = z3.If(p == CELL, z3.IntVal(1), ZERO)


@pytest.mark.parametrize("summand", [CELL, COUNT, 3 * CELL, CELL + PLACE])
def test_a_sum_survives_an_exchange(summand: z3.ArithRef) -> None:
    assert isinstance(solved(twice(SWAP, summand)), Safe)


@pytest.mark.parametrize("change", [z3.Store(a, 0, a[1]), z3.Store(a, 0, a[0] + 1), z3.Store(a, n - 1, p)])
def test_another_change_is_no_proof(change: z3.ArrayRef) -> None:
    assert not isinstance(solved(twice(change), 6.0), Safe)


def test_what_is_proposed() -> None:
    system = twice(SWAP)
    wanted = wanted_sums(system, system)
    assert wanted is not None
    assert [str(summand) for summand in wanted.summands] == [str(CELL)]
    assert {str(bound) for bound in wanted.bounds["forwards"]} == {"0", "i", "n"}
    assert "1 + i" in {str(bound) for bound in wanted.bounds["again"]}
    assert wanted_sums(system, HornSystem(system.predicates, system.clauses[:1])) is None


def test_sums_begin_where_loops_begin() -> None:
    # P(a, n, 0, 0); P(a, n, i, s) & i < n => P(a, n, i + 1, s + a[block + i]): between block, block + i and block + n
    block = 1 << 48
    loop = Predicate("loop", (ARRAY, INT, INT, INT), names=("a", "n", "i", "s"))
    system = HornSystem.of(
        [
            Clause(loop(a, n, ZERO, ZERO), (), n >= 1),
            Clause(loop(a, n, i + 1, s + a[block + i]), (loop(a, n, i, s),), i < n),
            Clause(None, (loop(a, n, i, s),), z3.And(i >= n, s < 0)),
        ]
    )
    wanted = wanted_sums(system, system)
    assert wanted is not None
    assert {str(bound) for bound in wanted.bounds["loop"]} == {str(block), f"{block} + i", f"{block} + n"}


def test_a_sum_in_a_block_of_memory() -> None:
    # s is the cell of an array at an address: b[block] += a[i] for all of a = 1, 1, ...; then b[block] = n
    block = 1 << 48
    fill = Predicate("fill", (ARRAY, INT, INT, ARRAY), names=("a", "n", "i", "b"))
    add = Predicate("add", (ARRAY, INT, INT, ARRAY), names=("a", "n", "i", "b"))
    step = z3.Store(b, block, wrapped(b[block] + a[i]))
    in_words = z3.And(b[block] >= -WORD // 2, b[block] < WORD // 2)
    system = HornSystem.of(
        [
            Clause(fill(a, n, ZERO, b), (), z3.And(n >= 1, n <= 500)),
            Clause(fill(z3.Store(a, i, 1), n, i + 1, b), (fill(a, n, i, b),), i < n),
            Clause(add(a, n, ZERO, z3.Store(b, block, 0)), (fill(a, n, i, b),), i >= n),
            Clause(add(a, n, i + 1, step), (add(a, n, i, b),), i < n),
            Clause(None, (add(a, n, i, b),), z3.And(i >= n, b[block] != n, in_words)),
        ]
    )
    assert isinstance(solved(system), Safe)


def test_words() -> None:
    assert unwrapped(wrapped(s + a[i])).eq(z3.simplify(s + a[i], som=True))
    assert unwrapped((s + 1) % WORD).eq(z3.simplify(s + 1, som=True))
    kept = z3.If(s > 0, s, ZERO)
    assert unwrapped(kept).eq(z3.simplify(kept))


def test_systems_without_sums_stay() -> None:
    system = HornSystem.of([Clause(None, (CHANGED(a, n, p, s),), a[n] != s)])
    assert SystemVariants(time.monotonic() + 60).sums(system) is None
    result, back = CellSummation(None).apply(system)
    assert result is system
    assert isinstance(back, Identity)


def test_no_derivation_comes_back() -> None:
    system = twice(SWAP)
    _, back = CellSummation(wanted_sums(system, system)).apply(system)
    with pytest.raises(TranslationError):
        back.derivation(Derivation(()))


def _total(cells: list[int], bound: int, summand: z3.ArithRef) -> int:
    values = [
        z3.simplify(substitute(summand, [(CELL, z3.IntVal(cells[k])), (PLACE, z3.IntVal(k))]))
        for k in range(max(bound, 0))
    ]
    return sum(value.as_long() for value in values)


@pytest.mark.parametrize("summand", [CELL, CELL * 2 + PLACE, z3.If(CELL % 2 == 0, z3.IntVal(1), ZERO)])
def test_conditions_hold_of_arrays(summand: z3.ArithRef) -> None:
    """What is said of the sums of an array and of what stores make of it is true of numbers that loops compute."""
    chooser = random.Random(3)
    for _ in range(30):
        cells = [chooser.randrange(-3, 4) for _ in range(8)]
        array = z3.K(INT, ZERO)
        for k, cell in enumerate(cells):
            array = z3.Store(array, k, cell)
        bounds, place, value = [i, i + 1, n], z3.IntVal(chooser.randrange(8)), z3.IntVal(chooser.randrange(-3, 4))
        values = SumValues()
        names = [z3.Int(f"sum{k}") for k in range(len(bounds))]
        for bound, name in zip(bounds, names, strict=True):
            values.assume(a, summand, bound, name)
        wanted = [(z3.Store(a, place, value), bound) for bound in (j, j + 1, i - 1, n)]
        found = [values.value(changed, summand, bound) for changed, bound in wanted]
        values.relate_unused()
        numbers = {i: chooser.randrange(-1, 7), j: chooser.randrange(-1, 7), n: chooser.randrange(8)}
        given = [(variable, z3.IntVal(number)) for variable, number in numbers.items()]

        def number(bound: z3.ArithRef, given: list[tuple[z3.ExprRef, z3.ExprRef]] = given) -> int:
            return z3.simplify(substitute(bound, given)).as_long()

        given += [
            (name, z3.IntVal(_total(cells, number(bound), summand))) for bound, name in zip(bounds, names, strict=True)
        ]
        changed_cells = list(cells)
        changed_cells[place.as_long()] = value.as_long()
        expected = [
            term == _total(changed_cells, number(bound), summand)
            for term, (_, bound) in zip(found, wanted, strict=True)
        ]
        claim = conjunction([*values.conditions, *expected])
        solver = z3.Solver()
        solver.add(substitute(claim, [*given, (a, array)]))
        # there are numbers for the sums that were introduced, and they are the right ones
        assert solver.check() == z3.sat


def test_predicates_keep_their_other_arguments() -> None:
    system = twice(SWAP)
    changed, _ = CellSummation(wanted_sums(system, system)).apply(system)
    for predicate in changed.predicates:
        assert not any(isinstance(sort, z3.ArraySortRef) for sort in predicate.sorts)
    assert not [term for clause in changed.clauses for term in subterms(clause.constraint) if z3.is_select(term)]


def test_long_and_branching_arrays() -> None:
    """Each array is looked at once, however many branches lead there, and stores do not nest calls."""
    array = a
    for number in range(40):
        array = z3.If(i == number, z3.Store(array, i, s), z3.Store(array, j, t))
    values = SumValues()
    assert len(list(subterms(values.value(array, CELL, n)))) < 5_000
    filled = a
    for number in range(2_000):
        filled = z3.Store(filled, number, s)
    total = z3.simplify(z3.substitute(SumValues().value(filled, CELL, z3.IntVal(2_000)), (s, z3.IntVal(3))))
    assert z3.is_expr(total)
