"""Bit-vectors as integers and back, against z3's own bit-vectors: every operation, on values, widths 1 to 8 and 32."""

import random

import pytest
import z3

from chcverify.terms.bitvectors.bits_to_integers import IntegerConversion, NoCounterpart
from chcverify.terms.bitvectors.integers_to_bits import NoBits, over_bits
from chcverify.terms.bitvectors.modular_integers import Number, bounds
from chcverify.terms.native import handles

UNARY = {
    "neg": lambda a: -a,
    "not": lambda a: ~a,
    "extended by sign": lambda a: z3.SignExt(3, a),
    "extended by zeros": lambda a: z3.ZeroExt(3, a),
    "top bit": lambda a: z3.Extract(a.size() - 1, a.size() - 1, a),
    "lower half": lambda a: z3.Extract(a.size() // 2, 0, a),
    "upper half": lambda a: z3.Extract(a.size() - 1, a.size() // 2, a),
    "repeated": lambda a: z3.RepeatBitVec(3, a),
    "rotated left": lambda a: z3.RotateLeft(a, 3),
    "rotated right": lambda a: z3.RotateRight(a, 1),
    "by way of an integer": lambda a: z3.Int2BV(z3.BV2Int(a) + 3, a.size()),
    "by way of a signed integer": lambda a: z3.Int2BV(z3.BV2Int(a, is_signed=True) * 2, a.size()),
}
WITH_CONSTANT = {
    "product": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "udiv": z3.UDiv,
    "urem": z3.URem,
    "sdiv": lambda a, b: a / b,
    "srem": z3.SRem,
    "smod": lambda a, b: a % b,
    "shl": lambda a, b: a << b,
    "lshr": z3.LShR,
    "ashr": lambda a, b: a >> b,
}
BINARY = {
    "sum": lambda a, b: a + b,
    "difference": lambda a, b: a - b,
    "concat": z3.Concat,
    "longer sum": lambda a, b: a + b + b - 5 * a,
    "choice": lambda a, b: z3.If(a <= b, a + b, b - a),
    "choice by equality": lambda a, b: z3.If(a + 1 == b * 3, a, b),
}
RELATIONS = {
    "sle": lambda a, b: a <= b,
    "slt of sums": lambda a, b: a + b < b - 1,
    "sgt": lambda a, b: a > 2 * b,
    "sge a number": lambda a, b: a - b >= 1,
    "a number sge": lambda a, b: z3.BitVecVal(2, a.size()) >= a - b,
    "slt a number": lambda a, b: a * 2 + b < z3.BitVecVal(-1, a.size()),
    "ule": z3.ULE,
    "ugt a number": lambda a, b: z3.UGT(a - b, 3),
    "ult a number": lambda a, b: z3.ULT(a + 1, 3),
    "uge": lambda a, b: z3.UGE(a + 1, b),
    "equal": lambda a, b: a + 1 == b,
    "equal sums": lambda a, b: a + b + b == 7 * a - b,
    "equal to a number": lambda a, b: a - 2 * b == 1,
    "distinct": lambda a, b: z3.Distinct(a, b, a + b),
    "slice": lambda a, b: z3.Extract(a.size() - 1, a.size() // 2, a) == 1,
}
WIDTHS = (1, 2, 3, 5, 8, 32)


def numerals(width, count, seed):
    """Borders, and random ones."""
    chosen = random.Random(seed)
    border = [0, 1, (1 << width) - 1, 1 << width - 1, (1 << width - 1) - 1, 3 % (1 << width)]
    return [chosen.choice([*border, chosen.getrandbits(width)]) for _ in range(count)]


def value(number, width, signed):
    return number - (1 << width) if signed and number >> width - 1 else number


def check(term, variables, signed, seed):
    """The converted term, with the values of the variables, is what z3 says; where it approximates, it may be."""
    read = {handles.handle(v): s for v, s in zip(variables, signed, strict=True)}
    conversion = IntegerConversion(lambda part: read.get(handles.handle(part), signed[0]))
    found = conversion.of(term)
    exact = conversion.exact
    for round_ in range(3):
        given = {
            handles.handle(v): n
            for v, n in zip(variables, numerals(variables[0].size(), 2, (seed, round_).__hash__()), strict=False)
        }
        bits = [(v, z3.BitVecVal(given[handles.handle(v)], v.size())) for v in variables]
        wanted = z3.simplify(z3.substitute(term, bits))
        integers = [
            (number.term, z3.IntVal(value(given[key], number.width, read[key])))
            for key, number in conversion.variables.items()
        ]
        if isinstance(found, Number):
            result = z3.substitute(found.term, integers)
            low, high = found.interval
            within = [z3.BoolVal(True)]
            within += [result >= low] if low is not None else []
            within += [result <= high] if high is not None else []
            same = z3.And(result % (1 << found.width) == wanted.as_long(), *within)
            assert found.width == wanted.size()
        else:
            same = z3.substitute(found, integers) == wanted
        if exact:
            assert z3.is_true(z3.simplify(same)), (term, bits, found)
            continue
        solver = z3.Solver()
        solver.add(z3.substitute(z3.And(conversion.facts), integers), same)
        # facts & converted = wanted, of the fresh constants
        assert solver.check() == z3.sat, (term, bits, found)
    return conversion, found


def both_readings(make, width, seed):
    a, b = z3.BitVecs("a b", width)
    for signed in ((True, True), (False, False), (True, False)):
        yield check(make(a, b), [a, b], signed, seed)


@pytest.mark.parametrize("width", WIDTHS)
def test_exact_operations(width):
    for name, make in {**BINARY, **{n: (lambda a, b, f=f: f(a)) for n, f in UNARY.items()}}.items():
        for conversion, _ in both_readings(make, width, width):
            assert conversion.exact, name


@pytest.mark.parametrize("width", WIDTHS)
def test_operations_by_numbers(width):
    for name, make in WITH_CONSTANT.items():
        for number in {
            0,
            1,
            3 % (1 << width),
            (1 << width) - 1,
            (1 << width) - 2,
            1 << width - 1,
            0b1010 % (1 << width),
        }:
            constant = z3.BitVecVal(number, width)
            for conversion, _ in both_readings(lambda a, b, f=make, c=constant: f(a + b, c), width, number):
                assert conversion.exact, (name, number)


@pytest.mark.parametrize("width", (1, 3, 8, 16))
def test_operations_on_variables_hold_what_can_be(width):
    for make in WITH_CONSTANT.values():
        for _ in both_readings(make, width, width):
            pass


@pytest.mark.parametrize("width", WIDTHS)
def test_relations_there_and_back(width):
    """What came from bit-vectors goes back to them and means the same."""
    for name, make in RELATIONS.items():
        for signed in ((True, True), (False, True), (False, False)):
            a, b = z3.BitVecs("a b", width)
            conversion, found = check(make(a, b), [a, b], signed, width)
            read = dict(zip(map(handles.handle, (a, b)), zip((a, b), signed, strict=True), strict=True))
            back = over_bits(found, {n.term.get_id(): read[key] for key, n in conversion.variables.items()})
            for one, other in zip(numerals(width, 12, 1), numerals(width, 12, 2), strict=True):
                pairs = [(a, z3.BitVecVal(one, width)), (b, z3.BitVecVal(other, width))]
                wanted, told = (z3.simplify(z3.substitute(formula, pairs)) for formula in (make(a, b), back))
                assert wanted.eq(told), (name, one, other, back)


def random_integer(chosen, variables, depth):
    if depth == 0:
        return chosen.choice([*variables, z3.IntVal(chosen.randint(-9, 9))])
    left, right = (random_integer(chosen, variables, depth - 1) for _ in range(2))
    number = z3.IntVal(chosen.choice([-7, -4, -1, 1, 2, 3, 8, 10]))
    return chosen.choice(
        [left + right, left - right, -left, left * number, left * right, left / number, left % number, left + 3 * right]
    )


def test_formulas_over_integers_by_bits():
    """Without conversions between the sorts, and the same on values."""
    for seed in range(120):
        chosen = random.Random(seed)
        width, signed = chosen.choice([1, 2, 4, 7]), chosen.random() < 0.5
        x, y = z3.BitVecs("x y", width)
        integers = z3.Ints("i j")
        left, right = random_integer(chosen, integers, 3), random_integer(chosen, integers, 2)
        formula = chosen.choice([left <= right, left < right, left == right, left > right, z3.Distinct(left, right)])
        back = over_bits(formula, {i.get_id(): (v, signed) for i, v in zip(integers, (x, y), strict=True)})
        assert "bv2" not in back.sexpr() and "to_int" not in back.sexpr()
        for one, other in zip(numerals(width, 6, seed), numerals(width, 6, -seed), strict=True):
            given = [z3.IntVal(value(number, width, signed)) for number in (one, other)]
            wanted = z3.simplify(z3.substitute(formula, *zip(integers, given, strict=True)))
            told = z3.simplify(z3.substitute(back, (x, z3.BitVecVal(one, width)), (y, z3.BitVecVal(other, width))))
            assert wanted.eq(told), (formula, back, one, other)


def test_what_has_no_bits():
    i, j, free = z3.Ints("i j free")
    table = {v.get_id(): (z3.BitVec(str(v), 8), True) for v in (i, j)}
    for formula in (i / j == 1, i % j == 1, i + free > 0, z3.ForAll([free], free > i), i**j == 3, z3.ToReal(i) > 1):
        with pytest.raises(NoBits):
            over_bits(formula, table)
    product = i
    for _ in range(8):
        product = product * product
    with pytest.raises(NoBits, match="bits"):
        over_bits(product > 0, table)


def test_a_quantifier_has_no_counterpart():
    a = z3.BitVec("a", 8)
    with pytest.raises(NoCounterpart):
        IntegerConversion(lambda term: True).of(z3.ForAll([a], a == a + 0))


def test_functions_that_are_not_known_are_anything():
    a = z3.BitVec("a", 8)
    f = z3.Function("f", a.sort(), a.sort())
    conversion = IntegerConversion(lambda term: True)
    conversion.of(f(a) + f(a) == z3.Select(z3.Array("m", a.sort(), a.sort()), a))
    assert not conversion.exact and len(conversion.facts) == 4  # of f(a), once, and of the element


@pytest.mark.parametrize("signed", (True, False))
def test_sums_that_cannot_wrap_stay_linear(signed):
    a = z3.BitVec("a", 8)
    low, high = bounds(8, signed)
    conversion = IntegerConversion(lambda term: signed)
    found = conversion.of(z3.SignExt(8, a) + 3 if signed else z3.ZeroExt(8, a) + 3)
    assert isinstance(found, Number) and found.interval == (low + 3, high + 3)
    assert z3.is_add(found.term)
