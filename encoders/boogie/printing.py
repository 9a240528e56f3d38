"""Invariants of models as conditions in Boogie's syntax."""

import z3

from chcverify.certificate.model import Model
from chcverify.results.source_facts import SourceInvariant
from chcverify.terms.core.traversal import conjuncts
from encoders.boogie.implementation_encoder import EncodedImplementation

_INFIX = {
    z3.Z3_OP_ADD: "+", z3.Z3_OP_SUB: "-", z3.Z3_OP_MUL: "*", z3.Z3_OP_IDIV: "div", z3.Z3_OP_MOD: "mod",
    z3.Z3_OP_DIV: "/", z3.Z3_OP_LE: "<=", z3.Z3_OP_LT: "<", z3.Z3_OP_GE: ">=", z3.Z3_OP_GT: ">", z3.Z3_OP_EQ: "==",
    z3.Z3_OP_AND: "&&", z3.Z3_OP_OR: "||", z3.Z3_OP_IMPLIES: "==>", z3.Z3_OP_CONCAT: "++",
}  # fmt: skip


class _NoText(Exception):
    """A term has no text in Boogie's syntax."""


def printed_invariants(encoded: EncodedImplementation, model: Model) -> tuple[SourceInvariant, ...]:
    """The conjuncts of the interpretations of loop heads that have a text."""
    found = []
    for predicate in encoded.system.predicates:
        for part in conjuncts(model[predicate]):
            try:
                text = printed(part, dict(zip((str(f) for f in predicate.formals), predicate.names, strict=True)))
            except _NoText:
                continue
            if text != "true" and predicate.origin is not None:
                found.append(SourceInvariant(predicate.origin, encoded.implementation.name, True, text))
    return tuple(found)


def printed(term: z3.ExprRef, names: dict[str, str]) -> str:
    """The term in Boogie's syntax, with these names for its constants. Raises _NoText for what has none.

    Invariants are small, so this recursion is not deep.
    """
    if z3.is_int_value(term):
        return str(term)
    if z3.is_bv_value(term):
        return f"{term.as_long()}bv{term.size()}"
    if z3.is_true(term) or z3.is_false(term):
        return str(term).lower()
    if not z3.is_app(term):
        raise _NoText
    if not term.num_args():
        name = names.get(str(term))
        if name is None:
            raise _NoText
        return name
    return _applied(term, names)


def _applied(term: z3.ExprRef, names: dict[str, str]) -> str:
    kind = term.decl().kind()
    parts = [printed(child, names) for child in term.children()]
    if kind == z3.Z3_OP_NOT:
        return f"!({parts[0]})"
    if kind == z3.Z3_OP_UMINUS:
        return f"-({parts[0]})"
    if kind == z3.Z3_OP_SELECT:
        return f"{parts[0]}[{parts[1]}]"
    if kind == z3.Z3_OP_ITE:
        return f"(if {parts[0]} then {parts[1]} else {parts[2]})"
    if kind not in _INFIX:
        raise _NoText
    wrapped = [part if part.replace("_", "a").isalnum() else f"({part})" for part in parts]
    return f" {_INFIX[kind]} ".join(wrapped)
