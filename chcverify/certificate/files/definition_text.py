"""The definitions of a model as text: `(define-fun-rec h ((x S) ...) Bool (forall (...) formula))`."""

from collections.abc import Container, Sequence

import z3

from chcverify.certificate.files.recursive_definitions import (
    RecursiveDefinition,
    definition_line,
    split_recursive_definitions,
)
from chcverify.certificate.model import Definition
from chcverify.horn.system import Predicate
from chcverify.terms.printing.binders import fresh


def definition_text(definition: Definition) -> str:
    """The definition on its own, with names for its formals that differ from those of what it quantifies.

    Formulas with other quantifiers than one in front are none that a checker accepts, and may be printed wrongly.
    """
    predicate, body = definition.predicate, definition.body
    bound = {str(body.var_name(i)) for i in range(body.num_vars())} if z3.is_quantifier(body) else set()
    prefix = fresh("c", " ".join(bound))
    names = [f"{prefix}{i}" for i in range(predicate.arity)]
    return definition_line(predicate.name, predicate.formals, names, z3.BoolSort(), body)


def split_definitions(text: str, reserved: Container[str]) -> tuple[tuple[RecursiveDefinition, ...], str]:
    """The definitions of predicates, and the text with blanks instead of them."""
    return split_recursive_definitions(text, reserved, lambda sort: sort == "Bool")


def definitions(assertions: Sequence[z3.BoolRef]) -> tuple[Definition, ...]:
    """What z3 read of the definitions' assertions."""
    return tuple(map(_definition, assertions))


def _definition(assertion: z3.BoolRef) -> Definition:
    equivalence, sorts = assertion, []
    if z3.is_quantifier(assertion):
        sorts = [assertion.var_sort(i) for i in range(assertion.num_vars())]
        equivalence = assertion.body()
    predicate = Predicate(str(equivalence.arg(0).decl().name()), tuple(sorts))
    body = equivalence.arg(1)
    return Definition(predicate, z3.substitute_vars(body, *reversed(predicate.formals)) if sorts else body)
