"""Outcomes, causes, events and folds: plain values that travel between processes."""

import json
import pickle

from chcverify.horn.origin import Origin
from chcverify.results.assumption import Assumption
from chcverify.results.events import EngineEvent, PhaseStarted, Stage, ignore
from chcverify.results.outcome import Obstacle, Outcome
from chcverify.results.reasons import Cause, main_cause
from chcverify.results.repeated_steps import FOLD_FROM, folds
from chcverify.results.report_data import Graph, GraphEdge, GraphNode, ReportData
from chcverify.results.result import Unknown
from chcverify.results.source_facts import TraceStep

ORIGIN = Origin("a.c", 3)
ASSUMED = Assumption("function", "read_sensor", "changes nothing", "a.c", 12, 5)


def test_exit_statuses_and_expectations() -> None:
    safe, unsafe, unknown = (Outcome(status, "word", expected=True) for status in ("safe", "unsafe", "unknown"))
    assert [outcome.exit_status for outcome in (safe, unsafe, unknown)] == [0, 1, 3]
    assert [outcome.contradicts_task for outcome in (safe, unsafe, unknown)] == [False, True, False]
    assert not Outcome("unsafe", "false").contradicts_task


def test_outcomes_are_plain_values() -> None:
    data = ReportData(graphs=(Graph("main", (GraphNode("1", ("x = 1",)),), (GraphEdge("1", "1"),)),))
    outcome = Outcome(
        "unknown", "unknown", "time limit", cause=Cause.TIME, obstacle=Obstacle((ORIGIN,)), assumptions=(ASSUMED,),
        report_data=data, statistics={"phases": {"solve": 0.5}},
    )  # fmt: skip
    assert pickle.loads(pickle.dumps(outcome)) == outcome
    document = json.loads(json.dumps(outcome.statistics_document()))
    assert document["cause"] == "time" and document["phases"] == {"solve": 0.5}
    assert document["assumptions"][0]["subject"] == "read_sensor"
    assert Outcome("safe", "true").statistics_document()["cause"] == ""


def test_the_text_of_an_assumption() -> None:
    assert ASSUMED.text == "read_sensor changes nothing (a.c:12)"
    assert ASSUMED.document()["column"] == 5


def test_the_cause_for_hints() -> None:
    assert main_cause([]) == main_cause([Cause.NO_FORM, Cause.GAVE_UP]) == Cause.GAVE_UP
    assert main_cause([Cause.TIME, Cause.UNSUPPORTED]) == Cause.UNSUPPORTED
    for cause in Cause:
        assert main_cause([cause]) == cause


def test_events() -> None:
    assert [stage.value for stage in Stage if stage.is_end] == ["refused", "unknown"]
    events = [PhaseStarted("encode"), EngineEvent("pdr", Stage.CERTIFY, {"frames": 3})]
    assert pickle.loads(pickle.dumps(events)) == events and [ignore(event) for event in events] == [None, None]
    assert Unknown("why") == Unknown("why")


def step(line: int) -> TraceStep:
    return TraceStep(Origin("a.c", line), "main", "statement", f"s{line}")


def test_folds_and_what_they_hide() -> None:
    trace = [step(line) for line in [1, *[2, 3] * 6, 4, *[5] * (FOLD_FROM - 1)]]
    (fold,) = folds(trace)
    assert (fold.start, fold.period, fold.count, fold.end) == (1, 2, 6, 13)
    assert fold.hidden == range(5, 11) and fold.hidden_iterations == 3
    shown = [*range(fold.hidden.start), *range(fold.hidden.stop, len(trace))]
    assert [trace[i].origin.line for i in shown] == [1, 2, 3, 2, 3, 2, 3, 4, 5, 5, 5]
    assert folds(trace[:5]) == []
