"""Models from the value analysis of a C program's clauses."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import z3

from chcverify.certificate.model import Model
from chcverify.certificate.search.houdini import inductive_subset
from chcverify.horn.system import HornSystem, Predicate
from chcverify.problems.c_problem import CProblem
from chcverify.run.groups.partial_models import PartialModel
from chcverify.terms.core.traversal import conjunction
from solvers.value_analysis.analysis import ValueAnalysis
from solvers.value_analysis.formulas import FactFormulas
from solvers.value_analysis.states import TrackedArguments

if TYPE_CHECKING:
    from encoders.c.encoding.encoder import Encoding


Facts = Mapping[Predicate, Sequence[z3.BoolRef]]
"""Of each predicate over its formals, all of which hold together; nothing derives predicates that are missing."""

QUERY_S = 0.3
"""For the question whether a weakened model refutes a query; easy ones take milliseconds."""


def value_models(whole: CProblem, until: float) -> Iterator[PartialModel]:
    """Yields the model of the value analysis, if that ends by time.monotonic() = until."""
    system, tracked = whole.system, tracked_arguments(whole.encoding)
    try:
        analysis = ValueAnalysis(system, tracked, until)
    except TimeoutError:
        return
    written = FactFormulas()
    facts = {p: written.of(p, state, tracked.get(p, ())) for p, state in analysis.states.items()}
    yield PartialModel(
        analysis.refuted(), lambda: model_of_facts(system, facts), lambda end: inductive_part(system, facts, end)
    )


def model_of_facts(system: HornSystem, facts: Facts) -> Model:
    """The facts of each predicate together; false where there are none."""
    return Model({p: conjunction(facts[p]) if p in facts else z3.BoolVal(False) for p in system.predicates})


def inductive_part(system: HornSystem, facts: Facts, until: float) -> PartialModel:
    """The model of the facts that are inductive together, and the queries that a solver shows to be refuted by it.

    until: time.monotonic() at which to give up, keeping nothing.
    """
    candidates = {p: facts.get(p, (z3.BoolVal(False),)) for p in system.predicates}
    model = model_of_facts(system, inductive_subset(system, candidates, until))
    return PartialModel(
        frozenset(index for index in system.queries if _is_refuted(system, index, model, until)), lambda: model
    )


def _is_refuted(system: HornSystem, index: int, model: Model, until: float) -> bool:
    left = until - time.monotonic()
    if left <= 0:
        return False
    clause, solver = system.clauses[index], z3.SimpleSolver()
    solver.set("timeout", max(1, int(1000 * min(QUERY_S, left))))
    # model(body) & constraint
    solver.add(clause.constraint, *(model.instantiate(atom) for atom in clause.body))
    return bool(solver.check() == z3.unsat)


def tracked_arguments(encoding: "Encoding") -> Mapping[Predicate, Sequence[TrackedArguments]]:
    """The positions of the tracked objects among the arguments of each predicate."""
    from encoders.c.analysis.storage import OBJECT_STRIDE
    from encoders.c.analysis.tracked_objects import UNBORN

    found: dict[Predicate, list[TrackedArguments]] = {}
    objects = [tracked for _, tracked in encoding.objects.all()]
    for predicate, arguments in encoding.arguments.items():
        at_entry = {a.variable: position for position, a in enumerate(arguments) if a.at_entry}
        current = {a.variable: position for position, a in enumerate(arguments) if not a.at_entry}
        for tracked in objects:
            point = current.get(tracked.point, at_entry.get(tracked.point))
            for positions in (current, at_entry):
                size, state = positions.get(tracked.size), positions.get(tracked.state)
                if point is not None and (size is not None or state is not None):
                    item = TrackedArguments(point, size, state, OBJECT_STRIDE, UNBORN)
                    found.setdefault(predicate, []).append(item)
    return found
