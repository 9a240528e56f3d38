"""Reads Horn clauses: SMT-LIB 2 (logic HORN), and z3's rule dialect (declare-rel, declare-var, rule, query).

The text is cut into commands first, and only commands with a known meaning reach z3's parser: it silently skips what it
does not know, and rules and queries altogether. A rule becomes an assertion whose declared variables are universal; a
query for `p` becomes `not p`. What cannot be read as Horn clauses without changing its meaning is refused.
"""

import re
from bisect import bisect_right
from dataclasses import field
from pathlib import Path

import z3

from chcverify.errors import InputError
from chcverify.horn.io.clausify import Clausifier, NotHorn
from chcverify.horn.io.commands import Command, SmtLibText, commands, pieces
from chcverify.horn.io.free_constants import eliminate_constants
from chcverify.horn.io.symbol_roles import SymbolTable
from chcverify.horn.system import Clause, HornSystem, Origin, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.printing.smtlib import name_of

_DECLARING = {"declare-fun", "declare-const", "declare-rel"}
_KEPT = {"set-logic", "define-sort", "define-fun", "define-const", "declare-datatype", "declare-datatypes"}
_WITHOUT_EFFECT = {
    "set-info", "set-option", "check-sat", "get-model", "get-proof", "get-unsat-core", "get-info", "get-option",
    "get-assertions", "get-assignment", "get-value", "echo",
}  # fmt: skip
_UNSUPPORTED = {
    "declare-sort": "uninterpreted sorts are not supported",
    "define-fun-rec": "recursive functions are not supported",
    "define-funs-rec": "recursive functions are not supported",
}
_ERROR = re.compile(r'line (\d+) column (\d+): (.*?)\s*(?:"\)\s*?(?:\n|$)|$)', re.DOTALL)


def read_horn(path: str) -> HornSystem:
    """The Horn system of a file in either dialect. InputError (file, line, column, message) for unusable input."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(path, 0, 0, error.strerror or str(error)) from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return read_horn_text(text, path)


def read_horn_text(text: str, file: str) -> HornSystem:
    """The Horn system of a text in either dialect; `file` is for origins and errors."""
    script = _plan(SmtLibText(text.removeprefix("\ufeff"), file))
    formulas, declarations = _parse(script)
    return _system(script, formulas, declarations)


@dataclass
class _Script:
    """The contents of the commands. segments: parts of the text for z3's parser, each with its offset in the source."""

    source: SmtLibText
    segments: list[tuple[str, int]] = field(default_factory=list)
    assertions: list[tuple[Command, str]] = field(default_factory=list)
    declared: dict[str, tuple[Command, bool]] = field(default_factory=dict)
    variables: set[str] = field(default_factory=set)
    queries: list[tuple[Command, str]] = field(default_factory=list)

    def keep(self, start: int, end: int) -> None:
        self.segments.append((self.source.content[start:end], start))

    def formula(self, start: int, end: int, before: str, after: str, command: Command, name: str = "") -> None:
        """An assertion of part of the source, put between other text."""
        self.segments.append((before, command.start))
        self.keep(start, end)
        self.segments.append((after, end))
        self.assertions.append((command, name))


def _plan(source: SmtLibText) -> _Script:
    script = _Script(source)
    listed = commands(source)
    if not listed:
        raise InputError(source.file, 1, 1, "the file is empty: it contains no command")
    asked = ""
    for command in listed:
        name = command.name
        if name == "exit":
            break
        if asked and name in ("assert", "rule"):
            raise source.error(command.start, f"'{name}' after '{asked}' is not supported: one question for each file")
        asked = name if name in ("check-sat", "query") else asked
        _plan_command(script, command)
    return script


def _plan_command(script: _Script, command: Command) -> None:
    name, source = command.name, script.source
    if name == "assert":
        script.keep(command.start, command.end)
        script.assertions.append((command, ""))
    elif name in _DECLARING:
        _declare(script, command)
    elif name in _KEPT:
        script.keep(command.start, command.end)
    elif name == "declare-var":
        script.variables.add(name_of(_part(script, command, 1)))
        script.keep(command.start, command.end)
    elif name == "rule":
        parts = pieces(source, command)
        _part(script, command, 1)
        label = name_of(parts[2].text) if len(parts) > 2 and parts[2].text[0] not in ":(" else ""
        script.formula(parts[1].start, parts[1].end, "(assert ", ")", command, label)
    elif name == "query":
        _query(script, command)
    elif name in _UNSUPPORTED:
        raise source.error(command.start, f"'{name}': {_UNSUPPORTED[name]}")
    elif name not in _WITHOUT_EFFECT:
        raise source.error(command.start, f"unsupported command '{name}'")


def _part(script: _Script, command: Command, index: int) -> str:
    parts = pieces(script.source, command)
    if len(parts) <= index:
        raise script.source.error(command.start, f"incomplete command '{command.name}'")
    return parts[index].text


def _declare(script: _Script, command: Command) -> None:
    name = name_of(_part(script, command, 1))
    if name in script.declared:
        raise script.source.error(command.start, f"'{name}' is declared twice")
    nullary = command.name == "declare-const" or _part(script, command, 2)[1:-1].strip() == ""
    script.declared[name] = (command, nullary)
    script.keep(command.start, command.end)


def _query(script: _Script, command: Command) -> None:
    _part(script, command, 1)
    target = pieces(script.source, command)[1]
    name = name_of(target.text)
    if name in script.declared:
        script.queries.append((command, name))
    else:  # exists variables. formula, is it reachable? Hence the clause: formula => false
        script.formula(target.start, target.end, "(assert (not ", "))", command)


def _parse(script: _Script) -> tuple[list[z3.BoolRef], dict[str, z3.FuncDeclRef]]:
    """The assertions as terms, and what the names declared are.

    A declaration is found through a trivial assertion about its function, which is parsed along with the others.
    """
    probes = [
        f"(assert (= {term} {term}))\n"
        for name, (_, nullary) in script.declared.items()
        for term in [f"|{name}|" if nullary else f"(_ as-array |{name}|)"]
    ]
    whole = "\n".join([*(segment for segment, _ in script.segments), *probes])
    try:
        parsed = z3.parse_smt2_string(whole)
    except z3.Z3Exception as error:
        raise _syntax_error(script, whole, error) from None
    if len(parsed) != len(script.assertions) + len(probes):
        raise InputError(script.source.file, 0, 0, "z3 read another number of assertions than the file has")
    formulas = [parsed[i] for i in range(len(script.assertions))]
    declarations = {}
    for i, (name, (_, nullary)) in enumerate(script.declared.items()):
        term = parsed[len(formulas) + i].arg(0)
        declarations[name] = term.decl() if nullary else z3.get_as_array_func(term)
    return formulas, declarations


def _syntax_error(script: _Script, whole: str, error: z3.Z3Exception) -> InputError:
    """z3's first message with its position in the source. z3 counts columns from 1 in the first line, from 0 below."""
    message = error.value.decode("utf-8", "replace") if isinstance(error.value, bytes) else str(error.value)
    found = _ERROR.search(message)
    if found is None:
        return InputError(script.source.file, 0, 0, message.strip())
    line, column = int(found[1]), int(found[2])
    starts = [0, *(match.end() for match in re.finditer("\n", whole))]
    offset = starts[min(line, len(starts)) - 1] + column - (line == 1)
    begins, begin = [], 0
    for segment, _ in script.segments:
        begins.append(begin)
        begin += len(segment) + 1
    index = max(bisect_right(begins, offset) - 1, 0)
    segment, start = script.segments[index]
    inside = min(offset - begins[index], max(len(segment) - 1, 0))
    return script.source.error(start + inside, "; ".join(map(str.strip, found[3].splitlines())))


def _system(script: _Script, formulas: list[z3.BoolRef], declarations: dict[str, z3.FuncDeclRef]) -> HornSystem:
    source = script.source
    relations = [decl for decl in declarations.values() if decl.range().kind() == z3.Z3_BOOL_SORT]
    context = z3.main_ctx()
    table = SymbolTable(context, frozenset(script.variables), relations)
    places = script.assertions
    for formula, (command, _) in zip(formulas, places, strict=True):
        _add(table, formula, source, command)
    if table.constants:
        kept, rest = eliminate_constants(formulas, table)
        if rest is not None:
            command = script.declared[rest][0] if rest in script.declared else places[0][0]
            raise source.error(
                command.start,
                f"the constant '{rest}' is free: clauses have universally quantified variables only, and no assertion"
                " of the form (= constant value) fixes it",
            )
        places = [places[i] for i, _ in kept]
        formulas = [formula for _, formula in kept]
        table = SymbolTable(context, frozenset(script.variables), relations)
        for formula, (command, _) in zip(formulas, places, strict=True):
            _add(table, formula, source, command)
    return HornSystem(*_clauses(script, formulas, places, table))


def _add(table: SymbolTable, formula: z3.BoolRef, source: SmtLibText, command: Command) -> None:
    try:
        table.add(formula)
    except NotHorn as error:
        raise source.error(command.start, str(error)) from None


def _clauses(
    script: _Script, formulas: list[z3.BoolRef], places: list[tuple[Command, str]], table: SymbolTable
) -> tuple[tuple[Predicate, ...], tuple[Clause, ...]]:
    source = script.source
    symbols = table.symbols()
    clausifier = Clausifier(symbols)
    out: list[Clause] = []
    for formula, (command, name) in zip(formulas, places, strict=True):
        origin = Origin(source.file, *source.position(command.start))
        try:
            out += clausifier.clauses(formula.as_ast().value, origin, name)
        except NotHorn as error:
            raise source.error(command.start, str(error)) from None
    predicates = {predicate.name: predicate for predicate in symbols.predicates.values()}
    for command, name in script.queries:
        if name not in predicates:
            raise source.error(command.start, f"'{name}' is not a predicate")
        predicate = predicates[name]
        arguments = [z3.Const(f"x{i}", sort) for i, sort in enumerate(predicate.sorts)]
        origin = Origin(source.file, *source.position(command.start))
        out.append(Clause(None, (predicate(*arguments),), z3.BoolVal(True), origin, "query"))
    return tuple(predicates.values()), tuple(out)
