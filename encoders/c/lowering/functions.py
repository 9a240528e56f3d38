"""One control-flow automaton for each function: parameters, body, implicit return."""

from pycparser import c_ast

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.ir import RESULT, Assign, Constant, Declare, Variable, VariableLValue
from encoders.c.lowering.calls.function_calls import CallLowering
from encoders.c.lowering.calls.special_calls import SpecialCalls
from encoders.c.lowering.calls.variadic_arguments import VariadicArguments, is_variadic
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.jumps.nonlocal_jumps import NonlocalJumps
from encoders.c.lowering.statements import StatementLowering
from encoders.c.lowering.symbols import (
    FunctionSymbol,
    LocalVariable,
    Scope,
    VariableLength,
)
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.source.syntax_trees import parameters_of
from encoders.c.types.c_types import INT, VOID, CFunction, CRecord, CType


@dataclass(frozen=True, eq=False)
class FunctionLowering:
    """Lowers the body of a function, or the call that stands for it if it has none."""

    context: LoweringContext
    types: TypeLowering
    expressions: ExpressionLowering
    special_calls: SpecialCalls
    calls: CallLowering
    variadics: VariadicArguments
    statements: StatementLowering
    jumps: NonlocalJumps

    def lower_body(self, symbol: FunctionSymbol) -> None:
        """The whole body: parameters, statements, the implicit return."""
        definition, kind = symbol.definition, symbol.type
        assert definition is not None
        origin = self.context.origin(definition)
        if kind.result != VOID:
            self.context.size_of(kind.result, definition)
            self._declare_result(kind.result, origin)
        self._declare_parameters(definition, kind)
        if is_variadic(kind):
            self.variadics.declare_parameters(definition)
        with self.context.block():
            self.jumps.begin_body(definition.body)
            self.statements.labels.begin_body(definition.body)
            for item in definition.body.block_items or ():
                if isinstance(item, c_ast.Decl) and isinstance(self.context.scope.parent, Scope):
                    self._check_parameter(item, self.context.scope.parent)
                self.statements.statement(item)
            self.jumps.end_body(definition)
        self.statements.labels.check()
        if self.context.result is not None:
            if self.context.name == "main":
                self.context.cfa.emit(
                    Assign(VariableLValue(self.context.result, INT), Constant(0, INT)), origin, "return 0"
                )
            else:
                self.context.cfa.emit(Declare(self.context.result), origin, "end of function without return")
        self.context.cfa.jump(self.context.exit, origin)

    def lower_forwarder(self, symbol: FunctionSymbol) -> None:
        """The body of a function that has none: what a call of it does. Calls through pointers come here."""
        node, kind = symbol.declaration, symbol.type
        origin = self.context.origin(node)
        if kind.result != VOID:
            self._declare_result(kind.result, origin)
        names = [f"argument {number}" for number in range(1, len(kind.parameters) + 1)]
        for name, parameter in zip(names, kind.parameters, strict=True):
            variable = Variable(
                self.context.unique(name), name, parameter, self.context.name, temporary=True, origin=origin
            )
            self.context.scope.names[name] = LocalVariable(variable)
            self.context.parameters.append(variable)
        arguments: list[c_ast.Node] = [c_ast.ID(name, node.coord) for name in names]
        call = c_ast.FuncCall(c_ast.ID(symbol.name, node.coord), c_ast.ExprList(arguments, node.coord), node.coord)
        try:
            value = self.calls.call_function(
                call, symbol.name, symbol, arguments, wanted=self.context.result is not None
            )
            if self.context.result is not None and value.type != VOID:
                lvalue = VariableLValue(self.context.result, kind.result)
                self.context.cfa.emit(Assign(lvalue, self.expressions.converted(value, kind.result, call)), origin)
        except (Unsupported, SourceError) as error:  # the call may be one that no run reaches
            self.special_calls.trap(call, error.construct if isinstance(error, Unsupported) else error.message, VOID)
        self.context.cfa.jump(self.context.exit, origin)

    def _declare_result(self, kind: CType, origin: Origin) -> None:
        name = self.context.name
        result = Variable(f"{name}::{RESULT}", RESULT, kind, name, temporary=True, origin=origin)
        self.context.result = result
        self.context.locals.append(result)

    def _check_parameter(self, item: c_ast.Decl, parameters: Scope) -> None:
        if item.name in parameters.names and isinstance(parameters.names[item.name], LocalVariable):
            raise self.context.error(item, f"'{item.name}' redeclared as different kind of symbol")

    def _declare_parameters(self, definition: c_ast.FuncDef, kind: CFunction) -> None:
        nodes = parameters_of(definition.decl)
        names = [getattr(node, "name", None) for node in nodes]
        for position, parameter in enumerate(kind.parameters):
            name = names[position]
            node = nodes[position]
            if name is None:
                name = f"<parameter {position + 1}>"
            self.context.size_of(parameter, node)
            variable = Variable(
                self.context.unique(name), name, parameter, self.context.name, origin=self.context.origin(node)
            )
            if name in self.context.scope.names:
                raise self.context.error(node, f"redefinition of parameter '{name}'")
            self.context.scope.names[name] = LocalVariable(variable)
            self.context.parameters.append(variable)
        for node in nodes:  # all parameters are known: their lengths can be computed
            if isinstance(node, c_ast.Decl):
                self._declare_tag(node)
                self._declare_variable_lengths(node)

    def _declare_tag(self, node: c_ast.Node) -> None:
        """The record or enumeration that a parameter's type defines is known in the body, too (C11 6.2.1p4)."""
        while isinstance(node, c_ast.Decl | c_ast.TypeDecl | c_ast.PtrDecl | c_ast.ArrayDecl):
            node = node.type
        known = self.context.unit.records
        if isinstance(node, c_ast.Enum) and node.values is not None:
            known.pop(id(node), None)  # so that its constants are declared again
            self.types.type_of(node)
        elif isinstance(node, c_ast.Struct | c_ast.Union) and node.decls is not None and node.name is not None:
            record = known.get(id(node))
            if isinstance(record, CRecord):
                self.context.scope.tags[node.name] = record

    def _declare_variable_lengths(self, node: c_ast.Decl) -> None:
        """A parameter `int a[n][m]` points to rows of variable length; n is evaluated for its effects, as gcc does."""
        dimension = node.type.dim if isinstance(node.type, c_ast.ArrayDecl) else None
        if dimension is not None and self.expressions.side_effects.has_effects(dimension):
            with self.context.trapped(dimension):
                self.expressions.effect(dimension)
        symbol = self.context.scope.names.get(node.name)
        if not isinstance(node.type, c_ast.ArrayDecl):
            self.types.type_of(node.type)
        elif isinstance(symbol, LocalVariable):
            row = self.types.type_of(node.type.type)
            if isinstance(row, VariableLength):
                whole = VariableLength(row, row.length, row.total, row.total)
                self.context.scope.names[node.name] = LocalVariable(symbol.variable, whole)
