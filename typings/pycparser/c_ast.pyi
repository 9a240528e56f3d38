"""The nodes of syntax trees. A node that a program makes may lack its `coord`; those of parsed text have one.

The `name` of a Decl that declares a type alone, and the `declname` of an abstract declarator, are None when it runs.
"""

from collections.abc import Iterator
from typing import Any

from pycparser.c_parser import Coord

class Node:
    __slots__: tuple[str, ...]
    coord: Coord
    def children(self) -> tuple[tuple[str, Node], ...]: ...
    def __iter__(self) -> Iterator[Node]: ...

class ArrayDecl(Node):
    type: Node
    dim: Node | None
    dim_quals: list[str]
    attributes: list[Any]
    def __init__(
        self,
        type: Node,
        dim: Node | None,
        dim_quals: list[str],
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class ArrayDesignator(Node):
    expr: Node
    def __init__(self, expr: Node, coord: Coord | None = ...) -> None: ...

class ArrayRef(Node):
    name: Node
    subscript: Node
    def __init__(self, name: Node, subscript: Node, coord: Coord | None = ...) -> None: ...

class Assignment(Node):
    op: str
    lvalue: Node
    rvalue: Node
    def __init__(self, op: str, lvalue: Node, rvalue: Node, coord: Coord | None = ...) -> None: ...

class Alignas(Node):
    alignment: Any
    def __init__(self, alignment: Any, coord: Coord | None = ...) -> None: ...

class Attribute(Node):
    name: str
    namespace: str
    arguments: Any
    def __init__(self, name: str, namespace: str, arguments: Any, coord: Coord | None = ...) -> None: ...

class AttributeSpecifier(Node):
    attributes: list[Any]
    def __init__(self, attributes: list[Any], coord: Coord | None = ...) -> None: ...

class AttributeDeclaration(Node):
    attributes: list[Any]
    def __init__(self, attributes: list[Any], coord: Coord | None = ...) -> None: ...

class AttributedStatement(Node):
    attributes: list[Any]
    stmt: Node
    def __init__(self, attributes: list[Any], stmt: Node, coord: Coord | None = ...) -> None: ...

class AttributedType(Node):
    type: Node
    attributes: list[Any]
    def __init__(self, type: Node, attributes: list[Any], coord: Coord | None = ...) -> None: ...

class BinaryOp(Node):
    op: str
    left: Node
    right: Node
    def __init__(self, op: str, left: Node, right: Node, coord: Coord | None = ...) -> None: ...

class BitIntType(Node):
    width: Node
    signedness: str
    def __init__(self, width: Node, signedness: str, coord: Coord | None = ...) -> None: ...

class Break(Node):
    def __init__(self, coord: Coord | None = ...) -> None: ...

class Case(Node):
    expr: Node
    stmts: list[Node]
    attributes: list[Any]
    def __init__(
        self,
        expr: Node,
        stmts: list[Node],
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class Cast(Node):
    to_type: Typename
    expr: Node
    def __init__(self, to_type: Typename, expr: Node, coord: Coord | None = ...) -> None: ...

class Compound(Node):
    block_items: list[Node] | None
    def __init__(self, block_items: list[Node] | None, coord: Coord | None = ...) -> None: ...

class CompoundLiteral(Node):
    type: Typename
    init: InitList
    storage: list[str]
    def __init__(self, type: Typename, init: InitList, storage: list[str], coord: Coord | None = ...) -> None: ...

class Constant(Node):
    type: str
    value: str
    def __init__(self, type: str, value: str, coord: Coord | None = ...) -> None: ...

class Continue(Node):
    def __init__(self, coord: Coord | None = ...) -> None: ...

class Decl(Node):
    name: str
    quals: list[str]
    align: list[Any]
    storage: list[str]
    funcspec: list[str]
    type: Node
    init: Node | None
    bitsize: Node | None
    attributes: list[Any]
    def __init__(
        self,
        name: str,
        quals: list[str],
        align: list[Any],
        storage: list[str],
        funcspec: list[str],
        type: Node,
        init: Node | None,
        bitsize: Node | None,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class DeclList(Node):
    decls: list[Decl]
    def __init__(self, decls: list[Decl], coord: Coord | None = ...) -> None: ...

class Default(Node):
    stmts: list[Node]
    attributes: list[Any]
    def __init__(self, stmts: list[Node], coord: Coord | None = ..., *, attributes: list[Any] | None = ...) -> None: ...

class DoWhile(Node):
    cond: Node
    stmt: Node
    def __init__(self, cond: Node, stmt: Node, coord: Coord | None = ...) -> None: ...

class EllipsisParam(Node):
    def __init__(self, coord: Coord | None = ...) -> None: ...

class EmptyStatement(Node):
    def __init__(self, coord: Coord | None = ...) -> None: ...

class Enum(Node):
    name: str | None
    values: EnumeratorList | None
    underlying_type: Node | None
    attributes: list[Any]
    def __init__(
        self,
        name: str | None,
        values: EnumeratorList | None,
        underlying_type: Node | None,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class Enumerator(Node):
    name: str
    value: Node | None
    attributes: list[Any]
    def __init__(
        self,
        name: str,
        value: Node | None,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class EnumeratorList(Node):
    enumerators: list[Enumerator]
    def __init__(self, enumerators: list[Enumerator], coord: Coord | None = ...) -> None: ...

class ExprList(Node):
    exprs: list[Node]
    def __init__(self, exprs: list[Node], coord: Coord | None = ...) -> None: ...

class FileAST(Node):
    ext: list[Node]
    def __init__(self, ext: list[Node], coord: Coord | None = ...) -> None: ...

class For(Node):
    init: Node | None
    cond: Node | None
    next: Node | None
    stmt: Node
    def __init__(
        self,
        init: Node | None,
        cond: Node | None,
        next: Node | None,
        stmt: Node,
        coord: Coord | None = ...,
    ) -> None: ...

class FuncCall(Node):
    name: Node
    args: ExprList | None
    def __init__(self, name: Node, args: ExprList | None, coord: Coord | None = ...) -> None: ...

class FuncDecl(Node):
    args: ParamList | None
    type: Node
    attributes: list[Any]
    def __init__(
        self,
        args: ParamList | None,
        type: Node,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class FuncDef(Node):
    decl: Decl
    param_decls: list[Decl] | None
    body: Compound
    def __init__(
        self,
        decl: Decl,
        param_decls: list[Decl] | None,
        body: Compound,
        coord: Coord | None = ...,
    ) -> None: ...

class GenericAssociation(Node):
    type: Node
    expr: Node
    def __init__(self, type: Node, expr: Node, coord: Coord | None = ...) -> None: ...

class GenericSelection(Node):
    expr: Node
    associations: list[GenericAssociation]
    def __init__(self, expr: Node, associations: list[GenericAssociation], coord: Coord | None = ...) -> None: ...

class Goto(Node):
    name: str
    def __init__(self, name: str, coord: Coord | None = ...) -> None: ...

class ID(Node):
    name: str
    def __init__(self, name: str, coord: Coord | None = ...) -> None: ...

class IdentifierType(Node):
    names: list[str]
    def __init__(self, names: list[str], coord: Coord | None = ...) -> None: ...

class If(Node):
    cond: Node
    iftrue: Node
    iffalse: Node | None
    def __init__(self, cond: Node, iftrue: Node, iffalse: Node | None, coord: Coord | None = ...) -> None: ...

class InferredType(Node):
    def __init__(self, coord: Coord | None = ...) -> None: ...

class InitList(Node):
    exprs: list[Node]
    def __init__(self, exprs: list[Node], coord: Coord | None = ...) -> None: ...

class Label(Node):
    name: str
    stmt: Node
    attributes: list[Any]
    def __init__(
        self,
        name: str,
        stmt: Node,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class NamedInitializer(Node):
    name: list[Node]
    expr: Node
    def __init__(self, name: list[Node], expr: Node, coord: Coord | None = ...) -> None: ...

class ParamList(Node):
    params: list[Node]
    def __init__(self, params: list[Node], coord: Coord | None = ...) -> None: ...

class PtrDecl(Node):
    quals: list[str]
    type: Node
    attributes: list[Any]
    def __init__(
        self,
        quals: list[str],
        type: Node,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class Return(Node):
    expr: Node | None
    def __init__(self, expr: Node | None, coord: Coord | None = ...) -> None: ...

class StaticAssert(Node):
    cond: Node
    message: Node | None
    def __init__(self, cond: Node, message: Node | None, coord: Coord | None = ...) -> None: ...

class Struct(Node):
    name: str | None
    decls: list[Node] | None
    attributes: list[Any]
    def __init__(
        self,
        name: str | None,
        decls: list[Node] | None,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class StructRef(Node):
    name: Node
    type: str
    field: ID
    def __init__(self, name: Node, type: str, field: ID, coord: Coord | None = ...) -> None: ...

class Switch(Node):
    cond: Node
    stmt: Node
    def __init__(self, cond: Node, stmt: Node, coord: Coord | None = ...) -> None: ...

class TernaryOp(Node):
    cond: Node
    iftrue: Node | None
    iffalse: Node
    def __init__(self, cond: Node, iftrue: Node | None, iffalse: Node, coord: Coord | None = ...) -> None: ...

class TypeDecl(Node):
    declname: str
    quals: list[str]
    align: list[Any]
    type: Node
    attributes: list[Any]
    def __init__(
        self,
        declname: str,
        quals: list[str],
        align: list[Any],
        type: Node,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class Typedef(Node):
    name: str
    quals: list[str]
    storage: list[str]
    type: Node
    attributes: list[Any]
    def __init__(
        self,
        name: str,
        quals: list[str],
        storage: list[str],
        type: Node,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class Typename(Node):
    name: str | None
    quals: list[str]
    align: list[Any]
    type: Node
    attributes: list[Any]
    def __init__(
        self,
        name: str | None,
        quals: list[str],
        align: list[Any],
        type: Node,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class TypeOf(Node):
    op: str
    expr: Node
    def __init__(self, op: str, expr: Node, coord: Coord | None = ...) -> None: ...

class UnaryOp(Node):
    op: str
    expr: Node
    def __init__(self, op: str, expr: Node, coord: Coord | None = ...) -> None: ...

class Union(Node):
    name: str | None
    decls: list[Node] | None
    attributes: list[Any]
    def __init__(
        self,
        name: str | None,
        decls: list[Node] | None,
        coord: Coord | None = ...,
        *,
        attributes: list[Any] | None = ...,
    ) -> None: ...

class While(Node):
    cond: Node
    stmt: Node
    def __init__(self, cond: Node, stmt: Node, coord: Coord | None = ...) -> None: ...

class Pragma(Node):
    string: str
    def __init__(self, string: str, coord: Coord | None = ...) -> None: ...
