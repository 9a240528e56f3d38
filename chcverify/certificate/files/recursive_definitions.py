"""The text `(define-fun-rec name ((x S) ...) T body)` of SMT-LIB 2.6, with which files define folds and predicates."""

import re
from collections.abc import Callable, Container, Sequence
from contextlib import suppress

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import substitute
from chcverify.terms.printing.smtlib import Malformed, expressions, name_of, symbol, term_text

KEYWORD = "(define-fun-rec"


@dataclass(frozen=True, slots=True)
class RecursiveDefinition:
    """One definition, its parts as text."""

    name: str
    formals: str
    """The list of pairs."""
    sort: str
    """Of the values."""
    body: str
    start: int
    """Offset in the text."""

    def pairs(self) -> list[tuple[str, str]]:
        """The names of the formals with their sorts."""
        return [(name, sort) for name, sort in map(_items, _items(self.formals))]

    def declaration(self) -> str:
        """The function's declaration."""
        return f"(declare-fun {self.name} ({' '.join(sort for _, sort in self.pairs())}) {self.sort})"

    def assertion(self) -> str:
        """An assertion that a solver's parser reads: for all formals, the application equals the body."""
        names = " ".join(name for name, _ in self.pairs())
        if not names:
            return f"(assert (= {self.name} {self.body}))"
        return f"(assert (forall {self.formals} (= ({self.name} {names}) {self.body})))"


def definition_line(
    name: str, formals: Sequence[z3.ExprRef], names: Sequence[str], sort: z3.SortRef, body: z3.ExprRef
) -> str:
    """The text of the definition in which each formal has its name."""
    pairs = [(formal, z3.Const(text, formal.sort())) for formal, text in zip(formals, names, strict=True)]
    declared = " ".join(f"({text} {formal.sort().sexpr()})" for text, (formal, _) in zip(names, pairs, strict=True))
    return f"{KEYWORD} {symbol(name)} ({declared}) {sort.sexpr()} {term_text(substitute(body, pairs))})"


def script(definitions: Sequence[RecursiveDefinition]) -> tuple[str, str]:
    """Declarations of the names, on one line, and an assertion for each definition."""
    declared = " ".join(definition.declaration() for definition in definitions)
    return " ".join(declared.split()), "\n".join(definition.assertion() for definition in definitions)


def split_recursive_definitions(
    text: str, reserved: Container[str], is_wanted: Callable[[str], bool]
) -> tuple[tuple[RecursiveDefinition, ...], str]:
    """The definitions of names that are not reserved and whose sort is wanted; the text with blanks instead of them.

    What is no such definition stays in the text, and so does all of a text whose parentheses do not balance.
    """
    if KEYWORD not in text:
        return (), text
    definitions, pieces, position = [], [], 0
    with suppress(Malformed):
        for start, end in _recursive_spans(text):
            items = _items(text[start:end])
            if len(items) != 5 or not is_wanted(items[3]) or name_of(items[1]) in reserved or not _is_formals(items[2]):
                continue
            pieces += [text[position:start], re.sub(r"[^\n]", " ", text[start:end])]
            position = end
            definitions.append(RecursiveDefinition(items[1], items[2], items[3], items[4], start))
    pieces.append(text[position:])
    return tuple(definitions), "".join(pieces)


def _recursive_spans(text: str) -> list[tuple[int, int]]:
    """The spans of definitions by `define-fun-rec`, at the top level or in the one list that is there; Malformed."""
    spans = []
    for start, end in expressions(text):
        if text.startswith(KEYWORD, start):
            spans.append((start, end))
        elif text[start] == "(" and not text.startswith("(define-fun", start):
            inner = expressions(text, start + 1, end - 1)
            spans += [(a, b) for a, b in inner if text.startswith(KEYWORD, a)]
    return spans


def _is_formals(text: str) -> bool:
    """True if the text is a list of pairs."""
    return text.startswith("(") and all(item.startswith("(") and len(_items(item)) == 2 for item in _items(text))


def _items(text: str) -> list[str]:
    """The parts of a list."""
    return [text[slice(*span)] for span in expressions(text, 1, len(text) - 1)]
