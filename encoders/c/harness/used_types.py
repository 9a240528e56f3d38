"""The types of the objects behind parameters of type `void *`, by what the function converts them to.

A comparison function for `qsort`, the destructor of a list, a callback with data of its user: they begin with
`const struct item *x = p;` or contain `((struct item *)p)->key`. Their callers give them objects of this type.
"""

from collections.abc import Iterable, Iterator, Sequence

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.contracts.tree_editing import nodes_of
from encoders.c.lowering.symbols import FunctionSymbol, Scope, TypeName
from encoders.c.source.syntax_trees import arguments_of, parameters_of
from encoders.c.types.basic_types import basic_type
from encoders.c.types.c_types import CFunction, CPointer, CType, CVoid
from encoders.c.types.record_layout import RecordLayouts


@dataclass(frozen=True, eq=False)
class UsedType:
    """What a parameter is converted to."""

    type: CPointer
    declaration: c_ast.Decl | c_ast.Typename
    """A declaration or type name with this type, perhaps with qualifiers."""

    @property
    def names(self) -> set[str]:
        """The names of types in it: as a block may declare them anew, they mean the file's type in this declaration
        only where none does."""
        return {name for node in nodes_of(self.declaration.type) for name in _type_names(node)}


def used_types(symbol: FunctionSymbol, layouts: RecordLayouts) -> dict[str, UsedType]:
    """The types by the names of parameters, for those of type `void *` that the function never changes, and converts to
    pointers to one complete type only, of more than one byte.

    Calls of the file's functions count as conversions, and so does arithmetic (to bytes). Conversions to numbers, and
    what else is done with the pointer, `return p` or `s->member = p`, do not.
    """
    return _Conversions(layouts).of_function(symbol)


class _Conversions:
    """layouts: of the program's records."""

    def __init__(self, layouts: RecordLayouts) -> None:
        self._layouts = layouts
        self._known: dict[str, dict[str, UsedType]] = {}  # by function; nothing for those that are looked at

    def of_function(self, symbol: FunctionSymbol) -> dict[str, UsedType]:
        """As `used_types`; nothing for a function that is being looked at."""
        definition, scope = symbol.definition, symbol.scope
        if definition is None or scope is None:
            return {}
        if symbol.name not in self._known:
            self._known[symbol.name] = {}
            self._known[symbol.name] = self._of_definition(symbol, definition, scope)
        return self._known[symbol.name]

    def _of_definition(self, symbol: FunctionSymbol, definition: c_ast.FuncDef, scope: Scope) -> dict[str, UsedType]:
        nodes = list(nodes_of(definition.body))
        own = _own_types(nodes)
        names = {
            node.name
            for node, kind in zip(parameters_of(definition.decl), symbol.type.parameters, strict=False)
            if isinstance(node, c_ast.Decl) and _is_void_pointer(kind)
        } - _changed(nodes)
        declared = {
            node.name: node for node in (*parameters_of(definition.decl), *nodes) if isinstance(node, c_ast.Decl)
        }
        found: dict[str, list[UsedType | None]] = {name: [] for name in names}
        for node in nodes:
            for name, made in self._of_node(node, declared, scope):
                if name in found:
                    found[name].append(None if made is not None and made.names & own else made)
        return {name: made for name, types in found.items() if (made := self._common(types)) is not None}

    def _common(self, types: Sequence[UsedType | None]) -> UsedType | None:
        """The type that all conversions have, if it is one that objects have."""
        known = [made for made in types if made is not None]
        if not known or len(known) < len(types) or any(made.type.target != known[0].type.target for made in known):
            return None
        target = known[0].type.target
        is_object = not isinstance(target, CFunction) and self._layouts.is_complete(target)
        return known[0] if is_object and self._layouts.size(target) > 1 else None

    def _of_node(
        self, node: c_ast.Node, declared: dict[str, c_ast.Decl], scope: Scope
    ) -> Iterator[tuple[str, UsedType | None]]:
        """The names of variables that a node converts, with the types: None for one that is not understood."""
        match node:
            case c_ast.Cast(to_type=kind, expr=c_ast.ID(name=name)):
                yield from self._converted(name, kind, scope)
            case c_ast.Decl(init=c_ast.ID(name=name)):
                yield from self._converted(name, node, scope)
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=target), rvalue=c_ast.ID(name=name)):
                yield from self._converted(name, declared.get(target), scope)
            case (
                c_ast.BinaryOp(op="+" | "-", left=c_ast.ID(name=name))
                | c_ast.BinaryOp(op="+", right=c_ast.ID(name=name))
            ):
                yield name, None
            case c_ast.FuncCall(name=c_ast.ID(name=function)):
                yield from self._given(node, scope.find(function), scope)

    def _converted(
        self, name: str, node: c_ast.Decl | c_ast.Typename | None, scope: Scope
    ) -> Iterator[tuple[str, UsedType | None]]:
        """A conversion to a declared type; those to `void *` and to numbers are none."""
        kind = None if node is None else self._resolved(node.type, scope)
        if node is None or kind is None:
            yield name, None
        elif isinstance(kind, CPointer) and not _is_void_pointer(kind):
            yield name, UsedType(kind, node)

    def _given(self, call: c_ast.FuncCall, callee: object, scope: Scope) -> Iterator[tuple[str, UsedType | None]]:
        """The arguments of a call of the same file's, converted to the types of parameters; or as the function converts
        these."""
        if not isinstance(callee, FunctionSymbol) or callee.definition is None or callee.scope is not scope:
            return
        arguments, parameters = arguments_of(call), parameters_of(callee.definition.decl)
        inside: dict[str, UsedType] | None = None
        for argument, node, kind in zip(arguments, parameters, callee.type.parameters, strict=False):
            if not isinstance(argument, c_ast.ID) or not isinstance(node, c_ast.Decl):
                continue
            if not _is_void_pointer(kind):
                yield from self._converted(argument.name, node, scope)
                continue
            inside = self.of_function(callee) if inside is None else inside
            if node.name in inside:
                yield argument.name, inside[node.name]

    def _resolved(self, node: c_ast.Node, scope: Scope) -> CType | None:
        """The type that a declarator without arrays and functions means in a file's scope; None for others."""
        pointers = 0
        while isinstance(node, c_ast.PtrDecl | c_ast.TypeDecl | c_ast.Typename):
            pointers += isinstance(node, c_ast.PtrDecl)
            node = node.type
        kind: object = None
        match node:
            case c_ast.IdentifierType(names=names):
                named = scope.find(names[0]) if len(names) == 1 else None
                kind = named.type if isinstance(named, TypeName) else basic_type(tuple(names), self._layouts.model)
            case c_ast.Struct(name=str(tag), decls=None) | c_ast.Union(name=str(tag), decls=None):
                kind = scope.find_tag(tag)
        if not isinstance(kind, CType):
            return None
        for _ in range(pointers):
            kind = CPointer(kind)
        return kind


def _type_names(node: c_ast.Node) -> tuple[str, ...]:
    """The names of types that a node of a declaration mentions."""
    match node:
        case c_ast.IdentifierType(names=names):
            return tuple(names)
        case c_ast.Struct(name=str(name)) | c_ast.Union(name=str(name)):
            return (name,)
        case _:
            return ()


def _own_types(nodes: Iterable[c_ast.Node]) -> set[str]:
    """The names of types that a function declares itself."""
    found: set[str] = set()
    for node in nodes:
        match node:
            case (
                c_ast.Typedef(name=name)
                | c_ast.Struct(name=str(name), decls=[*_])
                | c_ast.Union(name=str(name), decls=[*_])
            ):
                found.add(name)
    return found


def _is_void_pointer(kind: CType) -> bool:
    return isinstance(kind, CPointer) and isinstance(kind.target, CVoid)


def _changed(nodes: Iterable[c_ast.Node]) -> set[str]:
    """The names that are assigned to, or whose address is taken, or that blocks declare anew."""
    found: set[str] = set()
    for node in nodes:
        match node:
            case c_ast.Assignment(lvalue=c_ast.ID(name=name)) | c_ast.Decl(name=str(name)):
                found.add(name)
            case c_ast.UnaryOp(op="&" | "++" | "--" | "p++" | "p--", expr=c_ast.ID(name=name)):
                found.add(name)
    return found
