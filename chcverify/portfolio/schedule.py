"""Schedules as data: which engines, in which order, for which systems. More jobs run the same order side by side.

Cheap engines first, then unlike ones: what one misses in its first seconds is more often found by an engine of another
kind, or on another form of the clauses, than by more time or by the next variant of the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast, get_args

import z3

from chcverify.horn.system import HornSystem
from chcverify.portfolio.plan import EngineRun, Place
from chcverify.terms.walk import is_nonlinear, subterms
from solvers.registry import EXTERNAL, get, is_own

_PLACES = tuple(f"@{place}" for place in get_args(Place))


@dataclass(frozen=True)
class Features:
    """linear: at most one body atom per clause. The others: which sorts and operations occur. size: distinct terms."""

    linear: bool
    arrays: bool
    datatypes: bool
    bitvectors: bool
    nonlinear_arithmetic: bool
    size: int

    @property
    def can_accelerate(self) -> bool:
        return self.linear and not self.bitvectors


def features(system: HornSystem) -> Features:
    """Looks at every term once."""
    roots: list[z3.ExprRef] = [clause.constraint for clause in system.clauses]
    roots += [argument for clause in system.clauses for a in clause.applications for argument in a.arguments]
    sorts: set[int] = {sort.kind() for predicate in system.predicates for sort in predicate.sorts}
    size, nonlinear = 0, False
    for term in subterms(*roots):
        size += 1
        sorts.add(term.sort().kind())
        nonlinear = nonlinear or is_nonlinear(term)
    return Features(
        system.is_linear,
        z3.Z3_ARRAY_SORT in sorts,
        z3.Z3_DATATYPE_SORT in sorts,
        z3.Z3_BV_SORT in sorts,
        nonlinear,
        size,
    )


@dataclass(frozen=True)
class Entry:
    """A line of the schedule: the run, and for which systems it is worth starting."""

    run: EngineRun
    when: Callable[[Features], bool] = lambda features: True


LARGE = 50_000  # terms: compiling the clauses of larger systems takes long for what it promises
SCHEDULE: Sequence[Entry] = (
    Entry(EngineRun("acceleration", "original", share=0.15), lambda f: f.can_accelerate and f.arrays),
    Entry(EngineRun("acceleration", "original", share=0.03), lambda f: f.can_accelerate and not f.arrays),
    Entry(EngineRun("explicit", share=0.03), lambda f: f.size < LARGE),
    Entry(EngineRun("df-segments", "cells", share=0.3), lambda f: f.arrays),
    Entry(EngineRun("df-segments", "related", share=0.3), lambda f: f.arrays),
    Entry(EngineRun("spacer-global", "integers", share=0.1), lambda f: f.bitvectors and not f.arrays),
    Entry(EngineRun("df", share=0.08), lambda f: not f.arrays),
    Entry(EngineRun("congruences", share=0.2), lambda f: f.nonlinear_arithmetic),
    Entry(EngineRun("bmc", share=0.12), lambda f: f.linear and f.nonlinear_arithmetic),
    Entry(EngineRun("spacer-global", "blocks", share=0.12)),
    Entry(EngineRun("spacer", "specialised", share=0.08), lambda f: f.bitvectors),
    Entry(EngineRun("pdr", "blocks", share=0.22)),
    Entry(EngineRun("spacer", "blocks", share=0.12), lambda f: f.linear),
    Entry(EngineRun("spacer", "blocks", share=0.25), lambda f: not f.linear),
    Entry(EngineRun("bmc", share=0.2), lambda f: not f.linear),
    Entry(EngineRun("pdr", share=0.3), lambda f: f.bitvectors),
    Entry(EngineRun("pdr", "integers", share=0.22), lambda f: f.bitvectors and not f.arrays),
    Entry(EngineRun("pdr", "specialised", share=0.12)),
    Entry(EngineRun("spacer-global", share=0.15)),
    Entry(EngineRun("pdr", share=0.2), lambda f: not f.bitvectors),
    Entry(EngineRun("df", "integers", share=0.12), lambda f: f.bitvectors and not f.arrays),
    Entry(EngineRun("data-driven", share=0.25), lambda f: f.nonlinear_arithmetic),
    Entry(EngineRun("df", share=0.1), lambda f: f.arrays),
    Entry(EngineRun("bmc", share=0.1), lambda f: f.linear),
    Entry(EngineRun("spacer", share=0.2)),
    Entry(EngineRun("kind+df", share=0.25), lambda f: f.linear),
    Entry(EngineRun("pdkind", share=0.3), lambda f: f.linear),
    Entry(EngineRun("spacer", "specialised", share=0.3)),
    Entry(EngineRun("spacer-quantified", share=0.3), lambda f: f.arrays),
    Entry(EngineRun("df-poly", share=0.3), lambda f: f.nonlinear_arithmetic),
    Entry(EngineRun("spacer-global+df", share=0.35)),
    Entry(EngineRun("spacer", "original")),
)


def choose(system: HornSystem) -> list[EngineRun]:
    """The schedule's runs for this system, of engines that are there."""
    found = features(system)
    return [entry.run for entry in SCHEDULE if is_own(entry.run.engine) and entry.when(found)]


def named(names: Sequence[str]) -> list[EngineRun]:
    """The runs for engines that the user asked for, with equal shares; KeyError for names that are not there.

    A name may say on which form of the system the engine runs, as in df-segments@cells. Without that it is the reduced
    one; for engines that require it and for `spacer` the system as given: then it does what Spacer does. Where that is
    the only name, a second job runs it on the reduced one.
    """
    runs = []
    for i, name in enumerate(names):
        engine, _, place = name.rpartition("@") if name.endswith(_PLACES) else (name, "", "")
        as_given = get(engine).requires.as_given or engine == "spacer" or engine.startswith(EXTERNAL)
        default: Place = "original" if as_given else "reduced"
        on = cast(Place, place) if place else default
        runs.append(EngineRun(engine, on, share=1.0 / (len(names) - i)))
    if list(names) == ["spacer"]:
        runs.append(EngineRun("spacer", "reduced", share=1.0))
    return runs
