"""Layers of systems, and k-induction over them, against what k-induction is; every witness is validated."""

import time

import pytest
import z3
from unrolling_systems import validate

from chcverify.certificate.kernel.policy import certify
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unsafe
from solvers.bounded.engine import Bounded
from solvers.engine import Context
from solvers.kinduction.bit_precise import BitPreciseKInduction, base_case, step_case

BYTE = z3.BitVecSort(8)
a, b, c, v = z3.BitVecs("a b c v", 8)
P, Q = Predicate("P", (BYTE, BYTE)), Predicate("Q", (BYTE, BYTE, BYTE))


def rotation(first: int) -> HornSystem:
    """Three bytes change places for ever; two of them must differ."""
    return HornSystem.of(
        [
            # a = first & b = 2 & c = 3 => Q(a, b, c)
            Clause(Q(a, b, c), (), z3.And(a == first, b == 2, c == 3)),
            # Q(a, b, c) => Q(b, c, a)
            Clause(Q(b, c, a), (Q(a, b, c),), z3.BoolVal(True)),
            # Q(a, b, c) & a = b => false
            Clause(None, (Q(a, b, c),), a == b),
        ]
    )


def toggled(*query: z3.BoolRef) -> HornSystem:
    """a is turned to the left and to the right again, with an input between: only every second state is as before."""
    odd = Predicate("odd", (BYTE, BYTE))
    return HornSystem.of(
        [
            # a = 1 & b = 1 => P(a, b)
            Clause(P(a, b), (), z3.And(a == 1, b == 1)),
            # P(a, b) & v < 4 => odd(a rotated by 3, b ^ v);  odd(a, b) & v < 4 => P(a rotated by -3, b ^ v)
            Clause(odd(z3.RotateLeft(a, 3), b ^ v), (P(a, b),), z3.ULT(v, 4)),
            Clause(P(z3.RotateRight(a, 3), b ^ v), (odd(a, b),), z3.ULT(v, 4)),
            # P(a, b) & query => false
            Clause(None, (P(a, b),), z3.And(query)),
        ]
    )


def decided(system: HornSystem) -> Result:
    result = BitPreciseKInduction().solve(system, Context.within(600))
    assert isinstance(result, Safe | Unsafe)
    validate(system, result)
    return result


def is_safe(system: HornSystem) -> bool:
    """What the engine `bounded` says of a system without loops."""
    result = Bounded().solve(system, Context.within(600))
    assert isinstance(result, Safe | Unsafe)
    certificate = result.model if isinstance(result, Safe) else result.derivation
    assert certify(system, certificate, time.monotonic() + 60).accepted
    return isinstance(result, Safe)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_cases_of_a_rotation(k: int) -> None:
    """After three different pairs all pairs differ; a violation two clauses after the start is one of k = 3."""
    different = {Q: Q.formals[0] != Q.formals[1]}
    assert is_safe(step_case(rotation(1), k, {}, different)) == (k >= 3)
    assert is_safe(base_case(rotation(1), k).system)
    assert is_safe(base_case(rotation(3), k).system) == (k < 3)
    # an invariant is as good as more steps
    invariant = {Q: z3.Distinct(*Q.formals)}
    assert is_safe(step_case(rotation(1), k, invariant, {}))


def test_answers() -> None:
    assert isinstance(decided(rotation(1)), Safe)
    assert isinstance(decided(rotation(3)), Unsafe)
    assert isinstance(decided(toggled(a != 1)), Safe)
    assert isinstance(decided(toggled(z3.UGT(b, 3))), Safe)
    assert isinstance(decided(toggled(b == 2)), Unsafe)


def test_a_violation_without_a_loop() -> None:
    assert isinstance(decided(HornSystem.of([Clause(None, (), a == 7)])), Unsafe)
