"""From C source to a Program of control-flow automata."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pycparser import c_ast

from chcverify.horn.system import Origin
from chcverify.options import HarnessOptions, SourceFile
from chcverify.properties.registry import kinds_of
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.dataflow.repeated_accesses import with_held_checks
from encoders.c.cfa.dataflow.reused_addresses import with_reused_addresses
from encoders.c.cfa.expression_walk import in_memory
from encoders.c.cfa.ir import (
    FunctionCfa,
    HarnessCode,
    Program,
    ReachError,
)
from encoders.c.cfa.pointer_integers import with_pointers
from encoders.c.contracts.behaviours import ContractClause
from encoders.c.library.function_table import Trait
from encoders.c.library.model_files import END_OF_JUMPS, MAIN_ARGUMENTS, RUN_EXIT_HANDLERS
from encoders.c.library.table_reader import names_with
from encoders.c.lowering.calls import library_models
from encoders.c.lowering.calls.main_call import call_main, mentions_strings
from encoders.c.lowering.checks.comparison_functions import with_open_comparisons
from encoders.c.lowering.checks.written_checks import with_written_checks
from encoders.c.lowering.composition import INITIALISE, Lowering, file_lowering, function_lowering
from encoders.c.lowering.context import LoweringContext, Unit
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.environment import Surroundings, VolatileReads, may_use_interface
from encoders.c.lowering.file_scope.program_files import RecordKey
from encoders.c.lowering.linking import (
    AddressTakenMarker,
    automaton,
    called_through_pointers,
    resolve_indirect,
)
from encoders.c.lowering.symbols import FunctionSymbol, Scope
from encoders.c.parsed_sources import ParsedSources, declared_unit, diagnosed, retried
from encoders.c.source.file_local_names import PREFIX, export_file_locals
from encoders.c.source.source_errors import LinkError, Unsupported
from encoders.c.types.c_types import VOID, CFunction, DataModel

if TYPE_CHECKING:
    from encoders.c.contracts.loop_annotations import UnreadClause
    from encoders.c.harness.contract_use import ContractProof

UNDECIDED = Surroundings()
Edit = Callable[[c_ast.FileAST], None]
"""Changes a syntax tree before it is lowered."""


def unchanged(tree: c_ast.FileAST) -> None:
    """The edit that changes nothing."""


@dataclass(frozen=True)
class Begin:
    """The function where the program begins: main, or another one with a harness around it."""

    function: str = "main"
    harness: HarnessOptions | None = None
    contracts: bool = False
    """Are annotations in comments read?"""
    removed: tuple[tuple[str, ...], ...] = ()
    """For each file, its functions whose bodies do not count; () for none."""
    shadowed: tuple[bool, ...] = ()
    uses: tuple[str, ...] = ()
    """Functions whose contracts stand for their bodies."""
    modular: bool = False
    """As `HarnessOptions.modular`."""
    threads: bool = False
    """May there be several threads? Else starting one is not modelled."""
    interrupts: tuple[str, ...] = ()
    """Functions that interrupt the program, with threads."""


MAIN = Begin()


def load_files(
    sources: Sequence[SourceFile],
    data_model: DataModel,
    property: str = "unreach-call",
    edit: Edit = unchanged,
    surroundings: Surroundings = UNDECIDED,
    begin: Begin = MAIN,
    parsed: ParsedSources | None = None,
) -> Program:
    """The automata of the program that the linker makes of C files.

    property: of PROPERTIES, or several with commas between them: the violations that edges stand for. For
    `unreach-call` these are calls of reach_error and failed assertions; for `no-overflow`, signed operations whose
    result does not fit. edit: changes the syntax trees first. surroundings: the assumptions about functions and objects
    that the program shares with others. parsed: what was read and parsed before, which is used up if it is of these
    sources.

    Raises SourceError for text that is no C program, Unsupported for constructs that are not modelled, both with
    coordinates; LinkError where the files do not fit together, or do not define the function where the program begins.
    """
    if parsed is None or not parsed.are_of(sources, data_model, begin.contracts, begin.function):
        parsed = ParsedSources.of(sources, data_model, begin.contracts)
    sources = [source for source in sources if not source.only_contracts]
    removed, shadowed = (source.removed for source in sources), (source.shadowed for source in sources)
    begin = replace(begin, removed=tuple(removed), shadowed=tuple(shadowed))
    program = _load(parsed, property, edit, surroundings, begin)
    return replace(program, sources=tuple(sources))


def load_source(
    text: str,
    file: str,
    data_model: DataModel,
    property: str = "unreach-call",
    surroundings: Surroundings = UNDECIDED,
    threads: bool = False,
    interrupts: tuple[str, ...] = (),
) -> Program:
    """The automata of a C text. file: its name in messages; threads, interrupts: as in Begin; the other arguments and
    errors are those of load_files."""
    parsed = ParsedSources.of_text(text, file, data_model)
    return _load(parsed, property, unchanged, surroundings, replace(MAIN, threads=threads, interrupts=interrupts))


def _load(parsed: ParsedSources, property: str, edit: Edit, surroundings: Surroundings, begin: Begin) -> Program:
    """The automata of parsed files."""
    return diagnosed(parsed.texts, parsed.data_model, lambda: _lower(parsed, property, edit, surroundings, begin))


def _lower(parsed: ParsedSources, property: str, edit: Edit, surroundings: Surroundings, begin: Begin) -> Program:
    files, data_model = parsed.files, parsed.data_model
    searched = (file.tree.ext for file in files if may_use_interface(file.text))  # as they are
    decided = surroundings.decided(c_ast.FileAST([node for nodes in searched for node in nodes]), property)
    if begin.threads:  # who changes a volatile object is a thread
        if surroundings.volatile is VolatileReads.FRESH:
            raise Unsupported(Origin(files[0].file, 1), "--volatile fresh for a program with threads")
        decided = replace(decided, volatile=VolatileReads.PLAIN)
    entered = parsed.take_unit(property) if edit is unchanged and not begin.threads else None
    unread = [] if entered is not None else _edited(parsed, property, edit, begin)

    def lowered(separate: frozenset[RecordKey]) -> Program:
        if entered is not None and separate == entered.files.separate:
            unit = entered
        else:
            unit = declared_unit(files, data_model, property, separate)
        unit.surroundings = decided
        unit.has_threads, unit.has_interrupts = begin.threads, bool(begin.interrupts)
        if unread:
            _note_unread(unit, unread)
        return _lowered(unit, begin, parsed.clauses)

    return retried(lowered, frozenset() if entered is None else entered.files.separate)


def _edited(parsed: ParsedSources, property: str, edit: Edit, begin: Begin) -> "list[UnreadClause]":
    """Changes the syntax trees as the program asks for; the clauses of contracts that this leaves unread."""
    files = parsed.files
    for file in files:
        edit(file.tree)
    if begin.threads:
        _use_thread_models(parsed)
    if any(begin.removed) or any(begin.shadowed) or any(PREFIX in file.text for file in files):
        export_file_locals([file.tree for file in files], begin.removed or [()] * len(files), begin.shadowed)
    return _annotated(parsed, property) if parsed.clauses else []


def _use_thread_models(parsed: ParsedSources) -> None:
    """Gives the types of the threads' library their modelled objects. Raises Unsupported for thread-local objects of
    other files."""
    from encoders.c.lowering.concurrency.thread_models import refuse_foreign_thread_storage, with_modelled_objects

    for file in parsed.files:
        with_modelled_objects(file.tree)
        refuse_foreign_thread_storage(file.tree)


def _annotated(parsed: ParsedSources, property: str) -> "list[UnreadClause]":
    """Puts the clauses about loops into the syntax trees; those that have no meaning there."""
    from encoders.c.contracts.loop_annotations import annotate_loops

    checks = kinds_of(property)
    trees = ((file.tree, file.file) for file in parsed.files)
    return [
        clause
        for tree, name in trees
        for clause in annotate_loops(tree, name, parsed.clauses, parsed.data_model, checks)
    ]


def _note_unread(unit: Unit, unread: "Sequence[UnreadClause]") -> None:
    """Records the clauses that are not read. Raises Unsupported for one that is to be checked."""
    from encoders.c.contracts.loop_annotations import note_unread

    for clause in unread:
        note_unread(unit, clause)


def _lowered(unit: Unit, begin: Begin, clauses: Sequence[ContractClause]) -> Program:
    """The program once all that it uses is lowered. Raises RecordsDiffer."""
    main, harness, proof = _entry(unit, begin, clauses)
    initial = file_lowering(unit, unit.scope)
    unit.wanted[main.name] = main
    if any(mentions_strings(main, position) for position in (1, 2)):
        unit.wanted[MAIN_ARGUMENTS] = library_models.model(unit, MAIN_ARGUMENTS)
    unit.has_exit_handlers &= not any(map(unit.has_definition, names_with(Trait.REGISTERS)))
    if unit.has_jumps:
        unit.wanted[END_OF_JUMPS] = library_models.model(unit, END_OF_JUMPS)
    if unit.has_exit_handlers:
        unit.wanted[RUN_EXIT_HANDLERS] = library_models.model(unit, RUN_EXIT_HANDLERS)
    started = _interrupts(unit, begin.interrupts) if begin.interrupts else []
    functions = _lower_functions(unit, initial, main, started)
    if clauses:
        _note_unchecked_contracts(unit, functions, begin, clauses)
    for context in functions.values():
        resolve_indirect(unit, context)
    edges = [edge for context in functions.values() for edge in context.cfa.edges]
    marker = AddressTakenMarker(in_memory(edges))
    kinds = {name: symbol.type for name, symbol in unit.wanted.items()} | {INITIALISE: CFunction(VOID, ())}
    kinds |= {context.name: CFunction(VOID, ()) for context in started}
    assert main.definition is not None
    origin = initial.context.origin(main.definition)
    program = Program(
        unit.file,
        unit.model,
        _with_checks(
            unit, {name: automaton(context, kinds[name], marker, origin) for name, context in functions.items()}
        ),
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
        harness=harness,
    )
    if proof is not None:
        proof.require_complete(unit, program)
    program = with_reused_addresses(with_pointers(program))
    return _with_single_accesses(program) if begin.threads else with_held_checks(program)


def _with_checks(unit: Unit, functions: dict[str, FunctionCfa]) -> dict[str, FunctionCfa]:
    """The functions with checks of what was written, and of comparisons that library functions call."""

    def assume(name: str, origin: Origin) -> None:
        unit.assume(
            "order", name, "compares the elements that its model compares, and keeps the order of equal ones", origin
        )

    return with_written_checks(with_open_comparisons(functions, unit.numbers, assume), unit.numbers, unit.checks)


def _with_single_accesses(program: Program) -> Program:
    """The program of several threads with at most one access to shared memory in each step."""
    from encoders.c.threads.single_accesses import with_single_accesses
    from encoders.c.threads.thread_local_objects import without_thread_locals

    return with_single_accesses(without_thread_locals(program))


def _note_unchecked_contracts(
    unit: Unit, functions: Collection[str], begin: Begin, clauses: Sequence[ContractClause]
) -> None:
    """Records the contracts that the checks of the lowered functions neither use nor compare with bodies."""
    from encoders.c.harness.contract_use import note_unchecked_contracts, usable_contracts

    compared = (begin.function,) if begin.harness is not None else ()
    proved = usable_contracts(unit, clauses) if begin.modular else ()
    note_unchecked_contracts(unit, functions, {*begin.uses, *compared, *proved}, clauses)


def _entry(
    unit: Unit, begin: Begin, clauses: Sequence[ContractClause]
) -> "tuple[FunctionSymbol, HarnessCode | None, ContractProof | None]":
    """The function that the program begins with: main, or a harness, which is declared for it, with its code."""
    if begin.harness is None and not begin.uses and not begin.modular:
        return _main(unit), None, None
    from encoders.c.harness.contract_use import declare_proof, usable_contracts, use_contracts
    from encoders.c.harness.declared_harness import declare_harness

    uses = dict.fromkeys((*begin.uses, *(usable_contracts(unit, clauses) if begin.modular else ())))
    if begin.harness is not None and begin.modular and begin.function in uses:
        proof = declare_proof(unit, begin.function, tuple(uses), clauses)
        return proof.begin, proof.code, proof
    use_contracts(unit, [name for name in uses if name != begin.function], clauses)
    if begin.harness is not None:
        return *declare_harness(unit, begin.function, begin.harness, clauses), None
    return _main(unit), None, None


def _main(unit: Unit) -> FunctionSymbol:
    """The function main. Raises LinkError where no file defines it."""
    for scope in unit.scopes():
        main = scope.names.get("main")
        if isinstance(main, FunctionSymbol) and main.definition is not None:
            return main
    raise LinkError(Origin(unit.file, 1), "no function 'main': --entry NAME begins with another one")


def _external(unit: Unit, types: TypeLowering) -> frozenset[str]:
    """The variables with external linkage that the program uses, and that others may change or follow."""
    symbols = (
        (name, symbol)
        for name, symbol in unit.used_globals.items()
        if symbol.external and not (symbol.constant and not types.holds_pointers(symbol.type))
    )
    own = [scope.names for scope in unit.scopes()]
    return frozenset(name for name, symbol in symbols if any(names.get(symbol.name) is symbol for names in own))


def _interrupts(unit: Unit, names: Sequence[str]) -> list[LoweringContext]:
    """The functions at which the threads of interrupt handlers begin."""
    from encoders.c.lowering.concurrency.interrupt_handlers import interrupt_threads

    return interrupt_threads(unit, names)


def _start_interrupts(initial: LoweringContext, threads: Sequence[LoweringContext], origin: Origin) -> None:
    from encoders.c.lowering.concurrency.interrupt_handlers import start_interrupts

    start_interrupts(initial, threads, origin)


def _lower_functions(
    unit: Unit, initial: Lowering, main: FunctionSymbol, interrupts: Sequence[LoweringContext]
) -> dict[str, LoweringContext]:
    """All functions that main can reach, and the initialisation: globals in order of declaration, then interrupts, then
    main.

    By their names. initial: the initialisation, still empty. interrupts: the functions of their threads.
    """
    functions = {context.name: context for context in interrupts}
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
    if interrupts:
        _start_interrupts(start_up, interrupts, origin)
    call_main(start_up, main, origin)
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
