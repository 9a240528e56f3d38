"""Invariants without a verdict: the lemmas of the engines that are inductive on the original clauses.

Lemmas are about the variant of the system that their engine had. They are translated back like a model, of which only
the part that is inductive on the original clauses is kept.
"""

from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.files.certificate_text import model_from_text
from chcverify.certificate.model import Model
from chcverify.certificate.search.houdini import inductive_subset
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem, Predicate
from chcverify.portfolio.run_plan import Reduce
from chcverify.terms.core.traversal import conjunction, conjuncts
from chcverify.transforms.base import TranslationError


def inductive_core(
    system: HornSystem, lemmas: Mapping[str, Sequence[str]], variants: Mapping[str, Reduce], deadline: float
) -> Model:
    """Invariants of the system: the inductive part of all lemmas. It need not exclude any query.

    lemmas: their texts, by the name of the variant that they are about. deadline: time.monotonic() at which the
    search ends.
    """
    candidates: dict[Predicate, list[z3.BoolRef]] = {predicate: [] for predicate in system.predicates}
    for name, texts in lemmas.items():
        if name in variants:
            for predicate, formula in _carried(system, variants[name], texts).interpretations.items():
                candidates[predicate] += [part for part in conjuncts(formula) if not z3.is_false(part)]
    kept = inductive_subset(system, candidates, deadline)
    return Model({predicate: conjunction(formulas) for predicate, formulas in kept.items()})


def _carried(system: HornSystem, variant: Reduce, texts: Sequence[str]) -> Model:
    """The lemmas as a model of the original system's predicates; empty where that cannot be done."""
    transformed = variant(system)
    if transformed is None:
        return Model({})
    reduced, back, _ = transformed
    known: dict[Predicate, list[z3.BoolRef]] = {predicate: [] for predicate in reduced.predicates}
    for text in texts:
        try:
            lemma = model_from_text(reduced, text, "lemma")
        except InputError:
            continue  # of another variant after all
        for predicate, formula in lemma.interpretations.items():
            known[predicate].append(formula)
    try:
        return back.model(Model({predicate: conjunction(formulas) for predicate, formulas in known.items()}))
    except TranslationError:
        return Model({})
