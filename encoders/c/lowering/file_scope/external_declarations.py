"""Declarations with linkage: functions and variables of file scope, also `extern` inside blocks (C11 6.9, 6.2.2)."""

from dataclasses import replace

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.library.special_functions import VIOLATIONS
from encoders.c.lowering.assignments import AssignmentLowering
from encoders.c.lowering.calls.library_names import NameKind, kind_of
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.file_scope.named_constants import NamedConstants
from encoders.c.lowering.linkage import Linkage, linkage_of
from encoders.c.lowering.symbols import (
    FunctionSymbol,
    GlobalVariable,
    InvalidSymbol,
    Symbol,
    VariableLength,
)
from encoders.c.source.source_errors import LinkError, SourceError, Unsupported
from encoders.c.source.syntax_trees import parameters_of
from encoders.c.types.c_types import INT, VOID, CArray, CFunction, CType


@dataclass(frozen=True, eq=False)
class ExternalDeclarations:
    """Enters functions, variables and types of file scope into the scopes."""

    context: LoweringContext
    types: TypeLowering
    assignments: AssignmentLowering
    constants: NamedConstants

    def declare_file(self, tree: c_ast.FileAST) -> None:
        """Enter all external declarations; what cannot be modelled is an error only where it is used."""
        for node in tree.ext:
            try:
                self._external(node)
            except Unsupported as error:
                definition = node if isinstance(node, c_ast.FuncDef) else None
                name = getattr(node, "name", None) if definition is None else definition.decl.name
                if name is not None:
                    self.context.scope.names[name] = InvalidSymbol(error, definition)

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
        linkage = self._linkage(node)
        known = self._known(node, linkage)
        if isinstance(kind, CArray) and kind.length is None and node.init is not None:
            kind = CArray(kind.element, self.assignments.array_length(kind, node.init))
        if isinstance(known, InvalidSymbol):
            raise known.error
        if known is None:
            known = self._new_variable(node, kind, linkage)
        elif isinstance(known, GlobalVariable):
            self._declare_again(node, known, kind, linkage)
        else:
            raise self._conflict(node, known, f"'{node.name}' redeclared as different kind of symbol")
        known.weak |= linkage.weak
        known.align = max(known.align, self.types.asked_alignment(node) or self.types.named_alignment(node))
        self.constants.declare(node, known.unique, kind)
        self._enter(node, known)

    def _new_variable(self, node: c_ast.Decl, kind: CType, linkage: Linkage) -> GlobalVariable:
        scope, is_extern = self.context.scope.of_file, _is_extern(node)
        symbol = GlobalVariable(
            self._own_name(node, linkage),
            node.name,
            kind,
            node,
            scope,
            next(self.context.unit.orders),
            defined=not is_extern,
            initialiser=node.init,
            volatile=self.types.is_volatile_type(node.type),
            constant=self.types.is_constant_type(node.type),
            atomic=self.types.is_atomic_type(node.type),
            external="static" not in node.storage,
            definer=None if is_extern else scope,
            gives_way=not is_extern and self._is_weak(node, linkage),
        )
        self._link(node, symbol, linkage)
        return symbol

    def _declare_again(self, node: c_ast.Decl, known: GlobalVariable, kind: CType, linkage: Linkage) -> None:
        """One more declaration of a variable, of this file or another one."""
        self._check_compatible(node, known, known.type, kind)
        if not (isinstance(kind, CArray) and kind.length is None):
            known.type = kind
        known.volatile |= self.types.is_volatile_type(node.type)
        known.constant &= self.types.is_constant_type(node.type)
        if _is_extern(node) or not self._takes_over(node, known, linkage):
            return
        scope = self.context.scope.of_file
        if known.initialiser is not None and node.init is not None:
            raise self._conflict(node, known, f"redefinition of '{node.name}'")
        if not known.defined or node.init is not None:
            known.definer = scope
        known.defined = True
        if node.init is not None:
            known.initialiser, known.declaration, known.order = node.init, node, next(self.context.unit.orders)
            known.scope = scope

    def _takes_over(self, node: c_ast.Decl, known: GlobalVariable, linkage: Linkage) -> bool:
        """Is it a definition beside the one that is known, if there is one? Of two files the one that is not weak wins,
        of two weak ones the first."""
        weak = self._is_weak(node, linkage)
        if not known.defined:
            known.gives_way = weak
            return True
        if known.definer is self.context.scope.of_file or not (weak or known.gives_way):
            known.gives_way |= weak
            return True
        if weak:
            return False
        known.gives_way, known.defined, known.initialiser = False, False, None
        return True

    def _linkage(self, node: c_ast.Decl) -> Linkage:
        """The symbol that the declaration's attributes name. Raises Unsupported."""
        found = linkage_of(self.context.unit.attributes.of(node))
        return replace(found, name=None) if "register" in node.storage else found

    def _is_weak(self, node: c_ast.Decl, linkage: Linkage) -> bool:
        """Has the file called the name weak?"""
        file = self.context.unit.file_of(self.context.scope.of_file)
        if file is not None and linkage.weak:
            file.weak.add(node.name)
        return linkage.weak or (file is not None and node.name in file.weak)

    def _known(self, node: c_ast.Decl, linkage: Linkage) -> Symbol | None:
        """What the name means already: as declared before, in another file, or under another name of the symbol."""
        scope, name = self.context.scope.of_file, linkage.name or node.name
        known = scope.names.get(node.name)
        file = self.context.unit.file_of(scope)
        if file is None or (known is not None and not isinstance(known, InvalidSymbol)):
            return known
        linked = self.context.unit.files.linked
        is_own = name in file.own or file.is_internal(node)
        found = file.own.get(name, known) if is_own else linked.get(name, known)
        other = linked.get(node.name)
        if linkage.alias and other is not None and other is not found:
            error = self.context.refuse(node, f"alias '{node.name}' of what another file declares")
            if isinstance(other, FunctionSymbol) and other.definition is None:
                other.error = other.error or error  # the other file means the alias
            raise error
        if linkage.alias and found is not None and not isinstance(found, InvalidSymbol):
            linked[node.name] = found
        return found

    def _own_name(self, node: c_ast.Decl, linkage: Linkage) -> str:
        """The name in the program of a new symbol."""
        name, file = linkage.name or node.name, self.context.unit.file_of(self.context.scope.of_file)
        if file is None:
            return name
        is_violation = name in VIOLATIONS and self.context.unit.checks_assertions
        if file.is_internal(node) and not is_violation:
            return self.context.unit.files.own_name(name, file)
        self.context.unit.files.names.add(name)
        return name

    def _link(self, node: c_ast.Decl, symbol: FunctionSymbol | GlobalVariable, linkage: Linkage) -> None:
        """Enters a symbol under its names for the linker; models of the library are linked among themselves."""
        file = self.context.unit.file_of(self.context.scope.of_file)
        if file is None:
            return
        table = file.own if file.is_internal(node) else self.context.unit.files.linked
        table[linkage.name or node.name] = symbol
        if linkage.alias:
            self.context.unit.files.linked[node.name] = symbol

    def _enter(self, node: c_ast.Decl, symbol: FunctionSymbol | GlobalVariable) -> None:
        """The name means the symbol from now on, at file scope and here."""
        self.context.scope.of_file.names[node.name] = self.context.scope.names[node.name] = symbol

    def _conflict(self, node: c_ast.Node, known: Symbol, message: str) -> SourceError:
        """The error that a declaration contradicts the known one; with the position of that if another file has it."""
        declared = known.declaration if isinstance(known, FunctionSymbol | GlobalVariable) else None
        if isinstance(known, FunctionSymbol) and known.definition is not None:
            declared = known.definition
        if declared is None or not self.context.unit.files.others:
            return self.context.error(node, message)
        return LinkError(self.context.origin(node), f"{message}: see {self.context.origin(declared)}")

    def _check_compatible(self, node: c_ast.Decl, known: GlobalVariable, old: CType, new: CType) -> None:
        if isinstance(old, CArray) and isinstance(new, CArray):
            if None not in (old.length, new.length) and old.length != new.length:
                raise self._conflict(node, known, f"conflicting types for '{node.name}'")
            return self._check_compatible(node, known, old.element, new.element)
        if old != new:
            raise self._conflict(node, known, f"conflicting types for '{node.name}'")
        return None

    def _declare_function(self, node: c_ast.Decl, kind: CFunction) -> FunctionSymbol:
        scope, linkage = self.context.scope.of_file, self._linkage(node)
        known = self._known(node, linkage)
        if isinstance(known, FunctionSymbol) and not self._agrees(node, known, kind, linkage):
            known = None
        if isinstance(known, FunctionSymbol):
            if known.definition is None and (not kind.variadic or kind.parameters):
                known.type = kind
            symbol = known
        elif known is None or isinstance(known, InvalidSymbol):
            symbol = FunctionSymbol(self._own_name(node, linkage), kind, node)
            if isinstance(known, InvalidSymbol) and isinstance(known.error, Unsupported):
                symbol.error = known.error  # whatever the other declaration says
            self._link(node, symbol, linkage)
        else:
            raise self._conflict(node, known, f"'{node.name}' redeclared as different kind of symbol")
        symbol.no_return |= "_Noreturn" in (node.funcspec or ())
        symbol.no_return |= any(attribute.name == "noreturn" for attribute in self.context.unit.attributes.of(node))
        symbol.weak |= linkage.weak
        self._is_weak(node, linkage)
        scope.names[node.name] = self.context.scope.names[node.name] = symbol
        return symbol

    def _agrees(self, node: c_ast.Decl, known: FunctionSymbol, kind: CFunction, linkage: Linkage) -> bool:
        """Does a declaration fit the known one of another file, or of an alias? False where the difference is without
        consequence: both are of the library, which neither defines."""
        if known is self.context.scope.of_file.names.get(node.name) or _same_function(known.type, kind):
            return True
        if linkage.name is not None:
            raise self.context.refuse(node, f"'{node.name}', a name of '{known.name}' with another type")
        if known.definition is None and kind_of(known.name) is not NameKind.USER:
            return False
        raise self._conflict(node, known, f"conflicting types for '{node.name}'")

    def _define(self, node: c_ast.FuncDef) -> None:
        if not isinstance(node.decl.type, c_ast.FuncDecl):
            raise self.context.error(node, f"'{node.decl.name}' is no function with parameters, but has a body")
        kind = self.types.plain_type(node.decl)
        assert isinstance(kind, CFunction)
        if any(isinstance(parameter, c_ast.ID) for parameter in parameters_of(node.decl)):
            kind = CFunction(kind.result, tuple(self._old_style_types(node)))
        linkage = self._linkage(node.decl)
        known = self._known(node.decl, linkage)
        weak = self._is_weak(node.decl, linkage)
        if isinstance(known, FunctionSymbol) and known.definition is not None:
            if known.scope is self.context.scope.of_file or not (weak or known.gives_way):
                raise self._conflict(node, known, f"redefinition of '{node.decl.name}'")
            if known.name != node.decl.name:
                known.error = self.context.refuse(node, f"'{node.decl.name}' beside a weak alias of that name")
            if weak:
                self._declare_function(node.decl, kind)
                return
        symbol = self._declare_function(node.decl, kind)
        symbol.type, symbol.definition, symbol.scope = kind, node, self.context.scope
        symbol.gives_way = weak

    def _old_style_types(self, node: c_ast.FuncDef) -> list[CType]:
        """The types of parameters where the parentheses have only their names; `int` where none is declared."""
        declared = {decl.name: decl for decl in node.param_decls or ()}
        names = [parameter.name for parameter in parameters_of(node.decl) if isinstance(parameter, c_ast.ID)]
        return [self.types.parameter_type(declared[name]) if name in declared else INT for name in names]


def _is_extern(node: c_ast.Decl) -> bool:
    """Does it declare a variable without defining it?"""
    return "extern" in node.storage and node.init is None


def _same_function(one: CFunction, other: CFunction) -> bool:
    """Is it one type, as far as both declarations say?"""
    unsaid = any(kind.variadic and not kind.parameters for kind in (one, other))
    return one == other or (unsaid and one.result == other.result)
