"""Which variables occur in a term, and how large it is as a tree: memoised over shared terms, on the raw C API."""

import ctypes
from collections.abc import Callable

import z3
from z3 import z3core

SIZE_LIMIT = 1_000_000
"""Tree sizes are exact below this bound and saturate at it."""

_NONE: frozenset[int] = frozenset()


class Occurrences:
    """A memo of free variables and tree sizes. It keeps the roots alive, so identities of subterms stay valid."""

    def __init__(self) -> None:
        self._facts: dict[int, tuple[frozenset[int], int]] = {}  # by address, valid as the roots live
        self._roots: list[z3.ExprRef] = []
        self._variables: dict[int, z3.ExprRef] = {}

    def variables(self, term: z3.ExprRef) -> frozenset[int]:
        """The identities (get_id) of the free uninterpreted constants of the term."""
        return self._fact(term)[0]

    def size(self, term: z3.ExprRef) -> int:
        """The number of nodes of the term as a tree, at most SIZE_LIMIT."""
        return self._fact(term)[1]

    def variable(self, key: int) -> z3.ExprRef:
        """The variable with this identity, which must have been met."""
        return self._variables[key]

    def _fact(self, term: z3.ExprRef) -> tuple[frozenset[int], int]:
        address = term.as_ast().value
        known = self._facts.get(address)
        if known is None:
            self._roots.append(term)
            self._walk(term.ctx, address)
            known = self._facts[address]
        return known

    def _walk(self, ctx: z3.Context, root: int) -> None:
        context, facts = ctx.ref().value, self._facts
        stack = [root]
        while stack:
            node = stack[-1]
            if node in facts:
                stack.pop()
                continue
            children = _children(context, node)
            missing = [child for child in children if child not in facts]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            facts[node] = self._combine(ctx, node, children) if children else self._leaf(ctx, node)

    def _combine(self, ctx: z3.Context, node: int, children: list[int]) -> tuple[frozenset[int], int]:
        found, size = _NONE, 1
        for child in children:
            variables, child_size = self._facts[child]
            if not variables <= found:
                found = variables if found <= variables else found | variables
            size += child_size
        return found, min(size, SIZE_LIMIT)

    def _leaf(self, ctx: z3.Context, node: int) -> tuple[frozenset[int], int]:
        context = ctx.ref().value
        if _ast_kind(context, node) != z3.Z3_APP_AST:
            return _NONE, 1
        if _decl_kind(context, _app_decl(context, node)) != z3.Z3_OP_UNINTERPRETED:
            return _NONE, 1
        handle = z3.Ast(None)
        handle.value = node
        variable = z3.z3._to_expr_ref(handle, ctx)
        key = variable.get_id()
        self._variables[key] = variable
        return frozenset((key,)), 1


def _bind(name: str, result: type, *arguments: type) -> Callable[..., int]:
    """The C function on plain addresses, without z3py's wrapping and error query; for calls that cannot fail."""
    function = getattr(z3core, name).__defaults__[-1].f  # what z3core itself calls
    prototype = ctypes.CFUNCTYPE(result, *arguments)
    return prototype(ctypes.cast(function, ctypes.c_void_p).value or 0)


_ast_kind = _bind("Z3_get_ast_kind", ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p)
_num_args = _bind("Z3_get_app_num_args", ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p)
_arg = _bind("Z3_get_app_arg", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint)
_app_decl = _bind("Z3_get_app_decl", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_decl_kind = _bind("Z3_get_decl_kind", ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p)
_body = _bind("Z3_get_quantifier_body", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def _children(context: int, node: int) -> list[int]:
    kind = _ast_kind(context, node)
    if kind == z3.Z3_APP_AST:
        return [_arg(context, node, i) for i in range(_num_args(context, node))]
    return [_body(context, node)] if kind == z3.Z3_QUANTIFIER_AST else []


def operator(term: z3.ExprRef) -> int:
    """The kind (Z3_OP_...) of the term's function; -1 for quantifiers and bound variables."""
    context, node = term.ctx.ref().value, term.as_ast().value
    if _ast_kind(context, node) not in (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST):
        return -1
    return _decl_kind(context, _app_decl(context, node))


def is_plain(term: z3.ExprRef) -> bool:
    """Is the term an uninterpreted constant? As walk.is_variable, in fewer calls."""
    return operator(term) == z3.Z3_OP_UNINTERPRETED and not _num_args(term.ctx.ref().value, term.as_ast().value)
