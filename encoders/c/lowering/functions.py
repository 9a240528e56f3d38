"""Functions and file scope: external declarations, global variables, and one CFA per function."""

from dataclasses import replace

from pycparser import c_ast

from encoders.c.cfa.ir import RESULT, Assign, Clear, Constant, Declare, Variable, VariableLValue
from encoders.c.lowering.assignments import zero_of
from encoders.c.lowering.context import INITIALISE, Unit
from encoders.c.lowering.linkage import Linkage, linkage_of
from encoders.c.lowering.statements import StatementLowering
from encoders.c.lowering.symbols import (
    FunctionSymbol,
    GlobalVariable,
    InvalidSymbol,
    LocalVariable,
    Scope,
    Symbol,
    VariableLength,
)
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import INT, VOID, CArray, CFunction, CType, is_scalar


class FunctionLowering(StatementLowering):
    """Lowers one function body, or (as `<init>`) file-scope declarations and initialisers."""

    def __init__(self, unit: Unit, name: str, scope: Scope) -> None:
        super().__init__(unit, name, scope)
        self.exit = self.cfa.location()
        self.parameters: list[Variable] = []
        self.prepare()

    # --- file scope

    def declare_file(self, tree: c_ast.FileAST) -> None:
        """Enter all external declarations; what cannot be modelled is an error only where it is used."""
        for node in tree.ext:
            try:
                self._external(node)
            except Unsupported as error:
                name = node.decl.name if isinstance(node, c_ast.FuncDef) else getattr(node, "name", None)
                if name is not None:
                    self.scope.names[name] = InvalidSymbol(error)

    def _external(self, node: c_ast.Node) -> None:
        match node:
            case c_ast.Typedef():
                self.scope.names[node.name] = self.type_name(node, self.plain_type(node))
            case c_ast.StaticAssert():
                self.static_assertion(node)
            case c_ast.FuncDef():
                self._define(node)
            case c_ast.Decl() if node.name is None:
                self.type_of(node.type)
            case c_ast.Decl():
                self.declare_external(node)

    def declare_external(self, node: c_ast.Decl) -> None:
        """A function or variable with linkage; also `extern` inside blocks."""
        kind = self.type_of(node)
        if isinstance(kind, VariableLength):
            raise self.error(node, f"variably modified '{node.name}' at file scope")
        if isinstance(kind, CFunction):
            self._declare_function(node, kind)
            return
        if kind == VOID:
            raise self.error(node, f"variable '{node.name}' declared void")
        scope = self._file_scope()
        is_extern = "extern" in node.storage and node.init is None
        linkage = self._linkage(node)
        known = self._known(scope, node, linkage)
        if isinstance(kind, CArray) and kind.length is None and node.init is not None:
            kind = CArray(kind.element, self.array_length(kind, node.init))
        if isinstance(known, InvalidSymbol):
            raise known.error
        if isinstance(known, GlobalVariable):
            self._check_compatible(node, known.type, kind)
            if node.init is not None and known.initialiser is not None:
                raise self.error(node, f"redefinition of '{node.name}'")
            if not (isinstance(kind, CArray) and kind.length is None):
                known.type = kind
            known.volatile |= self.is_volatile_type(node.type)
            known.defined = known.defined or not is_extern
            if node.init is not None:
                known.initialiser, known.declaration, known.order = node.init, node, next(self.unit.orders)
        else:
            if known is not None:
                raise self.error(node, f"'{node.name}' redeclared as different kind of symbol")
            symbol_name = linkage.name or node.name
            known = GlobalVariable(
                symbol_name,
                node.name,
                kind,
                node,
                scope,
                next(self.unit.orders),
                defined=not is_extern,
                initialiser=node.init,
                volatile=self.is_volatile_type(node.type),
                constant=self.is_constant_type(node.type),
                external="static" not in node.storage,
            )
            self._link(known, symbol_name, node.name)
        known.weak |= linkage.weak
        known.align = max(known.align, self.asked_alignment(node) or self.named_alignment(node))
        scope.names[node.name] = self.scope.names[node.name] = known

    def _linkage(self, node: c_ast.Decl) -> Linkage:
        """The symbol that the declaration's attributes name. Raises Unsupported."""
        found = linkage_of(self.unit.attributes.of(node))
        return replace(found, name=None) if "register" in node.storage else found

    def _known(self, scope: Scope, node: c_ast.Decl, linkage: Linkage) -> Symbol | None:
        """What the name means already: as declared before, or under another name of the same symbol."""
        known = scope.names.get(node.name)
        if known is not None and not isinstance(known, InvalidSymbol):
            return known
        return self._linked().get(linkage.name or node.name, known)

    def _linked(self) -> dict[str, FunctionSymbol | GlobalVariable]:
        """Symbols by the linker's names; models of the library are linked among themselves."""
        return self.unit.linked if self._file_scope() is self.unit.scope else {}

    def _link(self, symbol: FunctionSymbol | GlobalVariable, *names: str) -> None:
        for name in names:
            self._linked()[name] = symbol

    def _file_scope(self) -> Scope:
        scope = self.scope
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def _check_compatible(self, node: c_ast.Node, old: CType, new: CType) -> None:
        if isinstance(old, CArray) and isinstance(new, CArray):
            if None not in (old.length, new.length) and old.length != new.length:
                raise self.error(node, f"conflicting types for '{node.name}'")
            return self._check_compatible(node, old.element, new.element)
        if old != new:
            raise self.error(node, f"conflicting types for '{node.name}'")
        return None

    def _declare_function(self, node: c_ast.Decl, kind: CFunction) -> FunctionSymbol:
        scope, linkage = self._file_scope(), self._linkage(node)
        known = self._known(scope, node, linkage)
        if isinstance(known, FunctionSymbol):
            if known is not scope.names.get(node.name) and not _same_function(known.type, kind):
                raise self.refuse(node, f"'{node.name}', a name of '{known.name}' with another type")
            if known.definition is None and (not kind.variadic or kind.parameters):
                known.type = kind
            symbol = known
        elif known is None or isinstance(known, InvalidSymbol):
            symbol = FunctionSymbol(linkage.name or node.name, kind, node)
            if isinstance(known, InvalidSymbol) and isinstance(known.error, Unsupported):
                symbol.error = known.error  # whatever the other declaration says
            self._link(symbol, symbol.name, node.name)
        else:
            raise self.error(node, f"'{node.name}' redeclared as different kind of symbol")
        symbol.no_return |= "_Noreturn" in (node.funcspec or ())
        symbol.no_return |= any(attribute.name == "noreturn" for attribute in self.unit.attributes.of(node))
        symbol.weak |= linkage.weak
        scope.names[node.name] = self.scope.names[node.name] = symbol
        return symbol

    def _define(self, node: c_ast.FuncDef) -> None:
        kind = self.plain_type(node.decl)
        assert isinstance(kind, CFunction)
        if node.param_decls:
            kind = CFunction(kind.result, tuple(self._old_style_types(node)))
        known = self._known(self._file_scope(), node.decl, self._linkage(node.decl))
        if isinstance(known, FunctionSymbol) and known.definition is not None:
            raise self.error(node, f"redefinition of '{node.decl.name}'")
        symbol = self._declare_function(node.decl, kind)
        symbol.type, symbol.definition, symbol.scope = kind, node, self.scope

    def _old_style_types(self, node: c_ast.FuncDef) -> list[CType]:
        declared = {decl.name: decl for decl in node.param_decls}
        names = [parameter.name for parameter in node.decl.type.args.params]
        return [self.parameter_type(declared[name]) if name in declared else INT for name in names]

    # --- globals

    def global_variable(self, symbol: GlobalVariable) -> Variable:
        if symbol.fixed is None:
            kind = symbol.type
            if isinstance(kind, CArray) and kind.length is None and symbol.defined:
                kind = CArray(kind.element, 1)  # a tentative definition never completed has one element
            if symbol.defined:
                self.size_of(kind, symbol.declaration)
            origin = self.origin(symbol.declaration)
            variable = Variable(
                symbol.unique, symbol.name, kind, origin=origin, volatile=symbol.volatile, constant=symbol.constant
            )
            if not self.evaluated:
                return variable
            symbol.fixed = variable
            self.unit.used_globals[symbol.unique] = symbol
        return symbol.fixed

    def unnamed_object(self, kind: CType, node: c_ast.Node) -> VariableLValue:
        if self.name != INITIALISE or not self.evaluated:
            return super().unnamed_object(kind, node)
        name = f"literal#{len(self.unit.used_globals) + 1}"
        symbol = GlobalVariable(name, name, kind, node, self.scope, -1, defined=True)
        return VariableLValue(self.global_variable(symbol), kind)

    def initialise_global(self, symbol: GlobalVariable) -> None:
        """Static storage: zero, then the initialiser; unknown for objects defined elsewhere."""
        assert symbol.fixed is not None
        node, lvalue = symbol.declaration, VariableLValue(symbol.fixed, symbol.fixed.type)
        origin, name = self.origin(node), symbol.name
        outer, self.scope = self.scope, symbol.scope
        if not symbol.defined:
            self.cfa.emit(Declare(symbol.fixed), origin, f"extern {name}")
            if self.holds_pointers(symbol.fixed.type) and not origin.file.startswith("/usr/"):
                effect = "is defined elsewhere, and its pointers lead to no object of this file"
                self.unit.assume("object", name, effect, origin)
        elif isinstance(node, c_ast.Constant):
            self._initialise_string(lvalue, node, name)
        elif symbol.initialiser is not None:
            if self.has_effects(symbol.initialiser) and not _is_compound_literal(symbol.initialiser):
                self._require_constant(symbol.initialiser)
            self.initialise(lvalue, symbol.initialiser, name, node)
        elif not isinstance(node, c_ast.CompoundLiteral):
            if is_scalar(lvalue.type):
                self.cfa.emit(Assign(lvalue, zero_of(lvalue.type)), origin, f"{name} = 0")
            else:
                self.cfa.emit(Clear(lvalue), origin, f"{name} = {{0}}")
        self.scope = outer

    def _initialise_string(self, lvalue: VariableLValue, node: c_ast.Constant, name: str) -> None:
        self.cfa.emit(Clear(lvalue), self.origin(node), f"{name} = {self.text(node)}")
        self._string(lvalue, node, name)

    def _require_constant(self, node: c_ast.Node) -> None:
        """Static initialisers may not call functions or assign; offsetof and literals are no calls."""
        stack = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, c_ast.FuncCall) and isinstance(part.name, c_ast.ID):
                if part.name.name.startswith("__builtin_") or part.name.name == "offsetof":
                    continue
                raise self.error(part, "initializer element is not constant")
            if isinstance(part, c_ast.Assignment | c_ast.Compound) or (
                isinstance(part, c_ast.UnaryOp) and part.op in ("++", "--", "p++", "p--")
            ):
                raise self.error(part, "initializer element is not constant")
            stack.extend(child for _, child in part.children())

    # --- function bodies

    def lower_body(self, symbol: FunctionSymbol) -> None:
        """The whole body: parameters, statements, the implicit return."""
        definition, kind = symbol.definition, symbol.type
        assert definition is not None
        origin = self.origin(definition)
        if kind.variadic and kind.parameters:
            raise Unsupported(origin, f"definition of a variadic function ('{symbol.name}')")
        if kind.result != VOID:
            self.size_of(kind.result, definition)
            self.result = Variable(
                f"{self.name}::{RESULT}", RESULT, kind.result, self.name, temporary=True, origin=origin
            )
            self.locals.append(self.result)
        self._declare_parameters(definition, kind)
        with self.block():
            for item in definition.body.block_items or ():
                if isinstance(item, c_ast.Decl) and isinstance(self.scope.parent, Scope):
                    self._check_parameter(item, self.scope.parent)
                self.statement(item)
        self.check_labels()
        if self.result is not None:
            if self.name == "main":
                self.cfa.emit(Assign(VariableLValue(self.result, INT), Constant(0, INT)), origin, "return 0")
            else:
                self.cfa.emit(Declare(self.result), origin, "end of function without return")
        self.cfa.jump(self.exit, origin)

    def lower_forwarder(self, symbol: FunctionSymbol) -> None:
        """The body of a function that has none: what a call of it does. Calls through pointers come here."""
        node, kind = symbol.declaration, symbol.type
        origin = self.origin(node)
        if kind.result != VOID:
            name = f"{self.name}::<result>"
            self.result = Variable(name, "<result>", kind.result, self.name, temporary=True, origin=origin)
            self.locals.append(self.result)
        names = [f"argument {number}" for number in range(1, len(kind.parameters) + 1)]
        for name, parameter in zip(names, kind.parameters, strict=True):
            variable = Variable(self.unique(name), name, parameter, self.name, temporary=True, origin=origin)
            self.scope.names[name] = LocalVariable(variable)
            self.parameters.append(variable)
        arguments = [c_ast.ID(name, node.coord) for name in names]
        call = c_ast.FuncCall(c_ast.ID(symbol.name, node.coord), c_ast.ExprList(arguments, node.coord), node.coord)
        try:
            value = self.call_function(call, symbol.name, symbol, arguments, wanted=self.result is not None)
            if self.result is not None and value.type != VOID:
                lvalue = VariableLValue(self.result, kind.result)
                self.cfa.emit(Assign(lvalue, self.converted(value, kind.result, call)), origin)
        except (Unsupported, SourceError) as error:  # the call may be one that no run reaches
            self.trap(call, error.construct if isinstance(error, Unsupported) else error.message, VOID)
        self.cfa.jump(self.exit, origin)

    def _check_parameter(self, item: c_ast.Decl, parameters: Scope) -> None:
        if item.name in parameters.names and isinstance(parameters.names[item.name], LocalVariable):
            raise self.error(item, f"'{item.name}' redeclared as different kind of symbol")

    def _declare_parameters(self, definition: c_ast.FuncDef, kind: CFunction) -> None:
        nodes = definition.decl.type.args.params if definition.decl.type.args is not None else []
        names = [getattr(node, "name", None) for node in nodes]
        for position, parameter in enumerate(kind.parameters):
            name = names[position]
            node = nodes[position]
            if name is None:
                name = f"<parameter {position + 1}>"
            self.size_of(parameter, node)
            variable = Variable(self.unique(name), name, parameter, self.name, origin=self.origin(node))
            if name in self.scope.names:
                raise self.error(node, f"redefinition of parameter '{name}'")
            self.scope.names[name] = LocalVariable(variable)
            self.parameters.append(variable)
        for node in nodes:  # all parameters are known: their lengths can be computed, and tags are declared here
            if isinstance(node, c_ast.Decl):
                self._declare_variable_lengths(node)

    def _declare_variable_lengths(self, node: c_ast.Decl) -> None:
        """A parameter `int a[n][m]` points to rows of variable length."""
        symbol = self.scope.names.get(node.name)
        if not isinstance(node.type, c_ast.ArrayDecl):
            self.type_of(node.type)
        elif isinstance(symbol, LocalVariable):
            row = self.type_of(node.type.type)
            if isinstance(row, VariableLength):
                whole = VariableLength(row, row.length, row.total, row.total)
                self.scope.names[node.name] = LocalVariable(symbol.variable, whole)


def _same_function(one: CFunction, other: CFunction) -> bool:
    """Is it one type, as far as both declarations say?"""
    unsaid = any(kind.variadic and not kind.parameters for kind in (one, other))
    return one == other or (unsaid and one.result == other.result)


def _is_compound_literal(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.CompoundLiteral)


def declare_file(unit: Unit, scope: Scope, tree: c_ast.FileAST) -> None:
    """Enters the external declarations of a file into a scope."""
    FunctionLowering(unit, INITIALISE, scope).declare_file(tree)
