"""Reads the model out of Spacer's answer: a conjunction of `forall x. P(x) == formula`."""

import z3

from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.traversal import conjuncts, is_variable, subterms


def interpretations(system: HornSystem, answer: z3.BoolRef) -> dict[Predicate, z3.BoolRef]:
    """The readable interpretations of the system's predicates in the answer, quantified ones included."""
    found = {}
    for part in conjuncts(answer):
        body = part.body() if z3.is_quantifier(part) and part.is_forall() else part
        application, formula = _sides(body)
        predicate = system.by_name.get(application.decl().name()) if z3.is_app(application) else None
        if predicate is not None and all(map(z3.is_var, application.children())):
            terms = _formals(predicate, application.children(), part)
            meaning = z3.substitute_vars(formula, *terms) if terms else formula
            if is_over_formals(predicate, meaning):
                found[predicate] = meaning
    return found


def is_over_formals(predicate: Predicate, formula: z3.BoolRef) -> bool:
    """True if the free variables are formals of the predicate and all functions are interpreted."""
    formals = {formal.get_id() for formal in predicate.formals}
    for term in subterms(formula):
        if is_variable(term) and term.get_id() not in formals:
            return False
        if z3.is_app(term) and term.num_args() and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            return False
    return True


def _sides(body: z3.BoolRef) -> tuple[z3.ExprRef, z3.BoolRef]:
    """The pair (application, formula) of `P(x) == formula`; `P(x)` and `not P(x)` stand for true and false."""
    if z3.is_eq(body):
        left, right = body.children()
        uninterpreted = z3.is_app(left) and left.decl().kind() == z3.Z3_OP_UNINTERPRETED
        return (left, right) if uninterpreted else (right, left)
    if z3.is_not(body):
        return body.arg(0), z3.BoolVal(False)
    return body, z3.BoolVal(True)


def _formals(predicate: Predicate, arguments: list[z3.ExprRef], part: z3.BoolRef) -> list[z3.ExprRef]:
    """For each bound variable, by index, the formal that it stands for."""
    if not arguments:
        return []
    assert z3.is_quantifier(part)
    position = {z3.get_var_index(argument): i for i, argument in enumerate(arguments)}
    count = part.num_vars()
    return [
        predicate.formals[position[index]]
        if index in position
        else z3.Const(f"unbound!{index}", part.var_sort(count - 1 - index))
        for index in range(count)
    ]
