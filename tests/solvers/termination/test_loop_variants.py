"""Variants of single loops."""

import time

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.termination.loop_variants import loop_variants
from solvers.termination.ranking_search import prove
from tests.chcverify.certificate.termination_systems import nested

x, y, z = z3.Ints("x y z")


def test_each_of_two_nested_loops_has_one() -> None:
    system, known = nested()
    found = loop_variants(system, prove(system, known.model, time.monotonic() + 600, is_thorough=False))
    assert found.keys() == known.cut_points


def test_a_loop_with_two_ranks_has_none() -> None:
    """while (x > 0 && y > 0) if (any) { x--; y = any; } else y--;"""
    head = Predicate("head", (z3.IntSort(), z3.IntSort()))
    clauses = [
        Clause(head(x, y), (), z3.BoolVal(True)),
        Clause(head(x - 1, z), (head(x, y),), z3.And(x > 0, y > 0)),
        Clause(head(x, y - 1), (head(x, y),), z3.And(x > 0, y > 0)),
    ]
    system = HornSystem.of(clauses)
    everything = Model({head: z3.BoolVal(True)})
    assert not loop_variants(system, prove(system, everything, time.monotonic() + 600, is_thorough=False))
