"""The definitions of a model as text: `(define-fun-rec h ((x S) ...) Bool (forall (...) formula))`."""

import re
from collections.abc import Container, Sequence
from contextlib import suppress
from dataclasses import dataclass

import z3

from chcverify.certificate.files.fold_text import KEYWORD, are_formals, recursive_definitions
from chcverify.certificate.model import Definition
from chcverify.horn.system import Predicate
from chcverify.terms.core.traversal import substitute
from chcverify.terms.printing.binders import fresh
from chcverify.terms.printing.smtlib import Malformed, expressions, name_of, symbol, term_text


def definition_text(definition: Definition) -> str:
    """The definition on its own, with names for its formals that differ from those of what it quantifies.

    Formulas with other quantifiers than one in front are none that a checker accepts, and may be printed wrongly.
    """
    predicate, body = definition.predicate, definition.body
    bound = {str(body.var_name(i)) for i in range(body.num_vars())} if z3.is_quantifier(body) else set()
    prefix = fresh("c", " ".join(bound))
    names = [f"{prefix}{i}" for i in range(predicate.arity)]
    pairs = [(f, z3.Const(n, f.sort())) for f, n in zip(predicate.formals, names, strict=True)]
    formals = " ".join(f"({n} {f.sort().sexpr()})" for n, (f, _) in zip(names, pairs, strict=True))
    text = term_text(substitute(body, pairs))
    return f"{KEYWORD} {symbol(predicate.name)} ({formals}) Bool {text})"


@dataclass(frozen=True)
class DefinitionTexts:
    """The parts of definitions: name, formals with their sorts, body, each as text."""

    parts: Sequence[tuple[str, str, str]]

    def script(self) -> tuple[str, str]:
        """Declarations of the names, on one line, and for each definition an assertion that `definitions` reads."""
        declared, asserted = [], []
        for name, formals, body in self.parts:
            sorts = [_items(formal)[1] for formal in _items(formals)]
            declared.append(f"(declare-fun {name} ({' '.join(sorts)}) Bool)")
            names = [_items(formal)[0] for formal in _items(formals)]
            atom = f"({name} {' '.join(names)})" if names else name
            equivalence = f"(= {atom} {body})"
            asserted.append(f"(assert (forall {formals} {equivalence}))" if names else f"(assert {equivalence})")
        return " ".join(" ".join(declared).split()), "\n".join(asserted)

    def definitions(self, assertions: Sequence[z3.BoolRef]) -> tuple[Definition, ...]:
        """What z3 read of the assertions."""
        return tuple(map(_definition, assertions))


def _definition(assertion: z3.BoolRef) -> Definition:
    equivalence, sorts = assertion, []
    if z3.is_quantifier(assertion):
        sorts = [assertion.var_sort(i) for i in range(assertion.num_vars())]
        equivalence = assertion.body()
    predicate = Predicate(str(equivalence.arg(0).decl().name()), tuple(sorts))
    body = equivalence.arg(1)
    return Definition(predicate, z3.substitute_vars(body, *reversed(predicate.formals)) if sorts else body)


def split_definitions(text: str, reserved: Container[str]) -> tuple[DefinitionTexts, str]:
    """The definitions by `define-fun-rec` of names that are not reserved, and the text with blanks in their places.

    What is no such definition stays in the text, and so does all of a text whose parentheses do not balance.
    """
    if KEYWORD not in text:
        return DefinitionTexts(()), text
    parts, pieces, position = [], [], 0
    with suppress(Malformed):
        for start, end in recursive_definitions(text):
            items = _items(text[start:end])
            if len(items) != 5 or items[3] != "Bool" or name_of(items[1]) in reserved or not are_formals(items[2]):
                continue
            pieces += [text[position:start], re.sub(r"[^\n]", " ", text[start:end])]
            position = end
            parts.append((items[1], items[2], items[4]))
    pieces.append(text[position:])
    return DefinitionTexts(parts), "".join(pieces)


def _items(text: str) -> list[str]:
    """The parts of a list."""
    return [text[slice(*span)] for span in expressions(text, 1, len(text) - 1)]
