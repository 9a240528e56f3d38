"""Numbers as pointers in clauses: exact where the pointers hold nothing else."""

import pytest

from chcverify.results.result import Safe, Unsafe
from encoders.c.analysis.points_to import PointsTo
from encoders.c.cfa.inlining import flatten
from encoders.c.encoding.encoder import encode
from encoders.c.encoding.memory.converted_numbers import ConvertedNumbers
from solvers.engine import Context
from solvers.spacer.engine import Spacer

START = (
    "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);"
    "int main(void) { int n = __VERIFIER_nondet_int(); void *p = (void *)(long)n; "
)


@pytest.mark.parametrize(
    ("use", "answer"),
    [
        ("if ((int)(long)p != n) reach_error(); }", Safe),
        ("if ((long)p == 7 && n == 7) reach_error(); }", Unsafe),
        ("p = (char *)p + 1; if (n < 100 && (int)(long)p != n + 1) reach_error(); }", Safe),
    ],
)
def test_a_number_comes_back_from_its_pointer(use, answer, load):
    result = Spacer().solve(encode(load(START + use)).system, Context.within(600))
    assert isinstance(result, answer)


def test_without_regions_of_numbers_no_conversion_is_one(load):
    program = load("int main(void) { int x = 1; return x; }")
    numbers = ConvertedNumbers(PointsTo(flatten(program)), encode(program).theory, [])
    assert not numbers.points_to.number_regions and numbers.constraints == []
