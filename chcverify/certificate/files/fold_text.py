"""The folds of a model as text: `(define-fun-rec f ((p S) ... (x T)) Int (ite ((_ is C1) x) case (... case)))`."""

import re
from collections.abc import Container, Sequence
from contextlib import suppress
from dataclasses import dataclass

import z3

from chcverify.certificate.files.text_parsing import error_at
from chcverify.certificate.model import Fold
from chcverify.terms.core.traversal import substitute
from chcverify.terms.printing.smtlib import Malformed, expressions, name_of, symbol, term_text

KEYWORD = "(define-fun-rec"


def fold_text(item: Fold) -> str:
    """The definition of one fold."""
    names = [f"c{i}" for i in range(len(item.formals))]
    pairs = [(f, z3.Const(n, f.sort())) for f, n in zip(item.formals, names, strict=True)]
    formals = " ".join(f"({n} {f.sort().sexpr()})" for n, (f, _) in zip(names, pairs, strict=True))
    body = term_text(substitute(item.body, pairs))
    return f"{KEYWORD} {symbol(item.name)} ({formals}) {item.function.range().sexpr()} {body})"


@dataclass(frozen=True)
class FoldTexts:
    """The parts of folds: name, formals with their sorts, sort of the values, body, each as text; and its position."""

    parts: Sequence[tuple[str, str, str, str, int]]

    def script(self) -> tuple[str, str]:
        """Declarations of the names, on one line, and for each fold an assertion that `folds` reads."""
        declared, asserted = [], []
        for name, formals, values, body, _ in self.parts:
            pairs = [_items(formal) for formal in _items(formals)]
            declared.append(f"(declare-fun {name} ({' '.join(sort for _, sort in pairs)}) {values})")
            application = f"({name} {' '.join(formal for formal, _ in pairs)})"
            asserted.append(f"(assert (forall {formals} (= {application} {body})))")
        return " ".join(" ".join(declared).split()), "\n".join(asserted)

    def folds(self, assertions: Sequence[z3.BoolRef], file: str, text: str) -> tuple[Fold, ...]:
        """What z3 read of the assertions; InputError for a body that is no chain of cases."""
        found = []
        for assertion, part in zip(assertions, self.parts, strict=True):
            fold = _fold(assertion) if isinstance(assertion, z3.QuantifierRef) else None
            if fold is None:
                raise error_at(file, text, part[4], f"{name_of(part[0])} is not defined by a case for each constructor")
            found.append(fold)
        return tuple(found)


def _fold(assertion: z3.QuantifierRef) -> Fold | None:
    count = assertion.num_vars()
    function = assertion.body().arg(0).decl()
    formals = [z3.Const(f"${i}", assertion.var_sort(i)) for i in range(count)]
    body = z3.substitute_vars(assertion.body().arg(1), *reversed(formals))
    folded = formals[-1]
    if not isinstance(folded.sort(), z3.DatatypeSortRef):
        return None
    cases = []
    for number in range(folded.sort().num_constructors() - 1):
        if not z3.is_app_of(body, z3.Z3_OP_ITE) or not body.arg(0).eq(folded.sort().recognizer(number)(folded)):
            return None
        cases.append(body.arg(1))
        body = body.arg(2)
    return Fold(function, tuple(formals), (*cases, body))


def split_folds(text: str, reserved: Container[str]) -> tuple[FoldTexts, str]:
    """The definitions by `define-fun-rec` of numbers, and the text with blanks in their places.

    What is no such definition stays in the text, and so does all of a text whose parentheses do not balance.
    """
    if KEYWORD not in text:
        return FoldTexts(()), text
    parts, pieces, position = [], [], 0
    with suppress(Malformed):
        for start, end in recursive_definitions(text):
            items = _items(text[start:end])
            if len(items) != 5 or items[3] == "Bool" or name_of(items[1]) in reserved or not are_formals(items[2]):
                continue
            pieces += [text[position:start], re.sub(r"[^\n]", " ", text[start:end])]
            position = end
            parts.append((items[1], items[2], items[3], items[4], start))
    pieces.append(text[position:])
    return FoldTexts(parts), "".join(pieces)


def recursive_definitions(text: str) -> list[tuple[int, int]]:
    """Where the definitions by `define-fun-rec` are, at the top or in the one list that is; Malformed."""
    spans = []
    for start, end in expressions(text):
        if text.startswith(KEYWORD, start):
            spans.append((start, end))
        elif text[start] == "(" and not text.startswith("(define-fun", start):
            inner = expressions(text, start + 1, end - 1)
            spans += [(a, b) for a, b in inner if text.startswith(KEYWORD, a)]
    return spans


def are_formals(text: str) -> bool:
    """True if the text is a list of pairs."""
    return text.startswith("(") and all(item.startswith("(") and len(_items(item)) == 2 for item in _items(text))


def _items(text: str) -> list[str]:
    """The parts of a list."""
    return [text[slice(*span)] for span in expressions(text, 1, len(text) - 1)]
