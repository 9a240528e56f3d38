"""The variants of a system that engines work on, besides the system as given. Each comes with its back-translator.

The transforms of most variants are imported where the variant is made: most runs end before it is needed.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import z3

from chcverify.effort import EARLY_SHARE, LONG_STEP_S, MAX_CASES, QUESTION_S, STEP_S
from chcverify.horn.roles import Role
from chcverify.horn.system import HornSystem, Predicate
from chcverify.portfolio.run_plan import Reduce, Variant
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import substitute, subterms
from chcverify.transforms.base import BackTranslator, Chain, Transform
from chcverify.transforms.exact.arrays.fixed_cells import FixedCells
from chcverify.transforms.exact.clause_merging import MergeParallel
from chcverify.transforms.exact.constant_propagation import ConstantPropagation
from chcverify.transforms.exact.normalisation import Normalise
from chcverify.transforms.exact.simplification import Simplify
from chcverify.transforms.exact.unfolding import Unfold
from chcverify.transforms.pipeline import Debug, Pipeline, default_pipeline

# Chosen by hand; none of them is measured.
BLOCK_NODES = 100_000
"""The most nodes of the constraint of a block, counted as a tree. Chosen by hand."""
FOLDED: Sequence[Variant] = ("sizes", "folds", "order", "members")
"""The variants with numbers for terms of datatypes: the names of templates of catamorphisms."""
TransformedSystem = tuple[HornSystem, BackTranslator, Mapping[str, Any]]


@dataclass(frozen=True)
class SystemVariants:
    """deadline: time.monotonic() at which reductions end with what they have. debug: called with every certificate."""

    deadline: float
    debug: Debug | None = None

    def table(self) -> Mapping[Variant, Reduce]:
        """The functions that make the variants, by name."""
        return {
            "reduced": self.reduced,
            "cells": self.cells,
            "pairs": self.pairs,
            "sums": self.sums,
            "rows": self.rows,
            "sentinels": self.sentinels,
            "links": self.links,
            "specialised": self.specialised,
            "enumerated": self.enumerated,
            "blocks": self.blocks,
            "integers": self.integers,
            "split": self.split,
            "parameters": self.parameters,
            "cases": self.cases,
            "numbers": self.numbers,
            **{name: partial(self.folded, name) for name in FOLDED},
        }

    def reduced(self, system: HornSystem) -> TransformedSystem:
        """Everything that makes the system smaller."""
        return self._reduced(system, frozenset())

    def _reduced(self, system: HornSystem, keep: frozenset[Role]) -> TransformedSystem:
        """The same; keep: the roles of arguments that stay in any case."""
        reduced, back, stages = default_pipeline(debug=self.debug, keep=keep).run(system, self.deadline)
        return reduced, back, {"stages": [asdict(stage) for stage in stages]}

    def cells(self, system: HornSystem) -> TransformedSystem | None:
        """Arrays as cells at symbolic indices, and at those in reverse that queries compare them with; None without."""
        from chcverify.transforms.abstractions.affine_cells import cells_in_other_order
        from chcverify.transforms.abstractions.cell_morphing import CellMorphing

        if not system.has_arrays:
            return None
        return self._beyond(system, *before_cells(), CellMorphing(related=cells_in_other_order), bounded=True)

    def links(self, system: HornSystem) -> TransformedSystem | None:
        """Cells, with the ends of the parts of arrays that are in use; None if the system has no such argument."""
        from chcverify.transforms.abstractions.cell_morphing import CellMorphing
        from chcverify.transforms.abstractions.neighbour_cells import neighbour_cells

        if not system.has_role(Role.END):
            return None
        unfold = Unfold(max_size=BLOCK_NODES, max_copies=BLOCK_NODES)
        merge = MergeParallel(max_size=BLOCK_NODES)
        blocks = (Simplify(), merge, unfold) * 3
        return self._beyond(system, *blocks, CellMorphing(related=neighbour_cells), keep=frozenset({Role.END}))

    def pairs(self, system: HornSystem) -> TransformedSystem | None:
        """Cells at two symbolic indices; None if no query reads an array at two indices."""
        from chcverify.transforms.abstractions.cell_morphing import CellMorphing

        # A loop of a sort that swaps two elements reads cells at four indices, which makes 4 * 4 pairs.
        morphing = CellMorphing(indices=2, max_atoms=MAX_CASES)
        return self._beyond(system, *before_cells(), morphing, bounded=True, needed=_reads_at_two_indices)

    def sums(self, system: HornSystem) -> TransformedSystem | None:
        """Sums of the cells of arrays of integers, for those of the system as given; None if it adds up no cells.

        Blocks of memory at known addresses are no arrays: a sum that is kept in one is an argument like others.
        """
        from chcverify.transforms.abstractions.array_sums.cell_summation import CellSummation
        from chcverify.transforms.abstractions.array_sums.summands import is_cells, wanted_sums

        if not any(is_cells(sort) for predicate in system.predicates for sort in predicate.sorts):
            return None
        scalars = (Simplify(), ConstantPropagation(), Simplify(), FixedCells(), Normalise())
        plainer, first_back, _ = Pipeline(scalars, rounds=1, debug=self.debug).run(system, self.deadline)
        reduced, _, _ = self.reduced(plainer)
        wanted = wanted_sums(plainer, Simplify().apply(reduced)[0])
        found = None if wanted is None else self._of_given(CellSummation(wanted), plainer)
        return None if found is None else (found[0], Chain((first_back, found[1])), found[2])

    def rows(self, system: HornSystem) -> TransformedSystem | None:
        """Cells of matrices at a symbolic row and column; None without matrices."""
        from chcverify.transforms.abstractions.matrix_cells import MatrixCells
        from chcverify.transforms.abstractions.row_lengths import matrices

        if not system.has_arrays:
            return None
        first, back, _ = self.reduced(system)
        plainer, simplified = Simplify().apply(first)
        if matrices(plainer) is None:
            return None
        bounded, bounds_back = self._bounded(plainer, Chain((back, simplified)))
        bounded, again = Simplify().apply(bounded)
        changed, cells_back = MatrixCells(matrices(bounded), self._scalar_bounds(bounded)).apply(bounded)
        if changed is bounded:
            return None
        result, last_back, report = self.reduced(changed)
        return result, Chain((bounds_back, again, cells_back, last_back)), report

    def sentinels(self, system: HornSystem) -> TransformedSystem | None:
        """Positions of a sentinel, such as the end of a string, for arrays; None if no loop reads up to one."""
        from chcverify.transforms.abstractions.sentinel_positions import SentinelPositions, has_sentinels

        if not system.has_arrays:
            return None
        return self._beyond(system, *before_cells(), SentinelPositions(), bounded=True, needed=has_sentinels)

    def specialised(self, system: HornSystem) -> TransformedSystem | None:
        """A copy of a predicate for each value of arguments that take few values, and of flags."""
        from chcverify.transforms.exact.specialisation import Specialise

        return self._beyond(system, Specialise(), self._by_flags())

    def enumerated(self, system: HornSystem) -> TransformedSystem | None:
        """A copy of a predicate for each valuation of the enumerations among its arguments; None without any."""
        from chcverify.transforms.exact.specialisation import SpecialiseEnumerations

        return self._beyond(system, SpecialiseEnumerations(), rounds=1)

    def blocks(self, system: HornSystem) -> TransformedSystem | None:
        """One clause for all paths between two loop heads: clauses are merged so that more can be unfolded."""
        unfold = Unfold(max_size=BLOCK_NODES, max_copies=BLOCK_NODES)
        larger = Pipeline(
            (Simplify(), MergeParallel(max_size=BLOCK_NODES), unfold),
            rounds=20,
            budget_s=STEP_S,
            debug=self.debug,
        )
        return self._beyond(system, larger)

    def integers(self, system: HornSystem) -> TransformedSystem | None:
        """Integers for bit-vectors, once flags are control; None without bit-vectors."""
        from chcverify.transforms.abstractions.bitvectors_as_integers import BitVectorsAsIntegers

        sorts = [sort for predicate in system.predicates for sort in predicate.sorts]
        if not any(isinstance(sort, z3.BitVecSortRef) for sort in sorts):
            return None
        if z3.BoolSort() not in sorts:
            return self._beyond(system, BitVectorsAsIntegers())
        return self._beyond(system, self._by_flags(), default_pipeline(debug=self.debug), BitVectorsAsIntegers())

    def _by_flags(self) -> Transform:
        """Flags as control, with a budget of its own."""
        from chcverify.transforms.exact.value_splitting import SplitByFlags

        return Pipeline((SplitByFlags(),), rounds=1, budget_s=QUESTION_S, debug=self.debug)

    def split(self, system: HornSystem) -> TransformedSystem | None:
        """A copy of a predicate for each value of arguments of few values with few successors."""
        from chcverify.transforms.exact.value_splitting import SplitByValues

        return self._beyond(system, SplitByValues(), rounds=1, budget_s=LONG_STEP_S)

    def parameters(self, system: HornSystem) -> TransformedSystem | None:
        """A copy of a predicate for each value of factors and steps of a small range; None without any."""
        from chcverify.transforms.exact.value_splitting import SplitByValues

        return self._beyond(system, SplitByValues(parameters=True), rounds=1)

    def cases(self, system: HornSystem) -> TransformedSystem | None:
        """A copy of a predicate for each case of flags, which are set to few constants; None without any."""
        from chcverify.transforms.exact.case_splitting import SplitByCases

        return self._beyond(system, SplitByCases(), rounds=1)

    def folded(self, name: Variant, system: HornSystem) -> TransformedSystem | None:
        """Numbers for terms of datatypes, by the template of that name; None if there are none for this system.

        The first form is the system over integers without folds, where it needs none.
        """
        from chcverify.transforms.abstractions.catamorphisms.folding import Folding
        from chcverify.transforms.abstractions.catamorphisms.templates import TEMPLATES

        plainer, before = self._over_integers(system)
        found = self._of_given(Folding(name, TEMPLATES[name]), plainer)
        if found is None and plainer is not system and name == FOLDED[0]:
            found = self.reduced(plainer)
        return None if found is None else (found[0], Chain((before, found[1])), found[2])

    def numbers(self, system: HornSystem) -> TransformedSystem | None:
        """Integers for unary numbers, and closed forms for recursion over integers; None if there are none."""
        plainer, before = self._over_integers(system)
        if plainer is system:
            return None
        result, back, report = self.reduced(plainer)
        return result, Chain((before, back)), report

    def _over_integers(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]:
        """The system as given with integers for unary numbers, and recursion over integers in closed form."""
        from chcverify.transforms.exact.recursion.closed_forms import ClosedForms
        from chcverify.transforms.exact.recursion.unary_numbers import UnaryNumbers

        plainer, first = UnaryNumbers().apply(system)
        changed, second = ClosedForms().apply(plainer)
        return changed, Chain((first, second))

    def _of_given(self, transform: Transform, system: HornSystem) -> TransformedSystem | None:
        """The system as given, transformed, then reduced: models over folds do not come back through a reduction."""
        changed, back = transform.apply(system)
        if changed is system:
            return None
        result, last_back, report = self.reduced(changed)
        return result, Chain((back, last_back)), report

    def _beyond(
        self,
        system: HornSystem,
        *transforms: Transform,
        bounded: bool = False,
        needed: Callable[[HornSystem], bool] | None = None,
        rounds: int = 6,
        budget_s: float = STEP_S,
        keep: frozenset[Role] = frozenset(),
    ) -> TransformedSystem | None:
        """Reduced, transformed until nothing changes or that often, and reduced again; None if nothing changes.

        bounded: simplify first by bounds of the scalars, where sums in indices might wrap around. needed: the result is
        None, too, if this is false of the reduced system. keep: the roles of arguments that stay in any case.
        """
        first, back_translator, before = self._reduced(system, keep)
        if needed is not None and not needed(first):
            return None
        if bounded:
            first, back_translator = self._bounded(first, back_translator)
        beyond = Pipeline(transforms, rounds=rounds, budget_s=budget_s, debug=self.debug)
        changed, back, stages = beyond.run(first, self.deadline)
        if (changed.predicates, len(changed.clauses)) == (first.predicates, len(first.clauses)):
            return None
        result, last_back, after = self._reduced(changed, keep)
        report = [*before["stages"], *map(asdict, stages), *after["stages"]]
        return result, Chain((back_translator, back, last_back)), {"stages": report}

    def _bounded(self, system: HornSystem, back_translator: BackTranslator) -> tuple[HornSystem, BackTranslator]:
        """The system simplified by the bounds of its scalars, where that might matter for indices of arrays."""
        from chcverify.transforms.abstractions.invariant_simplification import InvariantSimplification, reads_at_ites

        if not reads_at_ites(system):
            return system, back_translator
        invariants = self._scalar_bounds(system)
        if not invariants:
            return system, back_translator
        plainer, back, _ = Pipeline((InvariantSimplification(invariants),), rounds=1, debug=self.debug).run(
            system, self.deadline
        )
        result, last_back, _ = self.reduced(plainer)
        return result, Chain((back_translator, back, last_back))

    def _scalar_bounds(self, system: HornSystem) -> Mapping[Predicate, z3.BoolRef]:
        """Bounds and relations of the arguments that are no arrays, inductive together; none if time runs out."""
        from chcverify.transforms.abstractions.invariant_simplification import without_arrays
        from solvers.abstract_interpretation.engine import analysis_passes
        from solvers.engine import Context

        scalars, smaller = without_arrays(system)
        seconds = min(STEP_S, EARLY_SHARE * max(0.0, self.deadline - time.monotonic()))
        found = deque(analysis_passes(scalars, "df-scalars", Context.within(seconds)), maxlen=1)
        if not found:
            return {}
        invariants = {}
        for predicate, other in smaller.items():
            kept = [f for f in predicate.formals if not isinstance(f.sort(), z3.ArraySortRef)]
            invariants[predicate] = substitute(found[0][other], zip(other.formals, kept, strict=True))
        return invariants


def before_cells() -> Sequence[Transform]:
    """The transforms after which arrays become cells: clauses of one path, and indices without what all add."""
    from chcverify.transforms.abstractions.unconstrained_arguments import UnconstrainedArguments
    from chcverify.transforms.exact.arrays.array_bases import ArrayBases
    from chcverify.transforms.exact.arrays.array_branches import ArrayBranches
    from chcverify.transforms.exact.arrays.array_strides import ArrayStrides

    return Simplify(), ArrayBranches(), UnconstrainedArguments(), ArrayBases(), ArrayStrides()


def _reads_at_two_indices(system: HornSystem) -> bool:
    """Does a query read arrays at two different indices?"""
    for index in system.queries:
        reads = (term.arg(1) for term in subterms(system.clauses[index].constraint) if z3.is_select(term))
        if len({read.get_id() for read in reads if z3.is_int(read)}) > 1:
            return True
    return False
