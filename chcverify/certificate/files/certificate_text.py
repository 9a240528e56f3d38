"""Certificates as text: models as SMT-LIB definitions, derivations as JSON (derivation_json.py).

The same texts are the files that users keep and what worker processes send. Reading never decides anything: what was
read is still to be checked.
"""

import re

import z3

from chcverify.certificate.files.definition_text import definition_text, split_definitions
from chcverify.certificate.files.derivation_json import derivation_from_text as derivation_from_text
from chcverify.certificate.files.derivation_json import derivation_to_text as derivation_to_text
from chcverify.certificate.files.fold_text import fold_text, split_folds
from chcverify.certificate.files.text_parsing import error_at, parse
from chcverify.certificate.model import Model
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.printing.binders import rename_apart
from chcverify.terms.printing.smtlib import Malformed, benchmark, declarations, expressions, name_of, symbol, term_text

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*\Z")


def model_to_text(system: HornSystem, model: Model) -> str:
    """The model as `(define-fun P ((x S) ...) Bool formula)`s in parentheses, in the order of the system's predicates.

    Predicates without interpretation are left out (the checker rejects such models). The model's definitions come
    first, as `(define-fun-rec ...)`, although they are not recursive: readers then do not unfold them. So do its folds.
    """
    parts = ["(", *map(definition_text, model.definitions), *map(fold_text, model.folds)]
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

    Other definitions than those of the system's predicates are helpers: they are unfolded where they are used, but for
    those by `define-fun-rec`, which are the model's definitions and folds. Raises InputError for anything else than
    non-recursive definitions of the right signature.
    """
    kept, text = split_definitions(text, system.by_name)
    recursive, text = split_folds(text, system.by_name)
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
            raise error_at(file, text, signature, f"{predicate.name} takes {predicate.arity} arguments, not {arity}")
        formals = [f"{prefix}{formal.sort().get_id()}!{i}" for i, formal in enumerate(predicate.formals)]
        names.update((name, formal.decl()) for name, formal in zip(formals, predicate.formals, strict=True))
        atom = f"({symbol(predicate.name)} {' '.join(formals)})" if formals else symbol(predicate.name)
        questions.append(f"(assert ({prefix}holds {atom}))")
    prelude = declarations(sort for predicate in system.predicates for sort in predicate.sorts)
    declared, asserted = zip(kept.script(), recursive.script(), strict=True)
    parsed = parse(" ".join((prelude, *declared)), f"{body}\n" + "\n".join((*questions, *asserted)), names, file)
    formulas = [assertion.arg(0) for assertion in parsed[: len(wanted)]]
    first = len(wanted) + len(kept.parts)
    definitions = kept.definitions(parsed[len(wanted) : first])
    return Model(dict(zip(wanted, formulas, strict=True)), definitions, recursive.folds(parsed[first:], file, text))


def _definitions(text: str, file: str) -> tuple[str, dict[str, tuple[int, int]]]:
    """The text with all but its definitions blanked, and for each defined name its arity and where it stands."""
    keep: list[tuple[int, int]] = []
    try:
        spans = list(expressions(text))
        for start, end in spans:
            if text[start] != "(":
                if text[start:end] != "sat":
                    raise error_at(file, text, start, f"a model cannot contain {text[start:end][:40]!r} here")
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
                raise error_at(file, text, start, f"{name} is defined twice")
            defined[name] = (arity, start)
    except Malformed as error:
        raise error_at(file, text, error.position, str(error)) from None
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
        raise error_at(file, text, start, f"a definition was expected, not {text[start:end][:40]!r}")
    items = expressions(text, start + 1, end - 1)
    head = [text[slice(*item)] for _, item in zip(range(4), items, strict=False)]
    if len(head) < 4 or head[0] != "define-fun" or not head[2].startswith("("):
        raise error_at(file, text, start, f"only define-fun can stand in a model, not {(head or ['()'])[0][:40]!r}")
    if sum(1 for _ in items) != 1:
        raise error_at(file, text, start, f"the definition of {head[1]} needs exactly one body")
    return name_of(head[1]), sum(1 for _ in expressions(head[2], 1, len(head[2]) - 1))
