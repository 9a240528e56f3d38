"""The search of ctigar: the bus, the deadline, the seed, and agreement with Spacer on random systems."""

import os

from hypothesis import given, settings
from hypothesis import strategies as st
from linear_systems import LinearMaker, accepted, certified
from pdr_systems import ListBus, equal_counters

from chcverify.results.result import Safe, Unknown, Unsafe
from solvers.ctigar.engine import Ctigar
from solvers.engine import Context, Lemma
from solvers.spacer import Spacer

SECONDS = 60.0  # many times what is needed
EXAMPLES = int(os.environ.get("CHCVERIFY_EXAMPLES", "20"))


def test_lemmas_of_the_bus_are_used_and_not_sent_back() -> None:
    system = equal_counters()
    f, g, _ = system.predicates[0].formals
    bus = ListBus([Lemma(system.predicates[0], f == g, "other")])
    result = Ctigar().solve(system, Context(Context.within(SECONDS).deadline, bus=bus))
    assert isinstance(result, Safe) and accepted(system, result)
    assert all(not lemma.formula.eq(f == g) for lemma in bus.got)


def test_no_time_is_unknown() -> None:
    result = Ctigar().solve(equal_counters(), Context.within(0))
    assert isinstance(result, Unknown) and "time" in result.reason


def test_same_seed_same_run() -> None:
    figures = []
    for _ in range(2):
        context = Context.within(SECONDS, seed=7)
        assert isinstance(Ctigar().solve(equal_counters(), context), Safe)
        figures.append({k: v for k, v in context.statistics.items() if "z3" not in k})
    assert figures[0] == figures[1]


@settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES <= 100, database=None)
@given(st.integers(0, 10**9))
def test_agree_with_spacer(seed: int) -> None:
    system = LinearMaker(seed).system()
    answers = {type(certified(engine, system, 2)) for engine in (Ctigar(), Spacer())}
    assert not {Safe, Unsafe} <= answers, f"seed {seed}\n{system}"
