"""The values of objects with static storage when the program starts (C11 6.7.9)."""

from pycparser import c_ast

from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import AddressOf, Assign, Clear, Declare, VariableLValue
from encoders.c.lowering.assignments import AssignmentLowering, zero_of
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.operators.conversions import convert
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.lowering.symbols import GlobalVariable
from encoders.c.types.c_types import CHAR, CPointer, CRecord, CVoid, is_scalar
from encoders.c.types.streams import is_stream

_STANDARD_STREAMS = frozenset({"stdin", "stdout", "stderr"})


class StaticInitialisers:
    """Lowers the initialisers of objects with static storage."""

    def __init__(
        self, context: LoweringContext, side_effects: SideEffects, types: TypeLowering, assignments: AssignmentLowering
    ) -> None:
        self.context = context
        self.side_effects = side_effects
        self.types = types
        self.assignments = assignments

    def initialise_global(self, symbol: GlobalVariable) -> None:
        """Static storage: zero, then the initialiser; unknown for objects defined elsewhere."""
        assert symbol.fixed is not None
        node, lvalue = symbol.declaration, VariableLValue.of(symbol.fixed)
        outer, self.context.scope = self.context.scope, symbol.scope
        with self.context.trapped(node):
            self._initialise(symbol, lvalue)
        self.context.scope = outer

    def _initialise(self, symbol: GlobalVariable, lvalue: VariableLValue) -> None:
        node, name = symbol.declaration, symbol.name
        origin = self.context.origin(node)
        if self._is_stream(symbol):
            self._initialise_stream(symbol, lvalue)
        elif not symbol.defined:
            self.context.cfa.emit(Declare(lvalue.variable), origin, f"extern {name}")
            if self.types.holds_pointers(lvalue.type) and not origin.file.startswith("/usr/"):
                effect = "is defined elsewhere, and its pointers lead to no object of this file"
                self.context.unit.assume("object", name, effect, origin)
        elif self._is_arbitrary(symbol):
            self.context.cfa.emit(Declare(lvalue.variable), origin, f"{name} at the call")
        elif isinstance(node, c_ast.Constant):
            self._initialise_string(lvalue, node, name)
        elif symbol.initialiser is not None:
            if self.side_effects.has_effects(symbol.initialiser) and not _is_compound_literal(symbol.initialiser):
                self._require_constant(symbol.initialiser)
            self.assignments.initialise(lvalue, symbol.initialiser, name, node)
        elif not isinstance(node, c_ast.CompoundLiteral):
            if is_scalar(lvalue.type):
                self.context.cfa.emit(Assign(lvalue, zero_of(lvalue.type)), origin, f"{name} = 0")
            else:
                self.context.cfa.emit(Clear(lvalue), origin, f"{name} = {{0}}")

    def _is_stream(self, symbol: GlobalVariable) -> bool:
        """Is it stdin, stdout or stderr of the library, as far as its name and type say? Where null streams are
        violations, also one of another file of the program, which is assumed to be open."""
        kind = symbol.type
        if not symbol.external or symbol.defined or not isinstance(kind, CPointer):
            return False
        if symbol.name in _STANDARD_STREAMS:
            return isinstance(kind.target, CRecord | CVoid)
        return CheckKind.NULL in self.context.unit.checks and is_stream(kind)

    def _initialise_stream(self, symbol: GlobalVariable, lvalue: VariableLValue) -> None:
        """Standard streams are open when a program starts (C11 7.21.3p7): three objects, none of the program's."""
        name = f"{symbol.name}#"
        stream = GlobalVariable(name, name, CHAR, symbol.declaration, symbol.scope, symbol.order, defined=True)
        address = AddressOf(
            VariableLValue(self.assignments.static_objects.global_variable(stream), CHAR), CPointer(CHAR)
        )
        origin = self.context.origin(symbol.declaration)
        if symbol.name not in _STANDARD_STREAMS:
            self.context.unit.assume("object", symbol.name, "is defined elsewhere, and is an open stream", origin)
        self.context.cfa.emit(Assign(lvalue, convert(address, lvalue.type)), origin, f"extern {symbol.name}")

    def _is_arbitrary(self, symbol: GlobalVariable) -> bool:
        """May the variable have any value at first? Those with pointers get one from a harness, or keep their own."""
        known, node = self.context.unit.arbitrary, symbol.declaration
        if known is None or symbol.constant or not isinstance(node, c_ast.Decl) or self.context.is_in_library(node):
            return False
        if not self.types.holds_pointers(symbol.type):
            return True
        if symbol.unique not in known and symbol.initialiser is not None:
            effect = "holds pointers and has its initial value"
            self.context.unit.assume("object", symbol.name, effect, self.context.origin(node))
        return False

    def _initialise_string(self, lvalue: VariableLValue, node: c_ast.Constant, name: str) -> None:
        self.context.cfa.emit(Clear(lvalue), self.context.origin(node), f"{name} = {self.context.text(node)}")
        self.assignments.initialise_string(lvalue, node, name)

    def _require_constant(self, node: c_ast.Node) -> None:
        """Static initialisers may not call functions or assign; offsetof and literals are no calls."""
        stack = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, c_ast.FuncCall) and isinstance(part.name, c_ast.ID):
                if part.name.name.startswith("__builtin_") or part.name.name == "offsetof":
                    continue
                raise self.context.error(part, "initializer element is not constant")
            if isinstance(part, c_ast.Assignment | c_ast.Compound) or (
                isinstance(part, c_ast.UnaryOp) and part.op in ("++", "--", "p++", "p--")
            ):
                raise self.context.error(part, "initializer element is not constant")
            stack.extend(child for _, child in part.children())


def _is_compound_literal(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.CompoundLiteral)
