"""Schedules from campaign data, on imaginary and on small real data."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from campaign_examples import example_run, example_task
from click.testing import CliRunner

from chcverify.campaign.answers import ToolAnswer
from chcverify.campaign.selection import ScheduleRuns
from chcverify.campaign.store import ResultStore
from chcverify.campaign.tuning.cross_validation import (
    LEAST_TASKS,
    class_schedules,
    cross_validate,
    schedule_for,
)
from chcverify.campaign.tuning.greedy_cover import greedy_schedule
from chcverify.campaign.tuning.schedule_model import (
    SAFETY_FACTOR,
    MeasuredTask,
    Schedule,
    TunedSlot,
    solved_after,
)
from chcverify.campaign.tuning.tuning_data import measured_tasks
from chcverify.cli.commands.bench import command
from chcverify.cli.schedule_tuning import applicable_engines, scheduled_engines
from chcverify.effort import GLANCE_S
from chcverify.errors import InputError
from chcverify.portfolio.schedule import Feature, chosen
from chcverify.portfolio.timetable import slots
from chcverify.portfolio.tuned import read_tuned

NOTHING: frozenset[str] = frozenset()


def _task(name: str, family: str = "f", features: frozenset[str] = NOTHING, **seconds: float) -> MeasuredTask:
    return MeasuredTask(name, family, features, seconds, tried=frozenset({"a", "b"}))


def _all_to(engine: str) -> Callable[[frozenset[str], float], Schedule]:
    return lambda features, limit: (TunedSlot(engine, limit),)


def test_the_engine_with_most_tasks_per_second_comes_first() -> None:
    tasks = [_task("1", fast=1.0), _task("2", fast=1.0, slow=4.0), _task("3", slow=4.0)]
    schedule = greedy_schedule(tasks, 10.0)
    assert [slot.engine for slot in schedule][:2] == ["fast", "slow"]
    assert sum(slot.seconds for slot in schedule) == pytest.approx(10.0)
    assert all(solved_after(schedule, task, 10.0) for task in tasks)


def test_a_slot_is_extended_where_that_is_best() -> None:
    tasks = [_task("1", a=1.0), _task("2", a=2.0), _task("3", b=5.0)]
    schedule = greedy_schedule(tasks, 20.0)
    assert [slot.engine for slot in schedule] == ["a", "b"]
    assert schedule[0].seconds >= 2.0 * SAFETY_FACTOR and schedule[1].seconds >= 5.0 * SAFETY_FACTOR


def test_what_does_not_fit_into_the_limit_is_not_promised() -> None:
    tasks = [_task("1", a=1.0), _task("2", b=100.0)]
    schedule = greedy_schedule(tasks, 10.0)
    assert sum(slot.seconds for slot in schedule) == pytest.approx(10.0)
    assert [solved_after(schedule, task, 10.0) is not None for task in tasks] == [True, False]


def test_the_time_before_a_slot_counts() -> None:
    schedule = (TunedSlot("a", 6.0), TunedSlot("b", 4.0))
    assert solved_after(schedule, _task("1", b=4.0), 10.0) == pytest.approx(10.0)
    assert solved_after(schedule, _task("1", b=4.5), 10.0) is None
    prepared = replace(_task("1", b=3.0), preparation=5.0)
    assert solved_after(schedule, prepared, 10.0) is None and solved_after(schedule, prepared, 20.0)


def test_what_an_engine_leaves_goes_to_the_next_and_what_does_not_apply_has_no_slot() -> None:
    schedule = (TunedSlot("a", 6.0), TunedSlot("c", 2.0), TunedSlot("b", 2.0))
    gives_up = replace(_task("1", b=8.0), gave_up={"a": 1.0})
    assert solved_after(schedule, gives_up, 10.0) == pytest.approx(9.0)
    assert solved_after(schedule, replace(gives_up, gave_up={}), 10.0) is None


def test_small_classes_get_the_schedule_of_all() -> None:
    arrays = frozenset({"arrays"})
    many = [_task(str(i), features=arrays, a=1.0) for i in range(LEAST_TASKS)]
    few = [_task(f"x{i}", b=1.0) for i in range(LEAST_TASKS - 1)]
    classes = class_schedules(many + few, (10.0,))
    assert [(item.features, item.tasks) for item in classes] == [(arrays, LEAST_TASKS), (None, len(many + few))]
    assert schedule_for(classes, arrays, 10.0)[0].engine == "a"
    assert {slot.engine for slot in schedule_for(classes, NOTHING, 10.0)} == {"a", "b"}


def test_a_family_is_judged_by_a_schedule_that_has_not_seen_it() -> None:
    """Only family g needs b, and more time for it than a schedule gives that was tuned on f alone."""
    tasks = [_task(str(i), "f", a=1.0, b=9.0) for i in range(LEAST_TASKS)]
    tasks += [_task("g", "g", b=6.0), _task("none", "g")]
    (held_out,) = cross_validate(tasks, _all_to("b"), (10.0,))
    count = LEAST_TASKS + 2
    assert (held_out.tasks, held_out.tuned, held_out.hand_made) == (count, count - 2, count - 1)
    assert (held_out.won, held_out.lost, held_out.p, held_out.any_engine) == (0, 1, 1.0, count - 1)


def test_answers_that_nothing_confirms_are_no_data() -> None:
    safe, open_, unfinished = example_task("safe"), example_task("open", None), example_task("unfinished")
    runs = [
        example_run("a", safe, ToolAnswer.TRUE, 2.0),
        example_run("b", safe, ToolAnswer.FALSE, 1.0),
        example_run("c", safe, ToolAnswer.UNKNOWN, 1.5),
        example_run("a", open_, ToolAnswer.TRUE),
        example_run("a", unfinished, ToolAnswer.TRUE),
    ]
    features = {safe.key: frozenset({"arrays", "large system"}), open_.key: NOTHING, unfinished.key: NOTHING}
    (task,) = measured_tasks(runs, features, frozenset({"arrays"}), lambda names: ("a", "b"))
    assert task.features == {"arrays"} and task.family == "loops" and task.engines == {"a", "b", "c"}
    assert (task.seconds, task.gave_up, task.preparation) == ({"a": 1.0}, {"c": 0.5}, 1.0)


def test_tasks_that_no_engine_decides_are_no_data() -> None:
    task = example_task("short")
    runs = [example_run("a", task, ToolAnswer.FALSE, 2.0, engine="random runs")]
    assert measured_tasks(runs, {task.key: NOTHING}, NOTHING, lambda names: ()) == []
    same = [example_run("a", task, ToolAnswer.TRUE, 2.0)]
    (alone,) = measured_tasks(same, {task.key: NOTHING}, NOTHING, lambda names: ())
    assert alone.seconds == {"a": GLANCE_S}


def test_the_runs_that_a_schedule_needs(tmp_path: Path) -> None:
    first, second = example_task("first"), example_task("second")
    with ResultStore(tmp_path / "r.db") as store:
        store.set_features(first.key, "linear clauses, arrays")
        store.set_features(second.key, "none")
        selection = ScheduleRuns(applicable_engines)
        selection.prepare(store, [first, second], 1, print)
    assert selection.wants("cell-goals@cells", first) and not selection.wants("cell-goals@cells", second)
    selection.learn(example_run("pdr@blocks", first, ToolAnswer.FALSE, engine="pdr on blocks"))
    selection.learn(example_run("pdr@blocks", second, ToolAnswer.FALSE, engine="random runs"))
    assert selection.wants("cell-goals@cells", first) and not selection.wants("pdr@reduced", second)
    assert set(applicable_engines(frozenset())) < set(scheduled_engines())


@pytest.fixture
def tuned(tmp_path: Path) -> Path:
    """A schedule file, tuned on imaginary runs whose features are stored."""
    with ResultStore(tmp_path / "r.db") as store:
        for number in range(24):
            task = example_task(f"t{number}", category=f"family-{number % 3}")
            store.set_features(task.key, "linear clauses, arrays" if number % 2 else "none")
            store.add(example_run("df", task, ToolAnswer.TRUE, 1.0))
            store.add(example_run("pdr@blocks", task, ToolAnswer.UNKNOWN if number % 2 else ToolAnswer.TRUE, 0.5))
            store.add(example_run("portfolio", task, ToolAnswer.TRUE, 0.1))
            store.add(example_run("golem", task, ToolAnswer.TRUE, 0.1))
    ended = CliRunner().invoke(command, ["tune", str(tmp_path / "r.db"), "-o", str(tmp_path / "s.json")])
    assert ended.exit_code == 0, ended.output
    assert "3 families" in ended.output
    return tmp_path / "s.json"


def test_the_file_of_a_schedule_has_its_provenance(tuned: Path) -> None:
    document = json.loads(tuned.read_text())
    assert document["provenance"]["engines"] == ["df@reduced", "pdr@blocks"]
    assert document["provenance"]["tasks"] == 24 and document["provenance"]["task_set"]
    assert [item["limit_s"] for item in document["held_out"]] == [10.0, 60.0, 900.0]
    assert [item["features"] for item in document["classes"]] == [[], ["arrays", "linear clauses"], None]


def test_the_portfolio_gets_the_times_of_the_file(tuned: Path) -> None:
    schedule = read_tuned(str(tuned))
    document = json.loads(tuned.read_text())
    document["provenance"]["engines"] = scheduled_engines()  # as if all of them had been measured
    tuned.write_text(json.dumps(document))
    schedule = read_tuned(str(tuned))
    entries = document["classes"][0]["schedules"]["60"]
    planned = slots(schedule.runs(frozenset(), 60.0), 60.0)
    assert [(slot.run.engine, slot.run.variant) for slot in planned] == [(engine, on) for engine, on, _ in entries]
    assert [slot.seconds for slot in planned] == pytest.approx([seconds for _, _, seconds in entries], abs=0.05)
    half = slots(schedule.runs(frozenset(), 30.0), 30.0)
    assert [slot.seconds for slot in half] == pytest.approx([seconds / 2 for _, _, seconds in entries], abs=0.05)


def test_what_a_file_does_not_know_is_as_by_hand(tuned: Path) -> None:
    document = json.loads(tuned.read_text())
    schedule = read_tuned(str(tuned))
    unseen = frozenset({Feature.DATATYPES})
    tuned.write_text(json.dumps(document | {"classes": document["classes"][:-1]}))
    assert read_tuned(str(tuned)).runs(unseen, 60.0) == [entry.run for entry in chosen(unseen)]
    known = schedule.runs(frozenset(), 60.0)
    by_hand = [entry.run for entry in chosen(frozenset())]
    assert {(run.engine, run.variant) for run in known} == {(run.engine, run.variant) for run in by_hand}
    applicable = {(entry.run.engine, entry.run.variant) for entry in chosen(unseen)}
    assert {(run.engine, run.variant) for run in schedule.runs(unseen, 60.0)} <= applicable
    added = [run for run in by_hand if (run.engine, run.variant) not in (("df", "reduced"), ("pdr", "blocks"))]
    assert [run for run in known if run in added] == added


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d | {"format": 7}, "format 7"),
        (lambda d: d | {"dividing": ["colour"]}, "not a schedule"),
        (lambda d: d | {"classes": [{"features": None, "schedules": {"10": [["nobody", "reduced", 1]]}}]}, "no engine"),
        (lambda d: d | {"classes": [{"features": None, "schedules": {"10": [["pdr", "round", 1]]}}]}, "no form round"),
        (lambda d: d | {"classes": [{"features": None, "schedules": {"10": []}}]}, "without runs"),
        (lambda d: {}, "not a schedule"),
    ],
)
def test_files_that_are_no_schedules(tuned: Path, change: object, message: str) -> None:
    document = json.loads(tuned.read_text())
    tuned.write_text(json.dumps(change(document)))  # type: ignore[operator]
    with pytest.raises(InputError, match=message):
        read_tuned(str(tuned))
    tuned.write_text("{")
    with pytest.raises(InputError, match="not JSON"):
        read_tuned(str(tuned))


def test_a_run_uses_the_schedule_that_it_is_given(tmp_path: Path) -> None:
    program, file, stats = tmp_path / "x.c", tmp_path / "s.json", tmp_path / "stats.json"
    program.write_text(
        "extern void reach_error(void);\nint main(void) { int i = 0; while (i < 9) i++; if (i != 9) reach_error(); }\n"
    )
    one_class = {"features": None, "tasks": 1, "schedules": {"10": [["kind", "reduced", 10.0]]}}
    file.write_text(json.dumps({"format": 1, "provenance": {}, "dividing": [], "classes": [one_class]}))
    words = [sys.executable, "-m", "chcverify", str(program), "--tuned", str(file), "--stats", str(stats)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.stdout == "true\n", ended.stderr
    assert json.loads(stats.read_text())["engine"] == "kind"
    words = [*words[:3], "engines", "--schedule", str(program), "--tuned", str(file), "--timeout", "50"]
    shown = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "kind                 reduced" in shown.stdout, shown.stderr


def test_a_schedule_that_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    program, missing = tmp_path / "x.c", tmp_path / "s.json"
    program.write_text("int main(void) { return 0; }\n")
    words = [sys.executable, "-m", "chcverify", str(program), "--tuned", str(missing)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "") and f"{missing}: no such file or directory" in ended.stderr
    refused = subprocess.run([*words, "--engine", "pdr"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "--tuned is for the portfolio" in refused.stderr
