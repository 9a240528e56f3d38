"""Clauses as lists of nodes, children first, which an abstract interpreter evaluates again and again."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property

import z3

from chcverify.effort import MAX_COMBINED
from chcverify.horn.system import Clause
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle
from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import UNKNOWN, CellValues
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


@cache
def anything(width: int) -> Pieces:
    """All values of a sort, by its width."""
    if width == INTEGER:
        return value_sets.ANY
    return value_sets.EITHER if width == BOOLEAN else ((0, (1 << width) - 1),)


@dataclass(frozen=True)
class TermFacts:
    """A term of a clause."""

    kind: int
    """Of its function (Z3_OP_...), -1 for a quantifier."""
    below: tuple[Handle, ...]
    """Its arguments."""
    width: int
    contents: int
    """The width of what an array holds, else OTHER."""
    constant: Pieces | None
    """Of a numeral, true or false."""
    parameters: tuple[int, ...] | None
    """Of an extraction."""


def _all_values(width: int) -> "Pieces | CellValues | None":
    if width == ARRAY:
        return UNKNOWN
    return None if width == OTHER else anything(width)


class TermTable:
    """The terms of systems, which keep them alive. Clauses share most of them, and each is looked at once."""

    def __init__(self) -> None:
        self._known: dict[Handle, TermFacts] = {}

    def of(self, term: Handle, owner: z3.Context) -> TermFacts:
        """What is known of a term."""
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = _facts(term, owner)
        return found

    def operations(self, terms: Iterable[z3.ExprRef], seen: set[Handle]) -> Iterator[TermFacts]:
        """Those of the terms and of what is below them that have arguments, but for those in `seen`, to which all are
        added."""
        for root in terms:
            work = [handles.handle(root)]
            while work:
                term = work.pop()
                if term in seen:
                    continue
                seen.add(term)
                facts = self.of(term, root.ctx)
                if facts.below:
                    work += facts.below
                    yield facts


def _facts(term: Handle, owner: z3.Context) -> TermFacts:
    context = owner.ref().value
    is_application = capi.get_ast_kind(context, term) in (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST)
    kind = capi.get_decl_kind(context, capi.get_app_decl(context, term)) if is_application else -1
    sort = capi.get_sort(context, term)
    width = _width(context, sort)
    contents = _width(context, capi.get_array_sort_range(context, sort)) if width == ARRAY else OTHER
    constant: Pieces | None = None
    if kind in (z3.Z3_OP_ANUM, z3.Z3_OP_BNUM) and width >= 0:
        value = int(capi.get_numeral_string(context, term))
        constant = ((value, value),)
    elif kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
        constant = value_sets.TRUE if kind == z3.Z3_OP_TRUE else value_sets.FALSE
    parameters = tuple(handles.wrap(term, owner).params()) if kind == z3.Z3_OP_EXTRACT else None
    return TermFacts(kind, tuple(handles.children(context, term)), width, contents, constant, parameters)


class ClauseCode:
    """A clause. For each node the kind of its function (Z3_OP_...), the numbers of its arguments, and its width.

    contents: the widths of what arrays hold. constants: values of numerals, true and false. parameters: of extractions.
    constraint: the number of that node. body, head: the nodes of the arguments, in the order of the atoms.
    """

    def __init__(self, clause: Clause, terms: TermTable) -> None:
        self.clause = clause
        self.kinds: list[int] = []
        self.arguments: list[tuple[int, ...]] = []
        self.widths: list[int] = []
        self.contents: dict[int, int] = {}
        self.constants: dict[int, Pieces] = {}
        self.parameters: dict[int, tuple[int, ...]] = {}
        self._terms = terms
        numbers: dict[Handle, int] = {}
        self.body = [self._add(atom.arguments, numbers) for atom in clause.body]
        self.constraint = self._add([clause.constraint], numbers)[0]
        self.head = () if clause.head is None else self._add(clause.head.arguments, numbers)

    @cached_property
    def initial(self) -> "list[Pieces | CellValues | None]":
        """The values of the nodes where nothing is known of variables: those of constants, else all."""
        found = [_all_values(width) for width in self.widths]
        for node, value in self.constants.items():
            found[node] = value
        return found

    @cached_property
    def operations(self) -> list[int]:
        """The nodes that have arguments."""
        return [node for node, arguments in enumerate(self.arguments) if arguments]

    @cached_property
    def is_operation(self) -> bytes:
        """1 for nodes that have arguments."""
        return bytes([1 if arguments else 0 for arguments in self.arguments])

    @cached_property
    def readers(self) -> list[list[int]]:
        """For each node those that are computed from it: a choice from what is in its condition and its branches,
        too."""
        found: list[list[int]] = [[] for _ in self.kinds]
        for node in self.operations:
            read = self._in_choice(node) if self.kinds[node] == z3.Z3_OP_ITE else set(self.arguments[node])
            for part in read:
                found[part].append(node)
        return found

    def _in_choice(self, node: int) -> set[int]:
        found, level = set[int](), {node}
        for _ in range(MAX_COMBINED + 2):
            level = {part for parent in level for part in self.arguments[parent]} - found
            found |= level
        return found

    def is_variable(self, node: int) -> bool:
        """True for nodes that are variables of the clause."""
        return self.kinds[node] == z3.Z3_OP_UNINTERPRETED and not self.arguments[node]

    def below(self, roots: Iterable[int]) -> set[int]:
        """The nodes that some nodes are computed from, and these."""
        work = list(roots)
        found = set(work)
        while work:
            for part in self.arguments[work.pop()]:
                if part not in found:
                    found.add(part)
                    work.append(part)
        return found

    def _add(self, terms: Sequence[z3.ExprRef], numbers: dict[Handle, int]) -> tuple[int, ...]:
        """The numbers of the terms' nodes; those that are new are added, arguments first."""
        roots = [handles.handle(term) for term in terms]
        for root in roots:
            if root in numbers:
                continue
            facts = self._terms.of(root, terms[0].ctx)
            if facts.below:
                self._add_term(root, terms[0].ctx, numbers)
            else:  # as most arguments are
                numbers[root] = len(self.kinds)
                self._node(facts, ())
        return tuple([numbers[root] for root in roots])

    def _add_term(self, root: Handle, owner: z3.Context, numbers: dict[Handle, int]) -> None:
        work = [root]
        while work:
            term = work[-1]
            if term in numbers:
                work.pop()
                continue
            facts = self._terms.of(term, owner)
            missing = [part for part in facts.below if part not in numbers]
            if missing:
                work += missing[::-1]
                continue
            work.pop()
            numbers[term] = len(self.kinds)
            self._node(facts, tuple([numbers[part] for part in facts.below]))

    def _node(self, facts: TermFacts, arguments: tuple[int, ...]) -> None:
        number = len(self.kinds)
        self.kinds.append(facts.kind)
        self.arguments.append(arguments)
        self.widths.append(facts.width)
        if facts.constant is not None:
            self.constants[number] = facts.constant
        if facts.parameters is not None:
            self.parameters[number] = facts.parameters
        if facts.width == ARRAY:
            self.contents[number] = facts.contents
