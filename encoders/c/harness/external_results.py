"""Functions without a body that return pointers, in a harness: to new objects, or null where a caller asks for it.

Without an assumption such a pointer has any value, and no check behind its first use is decided. The harness defines
the function, as it makes the objects that parameters lead to:

    struct item *next_item(struct list *list)
    {
      chcverify_effects_of_next_item(list);  // without a body: changes what the argument reaches
      chcverify_result_1 = 0;
      if (any) {
        chcverify_result_1 = malloc(sizeof(struct item));
        ...                                // any contents
      }
      return chcverify_result_1;
    }

The variable has external linkage: what a function outside the program has returned, it may change later.
"""

import copy
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from chcverify.options import HarnessOptions
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.contracts.tree_editing import nodes_of
from encoders.c.harness.null_tests import possibly_null
from encoders.c.harness.object_writer import ObjectWriter, TooManyObjects
from encoders.c.lowering.calls.library_names import NameKind, kind_of
from encoders.c.lowering.context import Unit
from encoders.c.lowering.environment import EFFECTS_OF, UndefinedFunctions
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.source.syntax_trees import function_declarator, named_declarator, parameters_of
from encoders.c.types.c_types import CFunction, CInteger, CPointer, CVoid
from encoders.c.types.record_layout import LARGEST_OBJECT, RecordLayouts

_RESULT = "chcverify_result_"
# A function of this name with one or two integers returns a new block of so many bytes. Functions that enlarge a block
# keep contents, which is not modelled.
_ALLOCATES = re.compile(r"alloc|acquire", re.IGNORECASE)
_ENLARGES = re.compile(r"realloc|resize|grow", re.IGNORECASE)
_CLEARS = re.compile(r"calloc|zalloc", re.IGNORECASE)
_BLOCKS = frozenset({CheckKind.LEAK, CheckKind.CLEANUP})  # who owns the new objects is not known


@dataclass(frozen=True, eq=False)
class ExternalFunction:
    """A function without a body whose result leads to an object."""

    symbol: FunctionSymbol
    may_be_null: bool
    """Does a caller ask if the result is null, or is the function an allocator?"""

    @property
    def given(self) -> str:
        """What it returns, in words."""
        given = "a new block of the size that it is given" if _factors(self.symbol) else "a pointer to a new object"
        return f"null or {given}" if self.may_be_null else given


def external_functions(unit: Unit, entry: FunctionSymbol, contracts: frozenset[str]) -> list[ExternalFunction]:
    """The functions without a body that the entry calls by name, also through functions with one, whose results lead to
    objects; none where it is asked which blocks are released.

    contracts: the names of functions that contracts describe, which are left out.
    """
    if unit.surroundings.functions != UndefinedFunctions.HAVOC or unit.checks & _BLOCKS or unit.has_threads:
        return []
    found: dict[str, FunctionSymbol] = {}
    null: set[str] = set()
    seen, work = {entry.name}, [entry]
    while work:
        caller = work.pop()
        null |= set() if caller.definition is None else possibly_null(caller.definition.body)
        for callee in _callees(caller):
            if callee.name in seen:
                continue
            seen.add(callee.name)
            if callee.definition is not None:
                work.append(callee)
            elif callee.name not in contracts and not unit.has_definition(callee.name):
                found[callee.name] = callee
    return [
        ExternalFunction(callee, name in null or bool(_factors(callee)))
        for name, callee in found.items()
        if _returns_object(callee, unit.layout)
    ]


def _callees(function: FunctionSymbol) -> Iterator[FunctionSymbol]:
    """The functions that are called by name in the body of a function."""
    if function.definition is None or function.scope is None:
        return
    for node in nodes_of(function.definition.body):
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            callee = function.scope.find(node.name.name)
            if isinstance(callee, FunctionSymbol):
                yield callee


def _returns_object(symbol: FunctionSymbol, layouts: RecordLayouts) -> bool:
    """Does it return a pointer to objects of a known type, or to a new block, and has it a prototype to repeat?

    One that is given a pointer of the same type may return it, or what it leads to: its result stays open.
    """
    result = symbol.type.result
    if kind_of(symbol.name, symbol.type) != NameKind.USER:
        return False
    if symbol.no_return or symbol.weak or symbol.error is not None:
        return False
    if not isinstance(result, CPointer) or isinstance(result.target, CFunction):
        return False
    if isinstance(result.target, CVoid):
        return bool(_factors(symbol))
    may_return_argument = any(isinstance(k, CPointer) and k.target == result.target for k in symbol.type.parameters)
    return layouts.is_complete(result.target) and _has_prototype(symbol) and not may_return_argument


def _has_prototype(symbol: FunctionSymbol) -> bool:
    """Are all its parameters declared, with types that have names?"""
    parts = list(nodes_of(symbol.declaration.type))
    nameless = any(isinstance(part, c_ast.Struct | c_ast.Union | c_ast.Enum) and part.name is None for part in parts)
    declared = function_declarator(symbol.declaration)
    return declared.args is not None and not symbol.type.variadic and not nameless


def _factors(symbol: FunctionSymbol) -> list[int]:
    """The positions of the parameters whose product is the size of the block that a function allocates."""
    if not _ALLOCATES.search(symbol.name) or _ENLARGES.search(symbol.name) or not _has_prototype(symbol):
        return []
    found = [at for at, kind in enumerate(symbol.type.parameters) if isinstance(kind, CInteger)]
    return found if len(found) <= 2 else []


@dataclass(frozen=True, eq=False)
class ExternalResultWriter:
    """Writes definitions of functions without a body.

    writer: of the harness. options: how many levels of objects are behind pointers in the new ones, and if pointers may
    be null. declaration: the declaration of a variable of the type that a node declares, without qualifiers that forbid
    assignments.
    """

    writer: ObjectWriter
    options: HarnessOptions
    declaration: Callable[[c_ast.Node, str], str]

    def definitions(self, functions: Sequence[ExternalFunction]) -> dict[str, str]:
        """The definitions by the names of functions, for as many as the limit of objects allows."""
        found: dict[str, str] = {}
        for number, function in enumerate(functions, 1):
            function = replace(function, may_be_null=function.may_be_null or self.options.null)
            try:
                body = self.writer.apart(partial(self._body, function, number))
            except TooManyObjects:
                break
            name = function.symbol.name
            self.writer.notes[f"{name} returns {function.given}"] = None
            found[name] = "\n".join([_head(function.symbol), "{", *body, "}"])
        return found

    def _body(self, function: ExternalFunction, number: int) -> None:
        """Writes the statements of a function: what it does otherwise, the choice of the result, and the return."""
        write, symbol, result = self.writer, function.symbol, f"{_RESULT}{number}"
        kind = symbol.type.result
        assert isinstance(kind, CPointer)
        write.globals.append(f"extern {_head_of_effects(symbol)};")
        write.globals.append(f"{self.declaration(_result_node(symbol), result)};")
        write.line(f"{EFFECTS_OF}{symbol.name}({', '.join(_names(symbol))});")
        if function.may_be_null:
            write.line(f"{result} = 0;")
            write.line(f"if ({self._succeeds(symbol)}) {{")
        if isinstance(kind.target, CVoid):
            size = _product(symbol)
            is_zero = _CLEARS.search(symbol.name)
            write.line(f"{result} = " + (f"__builtin_calloc(1, {size});" if is_zero else f"__builtin_malloc({size});"))
        else:
            write.new_object(kind, result, self.options.depth, f"{result}_elements")
        if function.may_be_null:
            write.line("}")
        write.line(f"return {result};")

    def _succeeds(self, symbol: FunctionSymbol) -> str:
        """The condition under which an object is returned: any, for blocks of a size that an object can have."""
        if not isinstance(symbol.type.result, CPointer) or not isinstance(symbol.type.result.target, CVoid):
            return self.writer.choice()
        kinds, names = symbol.type.parameters, _names(symbol)
        factors = [(names[at], kinds[at]) for at in _factors(symbol)]
        signed = [f"{name} >= 0" for name, kind in factors if isinstance(kind, CInteger) and kind.signed]
        product = " * ".join(f"(unsigned __int128){name}" for name, _ in factors)
        return " && ".join([self.writer.choice(), *signed, f"{product} <= {LARGEST_OBJECT}UL"])


def _names(symbol: FunctionSymbol) -> list[str]:
    """The names of the parameters, which lengths of arrays may mention; new ones for those without."""
    nodes = parameters_of(symbol.declaration) if symbol.type.parameters else []
    return [getattr(node, "name", None) or f"parameter_{number}" for number, node in enumerate(nodes, 1)]


def _product(symbol: FunctionSymbol) -> str:
    """The size of the block that a function allocates."""
    names = _names(symbol)
    return " * ".join(f"(unsigned long){names[at]}" for at in _factors(symbol))


def _head(symbol: FunctionSymbol) -> str:
    """The function's own declaration with names for its parameters."""
    result = copy.deepcopy(function_declarator(symbol.declaration).type)
    return _declaration(symbol, symbol.name, result)


def _head_of_effects(symbol: FunctionSymbol) -> str:
    """The declaration of the function that does all that it does besides its result."""
    name = f"{EFFECTS_OF}{symbol.name}"
    return _declaration(symbol, name, c_ast.TypeDecl(name, [], [], c_ast.IdentifierType(["void"])))


def _declaration(symbol: FunctionSymbol, name: str, result: c_ast.Node) -> str:
    """The declaration of a function with the parameters of another one, which get names.

    result: the declarator of what it returns, which has the name.
    """
    nodes = parameters_of(symbol.declaration) if symbol.type.parameters else []
    parameters = [_named(node, new) for node, new in zip(nodes, _names(symbol), strict=True)]
    nothing = c_ast.Typename("", [], [], c_ast.TypeDecl("", [], [], c_ast.IdentifierType(["void"])))
    kind = c_ast.FuncDecl(c_ast.ParamList([*parameters] or [nothing]), result)
    _omit_members(kind)
    return str(CGenerator().visit(c_ast.Decl(name, [], [], [], [], kind, None, None)))


def _named(node: c_ast.Node, name: str) -> c_ast.Decl:
    """A parameter's declaration with a name."""
    assert isinstance(node, c_ast.Decl | c_ast.Typename)
    kind = copy.deepcopy(node.type)
    named_declarator(kind).declname = name
    return c_ast.Decl(name, node.quals, [], [], [], kind, None, None)


def _result_node(symbol: FunctionSymbol) -> c_ast.Decl:
    """A declaration with the type that a function returns."""
    kind = copy.deepcopy(function_declarator(symbol.declaration).type)
    _omit_members(kind)
    return c_ast.Decl(symbol.name, [], [], [], [], kind, None, None)


def _omit_members(declarator: c_ast.Node) -> None:
    """Records and enumerations in a copied declarator are only named, not defined again."""
    for part in nodes_of(declarator):
        if isinstance(part, c_ast.Struct | c_ast.Union):
            part.decls = None
        elif isinstance(part, c_ast.Enum):
            part.values = None
