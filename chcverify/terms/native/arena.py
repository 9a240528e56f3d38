"""A pool of terms of an existing context, for transforms that rewrite whole systems.

A handle is the address of a z3 node. z3 shares equal terms, so equal handles are equal terms. Whatever an arena builds
or was given lives as long as the arena: handles never alias, and what is known of a node stays true.
"""

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NewType

import z3

from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle, array
from chcverify.terms.native.value_kinds import CONSTRUCTORS, NUMERALS

SIZE_LIMIT = 1_000_000
"""Nodes of a tree: sizes are exact below this bound and saturate at it. Chosen by hand."""


ArenaTerm = NewType("ArenaTerm", Handle)
"""A term that its Arena keeps alive."""

_NONE: frozenset[ArenaTerm] = frozenset()
_Fact = tuple[int, Sequence[ArenaTerm], frozenset[ArenaTerm], int]


class Arena:
    """Terms of one context, with a memo of their operators, arguments, free variables and tree sizes."""

    def __init__(self, context: z3.Context | None = None) -> None:
        self.context = z3.main_ctx() if context is None else context
        self._c: int = self.context.ref().value
        self._owned: set[ArenaTerm] = set()
        self._objects: dict[ArenaTerm, z3.ExprRef] = {}
        self._facts: dict[ArenaTerm, _Fact] = {}
        self._simple: dict[ArenaTerm, ArenaTerm] = {}
        self._names: dict[ArenaTerm, str] = {}
        self._numbers: dict[ArenaTerm, int | None] = {}
        self._arrays: dict[ArenaTerm, bool] = {}
        self.true = self.handle(z3.BoolVal(True, self.context))
        self.false = self.handle(z3.BoolVal(False, self.context))

    def __del__(self) -> None:
        if self.context.ref() is None:  # at the interpreter's end the context may go first
            return
        for term in self._owned:
            capi.dec_ref(self._c, term)

    # -- between z3py and handles

    def handle(self, term: z3.ExprRef) -> ArenaTerm:
        """The handle of a z3py term of the arena's context."""
        found: ArenaTerm = term.ast.value
        self._objects.setdefault(found, term)
        return found

    def wrap(self, term: ArenaTerm) -> Any:
        """The z3py term of a handle."""
        found = self._objects.get(term)
        if found is None:
            found = self._objects[term] = handles.wrap(term, self.context)
        return found

    def _keep(self, term: ArenaTerm | None) -> ArenaTerm:
        """Reference-counts what z3 returned, before the next call could reuse its address."""
        if term is None:
            raise z3.Z3Exception("z3 refused to build a term")
        if term not in self._owned:
            capi.inc_ref(self._c, term)
            self._owned.add(term)
        return term

    # -- inspection

    def kind(self, term: ArenaTerm) -> int:
        """The kind (Z3_OP_...) of the term's function; -1 for quantifiers and bound variables."""
        return (self._facts.get(term) or self._fact(term))[0]

    def children(self, term: ArenaTerm) -> Sequence[ArenaTerm]:
        """The arguments of an application, the body of a quantifier."""
        return (self._facts.get(term) or self._fact(term))[1]

    def variables(self, term: ArenaTerm) -> frozenset[ArenaTerm]:
        """The free uninterpreted constants of the term."""
        return (self._facts.get(term) or self._fact(term))[2]

    def size(self, term: ArenaTerm) -> int:
        """The number of nodes of the term as a tree, at most SIZE_LIMIT."""
        return (self._facts.get(term) or self._fact(term))[3]

    def is_variable(self, term: ArenaTerm) -> bool:
        """True if the term is an uninterpreted constant."""
        return term in (self._facts.get(term) or self._fact(term))[2]

    def is_value(self, term: ArenaTerm) -> bool:
        """True for numerals, Boolean constants, and constructors, constant arrays and stores over values."""
        stack = [term]
        while stack:
            kind, below, _, _ = self._fact(stack.pop())
            if kind in CONSTRUCTORS:
                stack.extend(below)
            elif kind not in NUMERALS:
                return False
        return True

    def number(self, term: ArenaTerm) -> int | None:
        """The value of an integer numeral; None for other terms."""
        if self.kind(term) != z3.Z3_OP_ANUM:
            return None
        if term not in self._numbers:
            value = self.wrap(term)
            self._numbers[term] = value.as_long() if isinstance(value, z3.IntNumRef) else None
        return self._numbers[term]

    def is_minus_one(self, term: ArenaTerm) -> bool:
        value = self.wrap(term)
        if isinstance(value, z3.IntNumRef):
            return bool(value.as_long() == -1)
        if isinstance(value, z3.BitVecNumRef):
            return bool(value.as_signed_long() == -1)
        return isinstance(value, z3.RatNumRef) and bool(value.as_fraction() == -1)

    def is_bool(self, term: ArenaTerm) -> bool:
        return bool(capi.get_sort_kind(self._c, capi.get_sort(self._c, term)) == z3.Z3_BOOL_SORT)

    def is_integer(self, term: ArenaTerm) -> bool:
        return bool(capi.get_sort_kind(self._c, capi.get_sort(self._c, term)) == z3.Z3_INT_SORT)

    def is_array(self, term: ArenaTerm) -> bool:
        found = self._arrays.get(term)
        if found is None:
            sort_kind = capi.get_sort_kind(self._c, capi.get_sort(self._c, term))
            found = self._arrays[term] = bool(sort_kind == z3.Z3_ARRAY_SORT)
        return found

    def in_order(self, terms: Iterable[ArenaTerm]) -> list[ArenaTerm]:
        """The terms in the order of their making: addresses differ from run to run, this does not."""
        return sorted(terms, key=lambda term: capi.get_ast_id(self._c, term))

    def name(self, variable: ArenaTerm) -> str:
        """The name of an uninterpreted constant (which another of another sort may share)."""
        found = self._names.get(variable)
        if found is None:
            found = self._names[variable] = str(self.wrap(variable).decl().name())
        return found

    def _fact(self, root: ArenaTerm) -> _Fact:
        facts = self._facts
        stack = [root]
        pending: dict[ArenaTerm, tuple[int, Sequence[ArenaTerm]]] = {}
        while stack:
            term = stack[-1]
            if term in facts:
                stack.pop()
                continue
            kind, below = pending.pop(term) if term in pending else self._shape(term)
            missing = [child for child in below if child not in facts]
            if missing:
                pending[term] = (kind, below)
                stack.extend(missing)
                continue
            stack.pop()
            found, size = frozenset((term,)) if kind == z3.Z3_OP_UNINTERPRETED and not below else _NONE, 1
            for child in below:
                _, _, variables, child_size = facts[child]
                if not variables <= found:
                    found = variables if found <= variables else found | variables
                size += child_size
            facts[term] = (kind, below, found, min(size, SIZE_LIMIT))
        return facts[root]

    def _shape(self, term: ArenaTerm) -> tuple[int, Sequence[ArenaTerm]]:
        c = self._c
        is_function = capi.get_ast_kind(c, term) in (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST)
        # Terms below a term of the arena live as long as the arena, too.
        below: Any = handles.children(c, term)
        return capi.get_decl_kind(c, capi.get_app_decl(c, term)) if is_function else -1, below

    # -- construction

    def fresh_like(self, prefix: bytes, like: ArenaTerm) -> ArenaTerm:
        """A new constant of the sort of `like`."""
        return self._keep(capi.mk_fresh_const(self._c, prefix, capi.get_sort(self._c, like)))

    def fresh(self, prefix: bytes, sort: z3.SortRef) -> ArenaTerm:
        return self._keep(capi.mk_fresh_const(self._c, prefix, sort.ast.value))

    def negate(self, term: ArenaTerm) -> ArenaTerm:
        return self._keep(capi.mk_not(self._c, term))

    def complement(self, literal: ArenaTerm) -> ArenaTerm:
        """The negation, without a double one."""
        return self.children(literal)[0] if self.kind(literal) == z3.Z3_OP_NOT else self.negate(literal)

    def equation(self, left: ArenaTerm, right: ArenaTerm) -> ArenaTerm:
        return self._keep(capi.mk_eq(self._c, left, right))

    def ite(self, condition: ArenaTerm, then: ArenaTerm, otherwise: ArenaTerm) -> ArenaTerm:
        """If the condition holds the one, else the other."""
        return self._keep(capi.mk_ite(self._c, condition, then, otherwise))

    def select(self, array: ArenaTerm, index: ArenaTerm) -> ArenaTerm:
        return self._keep(capi.mk_select(self._c, array, index))

    def sum(self, left: ArenaTerm, right: ArenaTerm, sign: int) -> ArenaTerm:
        """left + right or, if the sign is negative, left - right; of integers, reals or bit-vectors."""
        if capi.get_sort_kind(self._c, capi.get_sort(self._c, left)) == z3.Z3_BV_SORT:
            return self._keep((capi.mk_bvadd if sign > 0 else capi.mk_bvsub)(self._c, left, right))
        return self._keep((capi.mk_add if sign > 0 else capi.mk_sub)(self._c, 2, array((left, right))))

    def minus(self, term: ArenaTerm) -> ArenaTerm:
        is_vector = capi.get_sort_kind(self._c, capi.get_sort(self._c, term)) == z3.Z3_BV_SORT
        return self._keep((capi.mk_bvneg if is_vector else capi.mk_unary_minus)(self._c, term))

    def conjunction(self, parts: Iterable[ArenaTerm]) -> ArenaTerm:
        """The conjunction, without a node for zero or one part."""
        items = [part for part in parts if part != self.true]
        if len(items) < 2:
            return items[0] if items else self.true
        return self._keep(capi.mk_and(self._c, len(items), array(items)))

    def disjunction(self, parts: Iterable[ArenaTerm]) -> ArenaTerm:
        """The disjunction, without a node for zero or one part."""
        items = [part for part in parts if part != self.false]
        if len(items) < 2:
            return items[0] if items else self.false
        return self._keep(capi.mk_or(self._c, len(items), array(items)))

    def conjuncts(self, term: ArenaTerm) -> list[ArenaTerm]:
        """The conjuncts of nested conjunctions, each once, left to right; [] for true."""
        if self.kind(term) != z3.Z3_OP_AND:
            return [] if term == self.true else [term]
        out: list[ArenaTerm] = []
        stack, seen = [term], {self.true}
        while stack:
            part = stack.pop()
            if part in seen:
                continue
            seen.add(part)
            if self.kind(part) == z3.Z3_OP_AND:
                stack.extend(reversed(self.children(part)))
            else:
                out.append(part)
        return out

    def simplify(self, term: ArenaTerm) -> ArenaTerm:
        """z3's simplification."""
        found = self._simple.get(term)
        if found is None:
            kind, below, _, _ = self._fact(term)
            plain = not below and (kind == z3.Z3_OP_UNINTERPRETED or kind in NUMERALS)
            found = self._simple[term] = term if plain else self._keep(capi.simplify(self._c, term))
        return found

    def substitute(self, term: ArenaTerm, table: Mapping[ArenaTerm, ArenaTerm]) -> ArenaTerm:
        """Simultaneous substitution for variables; sound below binders, as z3 shifts indices."""
        if not table:
            return term
        variables = (self._facts.get(term) or self._fact(term))[2]
        if term in variables:
            return table.get(term, term)
        old = [v for v in variables if v in table]
        if not old:
            return term
        count = len(old)
        pointers = ctypes.c_void_p * count
        new = pointers(*[table[v] for v in old])
        return self._keep(capi.substitute(self._c, term, count, pointers(*old), new))

    def replace(self, term: ArenaTerm, table: Mapping[ArenaTerm, ArenaTerm]) -> ArenaTerm:
        """The term with subterms replaced, outermost first; none of them may be below a binder of its variables."""
        pairs = list(table.items())
        pointers = ctypes.c_void_p * len(pairs)
        old, new = pointers(*[pair[0] for pair in pairs]), pointers(*[pair[1] for pair in pairs])
        return self._keep(capi.substitute(self._c, term, len(pairs), old, new)) if pairs else term
