"""Clauses with invariants that are known before engines begin: smaller ones, whose models prove the others.

Nothing is trusted: a model is conjoined with the invariants, and checked on the clauses that they were made from.
"""

from collections.abc import Mapping
from dataclasses import replace

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.run_plan import Certificate
from chcverify.results.result import Safe
from chcverify.terms.core.traversal import conjunction

Known = Mapping[Predicate, z3.BoolRef]
# Of z3, for the question if a clause can be passed: a millisecond, on clauses of ten programs with threads.
QUESTION_RESOURCES = 20_000


def strengthened(system: HornSystem, known: Known) -> tuple[HornSystem, list[int]]:
    """The clauses with what is known of the body's atoms, without those that then lead nowhere; the index in the given
    system of each clause that is left."""
    model, solver = Model(known), z3.Solver()
    solver.set("rlimit", QUESTION_RESOURCES)

    def kept(clause: Clause) -> Clause | None:
        parts = [part for atom in clause.body for part in [model.instantiate(atom)] if not z3.is_true(part)]
        solver.push()
        solver.add(clause.constraint, *parts)
        answer = solver.check()
        solver.pop()
        return None if answer == z3.unsat else replace(clause, constraint=conjunction([clause.constraint, *parts]))

    left = [(index, clause) for index, clause in enumerate(map(kept, system.clauses)) if clause is not None]
    return HornSystem(system.predicates, tuple(clause for _, clause in left)), [index for index, _ in left]


def conjoined(answer: Certificate, known: Known) -> Certificate:
    """A model of strengthened clauses as one of the clauses that they come from. (A derivation is kept as it is: it is
    none of those clauses, as these are numbered otherwise.)"""
    if not isinstance(answer, Safe):
        return answer
    return Safe(answer.model.updated({p: conjunction([answer.model[p], formula]) for p, formula in known.items()}))
