"""Iterative, memoised walks over z3 terms. Terms are deep and shared: no walk here recurses or visits a node twice."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import z3

T = TypeVar("T")


def subterms(*roots: z3.ExprRef) -> Iterator[z3.ExprRef]:
    """Every distinct subterm of the roots once, children before parents; goes below quantifiers."""
    seen: set[int] = set()
    stack: list[tuple[z3.ExprRef, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        term, expanded = stack.pop()
        key = term.get_id()
        if expanded:
            yield term
        elif key not in seen:
            seen.add(key)
            stack.append((term, True))
            stack.extend((child, False) for child in term.children() if child.get_id() not in seen)


def fold(root: z3.ExprRef, visit: Callable[[z3.ExprRef, list[T]], T]) -> T:
    """visit(term, values of its children) for each distinct subterm, bottom up; the value of the root."""
    value: dict[int, T] = {}
    for term in subterms(root):
        value[term.get_id()] = visit(term, [value[child.get_id()] for child in term.children()])
    return value[root.get_id()]


def is_variable(term: z3.ExprRef) -> bool:
    """Is the term an uninterpreted constant? (Inside clauses these are the universally quantified variables.)"""
    return bool(z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def free_variables(*roots: z3.ExprRef) -> tuple[z3.ExprRef, ...]:
    """The uninterpreted constants of the roots, each once, in order of first occurrence from the leaves."""
    return tuple(term for term in subterms(*roots) if is_variable(term))


def conjuncts(term: z3.BoolRef) -> list[z3.BoolRef]:
    """The conjuncts of nested conjunctions, left to right; [] for true."""
    return _flatten(term, z3.is_and, z3.is_true)


def disjuncts(term: z3.BoolRef) -> list[z3.BoolRef]:
    """The disjuncts of nested disjunctions, left to right; [] for false."""
    return _flatten(term, z3.is_or, z3.is_false)


def _flatten(
    term: z3.BoolRef, is_node: Callable[[z3.BoolRef], bool], is_unit: Callable[[z3.BoolRef], bool]
) -> list[z3.BoolRef]:
    out: list[z3.BoolRef] = []
    stack, seen = [term], set()
    while stack:
        part = stack.pop()
        if part.get_id() in seen or is_unit(part):
            continue
        seen.add(part.get_id())
        if is_node(part):
            stack.extend(reversed(part.children()))
        else:
            out.append(part)
    return out


def conjunction(parts: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """The conjunction, without a node for zero or one part."""
    items = [part for part in parts if not z3.is_true(part)]
    if not items:
        return z3.BoolVal(True)
    return items[0] if len(items) == 1 else z3.And(items)


def disjunction(parts: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """The disjunction, without a node for zero or one part."""
    items = [part for part in parts if not z3.is_false(part)]
    if not items:
        return z3.BoolVal(False)
    return items[0] if len(items) == 1 else z3.Or(items)


def substitute(term: z3.ExprRef, pairs: Iterable[tuple[z3.ExprRef, z3.ExprRef]]) -> z3.ExprRef:
    """Simultaneous substitution; pairs of a term with itself are skipped."""
    changes = [(old, new) for old, new in pairs if not old.eq(new)]
    return z3.substitute(term, changes) if changes else term
