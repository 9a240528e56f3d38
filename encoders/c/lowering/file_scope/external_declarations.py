"""Declarations with linkage: functions and variables of file scope, also `extern` inside blocks (C11 6.9, 6.2.2)."""

from dataclasses import replace

from pycparser import c_ast

from encoders.c.lowering.assignments import AssignmentLowering
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.linkage import Linkage, linkage_of
from encoders.c.lowering.symbols import (
    FunctionSymbol,
    GlobalVariable,
    InvalidSymbol,
    Scope,
    Symbol,
    VariableLength,
)
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import INT, VOID, CArray, CFunction, CType


class ExternalDeclarations:
    """Enters functions, variables and types of file scope into the scopes."""

    def __init__(self, context: LoweringContext, types: TypeLowering, assignments: AssignmentLowering) -> None:
        self.context = context
        self.types = types
        self.assignments = assignments

    def declare_file(self, tree: c_ast.FileAST) -> None:
        """Enter all external declarations; what cannot be modelled is an error only where it is used."""
        for node in tree.ext:
            try:
                self._external(node)
            except Unsupported as error:
                name = node.decl.name if isinstance(node, c_ast.FuncDef) else getattr(node, "name", None)
                if name is not None:
                    self.context.scope.names[name] = InvalidSymbol(error)

    def _external(self, node: c_ast.Node) -> None:
        match node:
            case c_ast.Typedef():
                self.context.scope.names[node.name] = self.types.type_name(node, self.types.plain_type(node))
            case c_ast.StaticAssert():
                self.types.static_assertion(node)
            case c_ast.FuncDef():
                self._define(node)
            case c_ast.Decl() if node.name is None:
                self.types.type_of(node.type)
            case c_ast.Decl():
                self.declare_external(node)

    def declare_external(self, node: c_ast.Decl) -> None:
        """A function or variable with linkage; also `extern` inside blocks."""
        kind = self.types.type_of(node)
        if isinstance(kind, VariableLength):
            raise self.context.error(node, f"variably modified '{node.name}' at file scope")
        if isinstance(kind, CFunction):
            self._declare_function(node, kind)
            return
        if kind == VOID:
            raise self.context.error(node, f"variable '{node.name}' declared void")
        scope = self._file_scope()
        is_extern = "extern" in node.storage and node.init is None
        linkage = self._linkage(node)
        known = self._known(scope, node, linkage)
        if isinstance(kind, CArray) and kind.length is None and node.init is not None:
            kind = CArray(kind.element, self.assignments.array_length(kind, node.init))
        if isinstance(known, InvalidSymbol):
            raise known.error
        if isinstance(known, GlobalVariable):
            self._check_compatible(node, known.type, kind)
            if node.init is not None and known.initialiser is not None:
                raise self.context.error(node, f"redefinition of '{node.name}'")
            if not (isinstance(kind, CArray) and kind.length is None):
                known.type = kind
            known.volatile |= self.types.is_volatile_type(node.type)
            known.defined = known.defined or not is_extern
            if node.init is not None:
                known.initialiser, known.declaration, known.order = node.init, node, next(self.context.unit.orders)
        else:
            if known is not None:
                raise self.context.error(node, f"'{node.name}' redeclared as different kind of symbol")
            symbol_name = linkage.name or node.name
            known = GlobalVariable(
                symbol_name,
                node.name,
                kind,
                node,
                scope,
                next(self.context.unit.orders),
                defined=not is_extern,
                initialiser=node.init,
                volatile=self.types.is_volatile_type(node.type),
                constant=self.types.is_constant_type(node.type),
                external="static" not in node.storage,
            )
            self._link(known, symbol_name, node.name)
        known.weak |= linkage.weak
        known.align = max(known.align, self.types.asked_alignment(node) or self.types.named_alignment(node))
        scope.names[node.name] = self.context.scope.names[node.name] = known

    def _linkage(self, node: c_ast.Decl) -> Linkage:
        """The symbol that the declaration's attributes name. Raises Unsupported."""
        found = linkage_of(self.context.unit.attributes.of(node))
        return replace(found, name=None) if "register" in node.storage else found

    def _known(self, scope: Scope, node: c_ast.Decl, linkage: Linkage) -> Symbol | None:
        """What the name means already: as declared before, or under another name of the same symbol."""
        known = scope.names.get(node.name)
        if known is not None and not isinstance(known, InvalidSymbol):
            return known
        return self._linked().get(linkage.name or node.name, known)

    def _linked(self) -> dict[str, FunctionSymbol | GlobalVariable]:
        """Symbols by the linker's names; models of the library are linked among themselves."""
        return self.context.unit.linked if self._file_scope() is self.context.unit.scope else {}

    def _link(self, symbol: FunctionSymbol | GlobalVariable, *names: str) -> None:
        for name in names:
            self._linked()[name] = symbol

    def _file_scope(self) -> Scope:
        scope = self.context.scope
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def _check_compatible(self, node: c_ast.Node, old: CType, new: CType) -> None:
        if isinstance(old, CArray) and isinstance(new, CArray):
            if None not in (old.length, new.length) and old.length != new.length:
                raise self.context.error(node, f"conflicting types for '{node.name}'")
            return self._check_compatible(node, old.element, new.element)
        if old != new:
            raise self.context.error(node, f"conflicting types for '{node.name}'")
        return None

    def _declare_function(self, node: c_ast.Decl, kind: CFunction) -> FunctionSymbol:
        scope, linkage = self._file_scope(), self._linkage(node)
        known = self._known(scope, node, linkage)
        if isinstance(known, FunctionSymbol):
            if known is not scope.names.get(node.name) and not _same_function(known.type, kind):
                raise self.context.refuse(node, f"'{node.name}', a name of '{known.name}' with another type")
            if known.definition is None and (not kind.variadic or kind.parameters):
                known.type = kind
            symbol = known
        elif known is None or isinstance(known, InvalidSymbol):
            symbol = FunctionSymbol(linkage.name or node.name, kind, node)
            if isinstance(known, InvalidSymbol) and isinstance(known.error, Unsupported):
                symbol.error = known.error  # whatever the other declaration says
            self._link(symbol, symbol.name, node.name)
        else:
            raise self.context.error(node, f"'{node.name}' redeclared as different kind of symbol")
        symbol.no_return |= "_Noreturn" in (node.funcspec or ())
        symbol.no_return |= any(attribute.name == "noreturn" for attribute in self.context.unit.attributes.of(node))
        symbol.weak |= linkage.weak
        scope.names[node.name] = self.context.scope.names[node.name] = symbol
        return symbol

    def _define(self, node: c_ast.FuncDef) -> None:
        kind = self.types.plain_type(node.decl)
        assert isinstance(kind, CFunction)
        if node.param_decls:
            kind = CFunction(kind.result, tuple(self._old_style_types(node)))
        known = self._known(self._file_scope(), node.decl, self._linkage(node.decl))
        if isinstance(known, FunctionSymbol) and known.definition is not None:
            raise self.context.error(node, f"redefinition of '{node.decl.name}'")
        symbol = self._declare_function(node.decl, kind)
        symbol.type, symbol.definition, symbol.scope = kind, node, self.context.scope

    def _old_style_types(self, node: c_ast.FuncDef) -> list[CType]:
        declared = {decl.name: decl for decl in node.param_decls}
        names = [parameter.name for parameter in node.decl.type.args.params]
        return [self.types.parameter_type(declared[name]) if name in declared else INT for name in names]


def _same_function(one: CFunction, other: CFunction) -> bool:
    """Is it one type, as far as both declarations say?"""
    unsaid = any(kind.variadic and not kind.parameters for kind in (one, other))
    return one == other or (unsaid and one.result == other.result)
