"""Which definitions of a model occur in formulas. Each subterm is looked at once, however many formulas share it."""

from collections.abc import Callable, Mapping

import z3

from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle

_NONE: frozenset[int] = frozenset()


class DefinitionUses:
    """The numbers of the definitions that occur in formulas.

    numbers: of the definitions, by the handle of their predicate's function. lasting: uses in formulas that outlive
    these, which are looked up there. All formulas are kept alive, so that the handles of their subterms stay theirs.
    """

    def __init__(self, numbers: Mapping[Handle, int], lasting: "DefinitionUses | None" = None) -> None:
        self._numbers = numbers
        self._lasting: Mapping[Handle, frozenset[int]] = {} if lasting is None else lasting._found
        self._found: dict[Handle, frozenset[int]] = {}
        self._formulas: list[z3.ExprRef] = []

    def number(self, term: z3.ExprRef) -> int | None:
        """The number of the definition that the term is an atom of; None for other terms."""
        return self._number_of(handles.context_of(term), handles.handle(term))

    def _number_of(self, context: int, node: Handle) -> int | None:
        if capi.get_ast_kind(context, node) != handles.APP:
            return None
        return self._numbers.get(capi.get_app_decl(context, node))

    def of(self, formula: z3.ExprRef) -> frozenset[int]:
        """The numbers of the definitions that occur in the formula."""
        root, context = handles.handle(formula), handles.context_of(formula)
        known = self._known(root)
        if known is not None:
            return known
        self._formulas.append(formula)
        stack = [root]
        pending: dict[Handle, list[Handle]] = {}
        while stack:
            node = stack[-1]
            if self._known(node) is not None:
                stack.pop()
                continue
            below = pending.pop(node, None)
            if below is None:
                below = list(handles.children(context, node))
                missing = [child for child in below if self._known(child) is None]
                if missing:
                    pending[node] = below
                    stack += missing
                    continue
            stack.pop()
            self._found[node] = self._joined(self._number_of(context, node), below)
        return self._found[root]

    def _known(self, node: Handle) -> frozenset[int] | None:
        found = self._found.get(node)
        return self._lasting.get(node) if found is None else found

    def _joined(self, number: int | None, below: list[Handle]) -> frozenset[int]:
        """Of a term, if what is below it is known."""
        joined = _NONE if number is None else frozenset((number,))
        for child in below:
            found = self._known(child)
            assert found is not None
            if not found <= joined:
                joined = found if joined <= found else joined | found
        return joined

    def conjoined_atoms(self, formula: z3.BoolRef) -> list[z3.BoolRef]:
        """The atoms of definitions among the conjuncts of the formula, each once, left to right."""
        return self._atoms(formula, _is_conjunction)

    def atoms(self, formula: z3.ExprRef) -> list[z3.BoolRef]:
        """All atoms of definitions in the formula, each once, left to right."""
        return self._atoms(formula, lambda context, node: True)

    def _atoms(self, formula: z3.ExprRef, is_entered: Callable[[int, Handle], bool]) -> list[z3.BoolRef]:
        """Each atom of a definition that is the formula or is reached from it through terms that are entered."""
        self.of(formula)
        context = handles.context_of(formula)
        atoms: list[z3.BoolRef] = []
        stack, seen = [handles.handle(formula)], set[Handle]()
        while stack:
            node = stack.pop()
            if node in seen or not self._known(node):
                continue
            seen.add(node)
            if self._number_of(context, node) is not None:
                atoms.append(handles.wrap(node, formula.ctx))
            if is_entered(context, node):
                stack.extend(reversed(handles.children(context, node)))
        return atoms


def _is_conjunction(context: int, node: Handle) -> bool:
    is_application = capi.get_ast_kind(context, node) == handles.APP
    return is_application and capi.get_decl_kind(context, capi.get_app_decl(context, node)) == z3.Z3_OP_AND
