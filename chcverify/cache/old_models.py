"""Models of earlier versions of an input as candidates for its present clauses.

After an edit most of an old model still holds, at predicates that may have other numbers and arguments. Its conjuncts
are carried over by the names of predicates and arguments. They are candidates only: whatever they are, what is proved
with them is proved from the present clauses.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import z3

from chcverify.certificate.files.certificate_text import model_from_text, model_to_text
from chcverify.certificate.model import Model
from chcverify.effort import MAX_FORMULAS
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjuncts, free_variables, substitute

_NUMBER = re.compile(r"#\d+\Z")

Argument = tuple[str, str]
"""Name and sort of an argument. Of several with the same name the second has `'` appended, and so on."""


def models_document(system: HornSystem, model: Model) -> dict[str, Any]:
    """The model with the names of arguments, as a JSON object."""
    plain = model.without_definitions()
    entries = []
    for predicate in system.predicates:
        formula = plain.interpretations.get(predicate)
        if formula is None or z3.is_true(formula) or z3.is_false(formula):
            continue
        text = model_to_text(HornSystem((predicate,), ()), Model({predicate: formula}), for_people=False)
        entries.append({"name": predicate.name, "arguments": _arguments(predicate), "model": text})
    return {"predicates": entries}


def candidates(system: HornSystem, document: Mapping[str, Any]) -> dict[Predicate, list[z3.BoolRef]]:
    """For each predicate of the system at most MAX_FORMULAS formulas over its formals, of a `models_document`.

    First those of the predicate of the same name, then those of other predicates of the same function whose variables
    are all arguments here. What cannot be read is left out.
    """
    sorts = {s.sexpr(): s for predicate in system.predicates for s in predicate.sorts}
    known = [old for entry in _entries(document) if (old := _read(entry, sorts)) is not None]
    groups: dict[str, list[_OldFormulas]] = {}
    for old in known:
        groups.setdefault(_group(old.name), []).append(old)
    return {predicate: _carried(predicate, groups.get(_group(predicate.name), ())) for predicate in system.predicates}


@dataclass(frozen=True, eq=False)
class _OldFormulas:
    """The conjuncts of a predicate's interpretation over its old formals."""

    name: str
    arguments: Sequence[Argument]
    formals: Sequence[z3.ExprRef]
    parts: Sequence[z3.BoolRef]


def _entries(document: Mapping[str, Any]) -> list[Any]:
    entries = document.get("predicates")
    return entries if isinstance(entries, list) else []


def _read(entry: Any, sorts: Mapping[str, z3.SortRef]) -> _OldFormulas | None:
    """None for what is no entry, or has sorts that the system does not have."""
    try:
        name, text = entry["name"], entry["model"]
        arguments = [(str(argument), str(sort)) for argument, sort in entry["arguments"]]
        predicate = Predicate(str(name), tuple(sorts[sort] for _, sort in arguments))
        model = model_from_text(HornSystem((predicate,), ()), str(text))
    except (KeyError, TypeError, ValueError, InputError, z3.Z3Exception):
        return None
    if predicate not in model.interpretations:
        return None
    return _OldFormulas(predicate.name, arguments, predicate.formals, conjuncts(model[predicate]))


def _carried(predicate: Predicate, old: Sequence[_OldFormulas]) -> list[z3.BoolRef]:
    here = dict(zip(_arguments(predicate), predicate.formals, strict=True))
    found: dict[int, z3.BoolRef] = {}
    for formulas in sorted(old, key=lambda item: item.name != predicate.name):
        pairs = [(f, here[a]) for a, f in zip(formulas.arguments, formulas.formals, strict=True) if a in here]
        known = {formal.get_id() for formal, _ in pairs}
        for part in formulas.parts:
            if all(variable.get_id() in known for variable in free_variables(part)):
                candidate = substitute(part, pairs)
                found.setdefault(candidate.get_id(), candidate)
            if len(found) >= MAX_FORMULAS:
                return list(found.values())
    return list(found.values())


def _arguments(predicate: Predicate) -> list[Argument]:
    """The arguments by their own names, or by their positions where they have none."""
    named = len(predicate.names) == predicate.arity
    seen: Counter[str] = Counter()
    found = []
    for position, sort in enumerate(predicate.sorts):
        name = predicate.names[position] if named else f"{position}"
        found.append((name + "'" * seen[name], sort.sexpr()))
        seen[name] += 1
    return found


def _group(name: str) -> str:
    """The function that a predicate belongs to: `main` of `main#7`; all of the name where there is no number."""
    return _NUMBER.sub("", name)
