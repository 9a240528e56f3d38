"""Proofs of termination relative to the invariants of abstract interpretation, the cheap ones first."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache

import z3

from chcverify.certificate.model import Model
from chcverify.certificate.termination import RankingProof
from chcverify.effort import EARLY_SHARE, EQUAL_SHARE, LAST_SHARE
from chcverify.horn.system import HornSystem
from chcverify.terms.core.traversal import conjunction
from solvers.abstract_interpretation.engine import analysis_passes
from solvers.engine import Context
from solvers.termination.component_proofs import Facts, Kinds, prove_by_components
from solvers.termination.link_orders import prove_by_links
from solvers.termination.ranking_search import NotFound, RanksOutOfTime, prove
from solvers.termination.relaxation import relaxed
from solvers.termination.searched_paths import cut_points_of

EARLY_CASES_S = 2.0
"""Seconds of the clock for ranks with cases before endless runs are looked for. Of eight loops of Stroeder_15 that need
such ranks, seven have them in less than 1 s; the search for endless runs before them took 10."""
Key = tuple[tuple[str, int], ...]
"""The formulas of a model at the predicates that matter, by their identities."""
PRESETS = ("df-boxes", "df-poly", "df")
"""Of abstract interpretation, in this order. Most loops of SV-COMP's termination tasks need none, or the first."""


def prove_with_invariants(
    system: HornSystem,
    known: Model,
    presets: Sequence[str],
    context: Context,
    facts: Callable[[], Facts | None] = lambda: None,
    *,
    is_later: bool = False,
) -> RankingProof:
    """A proof relative to a model of the system, to facts, and to the invariants of presets.

    facts: as of `prove_by_components`. is_later: these alone were tried before. Raises NotFound where there is none of
    the kinds that are tried, RanksOutOfTime where that is not known.
    """
    failure: NotFound = RanksOutOfTime()
    if not is_later:
        share = EARLY_SHARE if presets else EQUAL_SHARE
        with suppress(NotFound):
            return prove_by_links(system, known, time.monotonic() + share * context.remaining())
    share = EQUAL_SHARE if presets else LAST_SHARE
    kinds = Kinds.CASES if is_later else Kinds.ALL if presets else Kinds.LINEAR
    known_facts = cache(facts)
    with suppress(NotFound):
        return prove_by_components(system, known, known_facts, time.monotonic() + share * context.remaining(), kinds)
    if not presets:
        until = time.monotonic() + min(EARLY_CASES_S, EQUAL_SHARE * context.remaining())
        with suppress(NotFound):
            return prove_by_components(system, known, known_facts, until, Kinds.CASES)
    is_linear = all(relaxed(clause.constraint).eq(clause.constraint) for clause in system.clauses)
    for model, is_thorough in _attempts(system, known, presets, context):
        for is_relaxed in (False,) if is_linear or is_thorough else (True, False):
            left = context.remaining()
            if left <= 0:
                raise failure
            context.progress("rank", {})
            until = time.monotonic() + EQUAL_SHARE * left
            try:
                return prove(system, model, until, is_thorough=is_thorough, is_relaxed=is_relaxed)
            except NotFound as found:
                failure = found
    raise failure


def _attempts(
    system: HornSystem, known: Model, presets: Sequence[str], context: Context
) -> Iterator[tuple[Model, bool]]:
    """Models, and whether ranks with cases are tried: they are where a model is no stronger than the ones before."""
    yield known, False
    seen: set[Key] = set()
    strongest = known
    for preset in presets:
        for strongest in _models(system, known, preset, seen, context):
            yield strongest, False
        yield strongest, True


def _models(system: HornSystem, known: Model, preset: str, seen: set[Key], context: Context) -> Iterator[Model]:
    """Stronger models, by a preset; each differs from those seen before at a cut point or behind a call."""
    clauses = tuple(clause for clause in system.clauses if not clause.is_query)
    facts_only = HornSystem(system.predicates, clauses)  # invariants are of facts, whatever is asked
    asked = {*cut_points_of(system), *(atom.predicate for clause in clauses for atom in clause.body[1:])}
    for found in analysis_passes(facts_only, preset, context):
        key = tuple((p.name, found[p].get_id()) for p in system.predicates if p in asked and p in found)
        if key in seen:
            continue
        seen.add(key)
        stronger = {p: conjunction([known[p], found.get(p, z3.BoolVal(True))]) for p in system.predicates}
        yield Model(stronger, known.definitions, known.folds)
