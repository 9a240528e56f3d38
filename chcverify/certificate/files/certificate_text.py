"""Certificates as text: models as SMT-LIB definitions, derivations as JSON (derivation_json.py).

The same texts are the files that users keep and what worker processes send. Reading never decides anything: what was
read is still to be checked.
"""

import re
from collections.abc import Sequence

import z3

from chcverify.certificate.files.definition_text import definition_text, definitions, split_definitions
from chcverify.certificate.files.derivation_json import derivation_from_text as derivation_from_text
from chcverify.certificate.files.derivation_json import derivation_to_text as derivation_to_text
from chcverify.certificate.files.fold_text import fold_text, folds, split_folds
from chcverify.certificate.files.printed_models import PrintedModel, printed_model, sort_text
from chcverify.certificate.files.recursive_definitions import script as definition_script
from chcverify.certificate.files.text_parsing import error_at, parse
from chcverify.certificate.model import Model
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.traversal import name_of, substitute, subterms
from chcverify.terms.printing.binders import Renaming, has_binder
from chcverify.terms.printing.smtlib import asserted, benchmark, declarations, symbol, term_text

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*\Z")


def model_to_text(system: HornSystem, model: Model, *, for_people: bool = True) -> str:
    """The model as `(define-fun P ((x S) ...) Bool formula)`s in parentheses, in the order of the system's predicates.

    Predicates without interpretation are left out (the checker rejects such models). The model's definitions come
    first, as `(define-fun-rec ...)`, although they are not recursive: readers then do not unfold them. So do its folds.
    for_people: with the names of the source, and each formula laid out in lines; without, the text takes a third of the
    time to write and to read. Formulas with quantifiers are written the same way in both.
    """
    parts = ["(", *map(definition_text, model.definitions), *map(fold_text, model.folds)]
    sort_texts: dict[int, str] = {}  # by handle
    renaming = Renaming()
    for predicate in system.predicates:
        if predicate not in model.interpretations:
            continue
        names, body = _printed(model[predicate], predicate, renaming, for_people)
        for sort in predicate.sorts:
            if sort.ast.value not in sort_texts:
                sort_texts[sort.ast.value] = sort.sexpr()
        sorts = [sort_texts[sort.ast.value] for sort in predicate.sorts]
        formals = " ".join(f"({symbol(n)} {s})" for n, s in zip(names, sorts, strict=True))
        parts.append(f"(define-fun {symbol(predicate.name)} ({formals}) Bool\n  {body})")
    parts.append(")\n")
    return "\n".join(parts)


def _printed(formula: z3.BoolRef, predicate: Predicate, renaming: Renaming, for_people: bool) -> tuple[list[str], str]:
    """Names for the predicate's arguments, and the text of the formula over them. for_people: as of `model_to_text`."""
    if z3.is_true(formula) or z3.is_false(formula):
        return _wishes(predicate), formula.sexpr()
    text = benchmark(formula)
    if not for_people and not has_binder(text):
        return [name_of(formal) for formal in predicate.formals], asserted(text)
    names, renamed = renaming.apart(formula, predicate.formals, _wishes(predicate), text)
    return names, term_text(renamed)


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
    of_predicates, text = split_definitions(text, system.by_name)
    of_folds, text = split_folds(text, system.by_name)
    printed = printed_model(text, file)
    wanted = [predicate for predicate in system.predicates if predicate.name in printed.definitions]
    prefix = "formal!"
    while prefix in text:
        prefix += "!"
    names: dict[str, z3.FuncDeclRef] = {f"{prefix}holds": z3.Function("holds", z3.BoolSort(), z3.BoolSort())}
    questions = []
    for predicate in wanted:
        definition = printed.definitions[predicate.name]
        if (arity := len(definition.sorts)) != predicate.arity:
            raise error_at(
                file, text, definition.start, f"{predicate.name} takes {predicate.arity} arguments, not {arity}"
            )
        formals = [f"{prefix}{formal.sort().get_id()}!{i}" for i, formal in enumerate(predicate.formals)]
        names.update((name, formal.decl()) for name, formal in zip(formals, predicate.formals, strict=True))
        atom = f"({symbol(predicate.name)} {' '.join(formals)})" if formals else symbol(predicate.name)
        questions.append(f"(assert ({prefix}holds {atom}))")
    prelude = declarations(sort for predicate in system.predicates for sort in predicate.sorts)
    declared, asserted = definition_script((*of_predicates, *of_folds))
    script = "\n".join((printed.script, *questions, asserted))
    try:
        parsed = parse(f"{prelude} {declared}", script, names, file)
    except InputError as error:
        _require_sorts(wanted, printed, text, file)
        raise printed.original(error) from None
    formulas = [assertion.arg(0) for assertion in parsed[: len(wanted)]]
    if "is-" in printed.script:
        formulas = [with_indexed_testers(formula) for formula in formulas]
    first = len(wanted) + len(of_predicates)
    return Model(
        dict(zip(wanted, formulas, strict=True)),
        definitions(parsed[len(wanted) : first]),
        folds(parsed[first:], of_folds, file, text),
    )


def _require_sorts(wanted: Sequence[Predicate], printed: PrintedModel, text: str, file: str) -> None:
    """InputError for a definition whose formals have other sorts than its predicate."""
    for predicate in wanted:
        definition = printed.definitions[predicate.name]
        sorts = tuple(sort_text(sort.sexpr()) for sort in predicate.sorts)
        if definition.result != "Bool":
            raise error_at(file, text, definition.start, f"{predicate.name} gives {definition.result}, not Bool")
        if sorts != definition.sorts:
            message = f"{predicate.name} takes {' '.join(sorts)}, not {' '.join(definition.sorts)}"
            raise error_at(file, text, definition.start, message)


def with_indexed_testers(formula: z3.BoolRef) -> z3.BoolRef:
    """The formula with `(_ is c)` for testers that were written `is-c`, a form that only some solvers know."""
    while old := [t for t in subterms(formula) if z3.is_app_of(t, z3.Z3_OP_DT_RECOGNISER)]:
        pairs = []
        for term in old:
            sort = term.arg(0).sort()
            names = [sort.constructor(i).name() for i in range(sort.num_constructors())]
            pairs.append((term, sort.recognizer(names.index(str(term.decl().params()[0])))(term.arg(0))))
        formula = substitute(formula, pairs)
    return formula
