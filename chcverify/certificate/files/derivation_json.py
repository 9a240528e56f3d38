"""Derivations as JSON: written, and read for a system. What is read is still to be checked."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Link, Step
from chcverify.certificate.files.text_parsing import parse
from chcverify.effort import MAX_COMPARED
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem
from chcverify.terms.printing.binders import fresh, has_binder, rename_bound
from chcverify.terms.printing.smtlib import INLINE_CHARACTERS, Malformed, declarations, expressions, term_text

FORMAT = "chcverify-derivation"
VERSION = 1
VERSION_WITH_CYCLES = 2
# 3 and 4 are derivations in certificates of endless runs.
VERSION_WITH_STORES = 5
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
    In version 5 an array of "values" may be {"of": value, "stores": [[value, value], ...]}: an earlier value with
    indices at which it holds something else, one after the other. A run that fills an array takes no more text than
    steps.
    version, more: of a format that adds entries, and these; they come first. There arrays are written as a whole.
    """
    writer = _DerivationWriter(system, shares_stores=version is None)
    lines = [json.dumps(writer.step(step)) for step in derivation.steps]
    has_cycles = any(isinstance(step, Cycle) for step in derivation.steps)
    if version is None and any(isinstance(value, dict) for value in writer.table):
        version = VERSION_WITH_STORES
    elif version is None:
        version = VERSION_WITH_CYCLES if has_cycles else VERSION
    header = json.dumps({"format": FORMAT, "version": version, **(more or {})})[:-1]
    values = ",\n".join(map(json.dumps, writer.table))
    steps = ",\n".join(lines)
    return f'{header},\n"values": [{values}],\n"steps": [\n{steps}\n]}}\n'


class _DerivationWriter:
    """table: the long values so far. shares_stores: arrays may be written as stores into earlier ones."""

    def __init__(self, system: HornSystem, shares_stores: bool) -> None:
        self.system, self._shares_stores = system, shares_stores
        self.table: list[str | dict[str, Any]] = []
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
        if key not in self._written and (stores := self._as_stores(term, name)) is not None:
            self.table.append(stores)
            self._written[key] = len(self.table) - 1
        if key not in self._written:
            named = term if variable is None else z3.substitute(term, (variable, z3.Int(name)))
            text = term_text(named)
            if has_binder(text):  # under bound names that capture nothing
                text = term_text(rename_bound(named, fresh("q!", self._symbols)))
            text = " ".join(text.split())
            if len(text) > INLINE_CHARACTERS:
                self.table.append(text)
            self._written[key] = len(self.table) - 1 if len(text) > INLINE_CHARACTERS else text
        return self._written[key]

    def _as_stores(self, term: z3.ExprRef, name: str) -> dict[str, Any] | None:
        """The array as stores into a long one that was written before; None where there is none."""
        if not self._shares_stores or name:
            return None
        array, stores = term, list[z3.ExprRef]()
        while z3.is_store(array) and array.num_args() == 3 and len(stores) < MAX_COMPARED:
            stores.append(array)
            array = array.arg(0)
            before = self._written.get((array.get_id(), name))
            if isinstance(before, int):
                parts = [[self._value(part, None, name) for part in store.children()[1:]] for store in stores[::-1]]
                return {"of": before, "stores": parts}
        return None


# Reading --------------------------------------------------------------------------------------------------------------


def derivation_from_text(system: HornSystem, text: str, file: str = "derivation") -> Derivation:
    """The derivation of a text that `derivation_to_text` wrote; InputError if it is none of this system.

    All distinct values are parsed together and simplified to z3's normal form of values; families and lambdas stay.
    """
    table, steps = _load(text, file)
    reader = _DerivationReader(system, table, file)
    builds = [reader.step(fields, number) for number, fields in enumerate(steps)]
    terms = _values(reader.written, reader.sorts, reader.variables, file)
    return Derivation(tuple(build(terms) for build in builds))


Build = Callable[[Sequence[z3.ExprRef]], Step | Cycle]
"""A step, once all values are parsed."""


def _load(text: str, file: str) -> tuple[list[str | dict[str, Any]], list[Any]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        raise InputError(file, line, column, f"no JSON: {getattr(error, 'msg', error)}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(file, 0, 0, f'not a derivation: "format" must be "{FORMAT}"')
    if data.get("version") not in _VERSIONS:
        known = ", ".join(map(str, _VERSIONS))
        raise InputError(file, 0, 0, f"version {data.get('version')} of the format is unknown; this reads {known}")
    table, steps = data.get("values", []), data.get("steps")
    has_stores = data["version"] == VERSION_WITH_STORES
    if not isinstance(table, list) or not all(
        isinstance(value, str) or (has_stores and _is_stores(value, number)) for number, value in enumerate(table)
    ):
        raise InputError(file, 0, 0, '"values" must be a list of texts, and of stores into earlier ones')
    if not isinstance(steps, list):
        raise InputError(file, 0, 0, '"steps" must be a list')
    return table, steps


@dataclass(frozen=True)
class _Stores:
    """An array as stores into another one; numbers of distinct values."""

    of: int
    pairs: tuple[tuple[int, int], ...]
    """Indices and what is stored there, in this order."""


class _DerivationReader:
    """Collects the distinct values, by what is written and their sorts, and the names of cycles' variables."""

    def __init__(self, system: HornSystem, table: Sequence[str | dict[str, Any]], file: str) -> None:
        self.system, self.table, self.file = system, table, file
        self.written: list[str | _Stores] = []
        self.sorts: list[z3.SortRef] = []
        self.variables: set[str] = set()
        self._known: dict[tuple[int, str | int], int] = {}

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
        """The index among the distinct values of a text, or of what is in the table."""
        waiting: list[int] = []  # arrays, each written as stores into the next one
        while (stores := self._stores(value, where)) is not None and (sort.get_id(), value) not in self._known:
            waiting.append(value)
            value = stores["of"]
        number = self._text_value(value, sort, where)
        for entry in reversed(waiting):
            stores = self._stores(entry, where)
            if stores is None or sort.kind() != z3.Z3_ARRAY_SORT:
                raise self._error(f"{where}: stores where no array is expected")
            sorts = sort.domain(), sort.range()
            pairs = [tuple(map(self._value, pair, sorts, (where, where))) for pair in stores["stores"]]
            number = self._add((sort.get_id(), entry), _Stores(number, tuple((i, held) for i, held in pairs)), sort)
        return number

    def _stores(self, value: Any, where: str) -> dict[str, Any] | None:
        """What the table has at the index of an array that is written as stores; None of texts."""
        if not _is_index(value):
            return None
        if value >= len(self.table):
            raise self._error(f"{where}: there is no value {value}")
        found = self.table[value]
        return None if isinstance(found, str) else found

    def _text_value(self, value: Any, sort: z3.SortRef, where: str) -> int:
        """The index among the distinct values of a text or of a known array; value: a text, or an index."""
        if _is_index(value) and isinstance(self.table[value], str):
            value = self.table[value]
        if not isinstance(value, str) and not _is_index(value):
            raise self._error(f"{where}: a value must be a text or the index of one")
        key = (sort.get_id(), value)
        return self._known[key] if key in self._known else self._add(key, value, sort)

    def _add(self, key: tuple[int, str | int], written: str | _Stores, sort: z3.SortRef) -> int:
        self._known[key] = len(self.written)
        self.written.append(written)
        self.sorts.append(sort)
        return self._known[key]

    def _error(self, message: str) -> InputError:
        return InputError(self.file, 0, 0, message)


_VERSIONS = (VERSION, VERSION_WITH_CYCLES, VERSION_WITH_STORES)
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


def _is_stores(value: Any, number: int) -> bool:
    """True if a value is written as stores into an earlier one. number: its own."""
    if not isinstance(value, dict) or value.keys() != {"of", "stores"} or not isinstance(value["stores"], list):
        return False
    pairs = value["stores"]
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        return False
    parts = [value["of"], *(part for pair in pairs for part in pair)]
    return all(isinstance(part, str) or (_is_index(part) and part < number) for part in parts)


def _stored(array: z3.ExprRef, pairs: Iterable[tuple[z3.ExprRef, z3.ExprRef]]) -> z3.ExprRef:
    for index, held in pairs:
        array = z3.Store(array, index, held)
    return array


def _values(
    written: Sequence[str | _Stores], sorts: Sequence[z3.SortRef], variables: Iterable[str], file: str
) -> list[z3.ExprRef]:
    """The values, of which stores come behind what they are about; `_parse_values` has the other arguments."""
    numbers = [number for number, value in enumerate(written) if isinstance(value, str)]
    texts = [value for value in written if isinstance(value, str)]
    parsed = _parse_values(texts, [sorts[number] for number in numbers], variables, file)
    found = dict(zip(numbers, parsed, strict=True))
    for number, value in enumerate(written):
        if isinstance(value, _Stores):
            try:
                found[number] = _stored(found[value.of], [(found[index], found[held]) for index, held in value.pairs])
            except z3.Z3Exception as error:
                raise InputError(file, 0, 0, f"unusable stores: {error}") from None
    return [found[number] for number in range(len(written))]


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
