"""Calls Spacer through z3's Fixedpoint interface, the only one that gives refutations.

Komuravelli, Gurfinkel, Chaki: SMT-based model checking for recursive programs (FMSD 2016).
"""

import re
from collections.abc import Mapping
from typing import Any

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction

QUERY = Predicate("chcverify-query", ())

# z3's own transformations that eliminate predicates and arguments: without them models are free of quantifiers and
# every fact of a refutation belongs to one of our clauses, but the search is often slower.
KEEP_PREDICATES: Mapping[str, bool] = {
    "xform.coi": False,
    "xform.slice": False,
    "xform.inline_linear": False,
    "xform.inline_eager": False,
}


@dataclass(frozen=True, eq=False)
class FixedpointAnswer:
    """Spacer's answer.

    verdict: z3.unsat (safe), z3.sat (unsafe) or z3.unknown with a reason. term: z3's model formula or its proof.
    """

    verdict: z3.CheckSatResult
    term: Any = None
    reason: str = ""


def ask(system: HornSystem, options: Mapping[str, object], seconds: float, seed: int = 0) -> FixedpointAnswer:
    """Spacer's answer to whether the query is derivable. The time limit is soft. Raises nothing for hard systems."""
    try:
        fixedpoint = z3.Fixedpoint()
        fixedpoint.set("timeout", max(1, int(seconds * 1000)), "engine", "spacer", "spacer.random_seed", seed)
        for name, value in options.items():
            fixedpoint.set(name, value)
        for predicate in (*system.predicates, QUERY):
            fixedpoint.register_relation(predicate.function)
        for index, clause in enumerate(system.clauses):
            fixedpoint.add_rule(rule(clause), name=f"clause-{index}")
        # exists a derivation of the query
        verdict = fixedpoint.query(QUERY.function())
        if verdict == z3.unknown:
            return FixedpointAnswer(verdict, reason=_reason(fixedpoint.reason_unknown()))
        return FixedpointAnswer(verdict, fixedpoint.get_answer())
    except z3.Z3Exception as error:
        return FixedpointAnswer(z3.unknown, reason=_reason(str(error)))


def check_parameter(name: str, value: object) -> None:
    """Raises ValueError for a name or a value that z3 does not accept."""
    try:
        z3.Fixedpoint().set(name, value)
    except z3.Z3Exception as error:
        raise ValueError(f"not a parameter of spacer: {name}={value}") from error


def rule(clause: Clause) -> z3.BoolRef:
    """forall variables. body & constraint => head, with QUERY for the head of a query."""
    head = QUERY.function() if clause.head is None else clause.head.term
    tail = conjunction([*(application.term for application in clause.body), clause.constraint])
    implication = head if z3.is_true(tail) else z3.Implies(tail, head)
    # Spacer's search depends on the order of the variables; the order by name is mostly the one in the input file.
    variables = sorted(clause.variables, key=lambda variable: (len(name := variable.decl().name()), name))
    return z3.ForAll(variables, implication) if variables else implication


def _reason(text: str) -> str:
    """The first line of an exception's text; a clause may follow, and the text may be bytes printed by Python."""
    message = re.sub(r"^b(['\"])(.*)\1$", r"\2", text.strip(), flags=re.DOTALL)
    message = re.split(r"\n|\\n", message)[0].rstrip(":")
    return f"Spacer: {message}" if message else "Spacer gives no reason"
