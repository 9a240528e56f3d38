"""Invariants that annotations of the source claim, as formulas over the predicates of their loop heads."""

from collections.abc import Sequence

import z3

from chcverify.horn.system import Origin, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import free_variables, substitute
from encoders.c.analysis.storage import StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatLocation
from encoders.c.encoding.edge_values import UndeterminedValues
from encoders.c.encoding.encoder import Encoding
from encoders.c.encoding.expression_terms import ExpressionTranslator
from encoders.c.encoding.initial_values import constant_of
from encoders.c.encoding.integer_theory import NotLinear
from encoders.c.source.source_errors import Unsupported


@dataclass(frozen=True, eq=False)
class ClaimedInvariant:
    """A claim at one instance of a loop head."""

    predicate: Predicate
    formula: z3.BoolRef | None
    """Over the predicate's formals; None if it cannot be one."""
    text: str
    """Of the annotation, which is at `origin`."""
    origin: Origin
    reason: str = ""
    """Why there is no formula."""


def claimed_invariants(encoding: Encoding) -> list[ClaimedInvariant]:
    """The claims of all loop heads that the clauses have, by their positions in the source."""
    found = []
    for predicate, place in encoding.locations.items():
        for claim in place.frame.function.claims:
            if claim.location == place.location.number:
                found.append(_claimed(encoding, predicate, place, claim))
    return sorted(found, key=lambda claim: (claim.origin.file, claim.origin.line, claim.origin.column))


def _claimed(encoding: Encoding, predicate: Predicate, place: FlatLocation, claim: ir.LoopClaim) -> ClaimedInvariant:
    """One claim at one location."""
    used: dict[StateVariable, z3.ExprRef] = {}

    def state(variable: StateVariable) -> z3.ExprRef:
        if variable not in used:
            used[variable] = constant_of(encoding.theory, variable)
        return used[variable]

    choices = UndeterminedValues()
    translator = ExpressionTranslator(encoding.memory, encoding.theory, place.frame, state, {}, choices, claim.origin)
    try:
        truth = translator.truth(claim.condition)
    except (Unsupported, NotLinear, KeyError) as error:
        what = error.construct if isinstance(error, Unsupported) else "a term that the clauses have no form for"
        return ClaimedInvariant(predicate, None, claim.text, claim.origin, what)
    formals = {
        argument.variable: formal
        for formal, argument in zip(predicate.formals, encoding.arguments[predicate], strict=True)
        if not argument.at_entry
    }
    mentioned = {term.get_id() for term in free_variables(truth)}
    needed = [variable for variable, term in used.items() if term.get_id() in mentioned]
    missing = [variable.label for variable in needed if variable not in formals]
    if choices.inputs or translator.traps():
        return ClaimedInvariant(predicate, None, claim.text, claim.origin, "a value that is not determined")
    if missing:
        why = f"what comes behind the loop does not depend on {' and '.join(missing)}"
        return ClaimedInvariant(predicate, None, claim.text, claim.origin, why)
    pairs: Sequence[tuple[z3.ExprRef, z3.ExprRef]] = [(used[variable], formals[variable]) for variable in needed]
    formula = z3.simplify(substitute(truth, list(pairs)))
    assert isinstance(formula, z3.BoolRef)
    return ClaimedInvariant(predicate, formula, claim.text, claim.origin)
