"""Derivations as JSON: written, and read for a system. What is read is still to be checked."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Link, Step
from chcverify.certificate.files.text_parsing import parse
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem
from chcverify.terms.printing.binders import fresh, has_binder, rename_bound
from chcverify.terms.printing.smtlib import Malformed, declarations, expressions, term_text

FORMAT = "chcverify-derivation"
VERSION = 1
VERSION_WITH_CYCLES = 2
_INLINE = 48
_INTEGER = re.compile(r"(?:\((-) )?(\d+)(?(1)\))\Z")
_WORDS = re.compile(r"[^()\s|]+")
_NAME = re.compile(r"n(?:!\d+)?\Z")


# Writing --------------------------------------------------------------------------------------------------------------


def derivation_to_text(
    system: HornSystem, derivation: Derivation, version: int | None = None, more: Mapping[str, Any] | None = None
) -> str:
    """The derivation as JSON, one step a line: {"format", "version", "values": [text, ...], "steps": [step, ...]}.

    step: {"clause": index, "predicate": name (null for a query), "arguments": [value, ...], "premises": [index, ...]};
    or {"cycle": name of n, "count", "start": index, "links": [link, ...]}, where a link is as a step, with null for the
    fact before it in the cycle, and "values": [[name of a variable, sort, value], ...]. A value is SMT-LIB text, or,
    where that is long, its index in "values" of the whole: repeated arrays are written once. Without cycles version 1.
    version, more: of a format that adds entries, and these; they come first.
    """
    writer = _DerivationWriter(system)
    lines = [json.dumps(writer.step(step)) for step in derivation.steps]
    has_cycles = any(isinstance(step, Cycle) for step in derivation.steps)
    if version is None:
        version = VERSION_WITH_CYCLES if has_cycles else VERSION
    header = json.dumps({"format": FORMAT, "version": version, **(more or {})})[:-1]
    values = ",\n".join(map(json.dumps, writer.table))
    steps = ",\n".join(lines)
    return f'{header},\n"values": [{values}],\n"steps": [\n{steps}\n]}}\n'


class _DerivationWriter:
    """table: the long values so far."""

    def __init__(self, system: HornSystem) -> None:
        self.system = system
        self.table: list[str] = []
        self._written: dict[tuple[int, str], str | int] = {}
        self._symbols = declarations(sort for predicate in system.predicates for sort in predicate.sorts)

    def step(self, step: Step | Cycle) -> dict[str, Any]:
        if isinstance(step, Step):
            return self._use(step)
        name = self._name(step)
        return {
            "cycle": name,
            "count": step.count,
            "start": step.start,
            "links": [
                {
                    **self._use(link, step.variable, name),
                    "values": [
                        [str(variable.decl().name()), variable.sort().sexpr(), self._value(value, step.variable, name)]
                        for variable, value in link.values
                    ],
                }
                for link in step.links
            ],
        }

    def _use(self, use: Step | Link, variable: z3.ExprRef | None = None, name: str = "") -> dict[str, Any]:
        head = self.system.clauses[use.clause].head
        return {
            "clause": use.clause,
            "predicate": None if head is None else head.predicate.name,
            "arguments": [self._value(argument, variable, name) for argument in use.arguments],
            "premises": list(use.premises),
        }

    def _name(self, cycle: Cycle) -> str:
        """A name for the cycle's variable that nothing else has: n, n!1, n!2, ..."""
        taken = {str(v.decl().name()) for link in cycle.links for v in self.system.clauses[link.clause].variables}
        taken.update(predicate.name for predicate in self.system.predicates)
        taken.update(_WORDS.findall(self._symbols))
        name, count = "n", 0
        while name in taken:
            count += 1
            name = f"n!{count}"
        return name

    def _value(self, term: z3.ExprRef, variable: z3.ExprRef | None, name: str) -> str | int:
        key = (term.get_id(), name)  # of terms that the derivation keeps alive
        if key not in self._written:
            named = term if variable is None else z3.substitute(term, (variable, z3.Int(name)))
            text = term_text(named)
            if has_binder(text):  # under bound names that capture nothing
                text = term_text(rename_bound(named, fresh("q!", self._symbols)))
            text = " ".join(text.split())
            if len(text) > _INLINE:
                self.table.append(text)
            self._written[key] = len(self.table) - 1 if len(text) > _INLINE else text
        return self._written[key]


# Reading --------------------------------------------------------------------------------------------------------------


def derivation_from_text(system: HornSystem, text: str, file: str = "derivation") -> Derivation:
    """The derivation of a text that `derivation_to_text` wrote; InputError if it is none of this system.

    All distinct values are parsed together and simplified to z3's normal form of values; families and lambdas stay.
    """
    table, steps = _load(text, file)
    reader = _DerivationReader(system, table, file)
    builds = [reader.step(fields, number) for number, fields in enumerate(steps)]
    terms = _parse_values(reader.texts, reader.sorts, reader.variables, file)
    return Derivation(tuple(build(terms) for build in builds))


Build = Callable[[Sequence[z3.ExprRef]], Step | Cycle]
"""A step, once all values are parsed."""


def _load(text: str, file: str) -> tuple[list[str], list[Any]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        raise InputError(file, line, column, f"no JSON: {getattr(error, 'msg', error)}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(file, 0, 0, f'not a derivation: "format" must be "{FORMAT}"')
    if data.get("version") not in (VERSION, VERSION_WITH_CYCLES):
        known = f"{VERSION} and {VERSION_WITH_CYCLES}"
        raise InputError(file, 0, 0, f"version {data.get('version')} of the format is unknown; this reads {known}")
    table, steps = data.get("values", []), data.get("steps")
    if not isinstance(table, list) or not all(isinstance(value, str) for value in table):
        raise InputError(file, 0, 0, '"values" must be a list of texts')
    if not isinstance(steps, list):
        raise InputError(file, 0, 0, '"steps" must be a list')
    return table, steps


class _DerivationReader:
    """Collects the distinct values, by their texts and sorts, and the names of cycles' variables."""

    def __init__(self, system: HornSystem, table: Sequence[str], file: str) -> None:
        self.system, self.table, self.file = system, table, file
        self.texts: list[str] = []
        self.sorts: list[z3.SortRef] = []
        self.variables: set[str] = set()
        self._known: dict[tuple[int, str], int] = {}

    def step(self, fields: Any, number: int) -> Build:
        where = f"step {number}"
        if isinstance(fields, dict) and "cycle" in fields:
            return self._cycle(fields, where)
        clause, arguments, open_premises = self._use(fields, where)
        premises = tuple(premise for premise in open_premises if premise is not None)
        if len(premises) < len(open_premises):
            raise self._error(f"{where} must have clause, predicate, arguments and premises, indices from 0")
        return lambda terms: Step(clause, tuple(terms[i] for i in arguments), premises)

    def _cycle(self, fields: dict[str, Any], where: str) -> Build:
        name, links = fields["cycle"], fields.get("links")
        count, start = fields.get("count", 0), fields.get("start", -1)
        if not isinstance(name, str) or not _NAME.match(name):
            raise self._error(f'{where}: "cycle" must name a variable')
        if not _is_index(count) or not _is_index(start) or not isinstance(links, list):
            raise self._error(f"{where}: a cycle must have count and start, from 0, and a list of links")
        self.variables.add(name)
        read = [self._link(link, f"{where}, link {position}") for position, link in enumerate(links)]
        return lambda terms: Cycle(z3.Int(name), count, start, tuple(link(terms) for link in read))

    def _link(self, fields: Any, where: str) -> Callable[[Sequence[z3.ExprRef]], Link]:
        clause, arguments, premises = self._use(fields, where)
        given = fields.get("values", [])
        if not isinstance(given, list) or not all(isinstance(item, list) and len(item) == 3 for item in given):
            raise self._error(f'{where}: "values" must list name, sort and value')
        variables = {(str(v.decl().name()), v.sort().sexpr()): v for v in self.system.clauses[clause].variables}
        values = []
        for name, sort, value in given:
            variable = variables.get((name, sort)) if isinstance(name, str) and isinstance(sort, str) else None
            if variable is None:
                raise self._error(f"{where}: clause {clause} has no variable {name} of sort {sort}")
            values.append((variable, self._value(value, variable.sort(), where)))
        return lambda terms: Link(
            clause, tuple(terms[i] for i in arguments), premises, tuple((v, terms[i]) for v, i in values)
        )

    def _use(self, fields: Any, where: str) -> tuple[int, list[int], tuple[int | None, ...]]:
        """Clause, arguments as indices of values, and premises, of a step or link."""
        if not _is_use(fields):
            raise self._error(f"{where} must have clause, predicate, arguments and premises, indices from 0")
        clause, name, arguments, premises = (fields[k] for k in _USE_FIELDS)
        if clause >= len(self.system.clauses):
            raise self._error(f"{where}: the system has no clause {clause}")
        head = self.system.clauses[clause].head
        if name != (None if head is None else head.predicate.name):
            raise self._error(f"{where}: clause {clause} does not derive {name}")
        sorts = () if head is None else head.predicate.sorts
        if len(arguments) != len(sorts):
            raise self._error(f"{where}: {len(sorts)} arguments expected, not {len(arguments)}")
        values = [self._value(argument, sort, where) for argument, sort in zip(arguments, sorts, strict=True)]
        return clause, values, tuple(premises)

    def _value(self, value: Any, sort: z3.SortRef, where: str) -> int:
        """The index among the distinct values of a text, or of one in the table."""
        if _is_index(value):
            if value >= len(self.table):
                raise self._error(f"{where}: there is no value {value}")
            value = self.table[value]
        if not isinstance(value, str):
            raise self._error(f"{where}: a value must be a text or the index of one")
        key = (sort.get_id(), value)
        if key not in self._known:
            self._known[key] = len(self.texts)
            self.texts.append(value)
            self.sorts.append(sort)
        return self._known[key]

    def _error(self, message: str) -> InputError:
        return InputError(self.file, 0, 0, message)


_USE_FIELDS = ("clause", "predicate", "arguments", "premises")


def _is_use(fields: Any) -> bool:
    """True if the object has the fields of a step or link, each of the right type."""
    try:
        clause, name, arguments, premises = (fields[k] for k in _USE_FIELDS)
    except (KeyError, TypeError, IndexError):
        return False
    if not _is_index(clause) or not (name is None or isinstance(name, str)):
        return False
    if not isinstance(arguments, list) or not isinstance(premises, list):
        return False
    return all(premise is None or _is_index(premise) for premise in premises)


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _parse_values(
    texts: Sequence[str], sorts: Sequence[z3.SortRef], variables: Iterable[str], file: str
) -> list[z3.ExprRef]:
    """Each text as a value of its sort: integers directly, all others in one call of z3's parser.

    variables: the names of integer variables that may occur.
    """
    values: dict[int, z3.ExprRef] = {}
    names = {name: z3.Int(name).decl() for name in variables}
    asked, script = [], []
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
        parsed = parse(declarations(sorts), "\n".join(script), names, file)
    except InputError as error:
        near = texts[asked[error.line - 1]][:80] if 0 < error.line <= len(asked) else ""
        raise InputError(file, 0, 0, f"unusable value {near!r}: {error.message}") from None
    for index, assertion in zip(asked, parsed, strict=True):
        term = assertion.arg(0)
        if z3.is_app_of(term, z3.Z3_OP_TO_INT):  # z3 rounds where SMT-LIB has an error
            raise InputError(file, 0, 0, f"unusable value {texts[index][:80]!r}: an integer is expected")
        is_plain = not has_binder(texts[index]) and names.keys().isdisjoint(_WORDS.findall(texts[index]))
        values[index] = z3.simplify(term) if is_plain else term
    return [values[index] for index in range(len(texts))]
