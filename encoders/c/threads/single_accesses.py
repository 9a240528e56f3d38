"""Programs whose edges access shared memory at most once each, so that an edge is one step of its thread.

`x = x + y` with shared x and y becomes a read of x, a read of y and a write, each an edge of its own; what stands right
of `&&` and `||`, and the branches of `?:`, are behind assumptions. Where C leaves the order of evaluation open, it is
from left to right, addresses before values (one of the orders that C allows; C11 6.5 paragraph 2 makes programs whose
result depends on it in one thread undefined). Records are copied member by member, unions as a whole.
"""

import itertools
from collections.abc import Iterator
from dataclasses import replace

from chcverify.effort import MAX_FORMULAS
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, Replacement, roots, with_children, with_roots
from encoders.c.threads.shared_accesses import has_conditional_reads, is_shared, shared_reads, written
from encoders.c.types.c_types import INT, CArray, CField, CInteger, CRecord, CType


def with_single_accesses(program: ir.Program) -> ir.Program:
    """The program with at most one access to shared memory on each edge; locations keep their numbers."""
    used = [location.number for function in program.functions.values() for location in function.locations]
    numbers = itertools.count(max(used, default=0) + 1)
    functions = {
        name: _Splitter(function, program, numbers).split() if name != program.initialise else function
        for name, function in program.functions.items()
    }
    return replace(program, functions=functions)


class _Splitter:
    """Splits the edges of one function. at: where the next edge begins; model: the edge that is being split."""

    def __init__(self, function: ir.FunctionCfa, program: ir.Program, numbers: Iterator[int]) -> None:
        self.function, self.program, self.numbers = function, program, numbers
        self.edges: list[ir.Edge] = []
        self.locations: list[ir.Location] = []
        self.locals: list[ir.Variable] = []
        self.model: ir.Edge = ir.Edge(0, 0, ir.Skip(), function.locations[0].origin)
        self.at = 0
        self.index = CInteger("ptrdiff_t", 8 * program.data_model.pointer, True, 4)
        self.known: dict[int, Node] = {}  # what a node was replaced by, on the paths that lead here
        self.kept: list[Node] = []  # keeps the identities of `known`

    def split(self) -> ir.FunctionCfa:
        groups: dict[int, list[ir.Edge]] = {}
        for edge in self.function.edges:
            groups.setdefault(edge.source, []).append(edge)
        for source, edges in groups.items():
            if isinstance(edges[0].operation, ir.Assume):
                self._assumptions(source, edges)
            else:
                for edge in edges:
                    self._begin(edge, source)
                    self._operation(edge)
        return replace(
            self.function,
            edges=tuple(self.edges),
            locations=(*self.function.locations, *self.locations),
            locals=(*self.function.locals, *self.locals),
        )

    def _begin(self, edge: ir.Edge, at: int) -> None:
        self.model, self.at, self.known = edge, at, {}

    # --- operations -------------------------------------------------------------------------------------------------

    def _assumptions(self, source: int, edges: list[ir.Edge]) -> None:
        """The edges of a branch. They are tried in their order; edges with one condition evaluate it once."""
        self._begin(edges[0], source)
        for number, edge in enumerate(edges):
            operation = edge.operation
            assert isinstance(operation, ir.Assume)
            self.model = edge
            condition = operation.condition
            if self._is_single(operation) and all(_condition(other) is condition for other in edges[number:]):
                self.edges += [replace(other, source=self.at) for other in edges[number:]]
                return
            condition = self.expression(condition)
            same = all(_condition(other) is operation.condition for other in edges[number:])
            rest = edges[number:] if same else [edge]
            for other in rest:
                assert isinstance(other.operation, ir.Assume)
                self._edge(ir.Assume(condition, other.operation.holds), other.target, other)
            if same:
                return
            if number + 1 < len(edges):
                following = self._location()
                self._edge(ir.Assume(condition, not operation.holds), following, replace(edge, text=""))
                self.at = following

    def _operation(self, edge: ir.Edge) -> None:
        operation = edge.operation
        if isinstance(operation, ir.AtomicBegin) or self._is_single(operation):  # the condition is in the section
            self._edge(operation, edge.target, edge)
            return
        if isinstance(operation, ir.Assign) and isinstance(operation.lvalue.type, CRecord):
            self._copy_record(operation, edge)
            return
        lvalue = written(operation)
        if isinstance(operation, ir.Call | ir.Allocate | ir.JoinThread) and lvalue is not None:
            spot = self.lvalue(lvalue)
            held = self._temporary(lvalue.type)
            self._step(with_roots(replace(operation, lvalue=held), self._replacement()), edge)
            self._edge(ir.Assign(spot, ir.Load(held, held.type)), edge.target, replace(edge, text=""))
            return
        self._edge(with_roots(operation, self._replacement()), edge.target, edge)

    def _is_single(self, operation: ir.Operation) -> bool:
        """True if the operation is one step as it is. The condition of a section is evaluated in the section."""
        if isinstance(operation, ir.AtomicBegin):
            return True
        lvalue = written(operation)
        reads = shared_reads(*roots(operation))
        if isinstance(operation, ir.CreateThread):
            return not reads
        if isinstance(operation, ir.Call | ir.JoinThread):
            return lvalue is None and not reads
        if has_conditional_reads(*roots(operation)):
            return False
        is_record = any(isinstance(kind, CRecord) for kind in (*(read.type for read in reads), *_kind(lvalue)))
        return len(reads) + (lvalue is not None) <= 1 and not is_record

    def _copy_record(self, operation: ir.Assign, edge: ir.Edge) -> None:
        """Copies a record in shared memory scalar by scalar."""
        value, kind = operation.value, operation.lvalue.type
        spot = self.lvalue(operation.lvalue)
        if not isinstance(value, ir.Load) or self._cells(kind) is None:
            self._edge(replace(operation, lvalue=spot, value=self.expression(value)), edge.target, edge)
            return
        self._copy_cells(spot, self.lvalue(value.lvalue), kind)
        self._edge(ir.Skip(), edge.target, replace(edge, text=""))

    def _copy_cells(self, into: ir.LValue, source: ir.LValue, kind: CType) -> None:
        """Adds the edges that copy the scalars of a record."""
        for path in self._cells(kind) or ():
            written_to, read_from = (_member(lvalue, path, self.index) for lvalue in (into, source))
            held = self._temporary(written_to.type)
            self._step(ir.Assign(held, ir.Load(read_from, read_from.type), copies=True), self.model)
            self._step(ir.Assign(written_to, ir.Load(held, held.type), copies=True), self.model)

    def _cells(self, kind: CType) -> list[tuple[CField | int, ...]] | None:
        """The paths to the scalars of a record, in order; None for unions and for records with very many."""
        found: list[tuple[CField | int, ...]] = []
        work: list[tuple[CType, tuple[CField | int, ...]]] = [(kind, ())]
        while work:
            kind, path = work.pop()
            if isinstance(kind, CRecord):
                if kind.is_union:
                    return None
                members = self.program.records.get(kind.tag, ())
                work += [(member.type, (*path, member)) for member in reversed(members)]
            elif isinstance(kind, CArray):
                work += [(kind.element, (*path, index)) for index in reversed(range(kind.length or 0))]
            else:
                found.append(path)
            if len(found) + len(work) > MAX_FORMULAS:
                return None
        return found

    # --- expressions ------------------------------------------------------------------------------------------------

    def expression(self, root: ir.Expression) -> ir.Expression:
        """An expression with the value of `root` that reads no shared memory; edges before it do. Nested as the
        expression is, which the parser limits."""
        made = self._node(root)
        assert not isinstance(made, LVALUES)
        return made

    def lvalue(self, root: ir.LValue) -> ir.LValue:
        """The lvalue, whose address reads no shared memory."""
        made = self._node(root)
        assert isinstance(made, LVALUES)
        return made

    def _replacement(self) -> Replacement:
        return Replacement(self.expression, self.lvalue, lambda variable: variable)

    def _node(self, node: Node) -> Node:
        if not shared_reads(node):
            return node
        found = self.known.get(id(node))
        if found is None:
            found = self._made(node)
            self.known[id(node)] = found
            self.kept.append(node)
        return found

    def _made(self, node: Node) -> Node:
        match node:
            case ir.Load(lvalue=lvalue, type=kind) if is_shared(lvalue):
                spot, held = self.lvalue(lvalue), self._temporary(kind)
                if isinstance(kind, CRecord) and self._cells(kind) is not None:
                    self._copy_cells(held, spot, kind)
                    return ir.Load(held, kind)
                self._step(ir.Assign(held, replace(node, lvalue=spot)), self.model)
                return ir.Load(held, kind)
            case ir.Binary(operator="&&", left=left, right=right) if shared_reads(right):
                return self._branch(left, _truth(right), _number(0), INT)
            case ir.Binary(operator="||", left=left, right=right) if shared_reads(right):
                return self._branch(left, _number(1), _truth(right), INT)
            case ir.Conditional(condition=condition, then=then, otherwise=otherwise, type=kind) if shared_reads(
                then, otherwise
            ):
                return self._branch(condition, then, otherwise, kind)
            case _:
                return with_children(node, self._replacement())

    def _branch(
        self, condition: ir.Expression, then: ir.Expression, otherwise: ir.Expression, kind: CType
    ) -> ir.Expression:
        """The value of one of two expressions; the other one is not evaluated."""
        condition = self.expression(condition)
        start, end, held, known = self.at, self._location(), self._temporary(kind), self.known
        for holds, value in ((True, then), (False, otherwise)):
            self.at, self.known = start, dict(known)
            begin = self._location()
            self._edge(ir.Assume(condition, holds), begin, replace(self.model, text=""))
            self.at = begin
            self._edge(ir.Assign(held, self.expression(value)), end, self.model)
        self.at, self.known = end, known
        return ir.Load(held, kind)

    # --- edges ------------------------------------------------------------------------------------------------------

    def _edge(self, operation: ir.Operation, target: int, like: ir.Edge) -> None:
        """Adds an edge from here to a target, with the position and text of another one."""
        self.edges.append(replace(like, source=self.at, target=target, operation=operation))

    def _step(self, operation: ir.Operation, like: ir.Edge) -> None:
        """Adds an edge to a new location, where the next edge begins."""
        target = self._location()
        self._edge(operation, target, like)
        self.at = target

    def _location(self) -> int:
        made = ir.Location(next(self.numbers), self.function.name, self.model.origin)
        self.locations.append(made)
        return made.number

    def _temporary(self, kind: CType) -> ir.VariableLValue:
        name = f"<read {next(self.numbers)}>"
        made = ir.Variable(f"{self.function.name}::{name}", name, kind, self.function.name, temporary=True)
        self.locals.append(made)
        return ir.VariableLValue(made, kind)


LVALUES = ir.VariableLValue | ir.Dereference | ir.FieldLValue | ir.ElementLValue


def _condition(edge: ir.Edge) -> ir.Expression | None:
    return edge.operation.condition if isinstance(edge.operation, ir.Assume) else None


def _kind(lvalue: ir.LValue | None) -> tuple[CType, ...]:
    return () if lvalue is None else (lvalue.type,)


def _number(value: int) -> ir.Expression:
    return ir.Constant(value, INT)


def _truth(value: ir.Expression) -> ir.Expression:
    """1 where C treats the value as true, else 0."""
    return ir.Conditional(value, _number(1), _number(0), INT)


def _member(lvalue: ir.LValue, path: tuple[CField | int, ...], index: CInteger) -> ir.LValue:
    """The scalar of a record to which a path of members and indices leads, whose copy is no atomic access.

    index: the type of indices.
    """
    for part in path:
        if isinstance(part, int):
            assert isinstance(lvalue.type, CArray)
            lvalue = ir.ElementLValue(lvalue, ir.Constant(part, index), lvalue.type.element)
        else:
            lvalue = ir.FieldLValue(lvalue, replace(part, atomic=False), part.type)
    return lvalue
