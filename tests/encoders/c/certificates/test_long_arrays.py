"""Terms about long arrays have the values that z3 gives them; violations behind long runs are decided in time."""

import random

import pytest
import z3

from chcverify.api import verify
from encoders.c.certificates.long_arrays import LongArrays

WORD = z3.BitVecSort(8)
a, b = (z3.Array(name, WORD, WORD) for name in "ab")
i, v = z3.BitVecs("i v", 8)
TERMS = [
    a,
    a[i] + v,
    z3.Store(a, i, v),
    z3.Store(z3.Store(a, i, v), v, b[i]),
    z3.If(a[i] == b[v], z3.Store(b, a[v], i), a),
    z3.Store(a, a[a[i]], b[b[v]]),
    z3.And(a[i] == v, b == z3.Store(a, i, v)),
]


@pytest.mark.parametrize("seed", range(12))
def test_values_are_those_of_z3(seed: int) -> None:
    source = random.Random(seed)

    def number() -> z3.BitVecNumRef:
        return z3.BitVecVal(source.randint(0, 9), 8)

    arrays, known = LongArrays(), [z3.K(WORD, number()), z3.K(WORD, number())]
    for _ in range(60):
        known.append(z3.Store(source.choice(known[-2:]), number(), number()))
        values = [(a, known[-1]), (b, source.choice(known)), (i, number()), (v, number())]
        for term in TERMS:
            found = arrays.value(term, values)
            expected = z3.simplify(z3.substitute(term, *values))
            assert z3.is_true(z3.simplify(found == expected)) or found.eq(expected)


def test_a_cell_that_is_written_again_makes_no_array_longer() -> None:
    arrays = LongArrays()
    long = z3.K(WORD, z3.BitVecVal(0, 8))
    for index in range(40):
        long = z3.Store(long, index, index)
    again = arrays.value(z3.Store(a, i, v), [(a, long), (i, z3.BitVecVal(39, 8)), (v, z3.BitVecVal(7, 8))])
    assert again.arg(0).eq(long.arg(0))


def test_a_violation_behind_a_thousand_iterations_that_fill_an_array() -> None:
    program = """
        extern void reach_error(void);
        unsigned char a[1000];
        int main(void) {
            for (int i = 0; i < 1000; i++) a[i] = i * 7;
            if (a[999] == (unsigned char)(999 * 7)) reach_error();
            return 0;
        }
        """
    outcome = verify(program, language="c", timeout=600)
    assert (outcome.word, outcome.engine) == ("false(unreach-call)", "random runs")
    assert len(outcome.certificate) < 1_000_000
