"""A pool of terms in a context of its own, with solvers and models, for engines that ask many small questions.

A term is the address of its AST (`Term`). Terms are hash-consed, so equal handles are equal terms. Every handle
that a method returns has been reference-counted by `keep` before any further call (otherwise z3 may reuse the address)
and lives as long as its `Raw`. Solvers and models are released when their Python object is.
"""

import ctypes
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from types import TracebackType
from typing import Any, NewType

import z3

from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle, array

Term = NewType("Term", Handle)
"""A term that its Raw keeps alive."""
Sort = NewType("Sort", Handle)
"""A sort that its Raw keeps alive."""

_NUMERALS = (z3.Z3_OP_ANUM, z3.Z3_OP_BNUM)
_PARAMETER_SYMBOL, _PARAMETER_RATIONAL = 3, 2


class RawError(Exception):
    """z3 refused a call (interrupt, resource limit, ill-sorted term)."""


class _Timed:
    """Adds the time of a block to the seconds its Raw spent inside z3."""

    def __init__(self, raw: "Raw") -> None:
        self.raw = raw

    def __enter__(self) -> None:
        self.start = time.perf_counter()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.raw.seconds += time.perf_counter() - self.start


class Raw:
    """The handles of one z3 context. `seconds` is the time in its solvers and in projections."""

    def __init__(self, context: z3.Context) -> None:
        self.context = context
        self.c: int = context.ref().value
        self.seconds = 0.0
        self._order: dict[Term, int] = {}  # of every handle that is kept: how many were kept before it
        self._negations: dict[Term, Term] = {}
        self._kinds: dict[Term, int] = {}
        self._children: dict[Term, tuple[Term, ...]] = {}
        self._numerals: dict[tuple[Fraction, Sort], Term] = {}
        self.bool_sort = Sort(self.keep(capi.mk_bool_sort(self.c)))
        self.int_sort = Sort(self.keep(capi.mk_int_sort(self.c)))
        self.true = self.handle(z3.BoolVal(True, context))
        self.false = self.handle(z3.BoolVal(False, context))

    def keep(self, term: Handle | None) -> Term:
        """Reference-counts a handle once; RawError for a null handle."""
        if term is None:
            code = capi.get_error_code(self.c)
            raise RawError(f"z3: {capi.get_error_msg(self.c, code).decode()}")
        kept: Term = term  # type: ignore[assignment]  # as Term(term), without a call
        if kept not in self._order:
            capi.inc_ref(self.c, kept)
            self._order[kept] = len(self._order)
        return kept

    def order(self, term: Term) -> int:
        """A number that orders the terms as they were first met here: addresses differ from run to run."""
        return self._order[term]

    def in_order(self, terms: Iterable[Term]) -> list[Term]:
        """The terms in the order in which they were first met here."""
        return sorted(terms, key=self._order.__getitem__)

    @contextmanager
    def interrupted_after(self, seconds: float) -> Iterator[None]:
        """Within the block, z3's work in this context is interrupted, once, after this time.

        The thread holds nothing but the context's address and ends with the block, so that no z3 object dies in it.
        """
        watchdog = threading.Timer(seconds, capi.interrupt, (self.c,))
        watchdog.daemon = True
        watchdog.start()
        try:
            yield
        finally:
            watchdog.cancel()
            watchdog.join()

    # -- between z3py and handles

    def handle(self, term: z3.AstRef) -> Term:
        """The handle of a z3py term, translated into this context where needed."""
        own = term if term.ctx.ref().value == self.c else term.translate(self.context)
        return self.keep(own.as_ast().value)

    def wrap(self, term: Term, context: z3.Context | None = None) -> Any:
        """The z3py term of a handle, in `context` (this one by default)."""
        pointer = z3.Ast(term)
        pointer.value = term
        result = z3.z3._to_expr_ref(pointer, self.context)
        return result if context is None else result.translate(context)

    def translate(self, term: Term, target: "Raw") -> Term:
        """The same term in another context."""
        return target.keep(capi.translate(self.c, term, target.c))

    # -- construction

    def fresh(self, name: str, sort: Sort) -> Term:
        """A new constant; its name starts with `name`."""
        return self.keep(capi.mk_fresh_const(self.c, name.encode(), sort))

    def literal(self, name: str) -> Term:
        """A new Boolean constant."""
        return self.fresh(name, self.bool_sort)

    def negate(self, term: Term) -> Term:
        """not term, without double negations."""
        known = self._negations.get(term)
        if known is None:
            if self.kind(term) == z3.Z3_OP_NOT:
                known = self.children(term)[0]
            elif term in (self.true, self.false):
                known = self.false if term == self.true else self.true
            else:
                known = self.keep(capi.mk_not(self.c, term))
            self._negations[term], self._negations[known] = known, term
        return known

    def conjunction(self, parts: Sequence[Term]) -> Term:
        if len(parts) == 1:
            return parts[0]
        return self.keep(capi.mk_and(self.c, len(parts), array(parts))) if parts else self.true

    def disjunction(self, parts: Sequence[Term]) -> Term:
        if len(parts) == 1:
            return parts[0]
        return self.keep(capi.mk_or(self.c, len(parts), array(parts))) if parts else self.false

    def negated_conjunction(self, parts: Sequence[Term]) -> Term:
        """The clause that excludes the cube."""
        return self.disjunction([self.negate(part) for part in parts])

    def numeral(self, value: Fraction | int, sort: Sort) -> Term:
        key = (Fraction(value), sort)
        if key not in self._numerals:
            self._numerals[key] = self.keep(capi.mk_numeral(self.c, str(key[0]).encode(), sort))
        return self._numerals[key]

    def add(self, parts: Sequence[Term]) -> Term:
        return parts[0] if len(parts) == 1 else self.keep(capi.mk_add(self.c, len(parts), array(parts)))

    def mul(self, left: Term, right: Term) -> Term:
        return self.keep(capi.mk_mul(self.c, 2, array((left, right))))

    def equation(self, left: Term, right: Term) -> Term:
        return self.keep(capi.mk_eq(self.c, left, right))

    def le(self, left: Term, right: Term) -> Term:
        return self.keep(capi.mk_le(self.c, left, right))

    def lt(self, left: Term, right: Term) -> Term:
        return self.keep(capi.mk_lt(self.c, left, right))

    def ge(self, left: Term, right: Term) -> Term:
        return self.keep(capi.mk_ge(self.c, left, right))

    def gt(self, left: Term, right: Term) -> Term:
        return self.keep(capi.mk_gt(self.c, left, right))

    def mod(self, left: Term, right: Term) -> Term:
        return self.keep(capi.mk_mod(self.c, left, right))

    def simplify(self, term: Term) -> Term:
        return self.keep(capi.simplify(self.c, term))

    # -- inspection

    def kind(self, term: Term) -> int:
        """The kind (Z3_OP_...) of the term's function, of numerals, too; -1 for quantifiers and bound variables."""
        known = self._kinds.get(term)
        if known is None:
            is_function = capi.get_ast_kind(self.c, term) in (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST)
            known = capi.get_decl_kind(self.c, capi.get_app_decl(self.c, term)) if is_function else -1
            self._kinds[term] = known
        return known

    def children(self, term: Term) -> tuple[Term, ...]:
        """The arguments of an application, the body of a quantifier, nothing below anything else."""
        known = self._children.get(term)
        if known is None:
            known = self._children[term] = tuple(map(self.keep, handles.children(self.c, term)))
        return known

    def sort(self, term: Term) -> Sort:
        return Sort(self.keep(capi.get_sort(self.c, term)))

    def sort_kind(self, term: Term) -> int:
        """The kind (z3.Z3_INT_SORT, ...) of the term's sort."""
        return int(capi.get_sort_kind(self.c, capi.get_sort(self.c, term)))

    def value(self, term: Term) -> Fraction:
        """The value of an Int, Real or bit-vector (unsigned) numeral."""
        return Fraction(capi.get_numeral_string(self.c, term).decode())

    def is_numeral(self, term: Term) -> bool:
        """True if the term is a number that `value` accepts. (Algebraic numbers are not.)"""
        return self.kind(term) in _NUMERALS

    def is_variable(self, term: Term) -> bool:
        return self.kind(term) == z3.Z3_OP_UNINTERPRETED and not self.children(term)

    def variables(self, term: Term) -> set[Term]:
        """The free uninterpreted constants of the term."""
        seen, found, stack = {term}, set(), [term]
        while stack:
            part = stack.pop()
            children = self.children(part)
            if not children and self.is_variable(part):
                found.add(part)
            for child in children:
                if child not in seen:
                    seen.add(child)
                    stack.append(child)
        return found

    def conjuncts(self, term: Term) -> list[Term]:
        """The conjuncts of nested conjunctions, each once, left to right; [] for true."""
        out: dict[Term, None] = {}
        stack = [term]
        while stack:
            part = stack.pop()
            if self.kind(part) == z3.Z3_OP_AND:
                stack.extend(reversed(self.children(part)))
            elif part != self.true:
                out[part] = None
        return list(out)

    def parameters(self, term: Term) -> list[str]:
        """The symbol and rational parameters of the declaration, as text (a th-lemma's rule and coefficients)."""
        declaration = capi.get_app_decl(self.c, term)
        out = []
        for i in range(capi.get_decl_num_parameters(self.c, declaration)):
            kind = capi.get_decl_parameter_kind(self.c, declaration, i)
            if kind == _PARAMETER_SYMBOL:
                symbol = capi.get_decl_symbol_parameter(self.c, declaration, i)
                out.append(capi.get_symbol_string(self.c, symbol).decode())
            elif kind == _PARAMETER_RATIONAL:
                out.append(capi.get_decl_rational_parameter(self.c, declaration, i).decode())
        return out


class Renaming:
    """A simultaneous substitution for constants, remembered per term."""

    def __init__(self, raw: Raw, pairs: Iterable[tuple[Term, Term]]) -> None:
        changes = [(old, new) for old, new in pairs if old != new]
        self.raw = raw
        self.count = len(changes)
        self.old, self.new = array([old for old, _ in changes]), array([new for _, new in changes])
        self.known: dict[Term, Term] = {}

    def __call__(self, term: Term) -> Term:
        known = self.known.get(term)
        if known is None:
            raw = self.raw
            known = raw.keep(capi.substitute(raw.c, term, self.count, self.old, self.new)) if self.count else term
            self.known[term] = known
        return known


class RawModel:
    """A model of a satisfiable check."""

    def __init__(self, raw: Raw, handle: int | None) -> None:
        if handle is None:
            raise RawError("z3 gave no model")
        self.raw, self.handle = raw, handle
        capi.model_inc_ref(raw.c, handle)
        self._cell: Any = ctypes.c_void_p()

    def __del__(self) -> None:
        if (
            hasattr(self, "handle") and self.raw.context.ref() is not None
        ):  # the garbage collector may have taken the context first
            capi.model_dec_ref(self.raw.c, self.handle)

    def eval(self, term: Term) -> Term:
        """The value of the term, free constants completed."""
        if not capi.model_eval(self.raw.c, self.handle, term, True, ctypes.addressof(self._cell)):
            raise RawError("z3 could not evaluate a term")
        return self.raw.keep(self._cell.value)

    def holds(self, term: Term) -> bool:
        """True if the model makes the formula true; False also where z3 cannot evaluate it."""
        return self.eval(term) == self.raw.true

    def extrapolate(self, formula: Term) -> Term:
        """A conjunction of literals that the model satisfies and that implies the formula."""
        with _Timed(self.raw):
            return self.raw.keep(capi.model_extrapolate(self.raw.c, self.handle, formula))

    def project(self, bound: Sequence[Term], formula: Term) -> Term:
        """Model-based projection: implies exists bound. formula, and the model satisfies it; some bound may remain."""
        with _Timed(self.raw):
            return self.raw.keep(capi.qe_model_project(self.raw.c, self.handle, len(bound), array(bound), formula))


class RawSolver:
    """An incremental solver without preprocessing. check: True sat, False unsat, None unknown."""

    def __init__(self, raw: Raw, parameters: dict[str, Any] | None = None) -> None:
        self.raw = raw
        self.solver = z3.SimpleSolver(ctx=raw.context)
        if parameters:
            self.solver.set(**parameters)
        self.handle: int = self.solver.solver.value
        self.checks = 0

    def add(self, formula: Term) -> None:
        with _Timed(self.raw):
            capi.solver_assert(self.raw.c, self.handle, formula)

    def push(self) -> None:
        with _Timed(self.raw):
            capi.solver_push(self.raw.c, self.handle)

    def pop(self) -> None:
        with _Timed(self.raw):
            capi.solver_pop(self.raw.c, self.handle, 1)

    def check(self, assumptions: Sequence[Term] = ()) -> bool | None:
        self.checks += 1
        start = time.perf_counter()
        answer = capi.solver_check_assumptions(self.raw.c, self.handle, len(assumptions), array(assumptions))
        self.raw.seconds += time.perf_counter() - start
        return None if answer == 0 else answer > 0

    def core(self) -> list[Term]:
        """The assumptions that the last unsatisfiable check used."""
        c, keep = self.raw.c, self.raw.keep
        vector = capi.solver_get_unsat_core(c, self.handle)
        capi.ast_vector_inc_ref(c, vector)
        out = [keep(capi.ast_vector_get(c, vector, i)) for i in range(capi.ast_vector_size(c, vector))]
        capi.ast_vector_dec_ref(c, vector)
        return out

    def model(self) -> RawModel:
        with _Timed(self.raw):
            return RawModel(self.raw, capi.solver_get_model(self.raw.c, self.handle))
