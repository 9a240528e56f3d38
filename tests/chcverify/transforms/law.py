"""The law of transforms: what a back-translator returns is a certificate of the system before, checked by z3."""

import exhaustive_systems
import z3
from hypothesis import assume

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.terms.core.traversal import free_variables
from chcverify.transforms.base import Transform


def assert_model(system: HornSystem, model: Model) -> None:
    for predicate in system.predicates:
        formals = {formal.get_id() for formal in predicate.formals}
        assert {v.get_id() for v in free_variables(model[predicate])} <= formals, f"{predicate}: {model[predicate]}"
    for clause in system.clauses:
        solver = z3.Solver()
        solver.set("timeout", 10_000)
        solver.add(clause.constraint, *(model.instantiate(atom) for atom in clause.body))
        if clause.head is not None:
            solver.add(z3.Not(model.instantiate(clause.head)))
        # exists variables. body & constraint & not head
        assert solver.check() == z3.unsat, f"{clause} under {model.interpretations}"


def assert_derivation(system: HornSystem, derivation: Derivation) -> None:
    for number, step in enumerate(derivation.steps):
        clause = system.clauses[step.clause]
        assert clause.is_query == (number == len(derivation.steps) - 1)
        assert len(step.premises) == len(clause.body) and all(premise < number for premise in step.premises)
        atoms = [(clause.head, step.arguments)] if clause.head is not None else []
        for atom, premise in zip(clause.body, step.premises, strict=True):
            earlier = derivation.steps[premise]
            derived = system.clauses[earlier.clause].head
            assert derived is not None and derived.predicate == atom.predicate
            atoms.append((atom, earlier.arguments))
        solver = z3.Solver()
        solver.add(clause.constraint)
        for atom, values in atoms:
            solver.add(*(argument == value for argument, value in zip(atom.arguments, values, strict=True)))
        # exists variables. constraint & arguments = values
        assert solver.check() == z3.sat, f"step {number}: {clause} with {step}"


MOST_VARIABLES = 19


def assert_law(transform: Transform, system: HornSystem) -> None:
    """Solves the transformed system exhaustively and carries the certificate back; verdicts must agree."""
    after, back = transform.apply(system)
    # The exhaustive evaluator nests one loop per variable, and Python allows twenty.
    assume(all(len(clause.variables) < MOST_VARIABLES for clause in (*system.clauses, *after.clauses)))
    before = exhaustive_systems.solve(system)
    result = exhaustive_systems.solve(after)
    assert isinstance(result, Model) == isinstance(before, Model)
    if isinstance(result, Model):
        assert_model(after, result)
        assert_model(system, back.model(result))
    else:
        assert_derivation(after, result)
        assert_derivation(system, back.derivation(result))


def assert_law_without_arrays(transform: Transform, system: HornSystem) -> None:
    """The same for systems with arrays, none of which the transformed system has: only that is solved exhaustively."""
    after, back = transform.apply(system)
    assert not after.has_arrays
    result = exhaustive_systems.solve(after)
    if isinstance(result, Model):
        assert_model(system, back.model(result))
    else:
        assert_derivation(system, back.derivation(result))
