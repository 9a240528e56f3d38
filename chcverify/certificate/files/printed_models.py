"""Models as solvers print them: the definitions in a text, in an order in which each uses earlier ones only.

z3 (Spacer) prints a list in parentheses, Golem definitions one after another, Eldarica either; older versions write
`model` in front of the list. `sat` and lines of warnings may come first. Definitions may use later ones.
"""

import re
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from chcverify.certificate.files.text_parsing import error_at
from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass
from chcverify.terms.printing.smtlib import Malformed, elements, expressions, name_of, position_of, without_quotes

_KEYWORDS = ("define-fun", "define-fun-rec")
_WRITTEN = re.compile(r"\S")
_REMARK = re.compile(r"(?:warning|theories)\b[^\n]*", re.IGNORECASE)
_TOKEN = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||[^\s()|";]+')
_ANSWERS = ("unsat", "unknown", "timeout")


@dataclass(frozen=True)
class PrintedDefinition:
    """The definition at text[start:end]. sorts: of its formals, result: of its body, with single blanks."""

    start: int
    end: int
    name: str
    names: tuple[str, ...]
    sorts: tuple[str, ...]
    result: str


@dataclass(frozen=True)
class PrintedModel:
    """Definitions by name. script: z3 can read it, each definition after those that it uses."""

    definitions: Mapping[str, PrintedDefinition]
    script: str
    _text: str
    _order: Sequence[PrintedDefinition]

    def original(self, error: InputError) -> InputError:
        """The error at a position of the script, at its position in the text."""
        first = 1
        for definition in self._order:
            lines = self._text.count("\n", definition.start, definition.end) + 1
            if first <= error.line < first + lines:
                line, column = position_of(self._text, definition.start)
                more = column - 1 if error.line == first else 0
                return InputError(error.file, line + error.line - first, error.column + more, error.message)
            first += lines
        return InputError(error.file, 0, 0, error.message)


def printed_model(text: str, file: str) -> PrintedModel:
    """The model in a text; InputError with line and column for what is none."""
    try:
        found = [_definition(text, start, end, file) for start, end in _spans(text, file)]
    except Malformed as error:
        raise error_at(file, text, error.position, str(error)) from None
    definitions: dict[str, PrintedDefinition] = {}
    for definition in found:
        if definition.name in definitions:
            raise error_at(file, text, definition.start, f"{definition.name} is defined twice")
        definitions[definition.name] = definition
    order = _ordered(text, definitions, file)
    script = "\n".join(_plain(text[definition.start : definition.end]) for definition in order)
    return PrintedModel(definitions, script, text, order)


def _spans(text: str, file: str) -> list[tuple[int, int]]:
    """Where the definitions should be: at the top or in lists."""
    plain = without_quotes(text)
    position, keep, count = 0, [], 0
    while (first := _WRITTEN.search(plain, position)) is not None:
        start, count = first.start(), count + 1
        if text[start] == "(" and not text.startswith("(define-fun", start):
            inner, position = elements(plain, start)
            keep += inner[1:] if inner and text[slice(*inner[0])] == "model" else inner
            continue
        start, position = next(expressions(plain, start))
        if text[start] == "(":
            keep.append((start, position))
        elif remark := _REMARK.match(text, start):
            position = remark.end()
            if '"' in remark.group() or "|" in remark.group():  # it begins nothing
                plain = plain[:position] + without_quotes(text[position:])
        elif text[start:position] in _ANSWERS:
            raise error_at(file, text, start, f"no model: the solver's answer is {text[start:position]}")
        elif text[start:position] != "sat":
            raise error_at(file, text, start, f"a model cannot contain {text[start:position][:40]!r} here")
    if not count:
        raise InputError(file, 0, 0, "no model: the text is empty")
    return keep


def _definition(text: str, start: int, end: int, file: str) -> PrintedDefinition:
    """The (define-fun ...) at text[start:end]."""
    if text[start] != "(":
        raise error_at(file, text, start, f"a definition was expected, not {text[start:end][:40]!r}")
    items = expressions(text, start + 1, end - 1)
    head = [text[slice(*item)] for _, item in zip(range(4), items, strict=False)]
    if len(head) < 4 or head[0] not in _KEYWORDS or not head[2].startswith("("):
        raise error_at(file, text, start, f"only define-fun can stand in a model, not {(head or ['()'])[0][:40]!r}")
    if sum(1 for _ in items) != 1:
        raise error_at(file, text, start, f"the definition of {head[1]} needs exactly one body")
    names, sorts = [], []
    for a, b in expressions(head[2], 1, len(head[2]) - 1):
        parts = [head[2][slice(*part)] for part in expressions(head[2], a + 1, b - 1)] if head[2][a] == "(" else []
        names.append(name_of(parts[0]) if parts else "")
        sorts.append(sort_text(" ".join(parts[1:])))
    return PrintedDefinition(start, end, name_of(head[1]), tuple(names), tuple(sorts), sort_text(head[3]))


def sort_text(text: str) -> str:
    """The text of a sort with single blanks, and without bars around names that need none."""
    words = re.findall(r"[()]|\|[^|]*\||[^\s()|]+", text)
    return " ".join(name_of(word) for word in words).replace("( ", "(").replace(" )", ")")


def _ordered(text: str, definitions: Mapping[str, PrintedDefinition], file: str) -> Sequence[PrintedDefinition]:
    """In the order of the text, but for definitions that others before them use; InputError for recursion."""
    uses: dict[str, list[str]] = {}
    for name, definition in definitions.items():
        written = dict.fromkeys(_TOKEN.findall(text, definition.start, definition.end)[2:])
        tokens = dict.fromkeys(map(name_of, written))
        uses[name] = [token for token in tokens if token in definitions and token not in definition.names]
    try:
        return [definitions[name] for name in TopologicalSorter(uses).static_order()]
    except CycleError as error:
        cycle = list(dict.fromkeys(error.args[1]))
        names = " and ".join(sorted(cycle))
        message = f"{names} {'are' if len(cycle) > 1 else 'is'} recursive: only other definitions can be checked"
        raise error_at(file, text, min(definitions[name].start for name in cycle), message) from None


def _plain(definition: str) -> str:
    """The definition by define-fun; what is not recursive needs no define-fun-rec."""
    return re.sub(r"\A\((\s*)define-fun-rec\b", r"(\1define-fun    ", definition)
