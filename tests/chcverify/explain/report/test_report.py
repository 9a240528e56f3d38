"""The report's HTML: well-formed, escaped, alone; the error path's frames; the time line."""

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.display_limits import FORMULA_CHARACTERS, IN_A_PAGE
from chcverify.explain.clause_text import report_data
from chcverify.explain.report import report
from chcverify.explain.report.timeline import Bar, bars
from chcverify.explain.report.trace_html import path_of
from chcverify.horn.system import Clause, HornSystem, Origin, Predicate
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause
from chcverify.results.source_facts import CYCLE, LoopNote, SourceInvariant, TraceStep
from chcverify.task import Task
from chcverify.terms.printing.infix import infix_text

P = Predicate("P<b>", (z3.IntSort(),), names=("x",))
VOID = {"meta", "link", "input", "br", "img"}


def system() -> HornSystem:
    x = z3.Int("x")
    # x = 0 => P(x); P(x) & x < 9 => P(x + 1); P(x) & x > 5 => false
    step = Clause(P(x + 1), (P(x),), x < 9)
    return HornSystem.of([Clause(P(x), (), x == 0), step, Clause(None, (P(x),), x > 5)])


class Checker(HTMLParser):
    """Every element is closed in order; collects ids, targets of links and what would be loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            assert not name.startswith("on"), "a script in an attribute"
            if name == "id":
                self.ids.append(value)
            if name == "href" and value.startswith("#"):
                self.links.append(value[1:])
            if name == "src" or (name == "href" and not value.startswith(("#", "data:"))):
                self.loaded.append(value)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open and self.open.pop() == tag, f"</{tag}> at {self.getpos()}"


def check(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert not checker.open
    assert len(set(checker.ids)) == len(checker.ids)
    assert set(checker.links) <= set(checker.ids)
    assert not checker.loaded
    return checker


def step(line: int, kind: str, text: str, function: str = "main", file: str = "p.c", **changes: str) -> TraceStep:
    return TraceStep(Origin(file, line), function, kind, text, tuple(changes.items()))


@pytest.fixture
def program(tmp_path: Path) -> Task:
    path = tmp_path / "a & <b>.c"
    path.write_text("int main(void) {\n  while (x < 9) // </code><script>alert(1)</script>\n    x++;\n}\n")
    return Task(str(path), "c", "unreach-call")


def test_safe(program):
    model = Model({P: P.formals[0] >= 0})
    notes = (
        SourceInvariant(Origin(program.input_file, 2, 3), "main", True, "x >= 0 && x < 10"),
        SourceInvariant(Origin(program.input_file, 3, 5), "main", False, "0"),
    )
    outcome = Outcome(
        "safe", "true", engine="pdr", checkers=("z3", "cvc5"), invariants=notes, certificate="(\n)\n",
        report_data=report_data(system(), model), seconds=1.0,
        statistics={"phases": {"encode": 0.5}, "certificate": {"verdicts": [
            {"checker": "z3", "accepted": True, "reason": ""}]}},
    )  # fmt: skip
    page = report(outcome, program, "1")
    check(page)
    assert "<script>alert" not in page and "&lt;/code&gt;&lt;script&gt;alert(1)" in page
    assert page.index("x &gt;= 0 &amp;&amp; x &lt; 10") < page.index("while (x &lt; 9)")
    assert "not reachable" in page
    assert "P&lt;b&gt;(x)" in page and "x ≥ 0" in page  # the model
    assert "chcverify check model.smt2" in page and "check_certificate.py" in page


def test_unsafe(program):
    name = program.input_file
    trace = (
        step(1, "statement", "g = 1", "<init>", name, g="1"),
        step(1, "call", "main()", "<init>", name),
        step(2, "input", "nondet()", "main", name, x="</script>"),
        step(3, "violation", "reach_error()", "main", name),
    )
    numbers = [z3.IntVal(n) for n in range(7)]
    steps = [Step(0, (numbers[0],), ())] + [Step(1, (numbers[n],), (n - 1,)) for n in range(1, 7)]
    derivation = Derivation((*steps, Step(2, (), (6,))))
    outcome = Outcome("unsafe", "false(unreach-call)", trace=trace, report_data=report_data(system(), derivation))
    page = report(outcome, program, "1")
    assert {"line-0-3", "fact-7", "clause-2", "stepper"} <= set(check(page).ids)
    assert "P&lt;b&gt;(6)" in page
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert data and json.loads(data[1])["steps"][2][6] == [[1, "x", "</script>"]]


def test_unknown_says_why(program):
    outcome = Outcome(
        "unknown", "unknown", "no engine decided it", {"pdr": "time limit", "bmc": "<gave up>"}, Cause.TIME
    )
    page = report(outcome, program, "1")
    check(page)
    assert "time limit" in page and "&lt;gave up&gt;" in page and "larger --timeout" in page


def test_a_source_that_has_gone(tmp_path):
    outcome = Outcome("safe", "true", certificate="()")
    check(report(outcome, Task(str(tmp_path / "gone.c"), "c", "unreach-call"), "1"))


def test_frames_follow_calls_and_returns():
    trace = [
        step(1, "statement", "g = 1", "<init>", g="1"),
        step(1, "call", "main()", "<init>"),
        step(2, "statement", "x = 5", x="5"),
        step(3, "call", "f(x)", x="5"),
        step(9, "statement", "x--", "f", x="4"),
        step(9, "statement", "g = 2", "f", g="2"),
        step(3, "return", "f(x)", y="4"),
    ]
    path = path_of([*trace, step(4, "statement", "a[1] = 7", **{"a[1]": "7"})], {"": ["a"]})
    assert path.steps.pop().changes == ((0, "a[1]", "7"),)
    assert path.frames == [("globals", -1), ("main", 0), ("f", 1)]
    assert [shown.changes for shown in path.steps] == [
        ((0, "g", "1"),), (), ((1, "x", "5"),), ((2, "x", "5"),), ((2, "x", "4"),), ((0, "g", "2"),), ((1, "y", "4"),)
    ]  # fmt: skip
    hidden = path_of(trace, {"": ["g"], "f": ["x", "g"]})
    assert hidden.steps[5].changes == ((2, "g", "2"),) and hidden.steps[0].changes == ((0, "g", "1"),)


def test_long_traces_are_folded_with_their_values():
    trace = [step(1, "statement", "i++", i=str(i)) for i in range(2 * IN_A_PAGE)]
    path = path_of([*trace, step(2, "violation", "reach_error()")])
    assert len(path.steps) < 10
    (folded,) = [shown for shown in path.steps if shown.skipped]
    assert folded.changes == ((1, "i", str(2 * IN_A_PAGE - 2)),) and folded.skipped == 2 * IN_A_PAGE - 3


def test_bars():
    events = [
        {"seconds": 0.2, "engine": "", "phase": "solve"},
        {"seconds": 0.3, "engine": "a", "phase": "start"},
        {"seconds": 0.4, "engine": "b", "phase": "start"},
        {"seconds": 0.5, "engine": "a", "phase": "unknown"},
        {"seconds": 0.6, "engine": "b", "phase": "frames"},
        {"seconds": 0.7, "engine": "b", "phase": "back-translation"},
        {"seconds": 0.8, "engine": "b", "phase": "certify"},
        {"seconds": 0.9, "engine": "", "phase": "explain"},
    ]
    assert set(bars(events, 1.0)) == {
        Bar("start", 0.0, 0.2, "phase"),
        Bar("solve", 0.2, 0.9, "phase"),
        Bar("explain", 0.9, 1.0, "phase"),
        Bar("a", 0.3, 0.5, "engine", "gave up"),
        Bar("b", 0.4, 0.7, "engine", "answered"),
        Bar("b", 0.7, 0.8, "back", "carried back"),
        Bar("b", 0.8, 0.9, "check", "until the end"),
    }


def test_formulas_read_well():
    x, y = z3.Ints("x y")
    a = z3.Array("a", z3.IntSort(), z3.IntSort())
    assert infix_text(z3.And(x + 1 <= 2 * y, z3.Or(x != y, z3.Not(x > 0)))) == "x + 1 ≤ 2·y ∧ (x ≠ y ∨ x ≤ 0)"
    assert infix_text((x - y) - (x - 1) == -x) == "x - y - (x - 1) = -x"
    assert infix_text(z3.Store(a, x, 1)[y] % 3 == 0) == "a[x := 1][y] mod 3 = 0"
    assert infix_text(z3.ForAll([x], z3.Exists([y], x < y))) == "∀b0. ∃b0. b1 < b0"
    assert infix_text(z3.BitVec("v", 8) + 255 >= 3) == "v + -1 ≥ₛ 3"


def test_formulas_that_explode_are_cut():
    term = z3.Int("x")
    for _ in range(60):
        term = term + term * 3
    assert len(infix_text(term == 0)) < 4 * FORMULA_CHARACTERS


def test_large_systems_say_what_is_left_out():
    x = z3.Int("x")
    predicates = [Predicate(f"P{n}", (z3.IntSort(),)) for n in range(700)]
    clauses = [Clause(q(x), (p(x),), z3.BoolVal(True)) for p, q in pairwise(predicates)] * 3
    found = report_data(HornSystem.of(clauses), Model({p: z3.BoolVal(True) for p in predicates}))
    assert not found.graphs and len(found.omitted) == 2


def test_lines_of_a_harness_are_none_of_the_file(program):
    steps = (
        TraceStep(Origin("<harness of f>", 2, 1), "chcverify_harness", "call", "f(x)"),
        TraceStep(Origin(program.input_file, 2, 1), "f", "violation", "x / 0"),
    )
    page = report(Outcome("unsafe", "false(division)", trace=steps), program, "1.0")
    assert '<span class="where">harness 2</span>' in page
    assert '<span class="where">2</span>' in page
    assert "show(last);" in page  # the page opens at the violation


def test_why_loops_end_is_said_at_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text("int main(void) {\n  while (n > i) i++;\n}\n")
    note = LoopNote(Origin(str(path), 2, 3), "line 2", "n - i decreases and stays ≥ 0")
    page = report(Outcome("safe", "true", loops=(note,)), Task(str(path), "c", "termination"), "0")
    assert "<li>line 2: n - i decreases and stays ≥ 0</li>" in page
    assert page.index("<b>runs</b> n - i decreases") < page.index("while (n &gt; i)")


def test_the_cycle_of_a_run_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text("int main(void) {\n  for (;;) ;\n}\n")
    trace = tuple(TraceStep(Origin(str(path), 2, 3), "main", CYCLE, text) for text in ("again", "the same state"))
    page = report(Outcome("unsafe", "false(termination)", trace=trace), Task(str(path), "c", "termination"), "0")
    assert page.count('<span class="badge cycle">cycle</span>') == 2
