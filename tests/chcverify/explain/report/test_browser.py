"""The report in a real browser, from disk. Skipped where there is no Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import z3
from headless_browser import Browser, executable

from chcverify.certificate.model import Model
from chcverify.explain.clause_text import report_data
from chcverify.explain.report import report
from chcverify.horn.system import Clause, HornSystem, Origin, Predicate
from chcverify.results.outcome import Outcome
from chcverify.results.report_data import Graph, GraphEdge, GraphNode
from chcverify.results.source_facts import SourceInvariant, TraceStep
from chcverify.task import Task

COMMAND = executable()
pytestmark = pytest.mark.skipif(COMMAND is None, reason="there is no Chromium to open reports with")


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[Browser]:
    assert COMMAND
    browser = Browser(COMMAND, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    source = folder / "loop.c"
    source.write_text("int main(void) {\n" + "".join(f"  x{n}++; // {'long ' * 30}\n" for n in range(80)) + "}\n")
    task = Task(str(source), "c", "unreach-call")
    trace = [
        TraceStep(Origin(str(source), 2 + n), "main", "statement", f"x{n}++", ((f"x{n}", str(n)),)) for n in range(79)
    ]
    trace.append(TraceStep(Origin(str(source), 81), "main", "violation", "reach_error()"))
    block = Graph(
        "main()", tuple(GraphNode(str(n), (f"x{n}++",), "", (2 + n,)) for n in range(3)), (GraphEdge("0", "1", "yes"),)
    )
    p, x = Predicate("P", (z3.IntSort(),)), z3.Int("x")
    system = HornSystem.of([Clause(p(x), (), x == 0), Clause(None, (p(x),), x < 0)])
    found = report_data(system, Model({p: p.formals[0] >= 0}), [block])
    note = SourceInvariant(Origin(str(source), 4), "main", True, " && ".join(f"x{n} >= 0" for n in range(30)))
    outcomes = {
        "safe": Outcome("safe", "true", invariants=(note,), certificate="()", report_data=found),
        "unsafe": Outcome("unsafe", "false(unreach-call)", trace=tuple(trace), certificate="{}", report_data=found),
        "unknown": Outcome("unknown", "unknown", "time limit"),
    }
    paths = {}
    for name, outcome in outcomes.items():
        paths[name] = folder / f"{name}.html"
        paths[name].write_text(report(outcome, task, "1"), encoding="utf-8")
    return paths


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("name", ["safe", "unsafe", "unknown"])
def test_opens_without_errors_and_fits(browser, pages, name, width, dark):
    browser.open(pages[name], width, 800, dark)
    assert browser.problems == []
    assert browser.requests == [pages[name].as_uri()]  # nothing else is loaded
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    light = browser.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every(c => c > 128)")
    assert light is not dark


def contrast(browser: Browser, selector: str) -> float:
    """The contrast of text on the nearest background (WCAG 2.1, 1.4.3)."""
    return browser.evaluate(
        """(() => {
          const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
          const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
            .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
          let item = document.querySelector("SELECTOR");
          const ink = light(numbers(getComputedStyle(item).color));
          while (item && numbers(getComputedStyle(item).backgroundColor)[3] === 0) item = item.parentElement;
          const paper = light(numbers(getComputedStyle(item || document.body).backgroundColor));
          return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
        })()""".replace("SELECTOR", selector)
    )


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    ("name", "selectors"),
    [
        ("safe", (".verdict", ".note.loop p", ".quiet", "nav a", "thead th")),
        ("unsafe", (".verdict", ".values", ".steps .violation code", ".steps .where", ".now", ".state .changed code")),
        ("unknown", (".verdict", "header p")),
    ],
)
def test_text_can_be_read(browser, pages, name, selectors, dark):
    browser.open(pages[name], dark=dark)
    for selector in selectors:
        assert contrast(browser, selector) >= 4.5, selector


def position(browser: Browser) -> list[int]:
    """The current step by the list, the line in the source and the slider; from 0."""
    return browser.evaluate(
        """[
          [...document.querySelectorAll(".steps > li")].findIndex((item) => item.classList.contains("current")),
          Number(document.querySelector(".line.current").value) - 2,
          Number(document.querySelector("#stepper input").value),
        ]"""
    )


def test_keys_walk_through_the_error_path(browser, pages):
    browser.open(pages["unsafe"])
    assert position(browser) == [79, 79, 79]  # at the violation
    browser.press("Home")
    for key, step in (
        ("j", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("k", 2), ("ArrowLeft", 1), ("ArrowLeft", 0), ("k", 0),
        ("End", 79), ("j", 79), ("Home", 0),
    ):  # fmt: skip
        browser.press(key)
        assert position(browser) == [step, step, step], key
    assert browser.problems == []


def test_values_lines_and_boxes_follow(browser, pages):
    browser.open(pages["unsafe"])
    browser.press("Home")
    browser.press("j")
    rows = browser.evaluate(
        "[...document.querySelectorAll('.state tr')].map(row => row.innerText.split(/\\s+/).join(' '))"
    )
    assert [row.strip() for row in rows] == ["main", "x0 0", "x1 1"]
    assert browser.evaluate("document.querySelector('.state .changed').innerText").split() == ["x1", "1"]
    assert browser.evaluate("document.querySelector('.node.current text').textContent") == "x1++"
    assert browser.evaluate("document.querySelector('.now').textContent") == "line 3 in main: x1++"
    browser.press("End")
    line, code = (
        browser.evaluate(f"(({{top, bottom}}) => [top, bottom])(document.querySelector('{s}').getBoundingClientRect())")
        for s in (".line.current", ".code")
    )
    assert code[0] <= line[0] and line[1] <= code[1]  # the source scrolled along


def test_buttons_and_clicks(browser, pages):
    browser.open(pages["unsafe"], width=360)
    browser.press("Home")
    browser.evaluate("document.querySelector('[data-go=next]').click()")
    assert position(browser)[0] == 1
    browser.evaluate("document.querySelectorAll('.steps > li')[40].click()")
    assert position(browser) == [40, 40, 40]
    browser.evaluate("document.querySelector('[data-go=last]').click()")
    assert browser.evaluate("document.querySelector('[data-go=next]').disabled")
    sizes = browser.evaluate(
        "[...document.querySelectorAll('.buttons button')].map(b => [b.offsetWidth, b.offsetHeight])"
    )
    assert all(width >= 24 and height >= 24 for width, height in sizes)  # WCAG 2.2, 2.5.8


def test_the_page_does_not_run_what_it_shows(browser, pages, tmp_path):
    page = (
        pages["unsafe"].read_text(encoding="utf-8").replace("</main>", "<script>console.error('ran')</script></main>")
    )
    (tmp_path / "injected.html").write_text(page, encoding="utf-8")
    browser.open(tmp_path / "injected.html")
    assert browser.problems and not any("'ran'" in p and "value" in p for p in browser.problems)
    assert any("Content Security Policy" in problem for problem in browser.problems)
