"""Integers for bit-vectors: models and derivations of the system over integers come back."""

import time

import exhaustive_systems
import pytest
import z3
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from chcverify.terms.core.traversal import subterms
from chcverify.transforms.abstractions.bitvectors_as_integers import BitVectorsAsIntegers
from chcverify.transforms.base import Identity, TranslationError
from chcverify.transforms.exact.normalisation import Normalise
from solvers.engine import Context, NoBus
from solvers.registry import get

from .law import assert_derivation, assert_model

TRUE = z3.BoolVal(True)


def solve(engine, system, seconds=600.0):
    system, back = Normalise().apply(system)
    result = get(engine).solve(system, Context(time.monotonic() + seconds, 0, NoBus(), lambda *_: None, {}, {}))
    return result, back


def is_quantified(model):
    """Such models are refused on the back-translation: their bound variables stay integers."""
    return any(map(z3.is_quantifier, subterms(*model.interpretations.values())))


def variables(width):
    return z3.BitVecs("x y", width)


OPERATIONS = {
    "sum": lambda x, y: x + y + 1,
    "double": lambda x, y: 2 * x,
    "triple": lambda x, y: 3 * x - y,
    "mask": lambda x, y: x & 5,
    "bits": lambda x, y: x ^ y,
    "half": lambda x, y: z3.LShR(x, 1),
    "signed half": lambda x, y: x >> 1,
    "shift": lambda x, y: x << y,
    "remainder": lambda x, y: z3.URem(x, 3),
    "quotient": lambda x, y: x / 3,
    "product": lambda x, y: x * y,
    "by a variable": lambda x, y: z3.UDiv(x, y),
    "swapped": lambda x, y: z3.Concat(z3.Extract(0, 0, x), z3.Extract(x.size() - 1, 1, x)) if x.size() > 1 else ~x,
    "choice": lambda x, y: z3.If(z3.ULE(x, y), y, x + 1),
}
CONDITIONS = {
    "none": lambda x, y: TRUE,
    "slt": lambda x, y: x < y,
    "ult": z3.ULT,
    "sgt": lambda x, y: x + 1 > y,
    "uge": lambda x, y: z3.UGE(x - y, 1),
    "different": lambda x, y: x != y + 2,
}
some = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))


@given(
    width=st.integers(1, 8),
    start=st.tuples(st.integers(0, 255), st.integers(0, 255)),
    steps=st.lists(
        st.tuples(*[st.sampled_from(sorted(OPERATIONS))] * 2, st.sampled_from(sorted(CONDITIONS))), max_size=2
    ),
    goal=st.sampled_from(sorted(CONDITIONS)),
    bound=st.integers(0, 255),
)
@some
def test_the_law(width, start, steps, goal, bound):
    """What an engine answers over integers is accepted on the clauses over bit-vectors, or refused on the
    back-translation."""
    x, y = variables(width)
    loop = Predicate("loop", (x.sort(), y.sort()))
    clauses = [Clause(loop(*(z3.BitVecVal(v, width) for v in start)), (), TRUE)]
    clauses += [
        Clause(loop(OPERATIONS[one](x, y), OPERATIONS[other](y, x)), (loop(x, y),), CONDITIONS[when](x, y))
        for one, other, when in steps
    ]
    clauses.append(Clause(None, (loop(x, y),), z3.And(CONDITIONS[goal](x, y), y == bound)))
    system = HornSystem.of(clauses)
    after, back = BitVectorsAsIntegers().apply(system)
    assert not any(z3.is_bv(term) for clause in after.clauses for term in subterms(clause.constraint))
    result, normal = solve("spacer", after, 0.2)
    if isinstance(result, Safe):
        model = normal.model(result.model)
        assume(not is_quantified(model))
        found = certify(system, back.model(model), time.monotonic() + 10, "off")  # whatever it decides by then
        assert found.accepted or "counterexample" not in found.reason, found.reason
    elif isinstance(result, Unsafe):
        try:
            derivation = back.derivation(normal.derivation(result.derivation))
        except TranslationError:
            assert back.inexact
        else:
            assert certify(system, derivation, time.monotonic() + 600, "off").accepted


@given(system=exhaustive_systems.systems())
@settings(some, max_examples=20)
def test_verdicts_stay(system):
    """On all ground instances: what the system over bit-vectors is, the one over integers is as well."""
    before = exhaustive_systems.solve(system)
    after, back = BitVectorsAsIntegers().apply(system)
    result, normal = solve("spacer", after, 0.2)
    if isinstance(result, Safe):
        assert isinstance(before, Model)
        model = normal.model(result.model)
        if not is_quantified(model):
            assert_model(system, back.model(model))
    elif isinstance(result, Unsafe):
        assert isinstance(before, Derivation)
        assert_derivation(system, back.derivation(normal.derivation(result.derivation)))


def counter(width, step, condition, bad):
    x, y = variables(width)
    loop = Predicate("loop", (x.sort(), y.sort()), names=("x", "y"))
    return HornSystem.of(
        (
            Clause(loop(z3.BitVecVal(0, width), y), (), TRUE),
            Clause(loop(step(x, y), y), (loop(x, y),), condition(x, y)),
            Clause(None, (loop(x, y),), bad(x, y)),
        )
    )


def test_a_loop_below_an_unknown_bound():
    """x counts from 0 to y, and never exceeds it unless y is negative."""
    system = counter(32, lambda x, y: x + 1, lambda x, y: x < y, lambda x, y: z3.And(x > y, y > 0))
    after, back = BitVectorsAsIntegers().apply(system)
    assert after.predicates[0].names == ("x", "y") and after.predicates[0].sorts == (z3.IntSort(),) * 2
    result, normal = solve("spacer", after)
    model = back.model(normal.model(result.model))
    assert certify(system, model, time.monotonic() + 600).accepted
    assert "bv2" not in model[system.predicates[0]].sexpr()


def test_a_sum_that_wraps_around():
    """Signed 100 + 50 is negative in eight bits."""
    system = counter(8, lambda x, y: x + 50, lambda x, y: TRUE, lambda x, y: x < 0)
    after, back = BitVectorsAsIntegers().apply(system)
    result, normal = solve("spacer", after)
    derivation = back.derivation(normal.derivation(result.derivation))
    assert certify(system, derivation, time.monotonic() + 600).accepted
    assert all(z3.is_bv_value(value) for step in derivation.steps for value in step.arguments)


@pytest.mark.parametrize(
    ("condition", "least"),
    [(lambda x, y: x < y, -(1 << 7)), (z3.ULT, 0), (lambda x, y: z3.And(x < y, z3.ULT(x, y), z3.ULE(y, 3)), 0)],
)
def test_arguments_are_read_as_they_are_used(condition, least):
    system = counter(8, lambda x, y: x + 1, condition, lambda x, y: x == 77)
    after, _ = BitVectorsAsIntegers().apply(system)
    bounds = {str(part) for part in subterms(after.clauses[1].constraint) if z3.is_ge(part)}
    assert any(text.endswith(f">= {least}") for text in bounds)


def test_what_is_approximated_gives_no_derivation_that_is_none():
    """Over integers, a product that wraps around may be 1; over bit-vectors 16 * 16 is 0."""
    x, y = variables(8)
    square = Predicate("square", (x.sort(),))
    system = HornSystem.of((Clause(square(x * y), (), z3.And(x == y, x == 16)), Clause(None, (square(x),), x == 1)))
    after, back = BitVectorsAsIntegers().apply(system)
    fact = Step(0, (z3.IntVal(1),), ())
    with pytest.raises(TranslationError, match="none over bit-vectors"):
        back.derivation(Derivation((fact, Step(1, (), (0,)))))
    right = back.derivation(Derivation((Step(0, (z3.IntVal(0),), ()),)))
    assert right.steps[0].arguments[0].as_long() == 0
    assert after.clauses[0].head.predicate.sorts == (z3.IntSort(),)


def test_models_over_what_has_no_bits_are_refused():
    system = counter(8, lambda x, y: x + 1, lambda x, y: x < y, lambda x, y: x > y)
    after, back = BitVectorsAsIntegers().apply(system)
    i, j = after.predicates[0].formals
    with pytest.raises(TranslationError, match="bit-vectors"):
        back.model(Model({after.predicates[0]: i / j > 3}))


def test_systems_without_bit_vectors_and_with_quantifiers_stay():
    i = z3.Int("i")
    loop = Predicate("loop", (i.sort(),))
    plain = HornSystem.of((Clause(loop(i), (), i > 0), Clause(None, (loop(i),), i < 0)))
    assert BitVectorsAsIntegers().apply(plain)[0] is plain
    x, y = variables(8)
    bits = Predicate("bits", (x.sort(),))
    quantified = HornSystem.of((Clause(bits(x), (), z3.ForAll([y], x <= y)), Clause(None, (bits(x),), x == 0)))
    same, back = BitVectorsAsIntegers().apply(quantified)
    assert same is quantified and isinstance(back, Identity)


def test_equations_that_go_in_circles_keep_their_ranges():
    """x = y + 1 and y = x - 1 define neither by the other."""
    x, y = variables(8)
    pair = Predicate("pair", (x.sort(), y.sort()))
    system = HornSystem.of(
        (Clause(pair(x, y), (), z3.And(x == y + 1, y == x - 1)), Clause(None, (pair(x, y),), z3.And(x == 5, y != 4)))
    )
    after, back = BitVectorsAsIntegers().apply(system)
    result, normal = solve("spacer", after)
    assert certify(system, back.model(normal.model(result.model)), time.monotonic() + 600).accepted
    i, j = after.clauses[0].head.arguments
    solver = z3.Solver()
    solver.add(after.clauses[0].constraint, z3.Or(i > 127, i < -128, j > 127, j < -128))
    # constraint & out of range
    assert solver.check() == z3.unsat
