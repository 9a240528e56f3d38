"""Each pass and the pipeline obey the law on random systems over finite sorts."""

from exhaustive_systems import systems
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chcverify.horn.system import HornSystem
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Transform
from chcverify.transforms.exact.argument_removal import ArgumentRemoval
from chcverify.transforms.exact.case_splitting import SplitByCases
from chcverify.transforms.exact.clause_merging import MergeParallel
from chcverify.transforms.exact.cone_of_influence import ConeOfInfluence
from chcverify.transforms.exact.constant_propagation import ConstantPropagation
from chcverify.transforms.exact.interval_simplification import IntervalSimplification
from chcverify.transforms.exact.normalisation import Normalise
from chcverify.transforms.exact.simplification import Simplify
from chcverify.transforms.exact.specialisation import Specialise, SpecialiseEnumerations
from chcverify.transforms.exact.unfolding import Unfold
from chcverify.transforms.exact.value_splitting import SplitByFlags, SplitByValues
from chcverify.transforms.pipeline import Pipeline, default_pipeline

from .law import assert_law

PASSES: list[Transform] = [
    Normalise(),
    Simplify(),
    ConeOfInfluence(),
    ConstantPropagation(),
    ArgumentRemoval(),
    IntervalSimplification(),
    Unfold(),
    MergeParallel(),
    Specialise(),
    Specialise(most=5),
    SpecialiseEnumerations(),
    SplitByValues(),
    SplitByValues(parameters=True),
    SplitByFlags(),
    SplitByCases(),
    Pipeline([ConstantPropagation(), Simplify(), ArgumentRemoval()]),
    Pipeline([Simplify(), Unfold(), MergeParallel()], rounds=3),
    default_pipeline(),
]
some_cases = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@given(system=systems())
@some_cases
def test_every_pass_obeys_the_law(system: HornSystem) -> None:
    for transform in PASSES:
        assert_law(transform, system)


@given(system=systems(normal=True))
@some_cases
def test_pipeline_obeys_the_law_on_normal_systems(system: HornSystem) -> None:
    assert_law(default_pipeline(), system)


class Hurried:
    """The pass with time for this many looks at the clock."""

    name = "hurried"

    def __init__(self, transform: Transform, looks: int) -> None:
        self.transform = transform
        self.looks = looks

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        return self.transform.apply(system, _Short(system, self.looks))


class _Short(PassContext):
    def __init__(self, system: HornSystem, looks: int) -> None:
        super().__init__(system)
        self.looks = looks

    @property
    def late(self) -> bool:
        self.looks -= 1
        return self.looks < 0


@given(system=systems(), looks=st.integers(0, 6))
@some_cases
def test_passes_that_run_out_of_time_obey_the_law(system: HornSystem, looks: int) -> None:
    for transform in (Simplify(), ConstantPropagation(), Unfold()):
        assert_law(Hurried(transform, looks), system)
