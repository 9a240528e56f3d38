"""pdr against Spacer on random systems; both certificates are checked. CHCVERIFY_EXAMPLES sets how many (30)."""

import os
import time

from hypothesis import given, settings
from hypothesis import strategies as st
from random_systems import random_system

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.results.result import Result, Safe, Unsafe
from solvers.engine import Context, Engine
from solvers.pdr.engine import Pdr
from solvers.spacer import Spacer

EXAMPLES = int(os.environ.get("CHCVERIFY_EXAMPLES", "30"))
SECONDS = 2.0


@settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES <= 100, database=None)
@given(st.integers(0, 10**9))
def test_agrees_with_spacer(seed: int) -> None:
    system = random_system(seed)
    answers = {type(certified(engine, seed)) for engine in (Pdr(), Spacer())}
    assert not {Safe, Unsafe} <= answers, f"seed {seed}\n{system}"


def certified(engine: Engine, seed: int) -> Result:
    """The engine's answer, its certificate checked."""
    system = random_system(seed)
    result = engine.solve(system, Context.within(SECONDS))
    deadline = time.monotonic() + 600
    if isinstance(result, Safe):
        assert check_model(system, result.model, deadline).accepted, f"{engine.name}: wrong model, seed {seed}"
    elif isinstance(result, Unsafe):
        accepted = check_derivation(system, result.derivation, deadline).accepted
        assert accepted, f"{engine.name}: wrong derivation, seed {seed}"
    return result
