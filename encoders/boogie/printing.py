"""Invariants of models as conditions in Boogie's syntax, which mean the same when they are read again."""

import re
from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.quick_dataclass import dataclass
from chcverify.results.source_facts import SourceInvariant
from chcverify.terms.arithmetic.balanced_comparisons import with_balanced_comparisons
from chcverify.terms.core.traversal import conjuncts
from encoders.boogie import syntax as s
from encoders.boogie.encoded_bodies import EncodedBody, EncodedImplementation
from encoders.boogie.expressions.typed_terms import components

_INFIX = {
    z3.Z3_OP_ADD: "+", z3.Z3_OP_SUB: "-", z3.Z3_OP_MUL: "*", z3.Z3_OP_IDIV: "div", z3.Z3_OP_MOD: "mod",
    z3.Z3_OP_DIV: "/", z3.Z3_OP_LE: "<=", z3.Z3_OP_LT: "<", z3.Z3_OP_GE: ">=", z3.Z3_OP_GT: ">", z3.Z3_OP_EQ: "==",
    z3.Z3_OP_AND: "&&", z3.Z3_OP_OR: "||", z3.Z3_OP_IMPLIES: "==>", z3.Z3_OP_CONCAT: "++",
}  # fmt: skip
_NEGATED = {z3.Z3_OP_LE: ">", z3.Z3_OP_LT: ">=", z3.Z3_OP_GE: "<", z3.Z3_OP_GT: "<=", z3.Z3_OP_EQ: "!="}
_NAME = r"[A-Za-z'~#$^_.?`\\][\w'~#$^.?`\\]*"
_SAYABLE = re.compile(rf"{_NAME}|old\({_NAME}\)")


class _NoText(Exception):
    """A term has no text in Boogie's syntax."""


@dataclass(frozen=True)
class PrintedName:
    """What a constant of a term is called in the program."""

    name: str
    type: s.Type
    """Of a function, the map from its parameters to its result."""
    is_function: bool = False
    variable: str | None = None
    """The local variable that it is; None for what is none."""


def printed_invariants(encoded: EncodedImplementation, model: Model) -> tuple[SourceInvariant, ...]:
    """The conjuncts of the interpretations of loop heads that have a text."""
    found = []
    for predicate, (body, location) in zip(encoded.system.predicates, encoded.locations, strict=True):
        if location not in body.heads:
            continue
        names = _names(encoded, body, [str(formal) for formal in predicate.formals])
        for part in conjuncts(model[predicate]):
            text = printed_condition(with_balanced_comparisons(part), names)
            if text is not None and text != "true" and predicate.origin is not None:
                found.append(SourceInvariant(predicate.origin, body.implementation.name, True, text))
    return tuple(found)


def _has_polymorphic_map(function: s.FunctionDeclaration) -> bool:
    types = (*(parameter.type for parameter in function.parameters), function.result)
    return any(isinstance(type, s.MapType) and bool(type.type_parameters) for type in types)


def printed_condition(condition: z3.ExprRef, names: Mapping[str, PrintedName]) -> str | None:
    """The text of a condition; None where it has none."""
    try:
        return printed(condition, names)
    except _NoText:
        return None


def variable_names(encoded: EncodedImplementation) -> dict[str, PrintedName]:
    """The names of the constants that stand for symbols and for variables at a location where a segment begins."""
    terms = [term for _, term in (*encoded.symbols, *encoded.root.formal_values(""))]
    return _names(encoded, encoded.root, [str(term) for term in terms])


def _names(encoded: EncodedImplementation, body: EncodedBody, formals: Sequence[str]) -> dict[str, PrintedName]:
    """The names of the formals of a predicate that an expression at a loop head of a body can use."""
    declarations, locals = body.semantics.declarations, body.semantics.locals
    constants, functions = declarations.constants, declarations.functions
    known: list[PrintedName | None] = []
    for name, term in encoded.symbols:
        if name in constants and str(term).startswith("constant "):
            known.append(None if name in locals else PrintedName(name, constants[name].type))
        elif name in functions and functions[name].parameters and not _has_polymorphic_map(functions[name]):
            types = tuple(parameter.type for parameter in functions[name].parameters)
            known.append(PrintedName(name, s.MapType(types, functions[name].result), is_function=True))
        else:
            known.append(None)
    for v in body.globals:
        known += _printed_names(body, v, None if v.name in locals else v.name)
    for v in body.globals:
        known += _printed_names(body, v, None if v.name in locals else f"old({v.name})")
    for name, variable in locals.items():
        parts = _printed_names(body, variable, name)
        known += [part and PrintedName(part.name, part.type, variable=name) for part in parts]
    pairs = zip(formals, known, strict=True)
    return {formal: name for formal, name in pairs if name is not None and _SAYABLE.fullmatch(name.name)}


def _printed_names(body: EncodedBody, variable: s.DeclaredVariable, name: str | None) -> list[PrintedName | None]:
    """What each term of a variable is called: all those of a polymorphic map like the map."""
    parts = components(variable.type, variable.origin, body.semantics.universe)
    return [None if name is None or part.type is None else PrintedName(name, part.type) for part in parts]


def printed(term: z3.ExprRef, names: Mapping[str, PrintedName]) -> str:
    """The term in Boogie's syntax, with these names for its constants. Raises _NoText for what has none.

    Invariants are small, so this recursion is not deep.
    """
    if z3.is_int_value(term):
        return str(term)
    if z3.is_bv_value(term):
        return f"{term.as_long()}bv{term.size()}"
    if z3.is_true(term) or z3.is_false(term):
        return str(term).lower()
    if z3.is_quantifier(term) and not term.is_lambda():
        return _quantified(term, names)
    if not z3.is_app(term):
        raise _NoText
    if z3.is_select(term):
        return _selected(term, names)
    if not term.num_args():
        name = names.get(str(term))
        if name is None or name.is_function:
            raise _NoText
        return name.name
    return _applied(term, names)


def _applied(term: z3.ExprRef, names: Mapping[str, PrintedName]) -> str:
    kind = term.decl().kind()
    parts = [printed(child, names) for child in term.children()]
    if kind == z3.Z3_OP_NOT:
        negated = _NEGATED.get(term.arg(0).decl().kind())
        return f"!({parts[0]})" if negated is None else _applied_infix(negated, term.arg(0), names)
    if kind == z3.Z3_OP_UMINUS:
        return f"-{parts[0]}" if parts[0].isdigit() else f"-({parts[0]})"
    if kind == z3.Z3_OP_ITE:
        return f"(if {parts[0]} then {parts[1]} else {parts[2]})"
    if kind == z3.Z3_OP_DISTINCT and len(parts) == 2:
        return f"({parts[0]}) != ({parts[1]})"
    if kind not in _INFIX:
        raise _NoText
    return _applied_infix(_INFIX[kind], term, names)


def _applied_infix(operator: str, term: z3.ExprRef, names: Mapping[str, PrintedName]) -> str:
    parts = [printed(child, names) for child in term.children()]
    wrapped = [part if part.replace("_", "a").isalnum() else f"({part})" for part in parts]
    return f" {operator} ".join(wrapped)


def _selected(term: z3.ExprRef, names: Mapping[str, PrintedName]) -> str:
    """Elements of maps and values of functions, whose indices are those of arrays of arrays."""
    indices: list[str] = []
    while z3.is_select(term):
        indices.insert(0, printed(term.arg(1), names))
        term = term.arg(0)
    root = names.get(str(term)) if z3.is_const(term) else None
    if root is None:
        raise _NoText
    text, type = root.name, root.type
    is_call = root.is_function
    while indices:
        if not isinstance(type, s.MapType) or len(type.indices) > len(indices):
            raise _NoText
        taken, indices = indices[: len(type.indices)], indices[len(type.indices) :]
        text += f"({', '.join(taken)})" if is_call else f"[{', '.join(taken)}]"
        type, is_call = type.result, False
    return text


def _quantified(term: z3.QuantifierRef, names: Mapping[str, PrintedName]) -> str:
    """A quantifier over values of built-in types."""
    bound: list[z3.ExprRef] = []
    known = dict(names)
    for i in range(term.num_vars()):
        sort = term.var_sort(i)
        constant = z3.FreshConst(sort, "k")
        types = {z3.Z3_INT_SORT: s.INT, z3.Z3_BOOL_SORT: s.BOOL, z3.Z3_REAL_SORT: s.REAL}
        type = types.get(sort.kind())
        if type is None:
            raise _NoText
        known[str(constant)] = PrintedName(f"k#{len(known)}", type)
        bound.append(constant)
    body = printed(z3.substitute_vars(term.body(), *reversed(bound)), known)
    variables = ", ".join(f"{known[str(constant)].name}: {known[str(constant)].type}" for constant in bound)
    return f"({'forall' if term.is_forall() else 'exists'} {variables} :: {body})"
