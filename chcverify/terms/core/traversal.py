"""Iterative, memoised walks over z3 terms. Terms are deep and shared: no walk here recurses or visits a node twice."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import z3
from z3 import z3core

from chcverify.effort import LARGEST_ORDINARY_CONSTANT
from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle
from chcverify.terms.native.value_kinds import CONSTRUCTORS, NUMERALS

T = TypeVar("T")
E = TypeVar("E", bound=z3.ExprRef)

_NONLINEAR = {z3.Z3_OP_MUL, z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM, z3.Z3_OP_POWER}
_OF_PLAIN_ARITHMETIC = {
    *(z3.Z3_OP_TRUE, z3.Z3_OP_FALSE, z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_IMPLIES, z3.Z3_OP_XOR),
    *(z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT, z3.Z3_OP_ITE, z3.Z3_OP_ANUM, z3.Z3_OP_UMINUS),
    *(z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_TO_REAL),
}
_NUMBERS_AND_TRUTH = (z3.Z3_BOOL_SORT, z3.Z3_INT_SORT, z3.Z3_REAL_SORT)
_OF_NUMBERS = {*NUMERALS, z3.Z3_OP_UMINUS, z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_MUL, z3.Z3_OP_DIV, z3.Z3_OP_TO_REAL}


def subterms(*roots: z3.ExprRef) -> Iterator[z3.ExprRef]:
    """Every distinct subterm of the roots (of one context) once, children before parents; goes below quantifiers."""
    if roots:
        context = roots[0].ctx
        for node, _ in _nodes(roots):
            yield handles.wrap(node, context)


def applications_of(root: z3.ExprRef, kind: int) -> Iterator[z3.ExprRef]:
    """Every distinct subterm whose function is of the kind (Z3_OP_...), children before parents."""
    context = handles.context_of(root)
    for node, _ in _nodes((root,)):
        is_application = capi.get_ast_kind(context, node) == z3.Z3_APP_AST
        if is_application and capi.get_decl_kind(context, capi.get_app_decl(context, node)) == kind:
            yield handles.wrap(node, root.ctx)


def _nodes(roots: tuple[z3.ExprRef, ...]) -> Iterator[tuple[Handle, Sequence[Handle]]]:
    return handles.postorder(handles.context_of(roots[0]), map(handles.handle, roots), set())


def _parents_first(roots: tuple[z3.ExprRef, ...]) -> Iterator[tuple[Handle, int, int]]:
    return handles.preorder(handles.context_of(roots[0]), map(handles.handle, roots)) if roots else iter(())


def fold(root: z3.ExprRef, visit: Callable[[z3.ExprRef, list[T]], T]) -> T:
    """visit(term, values of its children) for each distinct subterm, bottom up; the value of the root."""
    value: dict[Handle, T] = {}
    for node, below in _nodes((root,)):
        value[node] = visit(handles.wrap(node, root.ctx), [value[child] for child in below])
    return value[handles.handle(root)]


def has_quantifier(*terms: z3.ExprRef) -> bool:
    """True if a quantifier, or a lambda, occurs in one of the terms."""
    return any(kind == handles.QUANTIFIER for _, kind, _ in _parents_first(terms))


def kind_of(term: z3.ExprRef) -> int:
    """The kind (Z3_OP_...) of the term's function, of numerals, too; -1 for quantifiers and bound variables."""
    context, node = term.ctx.ref().value, term.ast.value
    if capi.get_ast_kind(context, node) not in (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST):
        return -1
    return capi.get_decl_kind(context, capi.get_app_decl(context, node))


def name_of(constant: z3.ExprRef) -> str:
    """The name of an uninterpreted constant; str(constant) says the same a hundred times as slowly."""
    return str(constant.decl().name())


def is_variable(term: z3.ExprRef) -> bool:
    """True if the term is an uninterpreted constant; inside clauses these are the universally quantified variables."""
    return kind_of(term) == z3.Z3_OP_UNINTERPRETED and not capi.get_app_num_args(term.ctx.ref().value, term.ast.value)


def defined_variable(part: z3.BoolRef) -> tuple[z3.ExprRef, z3.ExprRef] | None:
    """(x, t) if the formula is x = t or t = x for a variable x that does not occur in t; the left one if both are."""
    if not z3.is_eq(part):
        return None
    left, right = part.children()
    for variable, term in ((left, right), (right, left)):
        if is_variable(variable) and not any(variable.eq(other) for other in free_variables(term)):
            return variable, term
    return None


def is_value(term: z3.ExprRef) -> bool:
    """True for numerals, Boolean constants, and constructors, constant arrays and stores over values."""
    stack = [term]
    while stack:
        part = stack.pop()
        operator = kind_of(part)
        if operator in NUMERALS:
            continue
        if operator not in CONSTRUCTORS:
            return False
        stack.extend(part.children())
    return True


def is_nonlinear(term: z3.ExprRef) -> bool:
    """True if the term is a product of two terms that are no numbers, or a division by such a term."""
    if not z3.is_app(term) or term.decl().kind() not in _NONLINEAR:
        return False
    open_ = [not _is_number(child) for child in term.children()]
    return sum(open_) > 1 or (term.decl().kind() != z3.Z3_OP_MUL and open_[1])


def is_plain_arithmetic(*roots: z3.ExprRef) -> bool:
    """True if the roots (of one context) are made of sums over numbers with small coefficients, comparisons and Boolean
    operators: no products, quotients or remainders, no quantifiers, arrays, bit-vectors or functions with arguments."""
    for node, kind, count in _parents_first(roots):
        if kind == handles.QUANTIFIER:
            return False
        if kind == handles.APP and not _is_plain(node, count, roots[0].ctx):
            return False
    return True


def _is_plain(node: Handle, count: int, context: z3.Context) -> bool:
    """May the application, with `count` arguments, occur in plain arithmetic?"""
    address = context.ref().value
    operator = capi.get_decl_kind(address, capi.get_app_decl(address, node))
    if operator == z3.Z3_OP_UNINTERPRETED:
        return not count and capi.get_sort_kind(address, capi.get_sort(address, node)) in _NUMBERS_AND_TRUTH
    if operator == z3.Z3_OP_MUL:
        factors = handles.wrap(node, context).children()
        numbers = [factor for factor in factors if z3.is_int_value(factor)]
        return len(factors) - len(numbers) < 2 and all(abs(n.as_long()) <= LARGEST_ORDINARY_CONSTANT for n in numbers)
    return operator in _OF_PLAIN_ARITHMETIC


def _is_number(term: z3.ExprRef) -> bool:
    """True for numerals, and for what numerals are written with: -1 as (- 1), a half as (/ 1 2)."""
    return all(kind_of(part) in _OF_NUMBERS for part in subterms(term))


def free_variables(*roots: z3.ExprRef) -> tuple[z3.ExprRef, ...]:
    """The uninterpreted constants of the roots (of one context), each once, in order of first occurrence."""
    return tuple([handles.wrap(node, roots[0].ctx) for node in _variables(roots)])


def free_variable_handles(*roots: z3.ExprRef) -> set[Handle]:
    """The handles of `free_variables`, as long as the roots are alive."""
    return set(_variables(roots))


def _variables(roots: tuple[z3.ExprRef, ...]) -> list[Handle]:
    if not roots:
        return []
    raw = handles.context_of(roots[0])
    return [
        node
        for node, kind, count in _parents_first(roots)
        if kind == handles.APP
        and not count
        and capi.get_decl_kind(raw, capi.get_app_decl(raw, node)) == handles.UNINTERPRETED
    ]


def is_quantifier_free(term: z3.ExprRef) -> bool:
    """True if no quantifier, lambda or bound variable is in the term."""
    return all(kind in (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST) for _, kind, _ in _parents_first((term,)))


def conjuncts(term: z3.BoolRef) -> list[z3.BoolRef]:
    """The conjuncts of nested conjunctions, left to right; [] for true."""
    return [handles.wrap(part, term.ctx) for part in conjunct_handles(term)]


def conjunct_handles(term: z3.BoolRef) -> list[Handle]:
    """The handles of `conjuncts`, as long as the term is alive."""
    return _flatten(term, z3.Z3_OP_AND, z3.Z3_OP_TRUE)


def disjuncts(term: z3.BoolRef) -> list[z3.BoolRef]:
    """The disjuncts of nested disjunctions, left to right; [] for false."""
    return [handles.wrap(part, term.ctx) for part in _flatten(term, z3.Z3_OP_OR, z3.Z3_OP_FALSE)]


def _flatten(term: z3.BoolRef, junction: int, unit: int) -> list[Handle]:
    raw = handles.context_of(term)
    out: list[Handle] = []
    stack, seen = [handles.handle(term)], set[Handle]()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        is_application = capi.get_ast_kind(raw, node) == handles.APP
        kind = capi.get_decl_kind(raw, capi.get_app_decl(raw, node)) if is_application else -1
        if kind == junction:
            stack.extend(reversed(handles.children(raw, node)))
        elif kind != unit:
            out.append(node)
    return out


def conjunction(parts: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """The conjunction, without a node for zero or one part."""
    items = [part for part in parts if kind_of(part) != z3.Z3_OP_TRUE]
    return _join(z3core.Z3_mk_and, items) if items else z3.BoolVal(True)


def disjunction(parts: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """The disjunction, without a node for zero or one part."""
    items = [part for part in parts if kind_of(part) != z3.Z3_OP_FALSE]
    return _join(z3core.Z3_mk_or, items) if items else z3.BoolVal(False)


def _join(make: Callable[..., Any], items: Sequence[z3.BoolRef]) -> z3.BoolRef:
    """make(items), or the only item; without z3py's checks, which cost more than all the rest."""
    if len(items) == 1:
        return items[0]
    nodes = (z3.Ast * len(items))(*(item.as_ast() for item in items))
    return z3.BoolRef(make(items[0].ctx_ref(), len(items), nodes), items[0].ctx)


def substitute(term: E, pairs: Iterable[tuple[z3.ExprRef, z3.ExprRef]]) -> E:
    """Simultaneous substitution of new for old in the pairs (old, new) of terms of one sort.

    Sound below binders, as z3 shifts indices. z3py's own wrapper checks each pair, which costs more than the
    substitution; z3 itself refuses terms of different sorts (z3.Z3Exception).
    """
    changes = [(old, new) for old, new in pairs if old.ast.value != new.ast.value]
    if not changes:
        return term
    if is_variable(term):
        key = term.ast.value
        found: Any = next((new for old, new in changes if old.ast.value == key), term)
        same_sort: E = found
        return same_sort
    count = len(changes)
    sources, targets = (z3.Ast * count)(), (z3.Ast * count)()
    for i, (old, new) in enumerate(changes):
        sources[i], targets[i] = old.as_ast(), new.as_ast()
    result = z3core.Z3_substitute(term.ctx.ref(), term.as_ast(), count, sources, targets)
    made: E = z3.z3._to_expr_ref(result, term.ctx)
    return made


def equation(left: z3.ExprRef, right: z3.ExprRef) -> z3.BoolRef:
    """The equation left = right of two terms of one sort; z3py would first look for a sort that both can have."""
    return z3.BoolRef(z3core.Z3_mk_eq(left.ctx_ref(), left.as_ast(), right.as_ast()), left.ctx)
