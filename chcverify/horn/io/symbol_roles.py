"""The roles of functions in formulas: predicates, free constants, and those that Horn clauses cannot have."""

from collections.abc import Iterable
from enum import Enum

import z3

from chcverify.horn.io.clausify import NotHorn, Symbols
from chcverify.horn.system import Predicate
from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle


class _Role(Enum):
    INTERPRETED = 0
    PREDICATE = 1
    CONSTANT = 2


_SPECIAL_RELATIONS = {
    getattr(z3, f"Z3_OP_SPECIAL_RELATION_{name}") for name in ("LO", "PO", "PLO", "TO", "TC", "TRC") if
    hasattr(z3, f"Z3_OP_SPECIAL_RELATION_{name}")
}  # fmt: skip


class SymbolTable:
    """Classifies the functions of formulas; `variables` names constants that are universally quantified per clause.

    It keeps the formulas alive, as its sets are of handles.
    """

    def __init__(self, context: z3.Context, variables: frozenset[str], predicates: Iterable[z3.FuncDeclRef]) -> None:
        self._context = context
        self._ctx: int = context.ref().value
        self._variables = variables
        self._declared = list(predicates)
        self._roles: dict[int, _Role] = {}
        self._roots: list[z3.ExprRef] = []
        self._seen: set[Handle] = set()
        self.predicates: dict[int, Predicate] = {}
        self.predicate_nodes: set[Handle] = set()
        self.constants: set[Handle] = set()
        for declaration in self._declared:
            self._add_predicate(handles.handle(declaration), declaration)

    def symbols(self) -> Symbols:
        names = {predicate.name for predicate in self.predicates.values()}
        return Symbols(self._context, self.predicates, self.predicate_nodes, frozenset(names) | self._variables)

    def add(self, formula: z3.BoolRef) -> None:
        """Classifies every node of the formula; NotHorn for a function that Horn clauses do not have."""
        self._roots.append(formula)
        for node, below in handles.postorder(self._ctx, (handles.handle(formula),), self._seen):
            if not self.predicate_nodes.isdisjoint(below):
                self.predicate_nodes.add(node)
            if capi.get_ast_kind(self._ctx, node) != handles.APP:
                continue
            function = capi.get_app_decl(self._ctx, node)
            role = self._roles.get(function)
            if role is None:
                role = self._roles[function] = self._classify(node, function)
            if role is _Role.PREDICATE:
                self.predicate_nodes.add(node)
            elif role is _Role.CONSTANT:
                self.constants.add(node)

    def _classify(self, node: Handle, function: int) -> _Role:
        kind = capi.get_decl_kind(self._ctx, function)
        declaration = handles.declaration(node, self._context)
        if kind in (z3.Z3_OP_AS_ARRAY, z3.Z3_OP_ARRAY_MAP):
            inner = declaration.params()[0]
            if isinstance(inner, z3.FuncDeclRef) and inner.kind() == z3.Z3_OP_UNINTERPRETED:
                raise NotHorn(f"'{inner.name()}' is used as an array: not a Horn clause")
        if kind in _SPECIAL_RELATIONS or kind == z3.Z3_OP_RECURSIVE:
            raise NotHorn(f"the function '{declaration.name()}' is not supported in Horn clauses")
        if kind != handles.UNINTERPRETED:
            return _Role.INTERPRETED
        if declaration.arity() == 0 and str(declaration.name()) in self._variables:
            return _Role.INTERPRETED
        if declaration.range().kind() == z3.Z3_BOOL_SORT:
            self._add_predicate(function, declaration)
            return _Role.PREDICATE
        if declaration.arity() == 0:
            return _Role.CONSTANT
        raise NotHorn(f"'{declaration.name()}' is an uninterpreted function, not a predicate: not a Horn clause")

    def _add_predicate(self, function: int, declaration: z3.FuncDeclRef) -> None:
        sorts = tuple(declaration.domain(i) for i in range(declaration.arity()))
        self.predicates.setdefault(function, Predicate(str(declaration.name()), sorts))
