"""A function's harness as a part of the program: parsed, and declared in the scope of the function's file."""

import shlex
from collections.abc import Sequence

from pycparser import c_ast
from pycparser.c_parser import Coord

from chcverify.horn.system import Origin
from chcverify.options import HarnessOptions, SourceFile
from encoders.c.cfa.ir import HarnessCode
from encoders.c.contracts.behaviours import ContractClause
from encoders.c.contracts.tree_editing import nodes_of
from encoders.c.harness.entry_functions import defined_functions, holds_pointers, mentioned_variables, refused_functions
from encoders.c.harness.external_results import external_functions
from encoders.c.harness.harness_text import HARNESS, Harness, write_harness
from encoders.c.library.special_functions import CLAUSE_ASSERTION
from encoders.c.lowering.calls.annotation_calls import string_of
from encoders.c.lowering.context import Unit
from encoders.c.lowering.file_scope.program_files import ProgramFile
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, Scope, TypeName
from encoders.c.source.parser import parse
from encoders.c.source.source_errors import LinkError, SourceError, Unsupported
from encoders.c.source.syntax_trees import arguments_of
from encoders.c.types.c_types import CArray


def harness_of(
    unit: Unit, name: str, options: HarnessOptions, clauses: Sequence[ContractClause] = ()
) -> tuple[FunctionSymbol, Scope, Harness]:
    """A function of the program, the scope of its file, and its harness.

    Raises LinkError if there is none, Unsupported for one whose type is not modelled.

    Where variables have any values, those that hold pointers get theirs from the harness.
    """
    known = defined_functions(unit)
    refused = refused_functions(unit)
    if name not in known and name in refused:
        raise refused[name][1]
    if name not in known:
        raise LinkError(Origin(unit.file, 1), f"no function '{name}'")
    symbol, scope = known[name]
    variables: list[GlobalVariable] = []
    if options.globals == "arbitrary":
        variables = holds_pointers(mentioned_variables(symbol, scope), unit)
        unit.arbitrary = {variable.unique for variable in variables}
    assert symbol.definition is not None
    contract = [clause for clause in clauses if symbol.definition.decl.name in clause.functions]
    contract += _required(symbol.definition, options)
    described = frozenset(described for clause in clauses for described in clause.functions)
    external = [] if options.alias else external_functions(unit, symbol, described)
    return symbol, scope, write_harness(symbol, unit.layout, options, variables, contract, arrays_of(scope), external)


def _required(definition: c_ast.FuncDef, options: HarnessOptions) -> list[ContractClause]:
    """The predicates that options require of the calls of a function, as clauses of its contract."""
    coord, name = definition.decl.coord, definition.decl.name
    origin = Origin(coord.file, coord.line, coord.column or 1)
    return [ContractClause("requires", text, frozenset({name}), origin) for text in options.requires]


def arrays_of(scope: Scope) -> frozenset[str]:
    """The names of types that are arrays."""
    types = ((name, meaning) for name, meaning in scope.names.items() if isinstance(meaning, TypeName))
    return frozenset(name for name, meaning in types if isinstance(meaning.type, CArray))


def declare_harness(
    unit: Unit, name: str, options: HarnessOptions, clauses: Sequence[ContractClause] = ()
) -> tuple[FunctionSymbol, HarnessCode]:
    """The harness of the function, declared behind its file, and its code. What it assumes is recorded.

    clauses: of the contracts of all functions.
    """
    symbol, scope, harness = harness_of(unit, name, options, clauses)
    assert symbol.definition is not None
    coord = symbol.definition.decl.coord
    origin = Origin(coord.file, coord.line, coord.column or 1)
    declare_text(unit, scope, harness.text, f"<harness of {name}>", origin)
    unit.unchecked = harness.defined
    if clauses:  # conditions of contracts may access anything
        unit.unchecked -= {HARNESS}
    unit.assume("entry", name, harness.assumed, origin)
    made = scope.names[HARNESS]
    assert isinstance(made, FunctionSymbol) and made.definition is not None
    _at_clauses(made.definition, [clause for clause in clauses if symbol.definition.decl.name in clause.functions])
    file = unit.file_of(scope)
    assert file is not None
    return made, HarnessCode(harness.text, file.file, HARNESS, name)


def _at_clauses(harness: c_ast.Node, contract: Sequence[ContractClause]) -> None:
    """Gives the assertions of clauses in a harness the positions of the clauses, and their texts."""
    waiting = list(contract)
    for node in nodes_of(harness):
        if not isinstance(node, c_ast.FuncCall) or getattr(node.name, "name", "") != "__CPROVER_assert":
            continue
        text = string_of(arguments_of(node)[1])
        clause = next((clause for clause in waiting if text in (clause.kind, f"{clause.kind} {clause.text}")), None)
        if clause is None:
            continue
        waiting.remove(clause)
        node.name = c_ast.ID(CLAUSE_ASSERTION, node.name.coord)
        position = Coord(clause.origin.file, clause.origin.line, clause.origin.column)
        for part in nodes_of(node):
            part.coord = position


def declare_text(unit: Unit, scope: Scope, text: str, name: str, origin: Origin, own: str = "") -> c_ast.FuncDef | None:
    """Declares generated C code in the scope of a file; the definition of the function `own`, which is not declared.

    name: of the code, in coordinates. origin: of errors, which are Unsupported.
    """
    types = [known for known, meaning in scope.names.items() if isinstance(meaning, TypeName)]
    prelude = "".join(f"typedef int {known};" for known in types if known != "__builtin_va_list")
    try:
        tree, attributes = parse(f'{prelude}\n# 1 "{name}"\n{text}', "<types>", unit.model)
        definitions = [node for node in tree.ext if isinstance(node, c_ast.FuncDef) and node.decl.name == own]
        tree.ext = [node for node in tree.ext if node.coord is not None and node.coord.file == name]
        tree.ext = [node for node in tree.ext if node not in definitions]
        unit.attributes.update(attributes)
        unit.declare(unit, scope, tree)
    except SourceError as error:
        raise Unsupported(origin, f"generated code, {name.strip('<>')} ({error.message})") from None
    return definitions[0] if definitions else None


def standalone_harness(
    unit: Unit,
    sources: Sequence[SourceFile],
    name: str,
    options: HarnessOptions,
    clauses: Sequence[ContractClause] = (),
) -> str:
    """The text of a file that includes the function's own one, with the harness and main; for `chcverify harness`."""
    _, scope, harness = harness_of(unit, name, options, clauses)
    file = unit.file_of(scope)
    assert file is not None
    others = [source.path for source in sources if source.path != file.file and not source.only_contracts]
    flags = next(source.flags for source in sources if source.path == file.file)
    has_main = "main" in scope.names
    again = shlex.join(
        ["chcverify", *flags, "--undefined-functions", "havoc", "--volatile", "fresh", "HARNESS.c", *others]
    )
    lines = [
        f"/* The harness of {name}, which {harness.assumed}.",
        f"   {again}",
        "   gives the same verdict, but that it takes all variables at their initial values. */"
        if options.globals == "arbitrary"
        else "   gives the same verdict. */",
        *_of_other_files(unit, file, harness),
        *(["#define main main_of_program"] * has_main),
        f'#include "{file.file}"',
        *(["#undef main"] * has_main),
        "",
        harness.text,
        "int main(void)",
        "{",
        f"  {HARNESS}();",
        "  return 0;",
        "}",
        "",
    ]
    return "\n".join(lines)


def _of_other_files(unit: Unit, file: ProgramFile, harness: Harness) -> list[str]:
    """A comment about records that another file defines; none if there are none."""
    tags = [record.tag for record in harness.records if record.tag not in file.completed]
    keys = [unit.files.keys[tag] for tag in tags if tag in unit.files.keys]
    names = [" ".join(key) for key in keys if len(key) == 2]
    return [f"/* A compiler refuses it: {file.file} does not define {', '.join(names)}. */"] if names else []
