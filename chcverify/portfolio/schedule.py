"""The schedule as data: which engines, in which order, for which systems. More jobs run the same order side by side.

Cheap engines come first, then different ones: a system that an engine does not decide in its first seconds is more
often decided by an engine of another kind, or on another variant, than by more time or a similar engine.

`chcverify engines --schedule FILE` prints the resulting timetable for an input (`timetable.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from typing import cast, get_args

import z3

from chcverify.errors import InputError
from chcverify.horn.roles import Role
from chcverify.horn.system import HornSystem
from chcverify.portfolio.run_plan import EngineRun, Variant
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import is_nonlinear, subterms
from solvers.registry import EXTERNAL, canonical, get, is_own, refusal

_VARIANT_SUFFIXES = tuple(f"@{variant}" for variant in get_args(Variant))


class Feature(Enum):
    """The properties of systems that the schedule's conditions are about. The values are the names for people."""

    LINEAR = "linear clauses"  # at most one body atom in each
    ARRAYS = "arrays"
    DATATYPES = "algebraic data types"
    BITVECTORS = "bit-vectors"
    NONLINEAR_ARITHMETIC = "nonlinear arithmetic"
    REALS = "real numbers"
    FLOATS = "floating-point numbers"
    LARGE = "large system"
    LINKED = "linked data"  # arguments with the role END
    BLOCKS = "linked blocks that live"  # arguments with the role IN_USE
    FLAGS = "transition system with flags"  # one predicate, with Boolean arguments


LARGE_TERMS = 50_000
"""Distinct terms from which a system counts as large: compiling the clauses of larger ones takes long for what it
promises. Chosen by hand; no measurement is recorded."""


def features(system: HornSystem) -> frozenset[Feature]:
    """The features of the system; looks at every distinct term once."""
    roots: list[z3.ExprRef] = [clause.constraint for clause in system.clauses]
    roots += [argument for clause in system.clauses for a in clause.applications for argument in a.arguments]
    sorts: set[int] = {sort.kind() for predicate in system.predicates for sort in predicate.sorts}
    size, nonlinear = 0, False
    for term in subterms(*roots):
        size += 1
        sorts.add(term.sort().kind())
        nonlinear = nonlinear or is_nonlinear(term)
    found = {
        Feature.LINEAR: system.is_linear,
        Feature.ARRAYS: z3.Z3_ARRAY_SORT in sorts,
        Feature.DATATYPES: z3.Z3_DATATYPE_SORT in sorts,
        Feature.BITVECTORS: z3.Z3_BV_SORT in sorts,
        Feature.NONLINEAR_ARITHMETIC: nonlinear,
        Feature.REALS: z3.Z3_REAL_SORT in sorts,
        Feature.FLOATS: z3.Z3_FLOATING_POINT_SORT in sorts,
        Feature.LINKED: system.has_role(Role.END),
        Feature.BLOCKS: system.has_role(Role.IN_USE),
        Feature.LARGE: size >= LARGE_TERMS,
        Feature.FLAGS: len(system.predicates) == 1 and z3.BoolSort() in system.predicates[0].sorts,
    }
    return frozenset(feature for feature, present in found.items() if present)


@dataclass(frozen=True)
class Condition:
    """needs: features that a system must have. without: features that it must not have."""

    needs: frozenset[Feature] = field(default_factory=frozenset)
    without: frozenset[Feature] = field(default_factory=frozenset)

    def holds(self, found: frozenset[Feature]) -> bool:
        """True if a system with these features meets the condition."""
        return self.needs <= found and not self.without & found

    def unmet(self, found: frozenset[Feature]) -> str:
        """The reason why a system with these features does not meet the condition; "" if it does."""
        parts = [f"no {feature.value}" for feature in _ordered(self.needs - found)]
        return ", ".join([*parts, *(feature.value for feature in _ordered(self.without & found))])

    def __str__(self) -> str:
        parts = [feature.value for feature in _ordered(self.needs)]
        return ", ".join([*parts, *(f"no {feature.value}" for feature in _ordered(self.without))]) or "always"


def _ordered(chosen: frozenset[Feature]) -> list[Feature]:
    return [feature for feature in Feature if feature in chosen]


@dataclass(frozen=True)
class Entry:
    """A line of the schedule: the run, and for which systems it is worth starting."""

    run: EngineRun
    when: Condition = Condition()


def _entry(
    engine: str,
    on: Variant,
    share: float,
    needs: Sequence[Feature] = (),
    without: Sequence[Feature] = (),
    exclusive: bool = False,
) -> Entry:
    """share: of the time that is left when the run starts (`EngineRun.fraction_of_remaining`)."""
    run = EngineRun(engine, on, fraction_of_remaining=share, exclusive=exclusive)
    return Entry(run, Condition(frozenset(needs), frozenset(without)))


_LINEAR, _ARRAYS, _BITS = Feature.LINEAR, Feature.ARRAYS, Feature.BITVECTORS
_TYPES = Feature.DATATYPES
_BLOCKS = Feature.BLOCKS
_PRODUCTS, _REALS, _FLAGS = Feature.NONLINEAR_ARITHMETIC, Feature.REALS, Feature.FLAGS

# The runs are those that alone decided a task of a recorded campaign (benchmarks/results/schedule.md), and those for
# kinds of programs that it has not: `links`, `df-sums` and `rows` (benchmarks/linked and c), `houdini` (floats),
# `df-poly` on `parameters` and `congruences` (benchmarks/numbers), `df-orders` on `sentinels` (benchmarks/strings),
# `spacer-global` on `cells` (Horn files with arrays at addresses), `pdr` on `enumerated` and `explicit-refined`
# (simulated threads, state machines: docs/decisions), `spacer` on `numbers` and `pdr` on `folds`
# (docs/engines/datatypes.md), `bmc` on `split` and `spacer` on `specialised` (reals: docs/decisions/run.md). Where
# there is no form `blocks`, runs on it take the reduced clauses. Order and shares come from the schedule before, whose
# entries were chosen one by one: cheap runs first, then different ones.
SCHEDULE: Sequence[Entry] = (
    _entry("spacer-global", "specialised", 0.08, (_LINEAR, _FLAGS), (_REALS,)),
    _entry("pdr", "specialised", 0.15, (_LINEAR, _FLAGS), (_REALS,)),
    _entry("explicit-large", "specialised", 0.2, (_LINEAR, _FLAGS), (_REALS, _ARRAYS)),
    _entry("conjuncts", "reduced", 0.45, (_LINEAR, _REALS), exclusive=True),
    _entry("bmc", "reduced", 0.1, (_LINEAR, _REALS)),
    _entry("bmc", "split", 0.4, (_LINEAR, _REALS)),
    _entry("spacer", "specialised", 0.4, (_LINEAR, _FLAGS, _REALS)),
    _entry("houdini", "reduced", 0.2, (Feature.FLOATS,), (Feature.LARGE,)),
    _entry("bounded", "original", 0.6, (_LINEAR,), (_REALS, Feature.LARGE)),
    _entry("links", "links", 0.4, (_ARRAYS, Feature.LINKED), (_BITS,)),
    _entry("explicit", "reduced", 0.03, (), (Feature.LARGE,)),
    _entry("explicit-refined", "reduced", 0.4, (_LINEAR,), (_ARRAYS, _REALS, _TYPES)),
    _entry("congruences", "reduced", 0.3, (_PRODUCTS,)),
    _entry("pdr", "enumerated", 0.15, (_LINEAR,), (_ARRAYS, _REALS, _TYPES, _FLAGS)),
    _entry("acceleration", "original", 0.15, (_LINEAR,), (_BITS, _REALS, _BLOCKS)),
    _entry("saturation", "original", 0.3, (), (_ARRAYS, _LINEAR, _TYPES)),
    _entry("spacer-global", "sizes", 0.08, (_TYPES,), (_ARRAYS,)),
    _entry("df", "sizes", 0.06, (_TYPES,), (_ARRAYS,)),
    _entry("spacer", "numbers", 0.1, (_TYPES,), (_ARRAYS,)),
    _entry("spacer-global", "folds", 0.2, (_TYPES,), (_ARRAYS,)),
    _entry("finite-models", "original", 0.2, (_TYPES,), (_ARRAYS,)),
    _entry("spacer-global", "order", 0.2, (_TYPES,), (_ARRAYS,)),
    _entry("spacer-global", "members", 0.3, (_TYPES,), (_ARRAYS,)),
    _entry("pdr", "folds", 0.2, (_TYPES,), (_ARRAYS,)),
    _entry("df-orders", "sentinels", 0.3, (_ARRAYS,), (_BITS,)),
    _entry("df-sums", "sums", 0.45, (_ARRAYS,), (_BITS, _BLOCKS)),
    _entry("cell-goals", "rows", 0.3, (_ARRAYS,), (_BITS, _BLOCKS)),
    _entry("cell-goals", "cells", 0.45, (_ARRAYS,), (_BLOCKS,)),
    _entry("spacer-global", "cells", 0.05, (_ARRAYS,), (_BLOCKS,)),
    _entry("cell-pairs", "pairs", 0.6, (_ARRAYS,), (_BITS, _BLOCKS)),
    _entry("spacer-global", "integers", 0.12, (_BITS,), (_ARRAYS,)),
    _entry("spacer-global", "blocks", 0.12, (), (_REALS,)),
    _entry("df", "reduced", 0.1, (), (_ARRAYS, _REALS)),
    _entry("df-poly", "parameters", 0.12, (), (_ARRAYS, _REALS)),
    _entry("df-poly", "reduced", 0.12, (_PRODUCTS,)),
    _entry("bmc", "reduced", 0.12, (_LINEAR,)),
    _entry("pdr", "blocks", 0.22, (), (_REALS,)),
    _entry("spacer", "blocks", 0.33),
    _entry("tabling", "reduced", 0.1, (), (_ARRAYS, _LINEAR, _TYPES)),
    _entry("pdr", "reduced", 0.33),
)


def choose(system: HornSystem) -> list[EngineRun]:
    """The schedule's runs for this system, of engines that are there."""
    return [entry.run for entry in chosen(features(system))]


def chosen(found: frozenset[Feature]) -> list[Entry]:
    """The entries for systems with these features, each run once."""
    out: list[Entry] = []
    for entry in SCHEDULE:
        is_new = not any(entry.run.same(other.run) for other in out)
        if is_new and is_own(entry.run.engine) and entry.when.holds(found):
            out.append(entry)
    return out


def named(names: Sequence[str]) -> list[EngineRun]:
    """The runs for engines that the user asked for, with equal shares of the time; KeyError for unknown names.

    A name may end with the variant of the system, as in df-segments@cells. The default is the reduced system; for
    `spacer`, and for engines that require it, the system as given. If `spacer` is the only name, a second job runs it
    on the reduced system.
    """
    runs = []
    for i, name in enumerate(names):
        engine, _, suffix = name.rpartition("@") if name.endswith(_VARIANT_SUFFIXES) else (name, "", "")
        engine = canonical(engine)
        as_given = get(engine).requires.as_given or engine == "spacer" or engine.startswith(EXTERNAL)
        default: Variant = "original" if as_given else "reduced"
        variant = cast(Variant, suffix) if suffix else default
        runs.append(EngineRun(engine, variant, fraction_of_remaining=1.0 / (len(names) - i)))
    if list(names) == ["spacer"]:
        runs.append(EngineRun("spacer", "reduced", fraction_of_remaining=1.0))
    return runs


def with_settings(runs: Sequence[EngineRun], settings: Mapping[str, str]) -> Sequence[EngineRun]:
    """Gives each setting to the runs whose engines take it; InputError for one that none takes."""
    given: list[dict[str, str]] = [{} for _ in runs]
    for name, value in settings.items():
        refusals = [refusal(run.engine, name, value) for run in runs]
        if all(refusals):
            raise InputError("--engine-option", 0, 0, "; ".join(dict.fromkeys(refusals)))
        for options, refused in zip(given, refusals, strict=True):
            if not refused:
                options[name] = value
    return [replace(run, options=options) for run, options in zip(runs, given, strict=True)]
