"""Formulas over array terms as formulas over their elements: solvers without lambdas can decide them.

Two rewritings. What is read from a store, a lambda, an if-then-else or a constant array is the element itself (read
over write, beta reduction), which is an equivalence. And an equality a = b between arrays becomes a[k] = b[k] for a
fresh k. If that is valid for all k, then for the k at which a and b differ if they do, where it is the equality itself:
so what is rewritten so is valid only if the formula is, wherever the equality stands. The converse is true only where
it stands positively, so it is left as it is elsewhere, and below binders, where k would depend on what they bind.
"""

from collections.abc import Generator, Sequence
from typing import Any

import z3

from chcverify.terms.core.traversal import kind_of, subterms

_MAX_READS = 50_000
"""Reads of arrays in a formula; with more the certificate is refused. Chosen by hand."""

Task = Generator[Any, Any, Any]


class TooManyReads(ValueError):
    """The formula has more reads than can be written out."""


def pointwise(goal: z3.BoolRef) -> tuple[z3.BoolRef, tuple[z3.ExprRef, ...]]:
    """(goal', k): valid for all k iff goal is valid; k are fresh constants. TooManyReads where goal' would be."""
    rewriting = _Rewriting()
    found = _run(rewriting.formula(goal, True))
    return found, tuple(rewriting.indices)


def has_lambda(*terms: z3.ExprRef) -> bool:
    """True if a lambda occurs in a term."""
    return any(z3.is_quantifier(part) and part.is_lambda() for part in subterms(*terms))


def _run(task: Task) -> Any:
    """The result of the task and all that it yields: recursion without Python's stack, as terms are deep."""
    stack: list[Task] = [task]
    result: Any = None
    while stack:
        try:
            below = stack[-1].send(result)
            stack.append(below)
            result = None
        except StopIteration as done:
            stack.pop()
            result = done.value
    return result


class _Rewriting:
    """Memoised; the memos keep the terms alive whose identities are their keys. No term has a free bound variable."""

    def __init__(self) -> None:
        self.indices: list[z3.ExprRef] = []
        self._terms: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
        self._reads: dict[tuple[int, ...], tuple[Sequence[z3.ExprRef], z3.ExprRef]] = {}
        self._formulas: dict[tuple[int, bool], tuple[z3.ExprRef, z3.ExprRef]] = {}

    def formula(self, formula: z3.BoolRef, is_positive: bool) -> Task:
        """With equalities of arrays taken apart that stand positively."""
        key = (formula.get_id(), is_positive)
        if key not in self._formulas:
            self._formulas[key] = formula, (yield self._formula(formula, is_positive))
        return self._formulas[key][1]

    def _formula(self, formula: z3.BoolRef, is_positive: bool) -> Task:
        kind = kind_of(formula)
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
            parts = []
            for child in formula.children():
                parts.append((yield self.formula(child, is_positive)))
            return z3.And(parts) if kind == z3.Z3_OP_AND else z3.Or(parts)
        if kind == z3.Z3_OP_NOT:
            return z3.Not((yield self.formula(formula.arg(0), not is_positive)))
        if kind == z3.Z3_OP_IMPLIES:
            left = yield self.formula(formula.arg(0), not is_positive)
            return z3.Implies(left, (yield self.formula(formula.arg(1), is_positive)))
        if kind == z3.Z3_OP_ITE:
            condition = yield self.term(formula.arg(0))
            then = yield self.formula(formula.arg(1), is_positive)
            return z3.If(condition, then, (yield self.formula(formula.arg(2), is_positive)))
        if is_positive and kind == z3.Z3_OP_EQ and _is_array(formula.arg(0)):
            return (yield self._equality((yield self.term(formula.arg(0))), (yield self.term(formula.arg(1)))))
        return (yield self.term(formula))

    def _equality(self, left: z3.ExprRef, right: z3.ExprRef) -> Task:
        """left[k] = right[k] for a fresh k."""
        if left.eq(right):
            return z3.BoolVal(True)
        fresh = [z3.FreshConst(sort, "k") for sort in _domains(left)]
        self.indices.extend(fresh)
        elements = (yield self.read(left, fresh)), (yield self.read(right, fresh))
        return (yield self._equality(*elements)) if _is_array(elements[0]) else elements[0] == elements[1]

    def term(self, term: z3.ExprRef) -> Task:
        """With reads pushed to the elements, but below binders."""
        key = term.get_id()
        if key not in self._terms:
            self._terms[key] = term, (yield self._term(term))
        return self._terms[key][1]

    def _term(self, term: z3.ExprRef) -> Task:
        if not z3.is_app(term) or not term.num_args():
            return term
        children = []
        for child in term.children():
            children.append((yield self.term(child)))
        if kind_of(term) == z3.Z3_OP_SELECT:
            return (yield self.read(children[0], children[1:]))
        if all(old.eq(new) for old, new in zip(term.children(), children, strict=True)):
            return term
        return _applied(term, children)

    def read(self, array: z3.ExprRef, indices: Sequence[z3.ExprRef]) -> Task:
        """array[indices], both rewritten before."""
        key = (array.get_id(), *(index.get_id() for index in indices))
        if key not in self._reads:
            if len(self._reads) >= _MAX_READS:
                raise TooManyReads("too many reads of arrays")
            self._reads[key] = (array, *indices), (yield self._read(array, indices))
        return self._reads[key][1]

    def _read(self, array: z3.ExprRef, indices: Sequence[z3.ExprRef]) -> Task:
        if z3.is_quantifier(array):  # of the sort of an array: a lambda; its last variable has the index 0
            return (yield self.term(z3.substitute_vars(array.body(), *reversed(indices))))
        kind = kind_of(array)
        if kind == z3.Z3_OP_CONST_ARRAY:
            return array.arg(0)
        if kind == z3.Z3_OP_ITE:
            then = yield self.read(array.arg(1), indices)
            return _choice(array.arg(0), then, (yield self.read(array.arg(2), indices)))
        if kind == z3.Z3_OP_STORE:
            *places, value = array.children()[1:]
            same = _equal(places, indices)
            if z3.is_true(same):
                return value
            return _choice(same, value, (yield self.read(array.arg(0), indices)))
        return z3.Select(array, *indices)


def _is_array(term: z3.ExprRef) -> bool:
    return bool(term.sort().kind() == z3.Z3_ARRAY_SORT)  # lambdas, too


def _domains(array: z3.ExprRef) -> list[z3.SortRef]:
    sort, context = array.sort(), array.ctx_ref()
    count = z3.Z3_get_array_arity(context, sort.ast)
    return [sort.domain_n(i) for i in range(count)]


def _applied(term: z3.ExprRef, children: Sequence[z3.ExprRef]) -> z3.ExprRef:
    """The term's function on other arguments; z3py's call of an associative function takes two at most."""
    arguments = (z3.Ast * len(children))(*(child.as_ast() for child in children))
    made = z3.Z3_mk_app(term.ctx_ref(), term.decl().ast, len(children), arguments)
    applied: z3.ExprRef = z3.z3._to_expr_ref(made, term.ctx)
    return applied


def _choice(condition: z3.BoolRef, then: z3.ExprRef, other: z3.ExprRef) -> z3.ExprRef:
    if z3.is_true(condition) or then.eq(other):
        return then
    return other if z3.is_false(condition) else z3.If(condition, then, other)


def _equal(left: Sequence[z3.ExprRef], right: Sequence[z3.ExprRef]) -> z3.BoolRef:
    """That the indices are the same; true or false where that shows."""
    open_ = []
    for a, b in zip(left, right, strict=True):
        if _is_number(a) and _is_number(b) and not a.eq(b):
            return z3.BoolVal(False)
        if not a.eq(b):
            open_.append(a == b)
    return z3.And(open_) if len(open_) > 1 else open_[0] if open_ else z3.BoolVal(True)


def _is_number(term: z3.ExprRef) -> bool:
    """True for numbers and bit-vectors: if two are equal, they are the same term."""
    return kind_of(term) in (z3.Z3_OP_ANUM, z3.Z3_OP_BNUM)
