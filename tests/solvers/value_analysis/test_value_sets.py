"""Unions of intervals against the numbers they contain, one by one."""

import itertools
import random
from collections.abc import Callable

import pytest
import z3

from solvers.value_analysis import value_sets
from solvers.value_analysis.bit_operations import BIT_OPERATIONS, BIT_REVERSALS
from solvers.value_analysis.value_sets import Hurry, Pieces

WIDTH = 4


def some(source: random.Random, low: int, high: int) -> Pieces:
    ends = ((source.randint(low, high), source.randint(low, high)) for _ in range(source.randint(1, 3)))
    return value_sets.united((min(a, b), max(a, b)) for a, b in ends)


def members(pieces: Pieces) -> set[int]:
    return {number for low, high in pieces for number in range(low, high + 1)}


def holds(number: int, pieces: Pieces) -> bool:
    return any(low <= number <= high for low, high in pieces)


OPERATIONS: list[tuple[Callable[[Pieces, Pieces], Pieces], Callable[[int, int], int | None]]] = [
    (value_sets.total, lambda x, y: x + y),
    (value_sets.times, lambda x, y: x * y),
    (value_sets.quotient, lambda x, y: x // y if y > 0 else None),
    (value_sets.remainder, lambda x, y: x % y if y > 0 else None),
    (lambda x, y: value_sets.below(x, y, True), lambda x, y: x if x < y else None),
    (lambda x, y: value_sets.above(x, y, False), lambda x, y: x if x >= y else None),
    (value_sets.meet, lambda x, y: x if x == y else None),
]


@pytest.mark.parametrize("seed", range(40))
def test_results_contain_all_exact_ones(seed: int) -> None:
    source = random.Random(seed)
    one, other = some(source, -12, 12), some(source, -12, 12)
    for abstract, concrete in OPERATIONS:
        found = abstract(one, other)
        for x, y in itertools.product(members(one), members(other)):
            result = concrete(x, y)
            assert result is None or holds(result, found), (one, other, x, y, found)
    assert members(value_sets.join(one, other)) == members(one) | members(other)
    assert value_sets.meet(one, other) == value_sets.united((x, x) for x in members(one) & members(other))
    low, high = sorted((source.randint(-14, 14), source.randint(-14, 14)))
    assert value_sets.touches(one, low, high) == any(low <= x <= high for x in members(one))
    assert members(value_sets.negative(one)) == {-x for x in members(one)}
    assert members(value_sets.without(one, 3)) >= members(one) - {3}
    assert members(value_sets.modulo(one, 5)) == {x % 5 for x in members(one)}
    unsigned = value_sets.unsigned(one, WIDTH)
    assert members(unsigned) == {x % 16 for x in members(one)}
    assert members(value_sets.signed(unsigned, WIDTH)) == {(x + 8) % 16 - 8 for x in members(one)}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", sorted(BIT_OPERATIONS))
def test_bit_operations(seed: int, kind: int) -> None:
    """Each value that z3 computes is contained; reversals keep the arguments that lead to a result."""
    source = random.Random(seed)
    terms = {
        z3.Z3_OP_BADD: lambda x, y: x + y,
        z3.Z3_OP_BSUB: lambda x, y: x - y,
        z3.Z3_OP_BNEG: lambda x: -x,
        z3.Z3_OP_BMUL: lambda x, y: x * y,
        z3.Z3_OP_BUDIV: z3.UDiv,
        z3.Z3_OP_BUREM: z3.URem,
        z3.Z3_OP_BSDIV: lambda x, y: x / y,
        z3.Z3_OP_BSREM: z3.SRem,
        z3.Z3_OP_BAND: lambda x, y: x & y,
        z3.Z3_OP_BOR: lambda x, y: x | y,
        z3.Z3_OP_BXOR: lambda x, y: x ^ y,
        z3.Z3_OP_BNOT: lambda x: ~x,
        z3.Z3_OP_BSHL: lambda x, y: x << y,
        z3.Z3_OP_BLSHR: z3.LShR,
        z3.Z3_OP_BASHR: lambda x, y: x >> y,
        z3.Z3_OP_EXTRACT: lambda x: z3.Extract(2, 1, x) if seed % 2 else z3.Extract(2, 0, x),
        z3.Z3_OP_CONCAT: z3.Concat,
        z3.Z3_OP_ZERO_EXT: lambda x: z3.ZeroExt(3, x),
        z3.Z3_OP_SIGN_EXT: lambda x: z3.SignExt(3, x),
    }
    make = terms[kind]
    count = make.__code__.co_argcount if hasattr(make, "__code__") and make.__code__.co_argcount in (1, 2) else 2
    arguments = [some(source, 0, 15) for _ in range(count)]
    names = [z3.BitVec(f"x{i}", WIDTH) for i in range(count)]
    term = make(*names)
    parameters = term.params() if kind == z3.Z3_OP_EXTRACT else ()
    widths = [WIDTH] * count
    found = BIT_OPERATIONS[kind](arguments, widths, term.size(), parameters)
    wanted = some(source, 0, (1 << term.size()) - 1)
    back = BIT_REVERSALS[kind](wanted, arguments, widths, term.size(), parameters) if kind in BIT_REVERSALS else None
    chosen = [source.sample(sorted(members(a)), min(4, len(members(a)))) for a in arguments]
    for values in itertools.product(*chosen):
        pairs = [(n, z3.BitVecVal(v, WIDTH)) for n, v in zip(names, values, strict=True)]
        result = z3.simplify(z3.substitute(term, *pairs)).as_long()
        assert holds(result, found), (arguments, values, result, found)
        if back is not None and holds(result, wanted):
            assert all(holds(v, b) for v, b in zip(values, back, strict=True)), (arguments, values, result, back)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("kind", [z3.Z3_OP_BMUL, z3.Z3_OP_CONCAT, z3.Z3_OP_EXTRACT])
def test_reversals_where_something_is_constant(seed: int, kind: int) -> None:
    """No pair of arguments that leads to a wanted result is lost."""
    source = random.Random(seed)
    fixed, base = source.randint(0, 15), source.choice((0, 8))
    one, other = some(source, 0, 15), value_sets.of(fixed, fixed)
    arguments = [[one, other], [other, one]][seed % 2]
    operations = {
        z3.Z3_OP_BMUL: (lambda x, y: x * y % 16, 4, ()),
        z3.Z3_OP_CONCAT: (lambda x, y: 16 * x + y, 8, ()),
        z3.Z3_OP_EXTRACT: (lambda x, y: x % 8, 3, (2, 0)),
    }
    operation, width, parameters = operations[kind]
    if kind == z3.Z3_OP_EXTRACT:
        arguments = [value_sets.united((base + low % 8, base + low % 8) for low, _ in one)]
    wanted = some(source, 0, (1 << width) - 1)
    back = BIT_REVERSALS[kind](wanted, arguments, [WIDTH] * len(arguments), width, parameters)
    for values in itertools.product(*(sorted(members(a)) for a in arguments)):
        if holds(operation(values[0], values[-1]), wanted):
            assert all(holds(v, b) for v, b in zip(values, back, strict=True)), (arguments, wanted, values, back)


def test_a_number_of_several_bytes_narrows_the_highest_first() -> None:
    byte = value_sets.of(0, 255)
    found = BIT_REVERSALS[z3.Z3_OP_CONCAT](value_sets.of(0, 100), [byte] * 4, [8] * 4, 32, ())
    assert list(found) == [value_sets.of(0, 0)] * 3 + [value_sets.of(0, 100)]


@pytest.mark.parametrize("seed", range(20))
def test_chains_of_widened_unions_end(seed: int) -> None:
    source = random.Random(seed)
    old, changes = some(source, -50, 50), 0
    for step in range(400):
        far = source.choice((0, 1 << 48, 3 << 48)) + source.randint(-60, 60) * step
        new = value_sets.join(old, ((far, far + source.randint(0, 9)),))
        wide = value_sets.widened(old, new, (-1, 0, 1, 8, 100), 1 << 48, Hurry(min(2, step // 12)))
        assert value_sets.is_within(old, wide) and value_sets.is_within(new, wide)
        changes += wide != old
        old = wide
    assert changes < 60


@pytest.mark.parametrize("seed", range(40))
def test_numbers_with_a_remainder_are_kept(seed: int) -> None:
    source = random.Random(seed)
    one, period = some(source, -40, 40), source.randint(1, 9)
    remainders = some(source, 0, period - 1)
    found = value_sets.with_remainder(one, remainders, period)
    assert members(found) >= {x for x in members(one) if holds(x % period, remainders)}
    assert members(found) <= members(one)


@pytest.mark.parametrize("down", [False, True])
def test_thresholds_are_behind_the_number(down: bool) -> None:
    """Beyond the largest distance within an object there is none."""
    stride = 64
    for number in range(-200, 200):
        found = value_sets._threshold(number, [-5, 0, 7], stride, down)
        assert found <= number if down else found >= number


@pytest.mark.parametrize("divisor", [1, 2, 3, 8])
def test_multiples_are_all_kept(divisor: int) -> None:
    source = random.Random(divisor)
    for _ in range(100):
        pieces = some(source, -30, 30)
        found = members(value_sets.multiples(pieces, divisor))
        assert found <= members(pieces)
        assert {number for number in members(pieces) if number % divisor == 0} <= found


def test_what_grows_in_the_middle_does_not_grow_step_by_step() -> None:
    old: Pieces = ((-100, 0), (50, 100))
    found = value_sets.widened(old, ((-100, 1), (50, 100)), (), 1 << 48, Hurry.UNBOUNDED)
    assert found == ((-100, 100),)


def test_the_numbers_of_a_bit_vector_that_wraps_around_are_all() -> None:
    whole: Pieces = ((0, 255),)
    assert value_sets.clipped(((7, value_sets.FAR),), whole) == ((7, 255),)
    assert value_sets.clipped(((-value_sets.FAR, 3), (250, 300)), whole) == whole
