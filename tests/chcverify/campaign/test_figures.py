"""Scores, tables, comparisons and rendering, on imaginary runs."""

import csv
import io
import json
import math
from pathlib import Path

import pytest
from campaign_examples import example_run, example_task

from chcverify.campaign.answers import ToolAnswer
from chcverify.campaign.reporting.comparison import compare, comparison_text, sign_test
from chcverify.campaign.reporting.plots import Plot, cactus_points, draw, quantile_points
from chcverify.campaign.reporting.rendering import as_csv, as_html, as_json, as_markdown, as_text, campaign_tables
from chcverify.campaign.reporting.scores import SCHEMES
from chcverify.campaign.reporting.tables import ALL, disagreements, engine_shares, rows, unknown_reasons, virtual_best
from chcverify.errors import InputError

SAFE, UNSAFE, OPEN = example_task("safe"), example_task("unsafe", False, "arrays"), example_task("open", None)
RESULTS = [
    example_run("a", SAFE, ToolAnswer.TRUE, 2.0, engine="pdr", k=3),
    example_run("a", UNSAFE, ToolAnswer.TRUE, 1.0),
    example_run("a", OPEN, ToolAnswer.UNKNOWN, 9.0, reason="unsupported: f at x.c:3"),
    example_run("b", SAFE, ToolAnswer.FALSE, 1.0),
    example_run("b", UNSAFE, ToolAnswer.FALSE, 4.0),
    example_run("b", OPEN, ToolAnswer.TIMEOUT, 20.0),
]


@pytest.mark.parametrize(("scheme", "a", "b"), [("sv-comp", 2 - 32, 1 - 16), ("s3", 2 - 12, 1 - 6), ("chc-comp", 1, 1)])
def test_schemes(scheme: str, a: int, b: int) -> None:
    totals = {row.tool: row.score for row in rows(RESULTS, SCHEMES[scheme]) if row.category == ALL}
    assert totals == {"a": a, "b": b}


def test_rows_count_what_happened() -> None:
    row = next(row for row in rows(RESULTS, SCHEMES["sv-comp"]) if (row.category, row.tool) == (ALL, "a"))
    assert (row.tasks, row.solved, row.correct_true, row.wrong, row.unknown) == (3, 1, 1, 1, 1)
    assert (row.sum_seconds, row.median_k) == (2.0, 3)
    categories = {row.category for row in rows(RESULTS, SCHEMES["sv-comp"])}
    assert categories == {ALL, "loops", "arrays"}


def test_tools_that_contradict_each_other_come_first() -> None:
    found = disagreements(RESULTS)
    assert [(item.task, item.true, item.false, item.expected) for item in found] == [
        ("loops/safe.yml", ("a",), ("b",), True),
        ("arrays/unsafe.yml", ("a",), ("b",), False),
    ]
    titles = [table.title for table in campaign_tables(RESULTS, SCHEMES["sv-comp"])]
    assert titles[:2] == ["Disagreements", "Wrong answers"]


def test_reasons_are_grouped_without_numbers_and_engines_counted() -> None:
    more = [*RESULTS, example_run("a", example_task("other"), ToolAnswer.UNKNOWN, reason="unsupported: f at x.c:7")]
    assert unknown_reasons(more)[0] == ("a", "unsupported: f at x.c:N", 2)
    assert [(share.tool, share.engine, share.decided) for share in engine_shares(RESULTS)] == [("a", "pdr", 1)]


def test_reasons_do_not_depend_on_paths() -> None:
    reasons = [f"clause {n} (f(), /tasks/{n}/a-{n}.c:3:1) may apply" for n in (1, 22)]
    runs = [example_run("a", example_task(reason), ToolAnswer.UNKNOWN, reason=reason) for reason in reasons]
    assert unknown_reasons(runs) == [("a", "clause N (f(), FILE) may apply", 2)]


def test_the_virtual_best_takes_the_fastest_correct_run() -> None:
    best = {run.task.path: run.answer for run in virtual_best(RESULTS)}
    assert best == {
        "loops/safe.yml": ToolAnswer.TRUE,
        "arrays/unsafe.yml": ToolAnswer.FALSE,
        "loops/open.yml": ToolAnswer.UNKNOWN,
    }


def test_points_of_plots() -> None:
    a = [run for run in RESULTS if run.tool == "a"]
    assert quantile_points(a, SCHEMES["sv-comp"]) == [(-30.0, 2.0)]
    assert cactus_points(RESULTS) == [(1.0, 2.0), (2.0, 4.0)]


def test_renderings_hold_every_cell() -> None:
    tables = campaign_tables(RESULTS, SCHEMES["sv-comp"])
    assert "loops/safe.yml" in as_text(tables) and "| a | pdr | 1 |" in as_markdown(tables)
    page = as_html("title & more", tables, [("cactus", "<?xml?><svg>x</svg>")])
    assert "title &amp; more" in page and "<svg>x</svg>" in page and "<?xml" not in page
    lines = list(csv.DictReader(io.StringIO(as_csv(RESULTS))))
    assert len(lines) == len(RESULTS) and lines[0]["answer"] == "true" and lines[0]["expected"] == "true"
    assert [run["correct"] for run in json.loads(as_json(RESULTS))] == [True, False, None, False, True, None]


@pytest.mark.parametrize(("wins", "losses", "p"), [(0, 0, 1.0), (1, 1, 1.0), (5, 0, 0.0625), (10, 0, 2 / 1024)])
def test_sign_test(wins: int, losses: int, p: float) -> None:
    assert math.isclose(sign_test(wins, losses), p)
    assert math.isclose(sign_test(losses, wins), p)


def test_comparison_of_two_campaigns() -> None:
    tasks = [example_task(f"t{i}") for i in range(12)]
    old = [example_run("x", task, ToolAnswer.TRUE, 1.0 + i / 10) for i, task in enumerate(tasks[:11])]
    new = [example_run("x", task, ToolAnswer.TRUE, 2 * (1.0 + i / 10)) for i, task in enumerate(tasks[:10])]
    old.append(example_run("x", tasks[11], ToolAnswer.UNKNOWN))
    new += [example_run("x", tasks[10], ToolAnswer.TIMEOUT, 20.0), example_run("x", tasks[11], ToolAnswer.TRUE)]
    found = compare(old, new)
    assert (found.common, found.won, found.lost) == (12, (tasks[11].path,), (tasks[10].path,))
    assert len(found.slower) == 10 and not found.faster
    assert math.isclose(found.wall.ratio, 2.0) and found.wall.differs
    assert math.isclose(found.cpu.ratio, 2.0) and found.cpu.differs
    text = comparison_text(found, "old", "new")
    assert "may be noise" in text and "processor time, second / first: 2.000" in text


@pytest.mark.parametrize("kind", list(Plot))
def test_the_same_results_give_the_same_plot(kind: Plot, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("first.svg", "second.svg", "other.png"):
        draw(kind, RESULTS, SCHEMES["sv-comp"], tmp_path / name)
    text = (tmp_path / "first.svg").read_text()
    assert text == (tmp_path / "second.svg").read_text() and "<svg" in text
    assert (tmp_path / "other.png").stat().st_size > 1000


def test_a_scatter_plot_needs_two_tools(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    one = [run for run in RESULTS if run.tool == "a"]
    with pytest.raises(InputError, match="exactly two tools"):
        draw(Plot.SCATTER_TIME, one, SCHEMES["sv-comp"], tmp_path / "x.svg")
