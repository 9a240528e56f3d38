"""The parts of the engine: projection, linear forms, frames, elimination, clusters, options."""

from dataclasses import fields
from fractions import Fraction

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from pdr_systems import CASES, ListBus, counter, equal_counters

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown
from chcverify.terms.arithmetic.affine_hulls import LinearRow, affine_hull, eliminate
from chcverify.terms.arithmetic.linear_literals import Arithmetic
from chcverify.terms.core.traversal import free_variables
from chcverify.terms.native.farkas_proofs import farkas_lemmas
from chcverify.terms.native.raw import Raw, RawModel, RawSolver, Renaming
from chcverify.terms.quantifiers.model_based_projection import Projector, is_recursive
from chcverify.terms.quantifiers.virtual_substitution import VirtualSubstitution
from solvers.engine import Context, Lemma
from solvers.pdr.engine import Pdr
from solvers.pdr.lemmas.cube_sums import cube_sums
from solvers.pdr.lemmas.proof_support import ProofSupport
from solvers.pdr.transition_system.frames import Frames
from solvers.pdr.transition_system.pdr_options import PdrOptions
from solvers.pdr.transition_system.rule_system import RuleSystem
from solvers.pdr.transition_system.transitions import INFINITY

PATIENCE = 600.0  # seconds: what has to be solved is, however busy the machine

x, y, z, w = z3.Ints("x y z w")
a, b = z3.BitVecs("a b", 8)
m, n = z3.Consts("m n", z3.ArraySort(z3.IntSort(), z3.IntSort()))
r, s, t, u, v, p, q = z3.Reals("r s t u v p q")


def valid(formula: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.add(z3.Not(formula))
    return bool(solver.check() == z3.unsat)


FORMULAS = [
    (z3.And(x == 2 * y, y >= 3, z == x + y), [y]),
    (z3.And(x > y, z3.Or(y > 4, y < -4)), [y]),
    (z3.And(x % 3 == 1, y == x + 1, y < 20), [x]),
    (z3.And(a == b + 3, z3.ULT(b, 7)), [b]),
    (z3.And(m[x] == y, x >= 0, y > x), [m]),
    (z3.And(x == z3.Int("q"), y <= 3), []),
]


@pytest.mark.parametrize("formula, gone", FORMULAS, ids=range(len(FORMULAS)))
def test_projection_implies_the_quantified_formula(formula: z3.BoolRef, gone: list[z3.ExprRef]) -> None:
    raw = Raw(z3.Context())
    solver = RawSolver(raw)
    solver.add(raw.handle(formula))
    assert solver.check()
    model = solver.model()
    kept = [v for v in free_variables(formula) if all(not v.eq(g) for g in gone)]
    literals = Projector(raw).project(model, [raw.handle(formula)], [raw.handle(v) for v in kept])
    cube = raw.wrap(raw.conjunction(literals), z3.main_ctx())
    assert {v.get_id() for v in free_variables(cube)} <= {v.get_id() for v in kept}
    assert model.holds(raw.conjunction(literals))
    assert valid(z3.Implies(cube, z3.Exists(gone, formula) if gone else formula))


small = st.integers(-4, 4)


@pytest.mark.parametrize("formula, gone", FORMULAS, ids=range(len(FORMULAS)))
def test_witnesses_imply_the_quantified_formula(formula: z3.BoolRef, gone: list[z3.ExprRef]) -> None:
    raw = Raw(z3.Context())
    solver = RawSolver(raw)
    solver.add(raw.handle(formula))
    assert solver.check()
    model = solver.model()
    bound = [raw.handle(v) for v in gone]
    literals = VirtualSubstitution(raw).eliminate(model, raw.conjuncts(raw.handle(formula)), bound)
    cube = raw.wrap(raw.conjunction(literals), z3.main_ctx())
    assert not {v.get_id() for v in free_variables(cube)} & {v.get_id() for v in gone}
    assert model.holds(raw.conjunction(literals))
    assert valid(z3.Implies(cube, z3.Exists(gone, formula) if gone else formula))


WITNESSES = [
    ([r > 0, r < s, r > t], [r], [s > 0, s > t, t >= 0]),  # the middle of t and s
    ([r > s, r > t], [r], [s >= t]),
    ([2 * r <= s, r >= t], [r], [2 * t <= s]),
    ([x >= y, x <= z, x != 5], [x], [y <= z, y != 5]),
    ([z3.ULE(b, a), z3.UGE(b, 7)], [b], [z3.UGE(a, 7)]),
    ([m == z3.Store(n, x, 1), m[y] > 3], [m], [z3.Store(n, x, 1)[y] > 3]),
]


@pytest.mark.parametrize("literals, gone, expected", WITNESSES, ids=range(len(WITNESSES)))
def test_witnesses_are_general(literals: list[z3.BoolRef], gone: list[z3.ExprRef], expected: list[z3.BoolRef]) -> None:
    raw = Raw(z3.Context())
    solver = RawSolver(raw)
    for literal in [*literals, s == 4, t == 1, y == 6, z == 9]:
        solver.add(raw.handle(literal))
    assert solver.check()
    found = VirtualSubstitution(raw).eliminate(
        solver.model(), list(map(raw.handle, literals)), list(map(raw.handle, gone))
    )
    assert valid(z3.Implies(z3.And(expected), z3.And([raw.wrap(f, z3.main_ctx()) for f in found])))


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(
    st.integers(-4, 4),
    st.integers(-4, 4),
    st.integers(-9, 9),
    st.sampled_from(["<=", "<", ">=", ">", "=="]),
    st.booleans(),
)
def test_canonical_literals_are_equivalent(p: int, q: int, k: int, relation: str, positive: bool) -> None:
    left = p * x + q * y
    atom = {"<=": left <= k, "<": left < k, ">=": left >= k, ">": left > k, "==": left == k}[relation]
    literal = atom if positive else z3.Not(atom)
    raw = Raw(z3.Context())
    parts = [raw.wrap(part, z3.main_ctx()) for part in Arithmetic(raw).canonical(raw.handle(literal))]
    assert valid(literal == z3.And(parts))


def test_implies_compares_bounds() -> None:
    raw = Raw(z3.Context())
    arithmetic = Arithmetic(raw)
    low, high, other = (raw.handle(f) for f in (x + y <= 3, x + y <= 5, x <= 3))
    assert arithmetic.implies(low, high)
    assert not arithmetic.implies(high, low)
    assert not arithmetic.implies(low, other)


HALF_PLANES = st.tuples(*[st.integers(-3, 3)] * 2, st.integers(-6, 6))


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(st.lists(HALF_PLANES, min_size=1, max_size=3), st.lists(HALF_PLANES, min_size=2, max_size=3))
def test_sums_of_a_refuted_cube_are_implied_by_it(left: list[tuple[int, ...]], right: list[tuple[int, ...]]) -> None:
    raw = Raw(z3.Context(proof=True))
    arithmetic, solver = Arithmetic(raw), RawSolver(raw, {"arith.solver": 2})
    for p, q, k in left:
        solver.add(raw.handle(p * x + q * y <= k))
    cube = [part for p, q, k in right for part in arithmetic.canonical(raw.handle(p * x + q * y >= k))]
    # left & cube => false
    if solver.check(cube) is False:
        core = [literal for literal in cube if literal in set(solver.core())]
        sums = cube_sums(arithmetic, core, farkas_lemmas(solver)) or []
        formulas = [raw.wrap(raw.conjunction(literals), z3.main_ctx()) for literals in (core, sums)]
        assert valid(z3.Implies(*formulas))


def test_sums_of_a_cube_relate_its_variables() -> None:
    # x <= y against x >= 5 & y <= 3: the sum is x - y >= 5 - 3
    raw = Raw(z3.Context(proof=True))
    arithmetic, solver = Arithmetic(raw), RawSolver(raw, {"arith.solver": 2})
    solver.add(raw.handle(x <= y))
    cube = [part for literal in (x >= 5, y <= 3) for part in arithmetic.canonical(raw.handle(literal))]
    assert solver.check(cube) is False
    sums = cube_sums(arithmetic, cube, farkas_lemmas(solver))
    assert sums is not None
    assert valid(raw.wrap(raw.conjunction(sums), z3.main_ctx()) == (x - y >= 2))


def test_renaming_is_simultaneous() -> None:
    raw = Raw(z3.Context())
    swap = Renaming(raw, [(raw.handle(x), raw.handle(y)), (raw.handle(y), raw.handle(x))])
    assert swap(raw.handle(x - y > 0)) == raw.handle(y - x > 0)


def test_hull_and_elimination() -> None:
    points = [(Fraction(1), Fraction(2)), (Fraction(2), Fraction(4)), (Fraction(5), Fraction(10))]
    origin, directions = affine_hull(points)
    assert origin == points[0] and len(directions) == 1
    # exists t. x <= t & y <= 2 - t  is  x + y <= 2
    rows = [
        LinearRow((Fraction(1), Fraction(0), Fraction(-1)), Fraction(0)),
        LinearRow((Fraction(0), Fraction(1), Fraction(1)), Fraction(2)),
    ]
    assert eliminate(rows, 2) == [LinearRow((Fraction(1), Fraction(1)), Fraction(2))]


def test_frames_subsume_and_rise() -> None:
    problem = RuleSystem(counter(10))
    frames = Frames(problem, PdrOptions(), 0)
    formal = z3.Int("$0")
    weak, strong = (problem.raw.handle(formal >= k) for k in (20, 15))
    first = frames.add(0, [weak], 1)
    assert first is not None
    assert frames.add(0, [weak], 1) is None  # known
    second = frames.add(0, [strong], 1)  # excludes more: the first one is redundant
    assert second is not None and frames.exactly(1) == [second] and not first.active
    frames.raise_level(second, 3)
    assert frames.exactly(1) == [] and list(frames.at(0, 2)) == [second] and frames.exactly(3) == [second]
    frames.raise_level(second, INFINITY)
    assert frames.exactly(3) == [] and list(frames.at(0, 7)) == [second]


def test_lemmas_of_the_bus_are_assumed_and_invariants_published() -> None:
    system = equal_counters()
    predicate = system.predicates[0]
    f, g, _ = predicate.formals
    bus = ListBus([Lemma(predicate, f == g, "other")])
    context = Context(deadline=Context.within(PATIENCE).deadline, bus=bus)
    result = Pdr().solve(system, context)
    assert isinstance(result, Safe)
    assert valid(z3.Implies(result.model[predicate], f == g))
    assert all(not lemma.formula.eq(f == g) for lemma in bus.got)  # not sent back
    assert context.statistics["lemmas from the bus"] == 1


@pytest.mark.parametrize("switch", [field.name for field in fields(PdrOptions) if field.default is True])
def test_each_generalisation_can_be_off(switch: str) -> None:
    context = Context(deadline=Context.within(PATIENCE).deadline, options={switch: "off"})
    assert isinstance(Pdr().solve(counter(10), context), Safe)


def test_obligations_round_a_loop_suggest_a_lemma() -> None:
    """The difference of two counters after 1,000 steps; the obligations are x = 1000 - i & y < 1001 - i."""
    inv = Predicate("Inv", (z3.IntSort(), z3.IntSort()))
    system = HornSystem.of(
        [
            Clause(inv(x, y), (), z3.And(x == 0, y >= 1, y <= 4)),  # x = 0 & 1 <= y <= 4 => Inv(x, y)
            # Inv(x, y) & x < 1000 => Inv(x + 1, y + 1)
            Clause(inv(z, w), (inv(x, y),), z3.And(x < 1000, z == x + 1, w == y + 1)),
            # Inv(x, y) & x >= 1000 & not 1001 <= y <= 1004 => false
            Clause(None, (inv(x, y),), z3.And(x >= 1000, z3.Or(y < 1001, y > 1004))),
        ]
    )
    context = Context.within(PATIENCE)
    result = Pdr().solve(system, context)
    assert isinstance(result, Safe) and check_model(system, result.model, Context.within(PATIENCE).deadline).accepted
    assert context.statistics["chains done"] and context.statistics["frames"] < 20


def test_equal_values_of_names_become_an_equality() -> None:
    """Two different names of five, swapped for ever, are never the same: one lemma, not one for each name."""
    inv = Predicate("Inv", (z3.RealSort(), z3.RealSort()))
    names = [z3.Or([name == i for i in range(1, 6)]) for name in (p, q)]
    system = HornSystem.of(
        [
            Clause(inv(p, q), (), z3.And(*names, p != q)),  # 1 <= p, q <= 5 & p != q => Inv(p, q)
            Clause(inv(r, s), (inv(p, q),), z3.And(r == q, s == p)),  # Inv(p, q) & r = q & s = p => Inv(r, s)
            # Inv(p, q) & (p = q = 1 or ... or p = q = 5) => false
            Clause(None, (inv(p, q),), z3.Or([z3.And(p == i, q == i) for i in range(1, 6)])),
        ]
    )
    context = Context.within(PATIENCE)
    result = Pdr().solve(system, context)
    assert isinstance(result, Safe) and check_model(system, result.model, Context.within(PATIENCE).deadline).accepted
    first, second = system.predicates[0].formals
    assert valid(z3.Implies(result.model[system.predicates[0]], first != second))
    assert context.statistics["relate done"] and context.statistics["lemmas by block"] < 8


def test_minimised_models_keep_what_is_needed() -> None:
    """x' = x + 1 while x < 10, from 0: of x >= -2 and x <= 10 only the latter matters for x <= 12."""
    problem = RuleSystem(counter(12))
    frames = Frames(problem, PdrOptions(), 0)
    formal = z3.Int("$0")
    for cube in (formal < -2, formal > 10):
        assert frames.add(0, problem.cube([problem.raw.handle(cube)]), INFINITY) is not None
    support = ProofSupport(problem, list(frames.at(0, 0)), PdrOptions(), lambda: False)
    found = [problem.raw.wrap(lemma.formula, z3.main_ctx()) for lemma in support.find()]
    assert len(found) == 1 and valid(found[0] == (formal <= 10))
    assert len(ProofSupport(problem, list(frames.at(0, 0)), PdrOptions(), lambda: True).find()) == 2  # no time: all


def test_insufficient_lemmas_stay_as_they_are() -> None:
    problem = RuleSystem(counter(12))
    frames = Frames(problem, PdrOptions(), 0)
    lemma = frames.add(0, [problem.raw.handle(z3.Int("$0") < -2)], INFINITY)
    assert ProofSupport(problem, [lemma], PdrOptions(), lambda: False).find() == [lemma]


def test_equal_variables_with_a_value_get_it() -> None:
    problem = RuleSystem(counter(10))
    raw = problem.raw
    literals = [x == y, r == s, y == 3, u == p]
    cube = raw.wrap(raw.conjunction(problem.cube([raw.handle(literal) for literal in literals])), z3.main_ctx())
    assert valid(cube == z3.And(literals))
    pairs = [part for part in raw.conjuncts(raw.handle(cube)) if len(raw.variables(part)) == 2]
    assert {v for part in pairs for v in raw.variables(part)} == {raw.handle(v) for v in (r, s, u, p)}


def light() -> HornSystem:
    """Three phases, of which 2 is left for 0 after a while; the phase is only compared by equality, the time is not."""
    inv = Predicate("Inv", (z3.RealSort(), z3.RealSort(), z3.RealSort()))
    phase = z3.Or(
        z3.And(r == 0, p == 1, q == 0),
        z3.And(r == 1, p == 2, q == 0),
        z3.And(r == 2, p == 0, s >= 3, q == 0),
        z3.And(r == 2, p == 2, q == s + t, t > 0, t <= 1, s < 3),
    )
    return HornSystem.of(
        [
            Clause(inv(r, s, u), (), z3.And(r == 0, s == 0, u == r)),  # phase = 0 & time = 0 & first = 0 => Inv
            Clause(inv(p, q, v), (inv(r, s, u),), z3.And(phase, v == u)),  # Inv & a step => Inv
            Clause(
                None, (inv(r, s, u),), z3.And(r != 0, r != 1, z3.Or(r != 2, s > 4, u != 0))
            ),  # Inv & phase 2 late => false
        ]
    )


def test_numbers_that_are_names_keep_their_equalities() -> None:
    problem = RuleSystem(light())
    formals = problem.formals[0]
    assert problem.enumerations == [frozenset((formals[0], formals[2])), frozenset()]
    literal = problem.raw.handle(problem.raw.wrap(formals[0]) == 2)
    assert len(problem.cube([literal], 0)) == 1 and len(problem.cube([literal])) == 2
    order = problem.raw.handle(problem.raw.wrap(formals[0]) < 3)
    assert len(problem.cube([literal, order], 0)) == 1 and len(problem.cube([order], 0)) == 1
    for switch in ("on", "off"):
        context = Context(deadline=Context.within(PATIENCE).deadline, options={"enumerations": switch})
        result = Pdr().solve(light(), context)
        assert isinstance(result, Safe)
        assert check_model(light(), result.model, Context.within(PATIENCE).deadline).accepted


def test_wrong_option_is_a_reason() -> None:
    context = Context(deadline=Context.within(PATIENCE).deadline, options={"speed": "9"})
    result = Pdr().solve(counter(10), context)
    assert isinstance(result, Unknown) and "speed" in result.reason


def test_no_time_is_unknown() -> None:
    assert isinstance(Pdr().solve(CASES[1].system, Context.within(0)), Unknown)


def test_quantifiers_are_refused() -> None:
    system = counter(10)
    clause = system.clauses[0]
    quantified = type(clause)(clause.head, (), z3.And(clause.constraint, z3.ForAll([y], y * y >= x)))
    result = Pdr().solve(type(system).of([quantified, *system.clauses[1:]]), Context.within(PATIENCE))
    assert isinstance(result, Unknown) and "quantifier" in result.reason


def test_same_seed_same_run() -> None:
    figures = []
    for _ in range(2):
        context = Context.within(PATIENCE, seed=7)
        assert isinstance(Pdr().solve(equal_counters(), context), Safe)
        figures.append({k: v for k, v in context.statistics.items() if "z3" not in k})
    assert figures[0] == figures[1]


def test_model_handle_outlives_its_solver() -> None:
    raw = Raw(z3.Context())
    solver = RawSolver(raw)
    solver.add(raw.handle(x == 7))
    assert solver.check()
    model: RawModel = solver.model()
    del solver
    assert raw.value(model.eval(raw.handle(x))) == 7


def test_recursive_sorts() -> None:
    pair = z3.Datatype("Pair")
    pair.declare("pair", ("left", z3.IntSort()), ("right", z3.ArraySort(z3.IntSort(), z3.IntSort())))
    flat = pair.create()
    cells = z3.Datatype("Cells")
    cells.declare("nil")
    cells.declare("cons", ("value", flat), ("next", cells))
    assert not is_recursive(flat) and not is_recursive(z3.IntSort())
    assert is_recursive(cells.create())


def test_recursive_datatypes_are_projected_by_value() -> None:
    cells = z3.Datatype("List")
    cells.declare("nil")
    cells.declare("cons", ("value", z3.IntSort()), ("next", cells))
    sort = cells.create()
    tail, whole = z3.Consts("tail whole", sort)
    formula = z3.And(whole == sort.cons(x, tail), sort.is_nil(tail), x > 3)
    raw = Raw(z3.Context())
    solver = RawSolver(raw)
    solver.add(raw.handle(formula))
    assert solver.check()
    literals = Projector(raw).project(solver.model(), [raw.handle(formula)], [raw.handle(whole)])
    cube = raw.wrap(raw.conjunction(literals), z3.main_ctx())
    assert valid(z3.Implies(cube, z3.Exists([tail, x], formula)))
