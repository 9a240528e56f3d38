"""The engines of abstract interpretation: safe if the invariants exclude every query; all invariants are published."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unknown
from chcverify.terms.core.traversal import conjunction
from solvers.abstract_interpretation.analysis_passes import (
    PRESETS,
    SEGMENTS_PRESET,
    AnalysisContext,
    AnalysisPass,
    Components,
    by_cells,
)
from solvers.abstract_interpretation.domains import polyhedra
from solvers.abstract_interpretation.domains.basic_domains import Bounds
from solvers.abstract_interpretation.domains.budget import Budget
from solvers.abstract_interpretation.features import thresholds
from solvers.abstract_interpretation.fixpoint import Component, Fixpoint, Invariants
from solvers.abstract_interpretation.growth import Growth, growth
from solvers.abstract_interpretation.narrowing import narrow
from solvers.abstract_interpretation.segmentation import USUAL_SEGMENTS
from solvers.engine import Context, Lemma, Requirements
from solvers.invariants.model_minimisation import minimised


def analysis_passes(system: HornSystem, preset: str, context: Context) -> Iterator[Invariants]:
    """Yields the inductive invariants after each pass of the preset, and again after narrowing; all are published."""
    return (found for found in analysis_steps(system, preset, context) if found is not None)


def analysis_steps(system: HornSystem, preset: str, context: Context) -> Iterator[Invariants | None]:
    """Like `analysis_passes`, in small portions of work: yields None while a pass goes on."""
    setting = AnalysisContext(thresholds(system), Budget())
    known: Invariants = {}
    narrowed = 0

    def reached(name: str, fixpoint: Fixpoint) -> Invariants:
        found = {predicate: z3.simplify(formula) for predicate, formula in fixpoint.invariants().items()}
        context.bus.publish([Lemma(p, formula, preset) for p, formula in found.items() if not z3.is_true(formula)])
        context.statistics.update(round=name, narrowed=narrowed, weakened=dict(setting.budget.weakened))
        return found

    done: list[tuple[Components, Mapping[Predicate, list[int]], Mapping[Predicate, list[int]]]] = []
    for stage in _stages(system, preset, context.options):
        context.progress(preset, {"round": stage.name})
        splits = stage.splits(system, known)
        grown = growth(system, known, context) if stage.growth or stage.only_if_open else Growth({})
        sums = grown.sums if stage.growth else {}
        kind = stage.components, _ids(splits), _ids(sums)
        if kind in done or (stage.growth and not any(sums.values())) or (stage.only_if_open and not grown.is_open):
            continue  # there are no more cases than in a round before, no sums, or nothing that grows without bound
        done.append(kind)
        budget = replace(setting.budget, cells=stage.cells)
        fixpoint = Fixpoint(system, _components(stage, setting, sums), known, context, splits, budget)
        for settled in fixpoint.steps():
            if context.remaining() <= 0:
                return
            narrowed += narrow(fixpoint, settled, thorough=True) if stage.by_loops and settled else 0
            yield None
        yield (known := reached(stage.name, fixpoint))
        if not stage.by_loops and (tightened := narrow(fixpoint, system.predicates)):
            narrowed += tightened
            yield (known := reached(stage.name, fixpoint))


def _ids(terms: Mapping[Predicate, Sequence[z3.ExprRef]]) -> dict[Predicate, list[int]]:
    return {predicate: [term.get_id() for term in own] for predicate, own in terms.items()}


def _components(
    stage: AnalysisPass, setting: AnalysisContext, sums: Mapping[Predicate, Sequence[z3.ArithRef]]
) -> list[Component]:
    """The domains of the pass, and bounds of the sums if there are any."""
    own = stage.components(setting)
    if not sums:
        return own
    return [*own, Component(lambda predicate: sums[predicate], lambda vector, _: Bounds(vector, setting.thresholds))]


SEGMENT_OPTIONS = {"nested-loop-ends": "nested_loop_ends", "exclude-flags": "exclude_flags"}
"""The options of `df-segments` and the fields of `SegmentationOptions` that they set."""


def _stages(system: HornSystem, preset: str, options: Mapping[str, str]) -> Iterable[AnalysisPass]:
    """The passes of the preset, `df-segments` with its options applied."""
    chosen = {SEGMENT_OPTIONS[name]: value == "on" for name, value in options.items() if name in SEGMENT_OPTIONS}
    if preset == SEGMENTS_PRESET and chosen:
        return by_cells(system, replace(USUAL_SEGMENTS, **chosen))
    return PRESETS[preset](system)


def excludes_queries(system: HornSystem, invariants: Invariants, context: Context) -> bool:
    """True if the solver shows that no query can be violated within the invariants. A time-out counts as False."""
    model = Model(invariants)
    for index in system.queries:
        clause = system.clauses[index]
        solver = z3.Solver()
        solver.set("timeout", max(1, int(1000 * min(5.0, context.remaining()))))
        solver.add(clause.constraint, conjunction(model.instantiate(atom) for atom in clause.body))
        # invariants(body) & constraint
        if solver.check() != z3.unsat:
            return False
    return True


class DataFlow:
    """A preset of `analysis_passes.PRESETS` as an engine. `df-segments` has the options of SEGMENT_OPTIONS."""

    requires = Requirements()

    def __init__(self, preset: str) -> None:
        self.name = preset
        self.description = f"abstract interpretation, preset {preset}"

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for anything but NAME=on or NAME=off of the preset's options."""
        names = SEGMENT_OPTIONS if self.name == SEGMENTS_PRESET else {}
        for name, value in given.items():
            if name not in names:
                known = f"no option {name!r}; it has {', '.join(names)}" if names else "no options"
                raise ValueError(f"{self.name} has {known}")
            if value not in ("on", "off"):
                raise ValueError(f"{self.name} option {name} is on or off, not {value!r}")

    def solve(self, system: HornSystem, context: Context) -> Result:
        for number, invariants in enumerate(analysis_passes(system, self.name, context), 1):
            context.statistics["rounds"] = number
            if excludes_queries(system, invariants, context):
                return Safe(minimised(system, Model(invariants), context))
        reason = "time limit" if context.remaining() <= 0 else "the invariants do not exclude every query"
        if self.name == "df-poly" and not polyhedra.available():
            reason = f"{reason}; {polyhedra.MISSING}"
        return Unknown(f"{self.name}: {reason}")
