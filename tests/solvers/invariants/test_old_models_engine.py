"""A model of an earlier version decides, if it still is one; its inductive part is kept."""

import json

import pytest
import z3

from chcverify.cache.old_models import models_document
from chcverify.cache.store import FORMAT, VERSION
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown
from solvers.engine import Context
from solvers.invariants.old_models_engine import OldModels

INT = z3.IntSort()
x, y = z3.Ints("x y")
P = Predicate("main#1", (INT, INT), names=("x", "y"))


def system(step: int) -> HornSystem:
    return HornSystem.of(
        [
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            Clause(P(x + 1, y + step), (P(x, y),), x < 100),
            Clause(None, (P(x, y),), y > 100 * step),
        ]
    )


def test_the_old_model_is_tried(tmp_path) -> None:
    first, second = P.formals
    model = Model({P: z3.And(second == 2 * first, first <= 100, first >= 0)})
    path = tmp_path / "model.json"
    path.write_text(json.dumps({"format": FORMAT, "version": VERSION, **models_document(system(2), model)}))
    context = Context(deadline=Context.within(60).deadline, options={"file": str(path)})
    assert isinstance(OldModels().solve(system(2), context), Safe)
    assert context.statistics["kept"] == 3
    OldModels().solve(system(3), context)
    assert context.statistics["kept"] == 2


def test_without_a_model(tmp_path) -> None:
    for options in ({}, {"file": str(tmp_path / "missing.json")}):
        context = Context(deadline=Context.within(60).deadline, options=options)
        assert isinstance(OldModels().solve(system(2), context), Unknown)
    with pytest.raises(ValueError, match="not an option"):
        OldModels().check_options({"model": "x"})
