"""Every answer of Spacer comes with a certificate that the checker accepts."""

import time

import pytest
import z3
from spacer_systems import both, chain, clause, counter, fibonacci

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem, Predicate
from chcverify.results.result import Safe, Unknown, Unsafe
from chcverify.terms.core.traversal import subterms
from chcverify.transforms.exact.normalisation import Normalise
from solvers.engine import Context
from solvers.spacer import Spacer, SpacerGlobal
from solvers.spacer.eliminated_predicates import complete, residual
from solvers.spacer.fixedpoint import ask
from solvers.spacer.lazy_inlining import Inliner
from solvers.spacer.model_reader import interpretations
from solvers.spacer.proof_facts import ProofFact, nodes

SYSTEMS = list(both())


def assert_certified(system: HornSystem, result: Safe | Unsafe | Unknown, unsafe: bool) -> None:
    deadline = time.monotonic() + 600
    if unsafe:
        assert isinstance(result, Unsafe), result
        verdict = check_derivation(system, result.derivation, deadline)
    else:
        assert isinstance(result, Safe), result
        verdict = check_model(system, result.model, deadline)
        assert set(result.model.interpretations) == set(system.predicates)
    assert verdict.accepted, verdict.reason


@pytest.mark.parametrize("engine", [Spacer, SpacerGlobal], ids=lambda engine: engine.name)
@pytest.mark.parametrize(("name", "system", "unsafe"), SYSTEMS, ids=[name for name, _, _ in SYSTEMS])
def test_certificates(engine, name, system, unsafe):
    assert_certified(system, engine().solve(system, Context.within(600)), unsafe)


@pytest.mark.parametrize(("name", "system", "unsafe"), SYSTEMS, ids=[name for name, _, _ in SYSTEMS])
def test_certificates_of_normal_forms(name, system, unsafe):
    normal, _ = Normalise().apply(system)
    assert_certified(normal, Spacer().solve(normal, Context.within(600)), unsafe)


def test_models_have_no_quantifiers_where_z3_eliminates_predicates():
    system = chain(12, unsafe=False)
    raw = interpretations(system, ask(system, {}, 600).term)
    assert any(z3.is_quantifier(t) for f in raw.values() for t in subterms(f)) or len(raw) < len(system.predicates)
    result = Spacer().solve(system, Context.within(600))
    assert isinstance(result, Safe)
    assert not any(z3.is_quantifier(t) for f in result.model.interpretations.values() for t in subterms(f))


def test_no_query_is_safe():
    x = z3.Int("x")
    system = HornSystem.of([clause(Predicate("P", (z3.IntSort(),))(x), x > 0)])
    assert_certified(system, Spacer().solve(system, Context.within(600)), unsafe=False)


def test_false_without_predicates():
    x = z3.Int("x")
    for unsafe in (True, False):
        system = HornSystem.of([clause(None, x > 0 if unsafe else x > x)])
        assert_certified(system, Spacer().solve(system, Context.within(600)), unsafe)


def test_time_limit_gives_a_reason():
    x, y, z = z3.Ints("x y z")
    p = Predicate("P", (z3.IntSort(),) * 3)
    # Fermat for cubes: neither safe nor unsafe within the limit
    query = clause(None, p(x, y, z), x > 0, y > 0, z > 0, x * x * x + y * y * y == z * z * z)
    steps = [clause(p(x + 1, y, z), p(x, y, z)), clause(p(x, y + 1, z), p(x, y, z)), clause(p(x, y, z + 1), p(x, y, z))]
    result = Spacer().solve(
        HornSystem.of([clause(p(x, y, z), x == 0, y == 0, z == 0), *steps, query]), Context.within(1)
    )
    assert isinstance(result, Unknown) and result.reason.startswith("Spacer")


def test_options_reach_z3():
    context = Context(time.monotonic() + 600, options={"spacer.no_such_parameter": "1"})
    result = Spacer().solve(counter(3, unsafe=False), context)
    assert isinstance(result, Unknown) and "no_such_parameter" in result.reason


def test_odd_names():
    x = z3.Int("x")
    names = ("a|b".replace("|", " "), "query!0", "and", "P")
    odd = [Predicate(name, (z3.IntSort(),)) for name in names]
    links = [clause(odd[i + 1](x + 1), odd[i](x)) for i in range(len(odd) - 1)]
    for unsafe in (True, False):
        end = clause(None, odd[-1](x), x == 3 if unsafe else x != 3)
        system = HornSystem.of([clause(odd[0](x), x == 0), *links, end])
        assert_certified(system, Spacer().solve(system, Context.within(600)), unsafe)


def test_proof_gives_ground_facts_with_premises():
    system = fibonacci(unsafe=True)
    found = nodes(system, ask(system, {}, 600).term)
    assert found[-1].fact is None and found[-1].premises
    known: set[ProofFact] = set()
    for node in found:
        assert set(node.premises) <= known
        if node.fact is not None:
            known.add(node.fact)


def test_inlining_without_any_fact():
    """Bounded search alone finds what no proof has told."""
    system = fibonacci(unsafe=True)
    uses = Inliner(system, None, ()).search(Context.within(600))
    assert uses is not None and uses[-1].fact is None
    derived: set[ProofFact] = set()
    for use in uses:
        assert set(use.premises) <= derived
        if use.fact is not None:
            derived.add(use.fact)


def test_inlining_stops_where_nothing_is_derivable():
    assert Inliner(counter(3, unsafe=False), None, (), max_goals=30).search(Context.within(600)) is None


def test_inlining_uses_known_facts():
    system = counter(1000, unsafe=True)
    fact = ProofFact(system.by_name["P"], (z3.IntVal(999),))
    uses = Inliner(system, None, [fact]).search(Context.within(600))
    assert uses is not None and len(uses) == 2 and uses[0].premises == (fact,)


def test_residual_has_the_models_that_complete():
    system = chain(4, unsafe=False)
    first, last = system.predicates[0], system.predicates[-1]
    known = {first: first.formals[1] == 0, last: last.formals[1] <= 3}
    rest = residual(system, known)
    assert set(rest.predicates) == set(system.predicates[1:-1])
    result = Spacer().solve(rest, Context.within(600))
    assert isinstance(result, Safe)
    model = Model({**known, **result.model.interpretations})
    assert check_model(system, model, time.monotonic() + 600).accepted


def test_wrong_formulas_are_found_again():
    """What z3's eager inlining may answer: true for predicates that it has eliminated."""
    system = chain(6, unsafe=False)
    right = Spacer().solve(system, Context.within(600))
    assert isinstance(right, Safe)
    wrong = {**right.model.interpretations, **{p: z3.BoolVal(True) for p in system.predicates[2:4]}}
    model = complete(system, wrong, Context.within(600))
    assert model is not None and check_model(system, model, time.monotonic() + 600).accepted
    useless = {p: z3.BoolVal(False) for p in system.predicates[:3]}
    model = complete(system, {**wrong, **useless}, Context.within(600))
    assert model is not None and check_model(system, model, time.monotonic() + 600).accepted


def test_where_no_query_can_be_reached_everything_is_true():
    # x = 0 => P(x);  P(x) & x > 0 => false;  P(x) => Q(x);  Q(x) => R(x)
    x = z3.Int("x")
    p, q, r = (Predicate(name, (z3.IntSort(),)) for name in "PQR")
    clauses = [
        clause(p(x), x == 0),
        clause(None, p(x), x > 0),
        clause(q(x), p(x)),
        clause(r(x), q(x)),
    ]
    system = HornSystem.of(clauses)
    model = complete(system, {p: p.formals[0] == 0, r: z3.BoolVal(False)}, Context.within(600))
    assert model is not None and check_model(system, model, time.monotonic() + 600).accepted
