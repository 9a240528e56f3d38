"""The functions, contracts, stubs and harnesses of C files, found in their declarations without lowering a program."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from chcverify.options import HarnessOptions, SourceFile
from chcverify.results.checks import Check
from chcverify.results.entry_function import EntryFunction
from chcverify.results.precondition import PreconditionCandidate
from encoders.c.harness.contract_use import usable_contracts
from encoders.c.harness.declared_harness import standalone_harness
from encoders.c.harness.entry_functions import SYSTEM, defined_functions, mentioned_names, refused_functions
from encoders.c.harness.internal_functions import outer_callers
from encoders.c.harness.precondition_candidates import precondition_candidates
from encoders.c.lowering.context import Unit
from encoders.c.lowering.file_scope.program_files import RecordKey
from encoders.c.parsed_sources import (
    ParsedFile,
    ParsedSources,
    declared_unit,
    diagnosed,
    parsed_files,
    preprocessed,
    retried,
)
from encoders.c.types.c_types import DataModel

T = TypeVar("T")


def functions_of(parsed: ParsedSources) -> list[EntryFunction]:
    """The functions that the files define, in their order, then those whose types are not modelled.

    Raises SourceError for what is no C program.
    """
    files = parsed.files

    def found(unit: Unit) -> list[EntryFunction]:
        known = {name: symbol.definition for name, (symbol, _) in defined_functions(unit).items()}
        refused = {name: node for name, (node, _) in refused_functions(unit).items() if name not in known}
        callers = outer_callers(unit, [file.tree for file in files])
        return [
            EntryFunction(name, node.coord.file, node.coord.line, callers.get(name, ()))
            for name, node in {**known, **refused}.items()
            if node is not None
        ]

    return _declared(files, parsed.texts, parsed.data_model, found)


def only_function_of(parsed: ParsedSources, name: str) -> EntryFunction | None:
    """The function with this name, without its callers, found in the syntax tree alone; None if the declarations are
    needed: if there are several files, or no single definition."""
    found = [
        node.coord
        for file in parsed.files
        for node in file.tree.ext
        if isinstance(node, c_ast.FuncDef) and node.decl.name == name
    ]
    if len(parsed.files) != 1 or len(found) != 1 or str(found[0].file).startswith(SYSTEM):
        return None
    return EntryFunction(name, found[0].file, found[0].line)


def prototypes_of(sources: Sequence[SourceFile], data_model: DataModel) -> dict[str, str]:
    """The declarations of the functions with external linkage that the files define, by their names in the program."""

    def found(unit: Unit) -> dict[str, str]:
        known = ((name, symbol.definition) for name, (symbol, _) in defined_functions(unit).items())
        public = ((name, node.decl) for name, node in known if node is not None and "static" not in node.decl.storage)
        return {name: f"{CGenerator().visit(declared)};" for name, declared in public}

    return _with_declarations(preprocessed(sources, data_model)[0], data_model, found)


def contracts_of(sources: Sequence[SourceFile], data_model: DataModel) -> list[EntryFunction]:
    """The functions that the files define, and whose contracts can stand for their bodies: those with a clause assigns.

    Raises SourceError for what is no C program.
    """
    texts, clauses = preprocessed(sources, data_model, contracts=True)

    def found(unit: Unit) -> list[EntryFunction]:
        contracts = usable_contracts(unit, clauses)
        return [EntryFunction(name, origin.file, origin.line) for name, origin in contracts.items()]

    return _with_declarations(texts, data_model, found)


def with_stubs(sources: Sequence[SourceFile], directory: str, data_model: DataModel) -> tuple[SourceFile, ...]:
    """The sources, and of the directory's files f.c those whose f the program mentions and nothing defines.

    They get the flags of the first source. Stubs may need others.
    """
    flags = sources[0].flags if sources else ()
    stubs = {path.stem: SourceFile(str(path), flags) for path in sorted(Path(directory).glob("*.c"))}
    found = list(sources)
    while True:
        texts, _ = preprocessed(found, data_model)
        trees = [file.tree for file in parsed_files(texts, data_model)]
        defined = {node.decl.name for tree in trees for node in tree.ext if isinstance(node, c_ast.FuncDef)}
        more = [stubs[name] for name in mentioned_names(trees) - defined if name in stubs and stubs[name] not in found]
        if not more:
            return tuple(found)
        found += sorted(more, key=lambda source: source.path)


def harness_file(sources: Sequence[SourceFile], data_model: DataModel, function: str, options: HarnessOptions) -> str:
    """The text of a C file with the harness of the function, and main, behind an #include of the function's file."""
    texts, clauses = preprocessed(sources, data_model, options.contracts)
    return _with_declarations(
        texts,
        data_model,
        lambda unit: standalone_harness(unit, sources, function, options, clauses),
    )


def precondition_candidates_of(
    sources: Sequence[SourceFile],
    data_model: DataModel,
    function: str,
    options: HarnessOptions,
    violated: Sequence[Check],
) -> list[PreconditionCandidate]:
    """The predicates that callers of a function may have to guarantee. violated: the checks that are violated."""

    def found(unit: Unit) -> list[PreconditionCandidate]:
        symbol, scope = defined_functions(unit)[function]
        return precondition_candidates(unit, symbol, scope, options, violated)

    return _with_declarations(preprocessed(sources, data_model)[0], data_model, found)


def _with_declarations(texts: Sequence[tuple[str, str]], data_model: DataModel, work: Callable[[Unit], T]) -> T:
    """What work makes of the program whose declarations have been entered, and nothing of it lowered."""
    return _declared(parsed_files(texts, data_model), texts, data_model, work)


def _declared(
    files: Sequence[ParsedFile], texts: Sequence[tuple[str, str]], data_model: DataModel, work: Callable[[Unit], T]
) -> T:
    """As `_with_declarations`, of files that are parsed."""

    def worked(separate: frozenset[RecordKey]) -> T:
        return work(declared_unit(files, data_model, "unreach-call", separate))

    return diagnosed(texts, data_model, lambda: retried(worked))
