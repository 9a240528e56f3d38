"""Clauses as lists of nodes, children first, which an abstract interpreter evaluates again and again."""

from collections.abc import Sequence

import z3

from chcverify.horn.system import Clause
from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle
from solvers.value_analysis import value_sets
from solvers.value_analysis.value_sets import Pieces

INTEGER, BOOLEAN, ARRAY, OTHER = 0, -1, -2, -3
"""Widths of what is no bit-vector."""


def width_of(sort: z3.SortRef) -> int:
    """The width of a bit-vector sort; INTEGER, BOOLEAN, ARRAY or OTHER."""
    return _width(sort.ctx.ref().value, sort.ast.value)


def _width(context: int, sort: int) -> int:
    kind = capi.get_sort_kind(context, sort)
    if kind == z3.Z3_BV_SORT:
        return int(capi.get_bv_sort_size(context, sort))
    known = {z3.Z3_INT_SORT: INTEGER, z3.Z3_BOOL_SORT: BOOLEAN, z3.Z3_ARRAY_SORT: ARRAY}
    return known.get(kind, OTHER)


def anything(width: int) -> Pieces:
    """All values of a sort, by its width."""
    if width == INTEGER:
        return value_sets.ANY
    return value_sets.EITHER if width == BOOLEAN else ((0, (1 << width) - 1),)


class ClauseCode:
    """A clause. For each node the kind of its function (Z3_OP_...), the numbers of its arguments, and its width.

    contents: the widths of what arrays hold. constants: values of numerals, true and false. parameters: of extractions.
    constraint: the number of that node. body, head: the nodes of the arguments, in the order of the atoms.
    """

    def __init__(self, clause: Clause) -> None:
        self.clause = clause
        self.kinds: list[int] = []
        self.arguments: list[tuple[int, ...]] = []
        self.widths: list[int] = []
        self.contents: dict[int, int] = {}
        self.constants: dict[int, Pieces] = {}
        self.parameters: dict[int, tuple[int, ...]] = {}
        numbers: dict[Handle, int] = {}
        self.body = [self._add(atom.arguments, numbers) for atom in clause.body]
        self.constraint = self._add([clause.constraint], numbers)[0]
        self.head = () if clause.head is None else self._add(clause.head.arguments, numbers)

    def is_variable(self, node: int) -> bool:
        """True for nodes that are variables of the clause."""
        return self.kinds[node] == z3.Z3_OP_UNINTERPRETED and not self.arguments[node]

    def _add(self, terms: Sequence[z3.ExprRef], numbers: dict[Handle, int]) -> tuple[int, ...]:
        """The numbers of the terms' nodes; those that are new are added."""
        if not terms:
            return ()
        context = handles.context_of(terms[0])
        roots = [handles.handle(term) for term in terms]
        seen = set(numbers)
        for term, below in handles.postorder(context, roots, seen):
            numbers[term] = len(self.kinds)
            self._node(context, term, tuple(numbers[part] for part in below), terms[0].ctx)
        return tuple(numbers[root] for root in roots)

    def _node(self, context: int, term: Handle, below: tuple[int, ...], owner: z3.Context) -> None:
        number = len(self.kinds)
        is_application = capi.get_ast_kind(context, term) in (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST)
        kind = capi.get_decl_kind(context, capi.get_app_decl(context, term)) if is_application else -1
        sort = capi.get_sort(context, term)
        width = _width(context, sort)
        self.kinds.append(kind)
        self.arguments.append(below)
        self.widths.append(width)
        if kind in (z3.Z3_OP_ANUM, z3.Z3_OP_BNUM) and width >= 0:
            value = int(capi.get_numeral_string(context, term))
            self.constants[number] = ((value, value),)
        elif kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
            self.constants[number] = value_sets.TRUE if kind == z3.Z3_OP_TRUE else value_sets.FALSE
        elif kind == z3.Z3_OP_EXTRACT:
            self.parameters[number] = tuple(handles.wrap(term, owner).params())
        if width == ARRAY:
            self.contents[number] = _width(context, capi.get_array_sort_range(context, sort))
