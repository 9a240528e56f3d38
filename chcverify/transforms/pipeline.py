"""The pipeline: passes repeated to a fixpoint within a budget, with a report and a hook that checks the law."""

import math
import time
from collections.abc import Callable, Sequence

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.roles import Role
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Chain, Identity, Transform
from chcverify.transforms.exact.argument_removal import ArgumentRemoval
from chcverify.transforms.exact.arrays.fixed_cells import FixedCells
from chcverify.transforms.exact.cone_of_influence import ConeOfInfluence
from chcverify.transforms.exact.constant_propagation import ConstantPropagation
from chcverify.transforms.exact.interval_simplification import IntervalSimplification
from chcverify.transforms.exact.normalisation import Normalise
from chcverify.transforms.exact.simplification import Simplify
from chcverify.transforms.exact.unfolding import Unfold

FINAL_SECONDS = 1e-5
"""Seconds of the clock for each argument of the system that the final passes need, roughly; kept for them before the
deadline. Chosen by hand."""
Certificate = Model | Derivation
Debug = Callable[[str, HornSystem, Certificate], None]
"""Called with a pass's name, the system before it and the certificate carried back to that system."""


@dataclass(frozen=True)
class Stage:
    """The sizes of the system after one pass; seconds is the time of the pass."""

    name: str
    predicates: int
    clauses: int
    arguments: int
    seconds: float


class Pipeline:
    """Applies `passes` in order, again and again until nothing changes, then `final` once.

    rounds: the most repetitions. budget_s: passes end after so many seconds of the processor with what they have, and
    no further one is started (final passes always run, but once late they keep clauses as they are wherever that is
    correct). What else runs on the machine does not change the result, then.
    """

    name = "pipeline"

    def __init__(
        self,
        passes: Sequence[Transform],
        final: Sequence[Transform] = (),
        rounds: int = 6,
        budget_s: float = 10.0,
        debug: Debug | None = None,
    ) -> None:
        self.passes = tuple(passes)
        self.final = tuple(final)
        self.rounds = rounds
        self.budget_s = budget_s
        self.debug = debug

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        result, back, _ = self.run(system) if work is None else self.run(system, work.deadline, work.cpu_deadline)
        return result, back

    def run(
        self, system: HornSystem, deadline: float = math.inf, cpu_deadline: float = math.inf
    ) -> tuple[HornSystem, BackTranslator, tuple[Stage, ...]]:
        """The simplified system, its back-translator and the report.

        deadline: in terms of time.monotonic(). cpu_deadline: of time.process_time(), if that comes before the budget's.
        """
        final_s = FINAL_SECONDS * _counts(system)[2]
        cpu_deadline = min(time.process_time() + self.budget_s, cpu_deadline)
        work = PassContext(system, deadline - final_s, cpu_deadline - final_s)
        links: list[BackTranslator] = []
        report = [Stage("input", *_counts(system), 0.0)]

        def step(transform: Transform, current: HornSystem) -> HornSystem:
            begin = time.monotonic()
            result, back = transform.apply(current, work)
            if not isinstance(back, Identity):
                links.append(back if self.debug is None else _Checked(back, transform.name, current, self.debug))
            report.append(Stage(transform.name, *_counts(result), time.monotonic() - begin))
            return result

        for _ in range(self.rounds):
            before = _counts(system)
            for transform in self.passes:
                if not work.late:
                    system = step(transform, system)
            if _counts(system) == before or work.late:
                break
        for transform in self.final:
            system = step(transform, system)
        return system, Chain(tuple(links)), tuple(report)


def default_pipeline(
    debug: Debug | None = None,
    keep: frozenset[Role] = frozenset(),
    not_unfolded: frozenset[Predicate] = frozenset(),
) -> Pipeline:
    """The passes that help all Horn engines: all that make the system smaller and no clause disjunctive.

    keep: the roles of arguments that stay, even where no clause looks at them. not_unfolded: predicates that stay.
    """
    simplify = Simplify()
    passes = (
        simplify,
        ConeOfInfluence(),
        ConstantPropagation(),
        simplify,
        FixedCells(),
        IntervalSimplification(),
        ArgumentRemoval(keep),
        Unfold(not_unfolded=not_unfolded),
    )
    return Pipeline(passes, (simplify, Normalise()), debug=debug)


def _counts(system: HornSystem) -> tuple[int, int, int]:
    return len(system.predicates), len(system.clauses), sum(p.arity for p in system.predicates)


@dataclass(frozen=True, eq=False)
class _Checked:
    """Passes each certificate that it carries back to the hook."""

    back: BackTranslator
    name: str
    before: HornSystem
    debug: Debug

    def model(self, model: Model) -> Model:
        result = self.back.model(model)
        self.debug(self.name, self.before, result)
        return result

    def derivation(self, derivation: Derivation) -> Derivation:
        result = self.back.derivation(derivation)
        self.debug(self.name, self.before, result)
        return result
