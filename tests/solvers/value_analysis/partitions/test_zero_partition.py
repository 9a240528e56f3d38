"""Predicates that are parted by whether a flag is zero: which, and the law of certificates."""

from dataclasses import dataclass

import pytest
import z3
from exhaustive_systems import systems
from hypothesis import HealthCheck, given, settings

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from chcverify.terms.core.traversal import conjunction
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator
from solvers.engine import Context
from solvers.spacer.engine import Spacer
from solvers.value_analysis.partitions.zero_partition import NULL, PartingFlag, ZeroPartition, parted_by_zero
from tests.chcverify.transforms.law import assert_derivation, assert_law, assert_model

INT = z3.IntSort()
P, EXIT, AFTER = Predicate("P", (INT,)), Predicate("exit", (INT, INT)), Predicate("after", (INT,))
x, y, r = z3.Ints("x y r")
# The second argument of exit is an error code: 0 if x > 0, else -1. The clause behind it requires it to be 0.
SYSTEM = HornSystem.of(
    (
        Clause(P(x), (), z3.BoolVal(True)),
        Clause(EXIT(x, z3.IntVal(-1)), (P(x),), x <= 0),
        Clause(EXIT(x, z3.IntVal(0)), (P(x),), x > 0),
        Clause(AFTER(x), (EXIT(x, r),), z3.Not(r != 0)),
        Clause(None, (AFTER(x),), x <= 0),
    ),
    (P, EXIT, AFTER),
)


@dataclass(frozen=True, eq=False)
class Parted:
    """Carries certificates back from a partition to the system before."""

    before: HornSystem
    partition: ZeroPartition

    def model(self, model: Model) -> Model:
        def formula(predicate: Predicate) -> z3.BoolRef:
            return conjunction(
                self.partition.united(predicate, [[model[p]] for p in self.partition.parts_of(predicate)]) or ()
            )

        return Model({predicate: formula(predicate) for predicate in self.before.predicates})

    def derivation(self, derivation: Derivation) -> Derivation:
        return derivation.renumbered(self.partition.clauses)


class PartByZero:
    """The partition as a transform."""

    name = "zero partition"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        partition = parted_by_zero(system, {})
        return partition.system, Parted(system, partition)


def test_an_exit_is_parted_by_its_result() -> None:
    partition = parted_by_zero(SYSTEM, {})
    assert partition.flags == {EXIT: PartingFlag(1, 0, frozenset({1}))} and partition.parts_of(P) == (P,)
    other, zero = partition.parts_of(EXIT)
    heads = [clause.head.predicate for clause in partition.system.clauses if clause.head is not None]
    assert heads.count(other) == heads.count(zero) == 1
    for value in (0, 1):
        condition = z3.substitute(partition.condition(EXIT, True), (EXIT.formals[1], z3.IntVal(value)))
        assert z3.is_true(z3.simplify(condition)) == (value == 0)
    assert set(partition.clauses) == set(range(len(SYSTEM.clauses)))


@pytest.mark.parametrize("is_ordered", [True, False])
def test_null_pointers_that_are_bit_vectors_are_flags(is_ordered: bool) -> None:
    pointers = z3.BitVecSort(64)
    made, used, p = Predicate("made", (pointers,)), Predicate("used", (pointers,)), z3.BitVec("p", 64)
    null = z3.BitVecVal(NULL, 64)
    system = HornSystem.of(
        (
            Clause(made(null), (), z3.BoolVal(True)),
            Clause(made(z3.BitVecVal(-NULL, 64)), (), z3.BoolVal(True)),
            Clause(used(p), (made(p),), p > NULL // 2 if is_ordered else p != null),
        ),
        (made, used),
    )
    assert parted_by_zero(system, {}, most_share=1.0).flags[made] == PartingFlag(0, NULL, frozenset({0}))


def test_without_flags_nothing_changes() -> None:
    system = HornSystem.of((Clause(P(x), (), x == 3), Clause(P(y), (P(x),), y == x + 1)), (P,))
    partition = parted_by_zero(system, {})
    assert partition.system.clauses == system.clauses and not partition.parts


@given(system=systems())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)
def test_law(system: HornSystem) -> None:
    assert_law(PartByZero(), system)


@pytest.mark.parametrize("least", [1, 2])
def test_certificates_of_an_error_code(least: int) -> None:
    system = HornSystem.of((*SYSTEM.clauses[:4], Clause(None, (AFTER(x),), x < least)), SYSTEM.predicates)
    parted, back = PartByZero().apply(system)
    result = Spacer().solve(parted, Context.within(60))
    if least == 1:
        assert isinstance(result, Safe)
        assert_model(system, back.model(result.model))
    else:
        assert isinstance(result, Unsafe)
        assert_derivation(system, back.derivation(result.derivation))


def test_reserved_arguments_are_no_flags() -> None:
    assert not parted_by_zero(SYSTEM, {EXIT: (1,)}).parts


@pytest.mark.parametrize("test", [y == NULL, y <= NULL // 2])
def test_pointers_that_are_numbers_are_parted_by_null(test: z3.BoolRef) -> None:
    """The comparison is with null, or with all that is near it, as accesses are checked."""
    system = HornSystem.of(
        (
            Clause(EXIT(x, z3.IntVal(NULL)), (), x <= 0),
            Clause(EXIT(x, z3.IntVal(-NULL)), (), x > 0),
            Clause(None, (EXIT(x, y),), z3.And(x > 0, test)),
        ),
        (EXIT,),
    )
    partition = parted_by_zero(system, {})
    assert partition.flags == {EXIT: PartingFlag(1, NULL, frozenset({1}))}
    result = Spacer().solve(partition.system, Context.within(60))
    assert isinstance(result, Safe)
    assert_model(system, Parted(system, partition).model(result.model))


def test_a_second_round_takes_other_flags() -> None:
    two = Predicate("two", (INT, INT))
    system = HornSystem.of(
        (
            Clause(two(z3.IntVal(0), z3.IntVal(1)), (), z3.BoolVal(True)),
            Clause(two(z3.IntVal(1), z3.IntVal(0)), (), z3.BoolVal(True)),
            Clause(None, (two(x, y),), z3.And(x == 0, y == 0)),
        ),
        (two,),
    )
    first = parted_by_zero(system, {})
    again = parted_by_zero(first.system, first.reserved({}))
    assert {flag.position for flag in (*first.flags.values(), *again.flags.values())} == {0, 1}
    facts = {part: [z3.BoolVal(True)] for part in again.system.predicates}
    assert set(first.united_facts(again.united_facts(facts))) == {two}


def test_a_part_that_nothing_derives() -> None:
    partition = parted_by_zero(SYSTEM, {})
    fact = EXIT.formals[0] > 7
    assert partition.united(EXIT, [None, None]) is None
    for is_zero in (False, True):
        only = partition.united(EXIT, [None, [fact]] if is_zero else [[fact], None])
        assert only is not None and only[0].eq(partition.condition(EXIT, is_zero)) and only[1].eq(fact)
    both = partition.united(EXIT, [[fact], [fact]])
    assert both is not None and len(both) == 1 and both[0].eq(fact)
