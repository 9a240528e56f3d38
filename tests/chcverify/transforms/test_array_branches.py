"""Clauses of several paths that write to arrays: a clause for each, with certificates that come back."""

import z3
from exhaustive_systems import systems
from hypothesis import HealthCheck, given, settings

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, subterms
from chcverify.transforms.base import Identity
from chcverify.transforms.exact.arrays.array_branches import ArrayBranches

from .law import assert_derivation, assert_model

ARRAY = z3.ArraySort(z3.IntSort(), z3.IntSort())
a, b = z3.Consts("a b", ARRAY)
i, x = z3.Ints("i x")
TRUE = z3.BoolVal(True)
P = Predicate("P", (z3.IntSort(), ARRAY))
INITIAL = Clause(P(z3.IntVal(0), z3.K(z3.IntSort(), z3.IntVal(1))), (), TRUE)


def written(choices: int, wrong: int) -> HornSystem:
    """At each index one of so many paths is taken, each of which writes 1 there; a cell with another number is one."""
    edges = [z3.Bool(f"edge{k}") for k in range(choices)]
    others = [z3.Or(z3.Not(edges[k]), z3.Not(edges[m])) for k in range(choices) for m in range(k)]
    writes = [z3.Or(z3.Not(edge), b == z3.Store(a, i + k, 1)) for k, edge in enumerate(edges)]
    step = Clause(P(i + 1, b), (P(i, a),), conjunction([z3.Or(*edges), *others, *writes]))
    return HornSystem.of([INITIAL, step, Clause(None, (P(i, a),), a[x] != wrong)])


def test_each_path_is_a_clause_in_which_the_write_is_known() -> None:
    system = written(2, 1)
    after, back = ArrayBranches().apply(system)
    assert len(after.clauses) == 4
    for clause in after.clauses[1:3]:
        assert clause.head is not None and z3.is_store(clause.head.arguments[1])
        assert not any(z3.is_or(term) for term in subterms(clause.constraint))
    k = z3.Int("k")
    model = Model({P: z3.ForAll([k], P.formals[1][k] == 1)})
    assert_model(after, model)
    assert_model(system, back.model(model))


def test_derivations_come_back() -> None:
    system = written(2, 0)
    _, back = ArrayBranches().apply(system)
    ones = z3.K(z3.IntSort(), z3.IntVal(1))
    facts = [Step(k, (z3.IntVal(k), ones), (k - 1,) if k else ()) for k in range(3)]
    assert_derivation(system, back.derivation(Derivation((*facts, Step(3, (), (2,))))))


def test_clauses_of_many_paths_stay() -> None:
    system = written(12, 1)
    after, back = ArrayBranches().apply(system)
    assert after is system and isinstance(back, Identity)


@given(system=systems())
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_systems_without_arrays_stay(system: HornSystem) -> None:
    after, back = ArrayBranches().apply(system)
    assert after is system and isinstance(back, Identity)
