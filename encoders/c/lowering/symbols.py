"""What names mean: scopes and the symbols in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.ir import Expression, LValue, Variable
from encoders.c.library.special_functions import VIOLATIONS
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import CArray, CFunction, CInteger, CRecord, CType


@dataclass(frozen=True)
class VariableLength:
    """A front-end type: an array whose length is only known at run time (an element count, already evaluated).

    Variables of such a type are one-dimensional in the IR; `stride` is the number of IR elements per element here.
    """

    element: CType | VariableLength
    length: Expression
    total: Expression  # scalar elements in the whole array
    stride: Expression  # scalar elements per element

    @property
    def scalar(self) -> CType:
        """The type of the innermost elements."""
        kind: CType | VariableLength = self
        while isinstance(kind, VariableLength):
            kind = kind.element
        return kind


class VlaPart:
    """A (part of a) multi-dimensional variable length array: no lvalue of the automata until fully subscripted."""

    def __init__(self, lvalue: LValue, offset: Expression, lengths: VariableLength) -> None:
        self.lvalue, self.offset, self.lengths = lvalue, offset, lengths

    @property
    def type(self) -> CType:
        """The type of the part as one of an array of unknown length."""
        return CArray(self.lengths.scalar, None)


@dataclass(frozen=True)
class LocalVariable:
    variable: Variable
    lengths: VariableLength | None = None
    align: int = 0  # in bytes, as declared; 0: its type's
    volatile: bool = False


@dataclass
class GlobalVariable:
    """A file-scope or static variable; its type may be completed by later declarations."""

    unique: str
    name: str
    type: CType
    declaration: c_ast.Node
    scope: Scope  # where its initialiser is to be understood
    order: int
    function: str | None = None  # of static locals
    defined: bool = False
    initialiser: c_ast.Node | None = None
    fixed: Variable | None = None  # set at first use
    volatile: bool = False
    constant: bool = False  # nobody changes it
    atomic: bool = False
    external: bool = False  # linkage
    align: int = 0  # in bytes, as declared; 0: its type's
    weak: bool = False
    definer: Scope | None = None  # of the file that defines it
    gives_way: bool = False  # is the definition weak?


@dataclass
class FunctionSymbol:
    name: str
    type: CFunction
    declaration: c_ast.Decl
    definition: c_ast.FuncDef | None = None
    scope: Scope | None = None
    no_return: bool = False
    weak: bool = False
    gives_way: bool = False  # is the definition weak?
    error: Unsupported | None = None

    @property
    def forwarder(self) -> str:
        """The name of the automaton that stands for it behind pointers, if it has no body."""
        return f"{self.name} (through a pointer)"

    def has_body(self, checks_assertions: bool) -> bool:
        """Does a call execute the definition? That of the error function does not if calls of it are the violation."""
        return self.definition is not None and not (checks_assertions and self.name in VIOLATIONS)


@dataclass(frozen=True)
class EnumConstant:
    value: int
    type: CInteger


@dataclass(frozen=True)
class TypeName:
    """align: the alignment in bytes that the name itself asks for, 0 for none."""

    type: CType | VariableLength
    qualifiers: frozenset[str] = frozenset()
    align: int = 0


@dataclass(frozen=True)
class InvalidSymbol:
    """A declaration that cannot be modelled: an error only where it is used. definition: if it defines a function."""

    error: Unsupported | SourceError
    definition: c_ast.FuncDef | None = None


Symbol = LocalVariable | GlobalVariable | FunctionSymbol | EnumConstant | TypeName | InvalidSymbol


@dataclass
class Scope:
    """A block's names and tags; look-ups go outwards."""

    parent: Scope | None = None
    names: dict[str, Symbol] = field(default_factory=dict)
    tags: dict[str, CRecord | CInteger] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)  # of the block alone: what they are called in the function

    @property
    def of_function(self) -> Scope:
        """The outermost scope of the function in which this one is; itself, if it is that of a file."""
        *inner, file = self.outwards()
        return inner[-1] if inner else file

    @property
    def of_file(self) -> Scope:
        """The outermost scope."""
        *_, file = self.outwards()
        return file

    def outwards(self) -> Iterator[Scope]:
        """The scope, the one around it, and so on to that of the file."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def label(self, name: str) -> str:
        """What the label that a name denotes in the scope is called in the function."""
        return next((scope.labels[name] for scope in self.outwards() if name in scope.labels), name)

    def find(self, name: str) -> Symbol | None:
        """The symbol that a name denotes in the scope or around it, None if there is none."""
        return next((scope.names[name] for scope in self.outwards() if name in scope.names), None)

    def find_tag(self, tag: str) -> CRecord | CInteger | None:
        """The type that a tag denotes in the scope or around it, None if there is none."""
        return next((scope.tags[tag] for scope in self.outwards() if tag in scope.tags), None)
