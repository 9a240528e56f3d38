"""Directed examples: what each pass makes of a small system, and certificates over integers, arrays and quantifiers."""

import time

import pytest
import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.transforms.exact.argument_removal import ArgumentRemoval
from chcverify.transforms.exact.clause_merging import MergeParallel
from chcverify.transforms.exact.cone_of_influence import ConeOfInfluence
from chcverify.transforms.exact.constant_propagation import ConstantPropagation
from chcverify.transforms.exact.simplification import Simplify
from chcverify.transforms.exact.unfolding import Unfold
from chcverify.transforms.pipeline import Pipeline, default_pipeline

from .law import assert_derivation, assert_model

INT = z3.IntSort()
TRUE = z3.BoolVal(True)
x, y, u, v = z3.Ints("x y u v")
P, Q, R = (Predicate(name, (INT, INT)) for name in "PQR")


def counter(length: int, limit: int) -> HornSystem:
    """A straight line of `length` increments from 0, then the query count > limit."""
    chain = [Predicate(f"L{i}", (INT,)) for i in range(length + 1)]
    steps = [Clause(chain[i + 1](y), (chain[i](x),), y == x + 1) for i in range(length)]
    return HornSystem.of([Clause(chain[0](x), (), x == 0), *steps, Clause(None, (chain[-1](x),), x > limit)])


def test_cone_drops_both_ways() -> None:
    underivable = Clause(P(x, y), (Q(x, y),), TRUE)  # Q(x, y) => P(x, y), without any fact for Q
    useless = Clause(R(x, y), (P(x, y),), TRUE)  # P(x, y) => R(x, y), and R reaches no query
    system = HornSystem.of([Clause(P(x, y), (), x < y), underivable, useless, Clause(None, (P(x, y),), x > y)])
    result, back = ConeOfInfluence().apply(system)
    assert [p.name for p in result.predicates] == ["P"] and len(result.clauses) == 2
    model = back.model(Model({P: P.formals[0] < P.formals[1]}))
    assert z3.is_false(model[Q]) and z3.is_true(model[R])
    assert_model(system, model)


def test_constants_and_equal_arguments_disappear() -> None:
    # x = 7 & y = x => P(x, y);  P(x, y) => P(x, y);  P(x, y) & x != y => false
    loop = Clause(P(u, v), (P(x, y),), z3.And(u == x, v == y, x + y < 100))
    system = HornSystem.of([Clause(P(x, y), (), z3.And(x == 7, y == x)), loop, Clause(None, (P(x, y),), x != y)])
    result, back, _ = Pipeline([Simplify(), ConstantPropagation(), ArgumentRemoval()]).run(system)
    assert not any(clause.is_query for clause in result.clauses)
    assert_model(system, back.model(Model(dict.fromkeys(result.predicates, TRUE))))


def test_a_predicate_that_the_constants_leave_underived_is_false() -> None:
    # P(0, 0);  P(x, y) & x = 1 => Q(x, y);  Q(x, y) => R(5, y);  P(x, y) => R(7, y);  R(x, y) & x != 7 => false
    system = HornSystem.of(
        [
            Clause(P(z3.IntVal(0), z3.IntVal(0)), (), TRUE),
            Clause(Q(x, y), (P(x, y),), x == 1),
            Clause(R(z3.IntVal(5), y), (Q(x, y),), TRUE),
            Clause(R(z3.IntVal(7), y), (P(x, y),), TRUE),
            Clause(None, (R(x, y),), x != 7),
        ]
    )
    result, back = ConstantPropagation().apply(system)
    model = Model(dict.fromkeys(system.predicates, TRUE))
    assert_model(result, model)
    assert_model(system, back.model(model))


def test_removed_arguments_come_back_with_values() -> None:
    # y is computed but never looked at: x = 0 & y = 5 => P(x, y); P(x, y) => P(x + 1, y + x); P(x, y) & x > 2 => false
    step = Clause(P(u, v), (P(x, y),), z3.And(u == x + 1, v == y + x))
    system = HornSystem.of([Clause(P(x, y), (), z3.And(x == 0, y == 5)), step, Clause(None, (P(x, y),), x > 2)])
    result, back, _ = Pipeline([Simplify(), ArgumentRemoval()]).run(system)
    assert [p.arity for p in result.predicates] == [1]
    facts = [Step(0, (z3.IntVal(0),), ()), *(Step(1, (z3.IntVal(i),), (i - 1,)) for i in (1, 2, 3))]
    derivation = back.derivation(Derivation((*facts, Step(2, (), (3,)))))
    assert [step.arguments[1].as_long() for step in derivation.steps[:4]] == [5, 5, 6, 8]
    assert_derivation(system, derivation)


def test_unfolding_a_straight_line_leaves_nothing_or_a_fact() -> None:
    safe, unsafe = counter(50, 50), counter(50, 49)
    result, back, report = default_pipeline().run(safe)
    assert not result.clauses and report[0].predicates == 51 and report[-1].predicates == 0
    assert_model(safe, back.model(Model({})))
    result, back, _ = default_pipeline().run(unsafe)
    (query,) = result.clauses
    assert query.is_query and query.is_fact
    derivation = back.derivation(Derivation((Step(0, (), ()),)))
    assert len(derivation.steps) == 52
    assert_derivation(unsafe, derivation)


def test_unfolding_keeps_cut_points_and_free_inputs() -> None:
    # P -> Q (any input u) -> P is a loop: one predicate stays
    there = Clause(Q(x, u), (P(x, y),), u >= 0)
    again = Clause(P(v, y), (Q(x, y),), v == x + y)
    system = HornSystem.of([Clause(P(x, y), (), z3.And(x == 0, y == 0)), there, again, Clause(None, (P(x, y),), x < 0)])
    result, back = Unfold().apply(system)
    (left,) = result.predicates
    formula = left.formals[0] >= 0 if left == P else z3.And(left.formals[0] >= 0, left.formals[1] >= 0)
    model = back.model(Model({left: formula}))
    assert_model(system, model)


def test_repeated_body_predicates_unfold() -> None:
    # x = 1 => P(x, y); P(x, u) & P(y, v) & x != y => false
    query = Clause(None, (P(x, u), P(y, v)), x != y)
    system = HornSystem.of([Clause(P(x, y), (), x == 1), query])
    result, back = Unfold().apply(system)
    assert not result.predicates
    assert_model(system, back.model(Model({})))
    wrong = HornSystem.of([Clause(P(x, y), (), x >= 1), query])
    result, back = Unfold().apply(wrong)
    assert_derivation(wrong, back.derivation(Derivation((Step(0, (), ()),))))


def test_merge_and_split_choose_the_right_clause() -> None:
    up, down = (Clause(P(u, v), (P(x, y),), z3.And(u == x + d, v == y)) for d in (1, -1))
    system = HornSystem.of([Clause(P(x, y), (), z3.And(x == 0, y == 0)), up, down, Clause(None, (P(x, y),), x < -1)])
    result, back = MergeParallel().apply(system)
    assert len(result.clauses) == 3
    clause_rows = [(0, 0), (-1, 0), (-2, 0)]
    facts = [
        Step(min(i, 1), tuple(map(z3.IntVal, clause_row)), (i - 1,) if i else ())
        for i, clause_row in enumerate(clause_rows)
    ]
    derivation = Derivation((*facts, Step(2, (), (2,))))
    assert_derivation(result, derivation)
    original = back.derivation(derivation)
    assert [step.clause for step in original.steps] == [0, 2, 2, 3]
    assert_derivation(system, original)


def test_merged_clauses_are_functions_where_conditions_tell_them_apart() -> None:
    # P(x, y) & x = 0 => P(1, y); P(x, y) & x != 0 & y = 1 => P(x, 2); P(x, y) & x != 0 & y = 2 => P(x, y - x)
    cases = [(P(z3.IntVal(1), y), x == 0), (P(x, z3.IntVal(2)), z3.And(z3.Not(x == 0), y == 1))]
    cases.append((P(x, y - x), z3.And(z3.Not(x == 0), z3.IntVal(2) == y)))
    system = HornSystem.of([Clause(head, (P(x, y),), constraint) for head, constraint in cases])
    (clause,) = MergeParallel().apply(system)[0].clauses
    assert clause.head is not None and len(clause.variables) == 2
    a, b = clause.body[0].arguments
    expected = z3.If(a == 0, z3.And(True), z3.Or(b == 1, b == 2))
    assert holds(clause.constraint == expected)
    assert holds(z3.Implies(expected, clause.head.arguments[1] == z3.If(a == 0, b, z3.If(b == 1, 2, b - a))))


def holds(formula: z3.BoolRef) -> bool:
    solver = z3.Solver()
    return bool(solver.check(z3.Not(formula)) == z3.unsat)


def test_blocks_take_a_chain_of_branches_as_one_clause() -> None:
    # main: n flags f_i; locks l_i = (f_i != 0); error if l_i is not f_i != 0: 2^n paths, one clause
    n = 12
    flags, locks = [z3.Int(f"f{i}") for i in range(n)], [z3.Int(f"l{i}") for i in range(n)]
    places = [Predicate(f"L{i}", (INT,) * (n + i)) for i in range(n + 1)]
    clauses = [Clause(places[0](*flags), (), z3.BoolVal(True))]
    for i in range(n):
        body = (places[i](*flags, *locks[:i]),)
        for value, condition in ((1, flags[i] != 0), (0, flags[i] == 0)):
            clauses.append(Clause(places[i + 1](*flags, *locks[:i], z3.IntVal(value)), body, condition))
    for i in range(n):
        wrong = z3.And(flags[i] != 0, locks[i] != 1)
        clauses.append(Clause(None, (places[n](*flags, *locks),), wrong))
    system = HornSystem.of(clauses)
    form = SystemVariants(time.monotonic() + 600).blocks(system)
    assert form is not None
    blocks, back, _ = form
    assert not blocks.predicates and all(holds(z3.Not(clause.constraint)) for clause in blocks.clauses)
    assert_model(system, back.model(Model({})))


def test_arrays_and_quantifiers_survive() -> None:
    array = z3.ArraySort(INT, INT)
    a, b = z3.Consts("a b", array)
    A, B = Predicate("A", (array, INT)), Predicate("B", (array, INT))
    i = z3.Int("i")
    zero = z3.ForAll([i], a[i] == 0)
    system = HornSystem.of(
        [
            Clause(A(a, x), (), z3.And(zero, x == 3)),
            Clause(B(b, x), (A(a, x),), b == z3.Store(a, x, z3.IntVal(1))),
            Clause(None, (B(a, x),), z3.Or(a[3] != 1, a[4] != 0)),
        ]
    )
    result, back, _ = default_pipeline().run(system)
    assert not result.predicates
    assert_model(system, back.model(Model({})))


def test_the_hook_sees_every_stage_of_back_translation() -> None:
    seen: list[str] = []

    def check(name: str, before: HornSystem, certificate: Model | Derivation) -> None:
        assert isinstance(certificate, Model)
        assert_model(before, certificate)
        seen.append(name)

    system = counter(5, 5)
    _, back, _ = default_pipeline(debug=check).run(system)
    back.model(Model({}))
    assert "unfold" in seen and "simplify" in seen


@pytest.mark.parametrize("limit", [{"deadline": 0.0}, {"cpu_deadline": 0.0}], ids=["clock", "processor"])
def test_a_passed_deadline_only_normalises(limit: dict[str, float]) -> None:
    system = counter(5, 5)
    result, _, report = default_pipeline().run(system, **limit)
    assert len(result.predicates) == 6 and [stage.name for stage in report[1:]] == ["simplify", "normalise"]
    assert all(clause.is_normal for clause in result.clauses)


def test_one_name_with_two_sorts() -> None:
    # x > 0 => P(x, y); P(x, y) & Bool x & y = 3 => Q(y, x);  Q(x, y) & x > 1 => false
    flag = z3.Bool("x")
    query = Clause(None, (Q(x, y),), z3.And(x > 1, y > z3.If(flag, 5, 7)))
    system = HornSystem.of([Clause(P(x, y), (), x > 0), Clause(Q(v, u), (P(u, v),), z3.And(flag, v == 3)), query])
    result, back, _ = default_pipeline().run(system)
    (left,) = result.clauses
    assert len({str(variable) for variable in left.variables}) == len(left.variables)
    assert_derivation(system, back.derivation(Derivation((Step(0, (), ()),))))
