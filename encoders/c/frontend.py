"""From C source to a Program of control-flow automata."""

from collections.abc import Callable
from pathlib import Path

from pycparser import c_ast

from chcverify.horn.system import Origin
from encoders.c.core import Unit
from encoders.c.errors import SourceError, Unsupported
from encoders.c.finish import Marker, automaton, in_memory, resolve_indirect
from encoders.c.functions import INITIALISE, FunctionLowering, declare_file
from encoders.c.ir import Assume, Binary, Call, Constant, Load, Nondet, Program
from encoders.c.layout import Layout
from encoders.c.parse import parse, with_deep_stack
from encoders.c.preprocess import accepted_by_compiler, preprocess, read_source
from encoders.c.symbols import FunctionSymbol, Scope
from encoders.c.types import INT, VOID, CFunction, CInteger, CPointer, DataModel

Edit = Callable[[c_ast.FileAST], None]
"""Changes a syntax tree before it is lowered."""


def load_program(
    path: str, data_model: DataModel, property: str = "unreach-call", edit: Edit = lambda tree: None
) -> Program:
    """The automata of the C file at `path`.

    property: what ReachError edges stand for: `unreach-call`, calls of reach_error and failed assertions;
    `no-overflow`, signed operations whose result does not fit.
    Raises SourceError for what is no C program, Unsupported for what is not modelled, both with coordinates.
    """
    return load_source(read_source(Path(path)), path, data_model, property, edit)


def load_source(
    text: str, file: str, data_model: DataModel, property: str = "unreach-call", edit: Edit = lambda tree: None
) -> Program:
    """As load_program, for text that (as messages say) comes from `file`."""
    clean = preprocess(text, file, data_model)
    if not clean.strip():
        raise SourceError(Origin(file, 1), "the file is empty")
    try:
        return with_deep_stack(lambda: _lower(clean, file, data_model, property, edit))
    except SourceError as error:
        if accepted_by_compiler(clean, data_model):
            raise Unsupported(error.origin, f"a construct that gcc accepts ({error.message})") from None
        raise


def _lower(text: str, file: str, data_model: DataModel, property: str, edit: Edit) -> Program:
    tree, attributes = parse(text, file)
    edit(tree)
    unit = Unit(file, Layout(data_model), attributes, declare_file, overflow=property == "no-overflow")
    initial = FunctionLowering(unit, INITIALISE, unit.scope)
    initial.declare_file(tree)
    main = unit.scope.names.get("main")
    if not isinstance(main, FunctionSymbol) or main.definition is None:
        raise SourceError(Origin(file, 1), "no function 'main'")
    unit.wanted["main"] = main
    functions = _lower_functions(unit, initial, main)
    for lowering in functions.values():
        resolve_indirect(unit, lowering)
    edges = [edge for lowering in functions.values() for edge in lowering.cfa.edges]
    marker = Marker(in_memory(edges))
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
    )


def _lower_functions(unit: Unit, initial: FunctionLowering, main: FunctionSymbol) -> dict[str, FunctionLowering]:
    """All functions that main can reach, and the initialisation: globals in order of declaration, then main."""
    functions: dict[str, FunctionLowering] = {}
    segments: dict[str, tuple[int, int, int]] = {}  # of each global: order, first and last location
    while True:
        waiting = [s for name, s in unit.wanted.items() if name not in functions and s.definition is not None]
        globals_ = [s for name, s in unit.used_globals.items() if name not in segments]
        if not waiting and not globals_:
            break
        for symbol in waiting:
            lowering = FunctionLowering(unit, symbol.name, Scope(symbol.scope))
            lowering.lower_body(symbol)
            functions[symbol.name] = lowering
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
    """argc is not negative, argv points anywhere."""
    arguments = []
    for kind in main.type.parameters:
        place = initial.temporary(kind)
        if not isinstance(kind, CInteger | CPointer):
            raise SourceError(origin, f"'main' has a parameter of type '{kind}'")
        initial.cfa.emit(Nondet(place, "main"), origin, "argument of main")
        arguments.append(Load(place, kind))
        if kind == INT and len(arguments) == 1:
            positive = Binary(">=", arguments[0], Constant(0, INT), INT)
            initial.cfa.emit(Assume(positive, True), origin, "argc >= 0")
    initial.cfa.emit(Call(None, "main", tuple(arguments)), origin, "main()")
    initial.cfa.jump(initial.exit, origin)
