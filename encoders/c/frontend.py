"""From C source to a Program of control-flow automata."""

from collections.abc import Callable
from pathlib import Path

from pycparser import c_ast

from chcverify.horn.system import Origin
from encoders.c.cfa.ir import Assume, Binary, Call, Constant, Load, Nondet, Program, ReachError, VariableLValue
from encoders.c.lowering.calls import library_models
from encoders.c.lowering.context import INITIALISE, Unit
from encoders.c.lowering.environment import Surroundings
from encoders.c.lowering.functions import FunctionLowering, declare_file
from encoders.c.lowering.linking import (
    AddressTakenMarker,
    automaton,
    called_through_pointers,
    in_memory,
    resolve_indirect,
)
from encoders.c.lowering.symbols import FunctionSymbol, Scope
from encoders.c.source.parser import parse, with_deep_stack
from encoders.c.source.preprocessor import accepted_by_compiler, preprocess, read_source
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import CHAR, INT, VOID, CFunction, CInteger, CPointer, DataModel
from encoders.c.types.record_layout import RecordLayouts

ARGUMENTS = "__chcverify_arguments"  # of the library: makes what argv and the environment are
UNDECIDED = Surroundings()
Edit = Callable[[c_ast.FileAST], None]
"""Changes a syntax tree before it is lowered."""


def load_program(
    path: str,
    data_model: DataModel,
    property: str = "unreach-call",
    edit: Edit = lambda tree: None,
    surroundings: Surroundings = UNDECIDED,
) -> Program:
    """The automata of the C file at `path`.

    property: what ReachError edges stand for: `unreach-call`, calls of reach_error and failed assertions;
    `no-overflow`, signed operations whose result does not fit. surroundings: what is assumed of functions and objects
    that the program shares with others.
    Raises SourceError for what is no C program, Unsupported for what is not modelled, both with coordinates.
    """
    return load_source(read_source(Path(path)), path, data_model, property, edit, surroundings)


def load_source(
    text: str,
    file: str,
    data_model: DataModel,
    property: str = "unreach-call",
    edit: Edit = lambda tree: None,
    surroundings: Surroundings = UNDECIDED,
) -> Program:
    """As load_program, for text that (as messages say) comes from `file`."""
    clean = preprocess(text, file, data_model)
    if not clean.strip():
        raise SourceError(Origin(file, 1), "the file is empty")
    try:
        return with_deep_stack(lambda: _lower(clean, file, data_model, property, edit, surroundings))
    except SourceError as error:
        if accepted_by_compiler(clean, data_model):
            raise Unsupported(error.origin, f"a construct that gcc accepts ({error.message})") from None
        raise


def _lower(
    text: str, file: str, data_model: DataModel, property: str, edit: Edit, surroundings: Surroundings
) -> Program:
    tree, attributes = parse(text, file, data_model)
    decided = surroundings.decided(tree)  # by the program as it is
    edit(tree)
    no_overflow = property == "no-overflow"
    unit = Unit(file, RecordLayouts(data_model), attributes, declare_file, overflow=no_overflow, surroundings=decided)
    unit.reads_errno = text.count("__errno_location") > 1  # more than its declaration
    initial = FunctionLowering(unit, INITIALISE, unit.scope)
    initial.declare_file(tree)
    main = unit.scope.names.get("main")
    if not isinstance(main, FunctionSymbol) or main.definition is None:
        raise SourceError(Origin(file, 1), "no function 'main'")
    unit.wanted["main"] = main
    if any(_is_used(main, position) for position in (1, 2)):
        unit.wanted[ARGUMENTS] = _maker(unit)
    functions = _lower_functions(unit, initial, main)
    for lowering in functions.values():
        resolve_indirect(unit, lowering)
    edges = [edge for lowering in functions.values() for edge in lowering.cfa.edges]
    marker = AddressTakenMarker(in_memory(edges))
    kinds = {name: symbol.type for name, symbol in unit.wanted.items()} | {INITIALISE: CFunction(VOID, ())}
    origin = initial.origin(main.definition)
    return Program(
        file,
        data_model,
        {name: automaton(lowering, kinds[name], marker, origin) for name, lowering in functions.items()},
        tuple(
            marker.variable(symbol.fixed)
            for symbol in sorted(unit.used_globals.values(), key=lambda symbol: symbol.order)
            if symbol.fixed is not None
        ),
        {tag: layout.fields for tag, layout in unit.layout.records.items()},
        INITIALISE,
        {tag: layout.size for tag, layout in unit.layout.records.items()},
        _external(unit, initial),
        tuple(sorted(unit.assumptions.values(), key=lambda found: (found.file, found.line, found.column, found))),
        sum(isinstance(edge.operation, ReachError) for edge in edges),
    )


def _external(unit: Unit, types: FunctionLowering) -> frozenset[str]:
    """The variables with external linkage that the program uses, and that others may change or follow."""
    symbols = (
        (name, symbol)
        for name, symbol in unit.used_globals.items()
        if symbol.external and not (symbol.constant and not types.holds_pointers(symbol.type))
    )
    return frozenset(name for name, symbol in symbols if unit.scope.names.get(symbol.name) is symbol)


def _lower_functions(unit: Unit, initial: FunctionLowering, main: FunctionSymbol) -> dict[str, FunctionLowering]:
    """All functions that main can reach, and the initialisation: globals in order of declaration, then main."""
    functions: dict[str, FunctionLowering] = {}
    segments: dict[str, tuple[int, int, int]] = {}  # of each global: order, first and last location
    while True:
        waiting = [s for s in unit.wanted.values() if s.name not in functions and s.has_body(unit.overflow)]
        waiting = waiting or called_through_pointers(unit, functions)
        globals_ = [s for name, s in unit.used_globals.items() if name not in segments]
        if not waiting and not globals_:
            break
        for symbol in waiting:
            has_body = symbol.has_body(unit.overflow)
            lowering = FunctionLowering(unit, symbol.name if has_body else symbol.forwarder, Scope(symbol.scope))
            if has_body:
                lowering.lower_body(symbol)
            else:
                lowering.lower_forwarder(symbol)
            functions[lowering.name] = lowering
        for variable in globals_:
            start = initial.cfa.current = initial.cfa.location()
            segments[variable.unique] = (variable.order, start, start)
            initial.initialise_global(variable)
            segments[variable.unique] = (variable.order, start, initial.cfa.current)
    assert main.definition is not None
    origin = initial.origin(main.definition)
    initial.cfa.current = initial.entry
    for _, start, end in sorted(segments.values()):
        initial.cfa.jump(start, origin)
        initial.cfa.current = end
    _call_main(initial, main, origin)
    return {INITIALISE: initial, **functions}


def _call_main(initial: FunctionLowering, main: FunctionSymbol, origin: Origin) -> None:
    """argc is not negative; argv and a third parameter lead to strings, if the program looks at them."""
    arguments: list[Load] = []
    assert main.definition is not None
    given = main.definition.decl.type.args
    names = [getattr(parameter, "name", None) for parameter in (given.params if given else ())]
    for position, kind in enumerate(main.type.parameters):
        lvalue = initial.temporary(kind)
        if not isinstance(kind, CInteger | CPointer):
            raise SourceError(origin, f"'main' has a parameter of type '{kind}'")
        if isinstance(kind, CPointer) and _is_used(main, position):
            count = arguments[0] if position == 1 else _undetermined_count(initial, origin)
            _call_maker(initial, lvalue, count, origin)
        else:
            name = names[position] if position < len(names) else None
            initial.cfa.emit(Nondet(lvalue, "main"), origin, name or "argument of main")
        arguments.append(Load(lvalue, kind))
        if kind == INT and position == 0:
            _assume_natural(initial, arguments[0], origin, "argc >= 0")
    initial.cfa.emit(Call(None, "main", tuple(arguments)), origin, "main()")
    initial.cfa.jump(initial.exit, origin)


def _is_used(main: FunctionSymbol, position: int) -> bool:
    """Does main mention its parameter at this position (1: argv, 2: the environment), a pointer to strings?"""
    kinds, definition = main.type.parameters, main.definition
    if len(kinds) <= position or kinds[0] != INT or kinds[position] != CPointer(CPointer(CHAR)) or definition is None:
        return False
    name = getattr(definition.decl.type.args.params[position], "name", None)
    stack: list[c_ast.Node] = [definition.body]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.ID) and node.name == name:
            return True
        stack.extend(child for _, child in node.children())
    return False


def _maker(unit: Unit) -> FunctionSymbol:
    """The function that makes an array of strings."""
    found = library_models.symbol(unit, ARGUMENTS)
    assert found is not None
    return found


def _call_maker(initial: FunctionLowering, lvalue: VariableLValue, count: Load, origin: Origin) -> None:
    initial.cfa.emit(Call(lvalue, ARGUMENTS, (count,)), origin, "arguments of main")


def _undetermined_count(initial: FunctionLowering, origin: Origin) -> Load:
    """How many strings the environment has."""
    lvalue = initial.temporary(INT)
    initial.cfa.emit(Nondet(lvalue, "main"), origin, "size of the environment")
    count = Load(lvalue, INT)
    _assume_natural(initial, count, origin, "size of the environment >= 0")
    return count


def _assume_natural(initial: FunctionLowering, count: Load, origin: Origin, text: str) -> None:
    initial.cfa.emit(Assume(Binary(">=", count, Constant(0, INT), INT), True), origin, text)
