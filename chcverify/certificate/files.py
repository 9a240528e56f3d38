"""Certificates as text: models as SMT-LIB definitions, derivations as JSON.

The same texts are the files that users keep and what worker processes send. Reading never decides anything: what was
read is still to be checked.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.binders import rename_apart
from chcverify.terms.smtlib import (
    Malformed,
    benchmark,
    declarations,
    expressions,
    name_of,
    position_of,
    symbol,
    term_text,
)

FORMAT = "chcverify-derivation"
VERSION = 1
_INLINE = 48
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*\Z")
_INTEGER = re.compile(r"(?:\((-) )?(\d+)(?(1)\))\Z")
_Z3_ERROR = re.compile(r"line (\d+) column (\d+): (.*?)(?:\"\)|\\n|$)", re.DOTALL)


# Models ---------------------------------------------------------------------------------------------------------------


def model_to_text(system: HornSystem, model: Model) -> str:
    """The model as `(define-fun P ((x S) ...) Bool formula)`s in parentheses, in the order of the system's predicates.

    Predicates without interpretation are left out (the checker rejects such models).
    """
    parts = ["("]
    for predicate in system.predicates:
        if predicate not in model.interpretations:
            continue
        formula = model[predicate]
        names, renamed = rename_apart(formula, predicate.formals, _wishes(predicate), benchmark(formula))
        formals = " ".join(f"({symbol(n)} {s.sexpr()})" for n, s in zip(names, predicate.sorts, strict=True))
        parts.append(f"(define-fun {symbol(predicate.name)} ({formals}) Bool\n  {term_text(renamed)})")
    parts.append(")\n")
    return "\n".join(parts)


def _wishes(predicate: Predicate) -> list[str]:
    """The predicate's own names for its arguments where they are plain, with their position appended."""
    names = predicate.names if len(predicate.names) == predicate.arity else ("",) * predicate.arity
    return [f"{name if _PLAIN.match(name) else 'arg'}_{i}" for i, name in enumerate(names)]


def model_from_text(system: HornSystem, text: str, file: str = "model") -> Model:
    """The model that z3, Golem, Eldarica or `model_to_text` printed: `sat` or not, `model` or not, one list or many.

    Other definitions than those of the system's predicates are helpers: they are unfolded where they are used.
    Raises InputError for anything else than non-recursive definitions of the right signature.
    """
    body, defined = _definitions(text, file)
    wanted = [predicate for predicate in system.predicates if predicate.name in defined]
    prefix = "formal!"
    while prefix in text:
        prefix += "!"
    names: dict[str, z3.FuncDeclRef] = {f"{prefix}holds": z3.Function("holds", z3.BoolSort(), z3.BoolSort())}
    questions = []
    for predicate in wanted:
        arity, signature = defined[predicate.name]
        if arity != predicate.arity:
            raise _error(file, text, signature, f"{predicate.name} takes {predicate.arity} arguments, not {arity}")
        formals = [f"{prefix}{formal.sort().get_id()}!{i}" for i, formal in enumerate(predicate.formals)]
        names.update((name, formal.decl()) for name, formal in zip(formals, predicate.formals, strict=True))
        atom = f"({symbol(predicate.name)} {' '.join(formals)})" if formals else symbol(predicate.name)
        questions.append(f"(assert ({prefix}holds {atom}))")
    prelude = declarations(sort for predicate in system.predicates for sort in predicate.sorts)
    parsed = _parse(prelude, f"{body}\n" + "\n".join(questions), names, file)
    formulas = [assertion.arg(0) for assertion in parsed]
    return Model(dict(zip(wanted, formulas, strict=True)))


def _definitions(text: str, file: str) -> tuple[str, dict[str, tuple[int, int]]]:
    """The text with all but its definitions blanked, and for each defined name its arity and where it stands."""
    keep: list[tuple[int, int]] = []
    try:
        spans = list(expressions(text))
        for start, end in spans:
            if text[start] != "(":
                if text[start:end] != "sat":
                    raise _error(file, text, start, f"a model cannot contain {text[start:end][:40]!r} here")
            elif text.startswith("(define-fun", start):
                keep.append((start, end))
            else:
                inner = list(expressions(text, start + 1, end - 1))
                if inner and text[slice(*inner[0])] == "model":
                    del inner[0]
                keep.extend(inner)
        defined: dict[str, tuple[int, int]] = {}
        for start, end in keep:
            name, arity = _signature(text, start, end, file)
            if name in defined:
                raise _error(file, text, start, f"{name} is defined twice")
            defined[name] = (arity, start)
    except Malformed as error:
        raise _error(file, text, error.position, str(error)) from None
    if not spans:
        raise InputError(file, 0, 0, "no model: the text is empty")
    pieces, position = [], 0
    for start, end in keep:
        pieces.append(re.sub(r"[^\n]", " ", text[position:start]))
        pieces.append(text[start:end])
        position = end
    return "".join(pieces), defined


def _signature(text: str, start: int, end: int, file: str) -> tuple[str, int]:
    """Name and number of arguments of the (define-fun ...) at text[start:end]."""
    if text[start] != "(":
        raise _error(file, text, start, f"a definition was expected, not {text[start:end][:40]!r}")
    items = expressions(text, start + 1, end - 1)
    head = [text[slice(*item)] for _, item in zip(range(4), items, strict=False)]
    if len(head) < 4 or head[0] != "define-fun" or not head[2].startswith("("):
        raise _error(file, text, start, f"only define-fun can stand in a model, not {(head or ['()'])[0][:40]!r}")
    if sum(1 for _ in items) != 1:
        raise _error(file, text, start, f"the definition of {head[1]} needs exactly one body")
    return name_of(head[1]), sum(1 for _ in expressions(head[2], 1, len(head[2]) - 1))


def _error(file: str, text: str, offset: int, message: str) -> InputError:
    line, column = position_of(text, offset)
    return InputError(file, line, column, message)


def _parse(prelude: str, script: str, names: dict[str, z3.FuncDeclRef], file: str) -> list[z3.BoolRef]:
    """The assertions of the script after the prelude, a single line, so that z3's line numbers are the script's."""
    try:
        return list(z3.parse_smt2_string(f"{prelude} {script}", decls=names))
    except z3.Z3Exception as error:
        value = error.value.decode(errors="replace") if isinstance(error.value, bytes) else str(error.value)
        place = _Z3_ERROR.search(value)
        if place is None:
            raise InputError(file, 0, 0, " ".join(value.split())[:200]) from None
        line, column = int(place[1]), int(place[2])
        column -= len(prelude) + 1 if line == 1 else 0
        raise InputError(file, line, max(column, 1), " ".join(place[3].split())[:200]) from None


# Derivations ----------------------------------------------------------------------------------------------------------


def derivation_to_text(system: HornSystem, derivation: Derivation) -> str:
    """The derivation as JSON, one step a line: {"format", "version", "values": [text, ...], "steps": [step, ...]}.

    step: {"clause": index, "predicate": name (null for a query), "arguments": [value, ...], "premises": [index, ...]}.
    A value is SMT-LIB text, or, where that is long, its index in "values": repeated arrays are written once.
    """
    table: list[str] = []
    written: dict[int, str | int] = {}

    def value(term: z3.ExprRef) -> str | int:
        key = term.get_id()
        if key not in written:
            text = " ".join(term_text(term).split())
            if len(text) > _INLINE:
                table.append(text)
            written[key] = len(table) - 1 if len(text) > _INLINE else text
        return written[key]

    lines = []
    for step in derivation.ground_steps:
        head = system.clauses[step.clause].head
        fields = {
            "clause": step.clause,
            "predicate": None if head is None else head.predicate.name,
            "arguments": [value(argument) for argument in step.arguments],
            "premises": list(step.premises),
        }
        lines.append(json.dumps(fields))
    values = ",\n".join(map(json.dumps, table))
    steps = ",\n".join(lines)
    return f'{{"format": "{FORMAT}", "version": {VERSION},\n"values": [{values}],\n"steps": [\n{steps}\n]}}\n'


def derivation_from_text(system: HornSystem, text: str, file: str = "derivation") -> Derivation:
    """The derivation of a text that `derivation_to_text` wrote; InputError if it is none of this system.

    All distinct values are parsed together and simplified to z3's normal form of values.
    """
    table, steps = _load(text, file)
    values: dict[tuple[int, str], int] = {}
    sorts: list[z3.SortRef] = []
    rows: list[tuple[int, list[int], tuple[int, ...]]] = []
    for number, fields in enumerate(steps):
        clause, name, arguments, premises = _step_fields(fields, number, file)
        if clause >= len(system.clauses):
            raise InputError(file, 0, 0, f"step {number}: the system has no clause {clause}")
        head = system.clauses[clause].head
        expected = () if head is None else head.predicate.sorts
        if name != (None if head is None else head.predicate.name):
            raise InputError(file, 0, 0, f"step {number}: clause {clause} does not derive {name}")
        if len(arguments) != len(expected):
            raise InputError(file, 0, 0, f"step {number}: {len(expected)} arguments expected, not {len(arguments)}")
        row = []
        for sort, argument in zip(expected, arguments, strict=True):
            if isinstance(argument, int) and not 0 <= argument < len(table):
                raise InputError(file, 0, 0, f"step {number}: there is no value {argument}")
            key = (sort.get_id(), table[argument] if isinstance(argument, int) else argument)
            if key not in values:
                values[key] = len(sorts)
                sorts.append(sort)
            row.append(values[key])
        rows.append((clause, row, premises))
    terms = _parse_values([key[1] for key in values], sorts, file)
    return Derivation(tuple(Step(clause, tuple(terms[i] for i in row), premises) for clause, row, premises in rows))


def _load(text: str, file: str) -> tuple[list[str], list[Any]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        raise InputError(file, line, column, f"no JSON: {getattr(error, 'msg', error)}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(file, 0, 0, f'not a derivation: "format" must be "{FORMAT}"')
    if data.get("version") != VERSION:
        raise InputError(file, 0, 0, f"version {data.get('version')} of the format is unknown; this reads {VERSION}")
    table, steps = data.get("values", []), data.get("steps")
    if not isinstance(table, list) or not all(isinstance(value, str) for value in table):
        raise InputError(file, 0, 0, '"values" must be a list of texts')
    if not isinstance(steps, list):
        raise InputError(file, 0, 0, '"steps" must be a list')
    return table, steps


def _step_fields(fields: Any, number: int, file: str) -> tuple[int, str | None, list[str | int], tuple[int, ...]]:
    try:
        clause, name, arguments, premises = (fields[k] for k in ("clause", "predicate", "arguments", "premises"))
        well_formed = (
            _is_index(clause)
            and (name is None or isinstance(name, str))
            and isinstance(arguments, list)
            and all(isinstance(argument, str) or _is_index(argument) for argument in arguments)
            and isinstance(premises, list)
            and all(map(_is_index, premises))
        )
    except (KeyError, TypeError, IndexError):
        well_formed = False
    if not well_formed:
        message = f"step {number} must have clause, predicate, arguments and premises, indices from 0"
        raise InputError(file, 0, 0, message)
    return clause, name, arguments, tuple(premises)


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _parse_values(texts: Sequence[str], sorts: Sequence[z3.SortRef], file: str) -> list[z3.ExprRef]:
    """Each text as a value of its sort: integers directly, all others in one call of z3's parser."""
    values: dict[int, z3.ExprRef] = {}
    names, asked, script = {}, [], []
    for index, (text, sort) in enumerate(zip(texts, sorts, strict=True)):
        if sort.kind() == z3.Z3_INT_SORT and (integer := _INTEGER.match(text)):
            values[index] = z3.IntVal(f"{'-' if integer[1] else ''}{integer[2]}")
            continue
        try:
            spans = list(expressions(text))
        except Malformed:
            spans = []
        if len(spans) != 1:
            raise InputError(file, 0, 0, f"not one value: {text[:80]!r}")
        name = f"value!{sort.get_id()}"
        names[name] = z3.Function("value", sort, z3.BoolSort())
        asked.append(index)
        script.append(f"(assert ({name} {text}))")
    try:
        parsed = _parse(declarations(sorts), "\n".join(script), names, file)
    except InputError as error:
        near = texts[asked[error.line - 1]][:80] if 0 < error.line <= len(asked) else ""
        raise InputError(file, 0, 0, f"unusable value {near!r}: {error.message}") from None
    for index, assertion in zip(asked, parsed, strict=True):
        term = assertion.arg(0)
        if z3.is_app_of(term, z3.Z3_OP_TO_INT):  # z3 rounds where SMT-LIB has an error
            raise InputError(file, 0, 0, f"unusable value {texts[index][:80]!r}: an integer is expected")
        values[index] = z3.simplify(term)
    return [values[index] for index in range(len(texts))]
