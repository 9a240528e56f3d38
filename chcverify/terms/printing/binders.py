"""Names in printed terms.

z3 identifies bound variables by position, its printers write them by name. Neither printer keeps them apart from free
constants (`x > $0` below `exists x` reads as captured once $0 is called x); the benchmark printer not even from each
other.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

import z3

from chcverify.terms.core.traversal import conjunct_handles, free_variable_handles, substitute
from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle

E = TypeVar("E", bound=z3.ExprRef)


def has_binder(text: str) -> bool:
    """True if the printed text may contain a quantifier or lambda."""
    return any(word in text for word in ("(forall", "(exists", "(lambda"))


def fresh(name: str, text: str) -> str:
    """The name, lengthened until it does not occur in the text."""
    while name in text:
        name += "_"
    return name


def rename_apart(
    formula: z3.BoolRef, variables: Sequence[z3.ExprRef], wishes: Sequence[str], text: str
) -> tuple[list[str], z3.BoolRef]:
    """New names for the variables, and the formula over them with distinct bound names, which is safe to print.

    text: the formula as printed now. wishes: distinct even after any number of "_" is appended; none begins with "q!",
    "a!", "?x" or "$x", as bound names and z3's let names do.
    """
    return Renaming().apart(formula, variables, wishes, text)


class Renaming:
    """Renames variables in formulas that share conjuncts and names, each of which is looked at once.

    The formulas are to outlive it.
    """

    def __init__(self) -> None:
        self._free: dict[Handle, frozenset[Handle]] = {}  # the variables of conjuncts
        self._constants: dict[tuple[str, int], z3.ExprRef] = {}  # by their names and the handles of their sorts

    def apart(
        self, formula: z3.BoolRef, variables: Sequence[z3.ExprRef], wishes: Sequence[str], text: str
    ) -> tuple[list[str], z3.BoolRef]:
        """As `rename_apart`."""
        names = [fresh(wish, text) for wish in wishes]
        if has_binder(text):
            formula = rename_bound(formula, fresh("q!", text))
            free: AbstractSet[Handle] = free_variable_handles(formula)
        else:
            free = self._variables(formula)
        pairs = [pair for pair in zip(variables, names, strict=True) if handles.handle(pair[0]) in free]
        return names, substitute(formula, [(variable, self._constant(name, variable)) for variable, name in pairs])

    def _variables(self, formula: z3.BoolRef) -> set[Handle]:
        found = set[Handle]()
        for part in conjunct_handles(formula):
            known = self._free.get(part)
            if known is None:
                known = self._free[part] = frozenset(free_variable_handles(handles.wrap(part, formula.ctx)))
            found |= known
        return found

    def _constant(self, name: str, like: z3.ExprRef) -> z3.ExprRef:
        key = name, handles.handle(like.sort())
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = z3.Const(name, like.sort())
        return found


def rename_bound(formula: E, prefix: str) -> E:
    """The formula or term with a distinct name, prefix + number, for every bound variable. Patterns are dropped."""
    new: dict[Handle, z3.ExprRef] = {}  # of the subterms with a binder; the others stay
    count = 0
    raw, root = handles.context_of(formula), handles.handle(formula)
    for node, below in handles.postorder(raw, (root,), set()):
        is_binder = capi.get_ast_kind(raw, node) == handles.QUANTIFIER
        if not is_binder and not any(child in new for child in below):
            continue
        term = handles.wrap(node, formula.ctx)
        children = [new[child] if child in new else handles.wrap(child, formula.ctx) for child in below]
        if is_binder:
            names = [f"{prefix}{count + i}" for i in range(term.num_vars())]
            count += term.num_vars()
            new[node] = _quantifier(term, names, children[0])
        else:
            new[node] = term.decl()(*children)
    renamed: Any = new.get(root, formula)
    same_sort: E = renamed
    return same_sort


def _quantifier(term: z3.QuantifierRef, names: Sequence[str], body: z3.ExprRef) -> z3.ExprRef:
    """The quantifier or lambda with these names and this body, whose bound variables keep their positions."""
    count = term.num_vars()
    context = term.ctx_ref()
    sorts = (z3.Sort * count)(*(term.var_sort(i).ast for i in range(count)))
    symbols = (z3.Symbol * count)(*(z3.Z3_mk_string_symbol(context, name) for name in names))
    if term.is_lambda():
        return z3.QuantifierRef(z3.Z3_mk_lambda(context, count, sorts, symbols, body.as_ast()), term.ctx)
    ast = z3.Z3_mk_quantifier(
        context, term.is_forall(), term.weight(), 0, (z3.Pattern * 0)(), count, sorts, symbols, body.as_ast()
    )
    return z3.QuantifierRef(ast, term.ctx)
