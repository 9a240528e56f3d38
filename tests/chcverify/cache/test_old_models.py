"""Models of earlier versions as candidates: by the names of arguments, whatever their order."""

import z3

from chcverify.cache.old_models import candidates, models_document
from chcverify.certificate.model import Model
from chcverify.effort import MAX_FORMULAS
from chcverify.horn.system import Clause, HornSystem, Predicate

INT = z3.IntSort()
OLD = Predicate("main#3", (INT, INT), names=("i", "n"))
NEW = Predicate("main#3", (INT, INT, INT), names=("k", "n", "i"))
OTHER = Predicate("other#1", (INT,), names=("i",))
i, n = OLD.formals


def system(*predicates: Predicate) -> HornSystem:
    clauses = [Clause(None, (predicate(*predicate.formals),), z3.BoolVal(False)) for predicate in predicates]
    return HornSystem.of(clauses, predicates)


def test_conjuncts_move_to_the_arguments_of_the_same_name() -> None:
    document = models_document(system(OLD), Model({OLD: z3.And(i <= n, i >= 0)}))
    found = candidates(system(NEW, OTHER), document)
    _, new_n, new_i = NEW.formals
    solver = z3.Solver()
    # the candidates differ from the old conjuncts over the new formals
    solver.add(z3.And(found[NEW]) != z3.And(new_i <= new_n, new_i >= 0))
    assert len(found[NEW]) == 2 and solver.check() == z3.unsat
    assert found[OTHER] == []


def test_what_says_nothing_or_is_not_readable_is_left_out() -> None:
    assert models_document(system(OLD), Model({OLD: z3.BoolVal(True)})) == {"predicates": []}
    for document in ({}, {"predicates": 3}, {"predicates": [3, {"name": "main#3"}]}):
        assert candidates(system(NEW), document) == {NEW: []}
    wrong = {"name": "main#3", "arguments": [["i", "Int"]], "model": "no model"}
    assert candidates(system(NEW), {"predicates": [wrong]}) == {NEW: []}


def test_there_are_not_too_many() -> None:
    many = z3.And([i != number for number in range(2 * MAX_FORMULAS)])
    assert len(candidates(system(OLD), models_document(system(OLD), Model({OLD: many})))[OLD]) == MAX_FORMULAS
