"""What every part of the lowering shares: the translation unit, the function being built, coordinates and errors."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pycparser import c_ast

from chcverify.horn.system import Origin
from chcverify.results.assumption import Assumption
from encoders.c.cfa.builder import CfaBuilder
from encoders.c.cfa.ir import (
    Assign,
    Dereference,
    ElementLValue,
    Expression,
    FieldLValue,
    Load,
    LValue,
    Variable,
    VariableLValue,
)
from encoders.c.lowering.environment import Surroundings
from encoders.c.lowering.operators.overflow_checks import CHECKED
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, Scope
from encoders.c.source.attributes import Attributes
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.source.statement_text import source_text
from encoders.c.types.c_types import CFunction, CType, DataModel
from encoders.c.types.record_layout import IncompleteType, RecordLayouts


@dataclass(frozen=True)
class IndirectCall:
    """A call through a pointer, to be resolved when all functions whose address is taken are known."""

    source: int
    target: int
    pointer: Expression
    lvalue: LValue | None
    arguments: tuple[Expression, ...]
    type: CFunction
    origin: Origin
    text: str
    may_count: bool = False  # is there an argument, beyond the parameters, through which %n may write?


@dataclass
class Unit:
    """The translation unit: file-scope symbols, and what the functions lowered so far have asked for."""

    file: str
    layout: RecordLayouts
    attributes: Attributes
    declare: Callable[[Unit, Scope, c_ast.FileAST], None]  # enters the declarations of a library model into its scope
    scope: Scope = field(default_factory=Scope)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    orders: Iterator[int] = field(default_factory=itertools.count)
    tags: dict[str, int] = field(default_factory=dict)
    records: dict[int, CType] = field(default_factory=dict)  # by the identity of the specifier's node
    poisoned: dict[str, Unsupported] = field(default_factory=dict)  # records that cannot be laid out
    used_globals: dict[str, GlobalVariable] = field(default_factory=dict)
    strings: dict[tuple[str, tuple[int, ...]], GlobalVariable] = field(default_factory=dict)
    wanted: dict[str, FunctionSymbol] = field(default_factory=dict)  # functions to lower, in order of first use
    address_taken: dict[str, FunctionSymbol] = field(default_factory=dict)
    linked: dict[str, FunctionSymbol | GlobalVariable] = field(default_factory=dict)  # by the linker's names
    libraries: dict[str, Scope] = field(default_factory=dict)  # file scopes of library models
    transparent_unions: set[str] = field(default_factory=set)  # tags
    early_enumerations: set[str] = field(default_factory=set)  # tags named before their definition, taken for unsigned
    aligned_names: set[CType] = field(default_factory=set)  # types of typedefs with alignments of their own
    recast: set[str] = field(default_factory=set)  # functions whose address has been converted to another type
    recast_types: set[CFunction] = field(default_factory=set)  # types of pointers to functions that have been converted
    reads_errno: bool = False
    overflow: bool = False  # is signed overflow the violation, and nothing else?
    surroundings: Surroundings = field(default_factory=Surroundings)  # decided when the program has been parsed
    assumptions: dict[tuple[str, str], Assumption] = field(default_factory=dict)  # by kind and subject

    @property
    def model(self) -> DataModel:
        return self.layout.model

    def unique_tag(self, tag: str | None) -> str:
        """A tag that is unique in the program: `list`, `list#2`, `<anonymous>#3`."""
        name = tag or "<anonymous>"
        count = self.tags[name] = self.tags.get(name, 0) + 1
        return name if count == 1 and tag else f"{name}#{count}"

    def assume(self, kind: str, subject: str, effect: str, origin: Origin) -> None:
        """Records what the program's meaning rests on, at its first use."""
        found = Assumption(kind, subject, effect, origin.file, origin.line, origin.column)
        self.assumptions.setdefault((kind, subject), found)


INITIALISE = "<init>"  # the function that gives static objects their first values


class LoweringContext:
    """The state of lowering one function, and small services. The layers above add types, expressions, statements."""

    def __init__(self, unit: Unit, name: str, scope: Scope) -> None:
        self.unit = unit
        self.name = name
        self.scope = scope
        self.cfa = CfaBuilder(name, unit.numbers)
        self.cfa.current = self.entry = self.cfa.location()
        self.locals: list[Variable] = []
        self.indirect: list[IndirectCall] = []
        self.evaluated = True
        self.latest: c_ast.Node | None = None  # the expression that was begun last
        self._uniques: dict[str, int] = {}
        self._effects: dict[int, tuple[c_ast.Node, bool]] = {}  # with the node: no other gets its identity
        self.given: dict[LValue, bool] = {}  # by expressions, in the initialiser at hand: has one effects?

    # --- provided by the layers above

    def operand(self, node: c_ast.Node) -> LValue | Expression:
        """The place that an lvalue names, or the value of an rvalue; arrays do not decay here."""
        raise NotImplementedError

    def value(self, node: c_ast.Node) -> Expression:
        """The value of an expression; arrays and functions decay to pointers."""
        raise NotImplementedError

    def statement(self, node: c_ast.Node) -> None:
        raise NotImplementedError

    # --- coordinates, text and errors

    def origin(self, node: c_ast.Node) -> Origin:
        coord = node.coord
        if coord is None:
            for _, child in node.children():
                return self.origin(child)
            return Origin(self.unit.file, 1)
        return Origin(coord.file or self.unit.file, coord.line, coord.column or 1)

    def text(self, node: c_ast.Node) -> str:
        return source_text(node) if self.evaluated else ""

    def error(self, node: c_ast.Node, message: str) -> SourceError:
        return SourceError(self.origin(node), message)

    def refuse(self, node: c_ast.Node, construct: str) -> Unsupported:
        return Unsupported(self.origin(node), construct)

    def size_of(self, kind: CType, node: c_ast.Node) -> int:
        try:
            return self.unit.layout.size(kind)
        except IncompleteType as incomplete:
            if incomplete.tag in self.unit.poisoned:
                raise self.unit.poisoned[incomplete.tag] from None
            raise self.error(node, f"incomplete type '{kind}'") from None

    def is_constant_call(self, node: c_ast.FuncCall) -> bool:
        """Is it a built-in function that is known without running the program?"""
        raise NotImplementedError

    # --- variables and edges

    def temporary(self, kind: CType, name: str = "$") -> VariableLValue:
        variable = Variable(self.unique(name), name, kind, self.name, temporary=True)
        if self.evaluated:
            self.locals.append(variable)
        return VariableLValue(variable, kind)

    def unique(self, name: str) -> str:
        count = self._uniques[name] = self._uniques.get(name, 0) + 1
        return f"{self.name}::{name}" if count == 1 and name != "$" else f"{self.name}::{name}#{count}"

    def held(self, expression: Expression, node: c_ast.Node) -> Expression:
        """The expression's value now, whatever is assigned later. (Temporaries are assigned only once.)"""
        if (isinstance(expression, Load) and is_temporary(expression.lvalue)) or not reads_memory(expression):
            return expression
        lvalue = self.temporary(expression.type)
        self.cfa.emit(Assign(lvalue, expression), self.origin(node), self.text(node))
        return Load(lvalue, expression.type)

    def held_lvalue(self, lvalue: LValue, node: c_ast.Node) -> LValue:
        """The place that is meant now, whatever is assigned later to what its address is computed from."""
        match lvalue:
            case VariableLValue():
                return lvalue
            case Dereference(pointer, kind):
                return Dereference(self.held(pointer, node), kind)
            case FieldLValue(base, member, kind):
                return FieldLValue(self.held_lvalue(base, node), member, kind)
            case ElementLValue(base, index, kind):
                return ElementLValue(self.held_lvalue(base, node), self.held(index, node), kind)

    @contextmanager
    def unevaluated(self) -> Iterator[None]:
        """Lowering inside is for types alone: nothing that it emits remains."""
        cfa, evaluated, indirect = self.cfa, self.evaluated, self.indirect
        self.cfa = CfaBuilder(self.name)
        self.cfa.current = self.cfa.location()
        self.evaluated, self.indirect = False, []
        try:
            yield
        finally:
            self.cfa, self.evaluated, self.indirect = cfa, evaluated, indirect

    @contextmanager
    def block(self) -> Iterator[None]:
        """A new innermost scope."""
        outer = self.scope
        self.scope = Scope(outer)
        try:
            yield
        finally:
            self.scope = outer

    def has_effects(self, node: c_ast.Node | None) -> bool:
        """Does evaluating the expression need operations on edges? Memoised: asked again at each level."""
        if node is None:
            return False
        known = self._effects.get(id(node))
        if known is None:
            known = (node, self._has_effects(node))
            self._effects[id(node)] = known
        return known[1]

    def has_side_effects(self, node: c_ast.Node) -> bool:
        """As `has_effects`, but for checks of overflows, which constant expressions and static initialisers pass."""
        if not self.unit.overflow:
            return self.has_effects(node)
        stack = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, c_ast.UnaryOp) and part.op in _MEASURES:
                continue
            if isinstance(part, c_ast.FuncCall) and self.is_constant_call(part):
                continue
            if isinstance(part, _EFFECTS) or (isinstance(part, c_ast.UnaryOp) and part.op in _STEPS):
                return True
            stack += [child for _, child in part.children()]
        return False

    def _has_effects(self, node: c_ast.Node) -> bool:
        if isinstance(node, c_ast.UnaryOp) and node.op in _MEASURES:
            return False
        if isinstance(node, c_ast.FuncCall) and self.is_constant_call(node):
            return False
        if isinstance(node, _EFFECTS) or (isinstance(node, c_ast.UnaryOp) and node.op in _STEPS):
            return True
        if self.unit.overflow and _is_checked(node):
            return True
        return any(self.has_effects(child) for _, child in node.children())


_EFFECTS = (c_ast.FuncCall, c_ast.Assignment, c_ast.Compound, c_ast.CompoundLiteral)
_MEASURES = ("sizeof", "_Alignof", "__alignof__", "__alignof")
_STEPS = ("++", "--", "p++", "p--")


def _is_checked(node: c_ast.Node) -> bool:
    """Could the operation itself overflow, whatever its type is? Its check is on an edge."""
    if isinstance(node, c_ast.UnaryOp):
        return bool(node.op == "-")
    return isinstance(node, c_ast.BinaryOp) and node.op in CHECKED


def reads_memory(expression: Expression) -> bool:
    """Could a later assignment change the expression's value?"""
    stack: list[Expression | LValue] = [expression]
    while stack:
        part = stack.pop()
        if isinstance(part, Load):
            return True
        stack.extend(parts(part))
    return False


def is_temporary(lvalue: LValue) -> bool:
    return isinstance(lvalue, VariableLValue) and lvalue.variable.name == "$"


def parts(term: Expression | LValue) -> list[Expression | LValue]:
    """The immediate sub-expressions and places."""
    out: list[Expression | LValue] = []
    for name in _PARTS.get(type(term).__name__, ()):
        out.append(getattr(term, name))
    return out


_PARTS = {
    "Load": ("lvalue",),
    "AddressOf": ("lvalue",),
    "Dereference": ("pointer",),
    "FieldLValue": ("base",),
    "ElementLValue": ("base", "index"),
    "Unary": ("operand",),
    "Binary": ("left", "right"),
    "PointerAdd": ("pointer", "index"),
    "PointerDifference": ("left", "right"),
    "Cast": ("operand",),
    "Conditional": ("condition", "then", "otherwise"),
}
