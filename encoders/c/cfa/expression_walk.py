"""Iterative walks over expressions and lvalues of the control-flow automata."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import cast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.types.c_types import CPointer

Node = ir.Expression | ir.LValue


# The direct parts of each class that has some, in order of evaluation; a table, since walks ask for most nodes.
_PARTS: Mapping[type, Callable[..., tuple[Node, ...]]] = {
    ir.Load: lambda node: (node.lvalue,),
    ir.AddressOf: lambda node: (node.lvalue,),
    ir.Dereference: lambda node: (node.pointer,),
    ir.FieldLValue: lambda node: (node.base,),
    ir.ElementLValue: lambda node: (node.base, node.index),
    ir.Unary: lambda node: (node.operand,),
    ir.Cast: lambda node: (node.operand,),
    ir.Binary: lambda node: (node.left, node.right),
    ir.PointerDifference: lambda node: (node.left, node.right),
    ir.PointerAdd: lambda node: (node.pointer, node.index),
    ir.Conditional: lambda node: (node.condition, node.then, node.otherwise),
}


def children(node: Node) -> tuple[Node, ...]:
    """The direct parts of an expression or lvalue, in order of evaluation."""
    parts = _PARTS.get(type(node))
    return () if parts is None else parts(node)


def postorder(*roots: Node, skip: Container[int] = ()) -> Iterator[Node]:
    """Every node object below the roots once, parts before wholes (the same object is not visited twice).

    skip: identities of nodes that are left out, with all that only they reach.
    """
    seen: set[int] = set()
    stack: list[Node | None] = list(reversed(roots))  # None: the node below it is expanded
    while stack:
        node = stack.pop()
        if node is None:
            yield stack.pop()  # type: ignore[misc]
        elif id(node) not in seen and id(node) not in skip:
            seen.add(id(node))
            parts = _PARTS.get(type(node))
            if parts is None:
                yield node
            else:
                stack += (node, None, *reversed(parts(node)))


def written_lvalue(operation: object) -> ir.LValue | None:
    """The lvalue that an operation gives a value; None if it gives none a value."""
    match operation:
        case ir.Assign(lvalue=lvalue) | ir.Nondet(lvalue=lvalue) | ir.Clear(lvalue=lvalue):
            return lvalue
        case ir.Allocate(lvalue=lvalue) | ir.Call(lvalue=lvalue):
            return lvalue
        case _:
            return None


def roots(operation: object) -> tuple[Node, ...]:
    """The expressions and lvalues of an operation, written lvalues included."""
    match operation:
        case ir.Assign(lvalue=lvalue, value=value):
            return (lvalue, value)
        case ir.Assume(condition=condition) | ir.LoopInvariant(condition=condition):
            return (condition,)
        case ir.Nondet(lvalue=lvalue) | ir.Clear(lvalue=lvalue) | ir.CheckWritten(lvalue=lvalue):
            return (lvalue,)
        case ir.Declare(length=length):
            return () if length is None else (length,)
        case ir.Allocate(lvalue=lvalue, size=size):
            return (lvalue, size)
        case ir.Havoc(arguments=arguments, numbers=numbers):
            return (*arguments, *numbers)
        case ir.CheckAccess(lvalue=lvalue, size=size):
            return (lvalue,) if size is None else (lvalue, size)
        case ir.Release(pointer=pointer) | ir.Forget(pointer=pointer) | ir.EndStream(pointer=pointer):
            return (pointer,)
        case ir.Call(lvalue=lvalue, arguments=arguments):
            return arguments if lvalue is None else (lvalue, *arguments)
        case ir.CreateThread(lvalue=lvalue, arguments=arguments):
            return (lvalue, *arguments)
        case ir.JoinThread(thread=thread, lvalue=lvalue):
            return (thread,) if lvalue is None else (thread, lvalue)
        case ir.ExitThread(value=value):
            return (value,)
        case ir.AtomicBegin(condition=condition):
            return () if condition is None else (condition,)
        case ir.CurrentThread(lvalue=lvalue):
            return (lvalue,)
        case _:
            return ()


@dataclass(frozen=True)
class Replacement:
    """What takes the position of each expression, lvalue and declared variable; may give the same object back."""

    expression: Callable[[ir.Expression], ir.Expression]
    lvalue: Callable[[ir.LValue], ir.LValue]
    variable: Callable[[ir.Variable], ir.Variable]


def with_children(node: Node, new: Replacement) -> Node:
    """The node over the replacements of its children; the leaves of terms, variables included, as they are."""
    match node:
        case ir.Load() | ir.AddressOf():
            return replace(node, lvalue=new.lvalue(node.lvalue))
        case ir.Dereference():
            return replace(node, pointer=new.expression(node.pointer))
        case ir.FieldLValue():
            return replace(node, base=new.lvalue(node.base))
        case ir.ElementLValue():
            return replace(node, base=new.lvalue(node.base), index=new.expression(node.index))
        case ir.Unary() | ir.Cast():
            return replace(node, operand=new.expression(node.operand))
        case ir.Binary() | ir.PointerDifference():
            return replace(node, left=new.expression(node.left), right=new.expression(node.right))
        case ir.PointerAdd():
            return replace(node, pointer=new.expression(node.pointer), index=new.expression(node.index))
        case ir.Conditional():
            condition, then, otherwise = map(new.expression, (node.condition, node.then, node.otherwise))
            return replace(node, condition=condition, then=then, otherwise=otherwise)
        case _:
            return node


def with_roots(operation: ir.Operation, new: Replacement) -> ir.Operation:
    """The operation over the replacements of its roots and of the variable that it declares."""
    match operation:
        case ir.Assign():
            return replace(operation, lvalue=new.lvalue(operation.lvalue), value=new.expression(operation.value))
        case ir.Assume() | ir.LoopInvariant():
            return replace(operation, condition=new.expression(operation.condition))
        case ir.Nondet() | ir.Clear() | ir.CheckWritten():
            return replace(operation, lvalue=new.lvalue(operation.lvalue))
        case ir.Declare():
            length = None if operation.length is None else new.expression(operation.length)
            return replace(operation, variable=new.variable(operation.variable), length=length)
        case ir.Allocate():
            return replace(operation, lvalue=new.lvalue(operation.lvalue), size=new.expression(operation.size))
        case ir.Havoc():
            arguments, numbers = (tuple(map(new.expression, each)) for each in (operation.arguments, operation.numbers))
            return replace(operation, arguments=arguments, numbers=numbers)
        case ir.CheckAccess():
            size = None if operation.size is None else new.expression(operation.size)
            return replace(operation, lvalue=new.lvalue(operation.lvalue), size=size)
        case ir.Release() | ir.Forget() | ir.EndStream():
            return replace(operation, pointer=new.expression(operation.pointer))
        case ir.EndLifetimes():
            return replace(operation, variables=tuple(map(new.variable, operation.variables)))
        case ir.Call():
            lvalue = None if operation.lvalue is None else new.lvalue(operation.lvalue)
            return replace(operation, lvalue=lvalue, arguments=tuple(map(new.expression, operation.arguments)))
        case _:
            return _with_roots_of_threads(operation, new)


def _with_roots_of_threads(operation: ir.Operation, new: Replacement) -> ir.Operation:
    """As `with_roots`, for operations of threads; others as they are."""
    match operation:
        case ir.CreateThread():
            arguments = tuple(map(new.expression, operation.arguments))
            return replace(operation, lvalue=new.lvalue(operation.lvalue), arguments=arguments)
        case ir.JoinThread():
            lvalue = None if operation.lvalue is None else new.lvalue(operation.lvalue)
            return replace(operation, thread=new.expression(operation.thread), lvalue=lvalue)
        case ir.ExitThread():
            return replace(operation, value=new.expression(operation.value))
        case ir.AtomicBegin():
            condition = None if operation.condition is None else new.expression(operation.condition)
            return replace(operation, condition=condition)
        case ir.CurrentThread():
            return replace(operation, lvalue=new.lvalue(operation.lvalue))
        case _:
            return operation


class Rewriting:
    """Terms in which some nodes are changed: parts before wholes, shared nodes once, untouched ones as they are.

    change: of a node, and of the node over its changed parts, what takes its place: an expression for an expression, an
    lvalue for an lvalue. variable: what takes the place of variables that operations declare.
    """

    def __init__(
        self,
        change: Callable[[Node, Node], Node],
        variable: Callable[[ir.Variable], ir.Variable] = lambda variable: variable,
    ) -> None:
        self._change = change
        self._changed: dict[int, Node] = {}
        self._kept: list[Node] = []  # identities stay those of these nodes while they live
        self._parts = Replacement(self._known_expression, self._known_lvalue, variable)
        self._roots = Replacement(self.expression, self.lvalue, variable)

    def operation(self, operation: ir.Operation) -> ir.Operation:
        """The operation over changed terms."""
        return with_roots(operation, self._roots)

    def expression(self, root: ir.Expression) -> ir.Expression:
        """The changed expression."""
        self._visit(root)
        return self._known_expression(root)

    def lvalue(self, root: ir.LValue) -> ir.LValue:
        """The changed lvalue."""
        self._visit(root)
        return self._known_lvalue(root)

    def _visit(self, root: Node) -> None:
        for node in postorder(root, skip=self._changed):
            is_same = all(self._changed[id(part)] is part for part in children(node))
            self._changed[id(node)] = self._change(node, node if is_same else with_children(node, self._parts))
            self._kept.append(node)

    def _known_expression(self, node: ir.Expression) -> ir.Expression:
        return cast(ir.Expression, self._changed[id(node)])

    def _known_lvalue(self, node: ir.LValue) -> ir.LValue:
        return cast(ir.LValue, self._changed[id(node)])


def base_of(lvalue: ir.LValue) -> ir.VariableLValue | ir.Dereference:
    """The whole object of an lvalue, without members and elements: a variable, or what a pointer leads to."""
    while isinstance(lvalue, ir.FieldLValue | ir.ElementLValue):
        lvalue = lvalue.base
    return lvalue


def pointer_moves(pointer: ir.Expression) -> tuple[ir.Expression, list[ir.PointerAdd]]:
    """The pointer that another one is computed from, and the additions on the way, the last one first."""
    moves: list[ir.PointerAdd] = []
    while True:
        match pointer:
            case ir.PointerAdd(pointer=inner):
                moves.append(pointer)
                pointer = inner
            case ir.Cast(operand=operand) if isinstance(operand.type, CPointer):
                pointer = operand
            case _:
                return pointer, moves


def in_memory(edges: Iterable[ir.Edge]) -> set[str]:
    """The variables whose address is taken, by their unique names."""
    found: set[str] = set()
    for term in postorder(*(root for edge in edges for root in roots(edge.operation))):
        if isinstance(term, ir.AddressOf):
            lvalue = base_of(term.lvalue)
            if isinstance(lvalue, ir.VariableLValue):
                found.add(lvalue.variable.unique)
    return found
