"""Queries with a predicate each, so that a system can be reduced once for all queries and solved for some of them."""

from collections.abc import Mapping
from dataclasses import replace

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class SeparateQueries:
    """A system in which each query of another one derives a predicate of its own, which only a query uses.

    A model of `system` without some of these queries is, for the predicates of the other system, a model of that
    without the same queries: a query body & c => false became body & c => failure and failure => false.
    failures: these predicates, by the index of the query in the other system.
    """

    system: HornSystem
    failures: Mapping[int, Predicate]


def separate_queries(system: HornSystem) -> SeparateQueries:
    """The system with a predicate for each query. The indices of its clauses are those of the system given."""
    failures: dict[int, Predicate] = {}
    clauses = list(system.clauses)
    for index in system.queries:
        name = f"failure {index}"
        while name in system.by_name:
            name += "'"
        failures[index] = failure = Predicate(name, ())
        clauses[index] = replace(system.clauses[index], head=Application(failure, ()))
    queries = [Clause(None, (Application(failure, ()),), z3.BoolVal(True)) for failure in failures.values()]
    return SeparateQueries(
        HornSystem((*system.predicates, *failures.values()), (*clauses, *queries)),
        failures,
    )
