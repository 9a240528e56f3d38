"""Queries with predicates of their own: the same system, and one that can be reduced for all and solved for some."""

import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.transforms.pipeline import default_pipeline
from chcverify.transforms.separate_queries import separate_queries

x, y = z3.Ints("x y")
P, Q = Predicate("P", (z3.IntSort(),)), Predicate("Q", (z3.IntSort(),))
SYSTEM = HornSystem.of(
    [
        Clause(P(x), (), x >= 3),
        Clause(Q(y), (P(x),), y == x + 1),
        Clause(None, (Q(x),), x < 4),
        Clause(None, (Q(x),), x == 10),
        Clause(None, (P(x),), x < 0),
    ]
)


def test_each_query_derives_its_own_predicate() -> None:
    separate = separate_queries(SYSTEM)
    assert sorted(separate.failures) == [2, 3, 4] and len(set(separate.failures.values())) == 3
    for index, failure in separate.failures.items():
        head = separate.system.clauses[index].head
        assert head is not None and head.predicate == failure
        assert [c.is_query for i in separate.system.using[failure] if (c := separate.system.clauses[i])] == [True]


def test_a_name_that_is_taken_is_not_used_again() -> None:
    taken = Predicate("failure 1", ())
    system = HornSystem.of([Clause(taken(), (), z3.BoolVal(True)), Clause(None, (taken(),), z3.BoolVal(True))])
    assert separate_queries(system).failures[1].name == "failure 1'"


def test_a_model_of_the_reduced_system_without_a_query_comes_back_without_it() -> None:
    """The query x == 10 can be violated; P is unfolded, and so is Q."""
    separate = separate_queries(SYSTEM)
    failures = frozenset(separate.failures.values())
    reduced, back, _ = default_pipeline(not_unfolded=failures).run(separate.system)
    violated = separate.failures[3]
    assert violated in reduced.predicates
    model = back.model(Model({p: z3.BoolVal(p == violated) for p in reduced.predicates}))
    kept = [clause for index, clause in enumerate(SYSTEM.clauses) if index != 3]
    own = Model({p: model[p] for p in SYSTEM.predicates})
    assert certify(HornSystem.of(kept, SYSTEM.predicates), own, float("inf"), "off").accepted
    assert not certify(SYSTEM, own, float("inf"), "off").accepted
