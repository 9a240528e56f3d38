"""Which variables occur in a term, and how large it is as a tree: memoised over shared terms, on the raw C API."""

import z3
from z3 import z3core

SIZE_LIMIT = 1_000_000
"""Tree sizes are exact below this bound and saturate at it."""

_NONE: frozenset[int] = frozenset()


class Occurrences:
    """A memo of free variables and tree sizes. It keeps the roots alive, so identities of subterms stay valid."""

    def __init__(self) -> None:
        self._facts: dict[int, tuple[frozenset[int], int]] = {}
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
        known = self._facts.get(term.get_id())
        if known is None:
            self._roots.append(term)
            self._walk(term)
            known = self._facts[term.get_id()]
        return known

    def _walk(self, term: z3.ExprRef) -> None:
        context, facts = term.ctx.ref(), self._facts
        stack = [term.as_ast()]
        while stack:
            node = stack[-1]
            key = z3core.Z3_get_ast_id(context, node)
            if key in facts:
                stack.pop()
                continue
            children = _children(context, node)
            keys = [z3core.Z3_get_ast_id(context, child) for child in children]
            missing = [child for child, child_key in zip(children, keys, strict=True) if child_key not in facts]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            facts[key] = self._combine(term.ctx, node, key, keys)

    def _combine(self, ctx: z3.Context, node: z3.Ast, key: int, keys: list[int]) -> tuple[frozenset[int], int]:
        if not keys and _is_uninterpreted(ctx.ref(), node):
            self._variables[key] = z3.z3._to_expr_ref(node, ctx)
            return frozenset((key,)), 1
        found, size = _NONE, 1
        for child in keys:
            variables, child_size = self._facts[child]
            found = variables if not found else found if variables <= found else found | variables
            size += child_size
        return found, min(size, SIZE_LIMIT)


def _children(context: z3.ContextObj, node: z3.Ast) -> list[z3.Ast]:
    kind = z3core.Z3_get_ast_kind(context, node)
    if kind == z3.Z3_APP_AST:
        application = z3core.Z3_to_app(context, node)
        count = z3core.Z3_get_app_num_args(context, application)
        return [z3core.Z3_get_app_arg(context, application, i) for i in range(count)]
    return [z3core.Z3_get_quantifier_body(context, node)] if kind == z3.Z3_QUANTIFIER_AST else []


def _is_uninterpreted(context: z3.ContextObj, node: z3.Ast) -> bool:
    if z3core.Z3_get_ast_kind(context, node) != z3.Z3_APP_AST:
        return False
    declaration = z3core.Z3_get_app_decl(context, z3core.Z3_to_app(context, node))
    return bool(z3core.Z3_get_decl_kind(context, declaration) == z3.Z3_OP_UNINTERPRETED)
