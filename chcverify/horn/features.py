"""Features of a Horn system: sizes for statistics, and properties by which engines are chosen."""

import z3

from chcverify.horn.datatypes import sorts_of
from chcverify.horn.system import HornSystem
from chcverify.lazy_dataclass import dataclass
from chcverify.terms.core.graphs import is_cyclic
from chcverify.terms.native import capi, handles

_PRODUCTS = {
    z3.Z3_OP_MUL, z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM, z3.Z3_OP_POWER,
    z3.Z3_OP_BMUL, z3.Z3_OP_BSDIV, z3.Z3_OP_BUDIV, z3.Z3_OP_BSREM, z3.Z3_OP_BUREM, z3.Z3_OP_BSMOD,
}  # fmt: skip
_DIVISIONS = {z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM}
_TELLING = _PRODUCTS | {z3.Z3_OP_DT_ACCESSOR}
_SORTS = {
    z3.Z3_INT_SORT: "int", z3.Z3_REAL_SORT: "real", z3.Z3_BOOL_SORT: "bool", z3.Z3_BV_SORT: "bv",
    z3.Z3_ARRAY_SORT: "array", z3.Z3_DATATYPE_SORT: "datatype",
}  # fmt: skip


@dataclass(frozen=True)
class Features:
    """linear: at most one body atom a clause; recursive: some predicate depends on itself.

    theories: of int, real, bool (variables or arguments), bv, array, datatype, other; nonlinear (a product or quotient
    of two terms with variables) and quantifier. partial: functions without a fixed value somewhere, "/0" (a divisor of
    Int or Real that may be 0) and "accessor" (of a datatype with several constructors).
    """

    predicates: int
    clauses: int
    queries: int
    facts: int
    arguments: int
    variables: int
    linear: bool
    recursive: bool
    theories: frozenset[str]
    partial: frozenset[str]


def describe(system: HornSystem) -> Features:
    """The features of the system, by one walk over its terms."""
    theories = {_SORTS.get(sort.kind(), "other") for sort in sorts_of(system)}
    partial: set[str] = set()
    roots: list[z3.ExprRef] = [clause.constraint for clause in system.clauses]
    roots += [a for clause in system.clauses for application in clause.applications for a in application.arguments]
    if roots:
        _inspect(roots, theories, partial)
    return Features(
        predicates=len(system.predicates),
        clauses=len(system.clauses),
        queries=len(system.queries),
        facts=sum(clause.is_fact and not clause.is_query for clause in system.clauses),
        arguments=sum(predicate.arity for predicate in system.predicates),
        variables=sum(len(clause.variables) for clause in system.clauses),
        linear=system.is_linear,
        recursive=is_recursive(system),
        theories=frozenset(theories),
        partial=frozenset(partial),
    )


def _inspect(roots: list[z3.ExprRef], theories: set[str], partial: set[str]) -> None:
    """Adds what the terms show. A function is looked at once, unless what it is depends on its arguments."""
    context, ctx = roots[0].ctx, handles.context_of(roots[0])
    functions: dict[int, bool] = {}
    for node, below in handles.postorder(ctx, map(handles.handle, roots), set()):
        if not below:
            continue
        if capi.get_ast_kind(ctx, node) == handles.QUANTIFIER:
            theories.add("quantifier")
            continue
        function = capi.get_app_decl(ctx, node)
        if function not in functions:
            functions[function] = capi.get_decl_kind(ctx, function) in _TELLING
            kinds = {capi.get_sort_kind(ctx, capi.get_sort(ctx, child)) for child in below}
            theories |= {_SORTS.get(kind, "other") for kind in kinds - {z3.Z3_BOOL_SORT}}
        if functions[function]:
            _inspect_application(handles.wrap(node, context), theories, partial)


def _inspect_application(term: z3.ExprRef, theories: set[str], partial: set[str]) -> None:
    kind, parts = term.decl().kind(), term.children()
    if kind in _PRODUCTS:
        open_parts = [part for part in parts if not _is_value(part)]
        if len(open_parts) > 1 or (kind in _DIVISIONS and not _is_value(parts[-1])):
            theories.add("nonlinear")
        if kind in _DIVISIONS and not (_is_value(parts[-1]) and str(z3.simplify(parts[-1])) != "0"):
            partial.add("/0")
    elif parts[0].sort().num_constructors() > 1:
        partial.add("accessor")


def _is_value(term: z3.ExprRef) -> bool:
    """A numeral, possibly negated, or a quotient of numerals."""
    if z3.is_app(term) and term.decl().kind() in (z3.Z3_OP_UMINUS, z3.Z3_OP_TO_REAL, z3.Z3_OP_DIV):
        return all(z3.is_int_value(p) or z3.is_rational_value(p) for p in term.children())
    return bool(z3.is_int_value(term) or z3.is_rational_value(term) or z3.is_bv_value(term))


def is_recursive(system: HornSystem) -> bool:
    """True if some predicate depends on itself."""
    uses: dict[str, set[str]] = {predicate.name: set() for predicate in system.predicates}
    for clause in system.clauses:
        if clause.head is not None:
            uses[clause.head.predicate.name].update(application.predicate.name for application in clause.body)
    return is_cyclic(uses, uses.__getitem__)
