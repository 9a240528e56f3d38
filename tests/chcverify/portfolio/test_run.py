"""The portfolio: first certified answer wins, bad engines cost only themselves, limits hold, nothing is left behind."""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.portfolio import schedule
from chcverify.portfolio.run_plan import CertificationResult, EngineRun, PortfolioResult
from chcverify.portfolio.schedule import Feature
from chcverify.portfolio.scheduler import _Portfolio, solve
from chcverify.portfolio.timetable import slots, timetable
from chcverify.results.result import Safe, Unknown, Unsafe
from chcverify.transforms.base import Identity
from chcverify.transforms.pipeline import default_pipeline
from solvers import registry

MODULE = "engines_for_tests"


@pytest.fixture(autouse=True)
def more_engines(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    names = ("Sleeper", "Crasher", "Raiser", "Hungry", "Liar", "Quitter", "Linear", "Teller", "Listener")
    table = {**registry._TABLE, **{name.lower(): f"{MODULE}:{name}" for name in names}}
    monkeypatch.setattr(registry, "_TABLE", table)


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    assert not Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


def clause(head: Application | None, body: list[Application], *constraint: z3.BoolRef) -> Clause:
    return Clause(head, tuple(body), z3.And([z3.BoolVal(True), *constraint]))


def counter(unsafe: bool = False) -> HornSystem:
    x = z3.Int("x")
    p = Predicate("P", (z3.IntSort(),))
    return HornSystem.of(
        [
            clause(p(x), [], x == 0),  # x = 0 => P(x)
            clause(p(x + 1), [p(x)]),  # P(x) => P(x + 1)
            clause(None, [p(x)], x == 5 if unsafe else x < 0),  # P(x) & x < 0 => false
        ]
    )


def certifier(system: HornSystem):
    def certify(answer: Safe | Unsafe) -> CertificationResult:
        end = time.monotonic() + 600
        if isinstance(answer, Safe):
            verdict = check_model(system, answer.model, end)
        else:
            verdict = check_derivation(system, answer.derivation, end)
        return CertificationResult(verdict.accepted, verdict.reason, {"checker": verdict.checker})

    return certify


def reduce(system: HornSystem):
    reduced, back = default_pipeline().apply(system)
    return reduced, back, {"clauses": len(reduced.clauses)}


def run(system: HornSystem, *runs: EngineRun, seconds: float = 600.0, **more) -> PortfolioResult:
    more.setdefault("certify", certifier(system))
    return solve(system, runs, deadline=time.monotonic() + seconds, **more)


SPACER = EngineRun("spacer")


def grandchildren() -> list[int]:
    """The processes below the hosts, as soon as there are any."""
    found: list[int] = []
    while not found:
        time.sleep(0.01)
        for host in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
            found += map(int, Path(f"/proc/{host}/task/{host}/children").read_text().split())
    return found


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("variant", ["original", "reduced"])
def test_spacer_decides(unsafe, jobs, variant):
    system = counter(unsafe)
    result = run(system, EngineRun("spacer", variant), variants={"reduced": reduce}, jobs=jobs)
    assert isinstance(result.result, Unsafe if unsafe else Safe)
    assert result.engine == EngineRun("spacer", variant).label
    assert result.certification is not None and result.certification.details["checker"].startswith("z3")
    assert f"system {variant}" in result.statistics


@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("crasher", "killed by SIGSEGV"),
        ("raiser", "RuntimeError: lost the thread"),
        ("hungry", "memory limit of 300 MB"),
        ("quitter", "does not know"),
        ("no-such-engine", "there is no engine"),
    ],
)
def test_a_bad_engine_costs_only_itself(engine, reason):
    system = counter()
    result = run(system, EngineRun(engine), SPACER, memory_mb=300)
    assert isinstance(result.result, Safe) and result.engine == "spacer"
    assert reason in result.reasons[engine]


@pytest.mark.parametrize("claim", ["safe", "unsafe"])
def test_a_refused_certificate_does_not_win(claim):
    system = counter(unsafe=claim == "safe")
    result = run(system, EngineRun("liar", options={"claim": claim}), SPACER)
    assert result.engine == "spacer" and result.reasons["liar"].startswith("certificate refused: ")
    alone = run(system, EngineRun("liar", options={"claim": claim}))
    assert isinstance(alone.result, Unknown) and "certificate refused" in alone.result.reason


def test_refusal_as_plain_text():
    result = run(counter(), SPACER, certify=lambda answer: "I do not like it")
    assert isinstance(result.result, Unknown) and "I do not like it" in result.result.reason


def test_a_crashing_checker_is_a_refusal():
    result = run(counter(), SPACER, certify=lambda answer: os._exit(3))
    assert isinstance(result.result, Unknown) and "ended with status 3" in result.result.reason


def test_a_hanging_checker_is_a_time_out(monkeypatch):
    """The time is over as soon as the check has begun."""
    ended = _Portfolio.ended

    def last(portfolio, engine, report):
        ended(portfolio, engine, report)
        portfolio.deadline = 0.0

    monkeypatch.setattr(_Portfolio, "ended", last)
    result = run(counter(), SPACER, certify=lambda answer: time.sleep(600))
    assert isinstance(result.result, Unknown) and "time limit" in result.result.reason


def test_time_limit_with_engines_that_ignore_it():
    result = run(counter(), EngineRun("sleeper"), EngineRun("sleeper", "original"), seconds=1.0, jobs=2)
    assert isinstance(result.result, Unknown) and result.result.reason.count("time limit") == 2


def test_one_job_gives_each_run_its_share():
    plan = (EngineRun("sleeper", fraction_of_remaining=0.002), EngineRun("quitter"), SPACER)  # 1.2 s for the first
    result = run(counter(), *plan, seconds=600.0, jobs=1)
    assert result.engine == "spacer"
    assert result.reasons == {"sleeper": "time limit", "quitter": "does not know"}


def test_one_job_is_deterministic():
    answers = [run(counter(unsafe=True), EngineRun("quitter"), SPACER, jobs=1, seed=7) for _ in range(2)]
    assert answers[0].engine == answers[1].engine and answers[0].reasons == answers[1].reasons
    assert answers[0].statistics["quitter"] == {"seed": 7}
    derivations = [answer.result.derivation for answer in answers]
    assert str(derivations[0].steps) == str(derivations[1].steps)


@pytest.mark.parametrize("trouble", [os.abort, lambda: time.sleep(600)], ids=["crashes", "hangs"])
def test_reduction_that_crashes_or_hangs(trouble, monkeypatch):
    host = _Portfolio.host

    def impatient(portfolio, variant):
        """The time of the reduction, and of nothing else, is over at once."""
        worker = host(portfolio, variant)
        if variant == "reduced" and trouble is not os.abort:
            portfolio.reduction_deadlines[variant] = 0.0
        return worker

    monkeypatch.setattr(_Portfolio, "host", impatient)
    result = run(counter(), SPACER, variants={"reduced": lambda system: trouble()})
    assert isinstance(result.result, Safe) and result.engine == "spacer on original"
    assert result.reasons["spacer"].startswith("reduction: ")


def test_runs_on_blocks_take_the_reduced_system_where_there_are_no_blocks():
    runs = [EngineRun("quitter", "blocks"), EngineRun("spacer", "blocks"), EngineRun("crasher"), SPACER]
    result = run(counter(), *runs, variants={"reduced": reduce, "blocks": lambda system: None})
    assert result.engine == "spacer"  # in the turn of the run on blocks, and once
    assert result.reasons["quitter on blocks"] == "reduction: nothing to change"
    assert "does not know" in result.reasons["quitter"]
    assert "crasher" not in result.reasons


def test_runs_on_blocks_take_the_reduced_system_where_blocks_cannot_be_made():
    runs = [EngineRun("quitter", "blocks"), EngineRun("spacer", "blocks")]
    result = run(counter(), *runs, variants={"reduced": reduce, "blocks": lambda system: os.abort()})
    assert result.engine == "spacer" and result.reasons["quitter on blocks"].startswith("reduction: ")


def test_a_worker_killed_from_outside():
    """kill -9 of every process below the portfolio but the hosts: their runs end, the next engine decides."""

    def progress(label, phase, figures):
        if (label, phase) == ("sleeper", "start"):
            for worker in grandchildren():
                os.kill(worker, 9)

    result = run(counter(), EngineRun("sleeper"), SPACER, progress=progress, jobs=1)
    assert isinstance(result.result, Safe) and result.reasons["sleeper"] == "killed by SIGKILL"


def test_a_killed_host_costs_its_runs():
    pids = f"/proc/self/task/{os.getpid()}/children"

    def progress(label, phase, figures):
        if (label, phase) == ("sleeper on original", "start"):
            grandchildren()
            for host in Path(pids).read_text().split():
                os.kill(int(host), 9)

    plan = (EngineRun("sleeper", "original"), SPACER)
    result = run(counter(), *plan, progress=progress, jobs=1)
    assert isinstance(result.result, Safe) and "killed by SIGKILL" in result.reasons["sleeper on original"]


def test_lemmas_travel_and_only_inductive_ones_are_believed():
    result = run(counter(), EngineRun("teller"), EngineRun("listener"), jobs=2)
    assert isinstance(result.result, Safe) and result.engine == "listener"
    assert result.statistics["listener"] == {"origins": ["teller"], "lemmas": 1}


def test_requirements():
    x, y = z3.Ints("x y")
    p = Predicate("P", (z3.IntSort(),))
    system = HornSystem.of([clause(p(x), [], x == 1), clause(p(x + y), [p(x), p(y)]), clause(None, [p(x)], x < 0)])
    result = run(system, EngineRun("linear"), SPACER)
    assert result.reasons == {"linear": "takes linear clauses only"} and result.engine == "spacer"


def test_progress_tells_the_phases():
    heard = []
    run(counter(), EngineRun("quitter"), SPACER, progress=lambda label, phase, figures: heard.append((label, phase)))
    assert heard[:2] == [("quitter", "start"), ("quitter", "unknown")]
    assert heard[-2:] == [("spacer", "back-translation"), ("spacer", "certify")]


def test_an_answer_may_be_carried_back_beyond_the_share():
    """A back-translation that takes 7 s where the run has 6 s."""

    class Slow(Identity):
        def model(self, model):
            time.sleep(7)
            return model

    variants = {"reduced": lambda system: (system, Slow(), {})}
    runs = EngineRun("spacer", fraction_of_remaining=0.01), EngineRun("sleeper")
    result = run(counter(), *runs, variants=variants, jobs=1)
    assert result.engine == "spacer" and isinstance(result.result, Safe)


@pytest.mark.parametrize("extension_s", [0.0, 600.0])
def test_a_certificate_may_be_checked_beyond_the_limit(extension_s, monkeypatch):
    """The limit is over as soon as the answer is there."""
    ended = _Portfolio.ended

    def last(portfolio, engine, report):
        portfolio.deadline = time.monotonic()
        ended(portfolio, engine, report)

    monkeypatch.setattr(_Portfolio, "ended", last)
    result = run(counter(), SPACER, EngineRun("sleeper"), extension_s=extension_s)
    assert isinstance(result.result, Safe if extension_s else Unknown)


@pytest.mark.parametrize("beside", [(), (EngineRun("sleeper"),), (EngineRun("sleeper", "original"),)])
def test_an_answer_is_carried_back_beyond_the_limit(beside):
    class Slow(Identity):
        def model(self, model):
            time.sleep(4)
            return model

    variants = {"reduced": lambda system: (system, Slow(), {})}
    result = run(counter(), SPACER, *beside, seconds=3.0, extension_s=600.0, variants=variants, jobs=2)
    assert isinstance(result.result, Safe)


def states_beside() -> set[str]:
    """The states of the processes beside this one and below those (T: suspended), as /proc has them."""
    found, frontier = set(), [p for p in children(os.getppid()) if p != os.getpid()]
    while frontier:
        process = frontier.pop()
        with suppress(OSError):  # it has ended
            found.add(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0])
            frontier += children(process)
    return found


def children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def test_runs_wait_while_a_certificate_is_checked(monkeypatch):
    begun = _Portfolio.__init__

    def long_ago(portfolio, *arguments):
        begun(portfolio, *arguments)
        portfolio.begin -= 60.0  # runs wait as long as the portfolio has run

    monkeypatch.setattr(_Portfolio, "__init__", long_ago)

    def certify(answer):
        end = time.monotonic() + 60
        while (states := states_beside()) != {"T"} and time.monotonic() < end:
            time.sleep(0.05)
        return f"states {states}"

    liar = EngineRun("liar", options={"claim": "safe"})
    result = run(counter(), EngineRun("sleeper", fraction_of_remaining=0.05), liar, seconds=30, jobs=2, certify=certify)
    assert "states {'T'}" in result.reasons["liar"]
    assert result.reasons["sleeper"] == "time limit"


def test_runs_go_on_when_a_certificate_is_refused():
    liar = EngineRun("liar", options={"claim": "unsafe"})
    result = run(counter(), liar, EngineRun("spacer"), jobs=2)
    assert result.engine == "spacer" and isinstance(result.result, Safe)


@pytest.mark.parametrize(("jobs", "beside"), [(2, False), (3, True)])
def test_nothing_starts_beside_an_exclusive_run(jobs, beside):
    heard = []
    sleeper = EngineRun("sleeper", fraction_of_remaining=0.02, exclusive=True)
    run(
        counter(), sleeper, SPACER, seconds=60, jobs=jobs,
        progress=lambda label, phase, figures: heard.append((label, phase)),
    )  # fmt: skip
    ends = ("sleeper", "unknown")
    assert heard.index(("spacer", "start")) < (heard.index(ends) if ends in heard else len(heard)) or not beside
    assert beside or heard.index(("spacer", "start")) > heard.index(ends)


def test_empty_plan():
    assert run(counter()).result == Unknown("no engine to run")


def test_schedule_fits_the_system():
    linear = schedule.choose(counter())
    labels = {run.label for run in linear}
    assert {"df", "df-poly on parameters", "bounded on original", "pdr on blocks"} <= labels
    assert "cell-goals on cells" not in labels
    found = schedule.features(counter())
    assert found == {Feature.LINEAR}
    x, y = z3.Ints("x y")
    a = z3.Array("a", z3.IntSort(), z3.IntSort())
    p = Predicate("P", (a.sort(), z3.IntSort()))
    other = HornSystem.of([clause(p(a, x), [p(a, y), p(a, x)], x * y == 1)])
    found = schedule.features(other)
    assert found == {Feature.ARRAYS, Feature.NONLINEAR_ARITHMETIC}
    assert "cell-goals" in {entry.engine for entry in schedule.choose(other)}


def test_the_timetable_hands_out_all_the_time_once():
    for jobs in (1, 3):
        runs = schedule.choose(counter())
        table = slots(runs, 100.0, jobs)
        assert [slot.run for slot in table] == runs
        ends = [slot.start_s + slot.seconds for slot in table]
        assert max(ends) == pytest.approx(100.0) and all(slot.seconds > 0 for slot in table)
        if jobs == 1:
            assert sum(slot.seconds for slot in table) == pytest.approx(100.0)
    shown = timetable(counter(), 100.0)
    assert "features: linear clauses" in shown and "no arrays" in shown
    assert "cell-goals           cells        no arrays" in shown
    labels = [(run.engine, run.variant) for run in runs]
    assert len(labels) == len(set(labels))


def test_named_engines_share_the_time():
    runs = schedule.named(["spacer", "spacer-global"])
    assert [(r.label, r.fraction_of_remaining) for r in runs] == [("spacer on original", 0.5), ("spacer-global", 1.0)]
    assert [run.label for run in schedule.named(["spacer"])] == ["spacer on original", "spacer"]
    with pytest.raises(KeyError, match="no engine 'nonsense'"):
        schedule.named(["nonsense"])


def test_plug_ins_are_found(monkeypatch):
    from importlib.metadata import EntryPoint, EntryPoints

    points = EntryPoints([EntryPoint("extra", f"{MODULE}:Quitter", registry.ENTRY_POINT_GROUP)])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    assert registry.get("extra").description == "for tests"
    assert registry.engines()["extra"].source == "a plug-in"


def test_engines_load_only_when_used():
    import subprocess

    script = "import sys, solvers.registry as r; r.engines(); sys.exit('solvers.spacer.engine' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
