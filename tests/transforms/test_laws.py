"""Each pass and the pipeline obey the law on random systems over finite sorts."""

import pytest
from hypothesis import HealthCheck, given, settings

from chcverify.horn.system import HornSystem
from chcverify.transforms.arguments import ArgumentRemoval
from chcverify.transforms.base import Transform
from chcverify.transforms.cone import ConeOfInfluence
from chcverify.transforms.constants import ConstantPropagation
from chcverify.transforms.normalise import Normalise
from chcverify.transforms.parallel import MergeParallel, SplitDisjunctive
from chcverify.transforms.pipeline import Pipeline, default_pipeline
from chcverify.transforms.simplify import Simplify
from chcverify.transforms.unfold import Unfold

from .generate import systems
from .law import assert_law

PASSES: list[Transform] = [
    Normalise(),
    Simplify(),
    ConeOfInfluence(),
    ConstantPropagation(),
    ArgumentRemoval(),
    Unfold(),
    Unfold(only_single=True),
    MergeParallel(),
    SplitDisjunctive(),
    Pipeline([ConstantPropagation(), Simplify(), ArgumentRemoval()]),
    Pipeline([Simplify(), Unfold(), MergeParallel()], rounds=3),
    default_pipeline(),
]
some_cases = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("transform", PASSES, ids=lambda transform: transform.name)
@given(system=systems())
@some_cases
def test_law(transform: Transform, system: HornSystem) -> None:
    assert_law(transform, system)


@given(system=systems(normal=True))
@some_cases
def test_normal_systems(system: HornSystem) -> None:
    assert_law(default_pipeline(), system)
