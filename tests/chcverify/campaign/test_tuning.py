"""Schedules from campaign data, on imaginary and on small real data."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from campaign_examples import example_run, example_task
from click.testing import CliRunner

from chcverify.campaign.answers import ToolAnswer
from chcverify.campaign.store import ResultStore
from chcverify.campaign.tuning import (
    LEAST_TASKS,
    SAFETY_FACTOR,
    SolvedTask,
    TunedSlot,
    class_schedules,
    cross_validate,
    greedy_schedule,
    schedule_for,
    solves,
)
from chcverify.campaign.tuning_data import solved_tasks
from chcverify.cli.bench import command
from chcverify.errors import InputError
from chcverify.portfolio.schedule import Feature
from chcverify.portfolio.timetable import slots
from chcverify.portfolio.tuned import read_tuned

NOTHING: frozenset[str] = frozenset()


def _task(name: str, family: str = "f", features: frozenset[str] = NOTHING, **seconds: float) -> SolvedTask:
    return SolvedTask(name, family, features, seconds)


def test_the_engine_with_most_tasks_per_second_comes_first() -> None:
    tasks = [_task("1", fast=1.0), _task("2", fast=1.0, slow=4.0), _task("3", slow=4.0)]
    schedule = greedy_schedule(tasks, 10.0)
    assert [slot.engine for slot in schedule] == ["fast", "slow"]
    assert sum(slot.seconds for slot in schedule) == pytest.approx(10.0)
    assert all(solves(schedule, task, 10.0) for task in tasks)


def test_a_slot_is_extended_where_that_is_best() -> None:
    tasks = [_task("1", a=1.0), _task("2", a=2.0), _task("3", b=5.0)]
    schedule = greedy_schedule(tasks, 20.0)
    assert [slot.engine for slot in schedule] == ["a", "b"]
    assert schedule[0].seconds >= 2.0 * SAFETY_FACTOR and schedule[1].seconds >= 5.0 * SAFETY_FACTOR


def test_what_does_not_fit_into_the_limit_is_not_promised() -> None:
    tasks = [_task("1", a=1.0), _task("2", b=100.0)]
    schedule = greedy_schedule(tasks, 10.0)
    assert sum(slot.seconds for slot in schedule) == pytest.approx(10.0)
    assert [solves(schedule, task, 10.0) for task in tasks] == [True, False]
    assert greedy_schedule([_task("1")], 10.0) == ()


def test_the_time_before_a_slot_counts() -> None:
    schedule = (TunedSlot("a", 6.0), TunedSlot("b", 6.0))
    assert solves(schedule, _task("1", b=4.0), 10.0) and not solves(schedule, _task("1", b=4.5), 10.0)


def test_small_classes_get_the_schedule_of_all() -> None:
    arrays = frozenset({"arrays"})
    many = [_task(str(i), features=arrays, a=1.0) for i in range(LEAST_TASKS)]
    few = [_task(f"x{i}", b=1.0) for i in range(LEAST_TASKS - 1)]
    classes = class_schedules(many + few, (10.0,))
    assert [item.features for item in classes] == [arrays, None]
    assert [slot.engine for slot in schedule_for(classes, arrays, 10.0)] == ["a"]
    assert {slot.engine for slot in schedule_for(classes, NOTHING, 10.0)} == {"a", "b"}


def test_a_family_is_judged_by_a_schedule_that_has_not_seen_it() -> None:
    """Only family g needs b: a schedule tuned on f alone has no b."""
    tasks = [_task(str(i), "f", a=1.0) for i in range(5)] + [_task("g", "g", b=1.0), _task("none", "g")]
    (held_out,) = cross_validate(tasks, lambda features, limit: (TunedSlot("b", limit),), (10.0,))
    assert (held_out.tasks, held_out.tuned, held_out.hand_made, held_out.any_engine) == (7, 0, 1, 6)


def test_answers_that_nothing_confirms_are_no_data() -> None:
    safe, open_ = example_task("safe"), example_task("open", None)
    runs = [
        example_run("a", safe, ToolAnswer.TRUE, 2.0),
        example_run("b", safe, ToolAnswer.FALSE, 1.0),
        example_run("a", open_, ToolAnswer.TRUE),
    ]
    features = {safe.key: frozenset({"arrays", "large system"}), open_.key: NOTHING}
    assert solved_tasks(runs, features, frozenset({"arrays"})) == [
        SolvedTask(safe.key, "loops", frozenset({"arrays"}), {"a": 2.0})
    ]


@pytest.fixture
def tuned(tmp_path: Path) -> Path:
    """A schedule file, tuned on imaginary runs whose features are stored."""
    with ResultStore(tmp_path / "r.db") as store:
        for number in range(12):
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
    assert document["provenance"]["engines"] == ["df", "pdr@blocks"]
    assert document["provenance"]["tasks"] == 12 and document["provenance"]["task_set"]
    assert [item["limit_s"] for item in document["held_out"]] == [10.0, 60.0, 900.0]
    assert document["classes"][-1]["features"] is None


def test_the_portfolio_gets_the_times_of_the_file(tuned: Path) -> None:
    schedule = read_tuned(str(tuned))
    entries = json.loads(tuned.read_text())["classes"][-1]["schedules"]["60"]
    planned = slots(schedule.runs(frozenset({Feature.DATATYPES}), 60.0), 60.0)
    assert [(slot.run.engine, slot.run.variant) for slot in planned] == [(engine, on) for engine, on, _ in entries]
    assert [slot.seconds for slot in planned] == pytest.approx([seconds for _, _, seconds in entries], abs=0.05)
    half = slots(schedule.runs(frozenset(), 30.0), 30.0)
    assert [slot.seconds for slot in half] == pytest.approx([seconds / 2 for _, _, seconds in entries], abs=0.05)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d | {"format": 7}, "format 7"),
        (lambda d: d | {"classes": []}, "last class"),
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
