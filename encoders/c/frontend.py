"""From C source to a Program of control-flow automata."""

from collections.abc import Callable
from pathlib import Path

from pycparser import c_ast

from chcverify.horn.system import Origin
from chcverify.results.checks import CheckKind, kinds_of
from encoders.c.cfa.ir import (
    Assume,
    Binary,
    Call,
    CheckBlocks,
    Constant,
    Load,
    Nondet,
    Program,
    ReachError,
    VariableLValue,
)
from encoders.c.library.model_files import MAIN_ARGUMENTS
from encoders.c.lowering.calls import library_models
from encoders.c.lowering.composition import INITIALISE, Lowering, declare_file, file_lowering, function_lowering
from encoders.c.lowering.context import LoweringContext, Unit
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.environment import Surroundings
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

    property: of PROPERTY_CHECKS, or several with commas between them: the violations that edges stand for. Of
    `unreach-call`, calls of reach_error and failed assertions; of `no-overflow`, signed operations whose result does
    not fit. edit: changes the syntax tree first.
    surroundings: the assumptions about functions and objects that the program shares with others. Raises SourceError
    for text that is no C program, Unsupported for constructs that are not modelled, both with coordinates.
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
    """The automata of a C text. file: its name in messages; the other arguments are those of load_program."""
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
    unit = Unit(
        file,
        RecordLayouts(data_model),
        attributes,
        declare_file,
        checks=kinds_of(property),
        surroundings=decided,
    )
    unit.reads_errno = text.count("__errno_location") > 1  # more than its declaration
    initial = file_lowering(unit, unit.scope)
    initial.external_declarations.declare_file(tree)
    main = unit.scope.names.get("main")
    if not isinstance(main, FunctionSymbol) or main.definition is None:
        raise SourceError(Origin(file, 1), "no function 'main'")
    unit.wanted["main"] = main
    if any(_is_used(main, position) for position in (1, 2)):
        unit.wanted[MAIN_ARGUMENTS] = _maker(unit)
    functions = _lower_functions(unit, initial, main)
    for context in functions.values():
        resolve_indirect(unit, context)
    edges = [edge for context in functions.values() for edge in context.cfa.edges]
    marker = AddressTakenMarker(in_memory(edges))
    kinds = {name: symbol.type for name, symbol in unit.wanted.items()} | {INITIALISE: CFunction(VOID, ())}
    origin = initial.context.origin(main.definition)
    return Program(
        file,
        data_model,
        {name: automaton(context, kinds[name], marker, origin) for name, context in functions.items()},
        tuple(
            marker.variable(symbol.fixed)
            for symbol in sorted(unit.used_globals.values(), key=lambda symbol: symbol.order)
            if symbol.fixed is not None
        ),
        {tag: layout.fields for tag, layout in unit.layout.records.items()},
        INITIALISE,
        {tag: layout.size for tag, layout in unit.layout.records.items()},
        _external(unit, initial.types),
        tuple(sorted(unit.assumptions.values(), key=lambda found: (found.file, found.line, found.column, found))),
        sum(isinstance(edge.operation, ReachError) for edge in edges),
        unit.checks,
    )


def _external(unit: Unit, types: TypeLowering) -> frozenset[str]:
    """The variables with external linkage that the program uses, and that others may change or follow."""
    symbols = (
        (name, symbol)
        for name, symbol in unit.used_globals.items()
        if symbol.external and not (symbol.constant and not types.holds_pointers(symbol.type))
    )
    return frozenset(name for name, symbol in symbols if unit.scope.names.get(symbol.name) is symbol)


def _lower_functions(unit: Unit, initial: Lowering, main: FunctionSymbol) -> dict[str, LoweringContext]:
    """All functions that main can reach, and the initialisation: globals in order of declaration, then main.

    By their names. initial: the initialisation, still empty.
    """
    functions: dict[str, LoweringContext] = {}
    start_up = initial.context
    segments: dict[str, tuple[int, int, int]] = {}  # of each global: order, first and last location
    while True:
        waiting = [s for s in unit.wanted.values() if s.name not in functions and s.has_body(unit.checks_assertions)]
        waiting = waiting or called_through_pointers(unit, functions)
        globals_ = [s for name, s in unit.used_globals.items() if name not in segments]
        if not waiting and not globals_:
            break
        for symbol in waiting:
            context = _lower_function(unit, symbol).context
            functions[context.name] = context
        for variable in globals_:
            start = start_up.cfa.current = start_up.cfa.location()
            segments[variable.unique] = (variable.order, start, start)
            initial.static_initialisers.initialise_global(variable)
            segments[variable.unique] = (variable.order, start, start_up.cfa.current)
    assert main.definition is not None
    origin = start_up.origin(main.definition)
    start_up.cfa.current = start_up.entry
    for _, start, end in sorted(segments.values()):
        start_up.cfa.jump(start, origin)
        start_up.cfa.current = end
    _call_main(start_up, main, origin)
    return {INITIALISE: start_up, **functions}


def _lower_function(unit: Unit, symbol: FunctionSymbol) -> Lowering:
    """Lowers a function, or for one without a body what stands for it in calls through pointers."""
    has_body = symbol.has_body(unit.checks_assertions)
    lowering = function_lowering(unit, symbol.name if has_body else symbol.forwarder, Scope(symbol.scope))
    if has_body:
        try:
            lowering.functions.lower_body(symbol)
        except Unsupported as error:  # in what stands before the body
            lowering = function_lowering(unit, symbol.name, Scope(symbol.scope))
            symbol.error = error
    else:
        lowering.functions.lower_forwarder(symbol)
    return lowering


def _call_main(initial: LoweringContext, main: FunctionSymbol, origin: Origin) -> None:
    """Adds the call of main: argc is not negative; argv and a third parameter point to strings, if main uses them."""
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
    if initial.unit.checks & {CheckKind.CLEANUP, CheckKind.LEAK}:
        initial.cfa.emit(CheckBlocks(leaves_main=True), origin, "end of main")
    initial.cfa.jump(initial.exit, origin)


def _is_used(main: FunctionSymbol, position: int) -> bool:
    """True if main mentions its parameter at this position (1: argv, 2: the environment), a pointer to strings."""
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
    """The library model that makes an array of strings."""
    symbol = library_models.symbol(unit, MAIN_ARGUMENTS)
    assert symbol is not None
    return symbol


def _call_maker(initial: LoweringContext, lvalue: VariableLValue, count: Load, origin: Origin) -> None:
    """Adds a call that assigns a new array of `count` strings to the lvalue."""
    initial.cfa.emit(Call(lvalue, MAIN_ARGUMENTS, (count,)), origin, "arguments of main")


def _undetermined_count(initial: LoweringContext, origin: Origin) -> Load:
    """The undetermined number of strings in the environment."""
    lvalue = initial.temporary(INT)
    initial.cfa.emit(Nondet(lvalue, "main"), origin, "size of the environment")
    count = Load(lvalue, INT)
    _assume_natural(initial, count, origin, "size of the environment >= 0")
    return count


def _assume_natural(initial: LoweringContext, count: Load, origin: Origin, text: str) -> None:
    """Adds the assumption that a count is not negative. text: of the edge in traces."""
    initial.cfa.emit(Assume(Binary(">=", count, Constant(0, INT), INT), True), origin, text)
