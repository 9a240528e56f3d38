"""Unconstrained arguments: what is dropped, what stays, and models that come back."""

import time

import pytest
import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.transforms.abstractions.unconstrained_arguments import UnconstrainedArguments
from chcverify.transforms.base import Identity, TranslationError

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
FIRST = Predicate("first", (INT, ARRAY, ARRAY), names=("i", "a", "b"))
SECOND = Predicate("second", (INT, ARRAY, ARRAY), names=("i", "a", "b"))
i = z3.Int("i")
a, b = z3.Array("a", INT, INT), z3.Array("b", INT, INT)
TRUE = z3.BoolVal(True)
FILL_A = Clause(FIRST(i + 1, z3.Store(a, i, 7), b), (FIRST(i, a, b),), i < 9)
COPY = Clause(SECOND(i + 1, a, z3.Store(b, i, a[i])), (SECOND(i, a, b),), i < 9)


def system(*more):
    return HornSystem.of(
        (
            Clause(FIRST(z3.IntVal(0), a, b), (), TRUE),
            FILL_A,
            Clause(SECOND(z3.IntVal(0), a, b), (FIRST(i, a, b),), i >= 9),
            COPY,
            Clause(None, (SECOND(i, a, b),), i < 0),
            *more,
        )
    )


def sorts(system):
    return {predicate.name: predicate.names for predicate in system.predicates}


def test_an_array_goes_where_nothing_was_written_or_read_yet():
    smaller, back = UnconstrainedArguments().apply(system())
    assert sorts(smaller) == {"first": ("i", "a"), "second": ("i", "a", "b")}
    first, second = smaller.predicates
    count = first.formals[0]
    model = back.model(Model({first: count >= 0, second: second.formals[0] >= 0}))
    assert certify(system(), model, time.monotonic() + 600, "off").accepted


@pytest.mark.parametrize(
    "told",
    [
        Clause(FIRST(i, a, b), (FIRST(i, a, b),), b[0] == 3),  # read
        Clause(FIRST(i, a, a), (), TRUE),  # the same as another
        Clause(FIRST(i, a, b), (SECOND(i, a, b),), TRUE),  # from where it is written
        Clause(FIRST(i, a, z3.K(INT, z3.IntVal(0))), (), TRUE),  # a value
    ],
)
def test_it_stays_where_a_clause_says_more(told):
    same, back = UnconstrainedArguments().apply(system(told))
    assert sorts(same)["first"] == ("i", "a", "b") and isinstance(back, Identity)


def test_derivations_do_not_come_back():
    _, back = UnconstrainedArguments().apply(system())
    with pytest.raises(TranslationError):
        back.derivation(Derivation(()))
