"""What a verdict assumes is in everything that is written about it."""

import json
from pathlib import Path

import chcverify
from chcverify.explain.assumptions import VACUOUS, assumption_text, assumption_texts
from chcverify.explain.report.sections import headline
from chcverify.explain.sarif import sarif
from chcverify.options import InputOptions
from chcverify.problems.c_problem import surroundings_of
from chcverify.results.assumption import Assumption
from chcverify.results.outcome import Outcome
from chcverify.task import Task, resolve
from encoders.c.lowering.environment import (
    Surroundings,
    UndefinedFunctions,
    VolatileReads,
    may_use_interface,
    uses_interface,
)
from encoders.c.source.parser import parse

KNOWN = Assumption("function", "send", "changes nothing", "a.c", 3, 5)
UNDECLARED = Assumption("undeclared", "sned", "is not declared", "a.c", 4, 1)
OUTCOME = Outcome("safe", "true", assumptions=(KNOWN, UNDECLARED), is_vacuous=True)
TASK = Task("a.c", "c", "unreach-call")


def test_one_line_each() -> None:
    assert assumption_texts(OUTCOME) == [
        "assumed: send changes nothing (a.c:3)",
        "warning: sned is not declared (a.c:4)",
        VACUOUS,
    ]
    assert assumption_text(KNOWN) == "assumed: send changes nothing (a.c:3)"


def test_in_statistics() -> None:
    document = json.loads(json.dumps(OUTCOME.statistics_document()))
    first = {"kind": "function", "subject": "send", "effect": "changes nothing", "file": "a.c", "line": 3, "column": 5}
    assert document["assumptions"][0] == first and document["vacuous"] is True


def test_in_sarif() -> None:
    notes = sarif(OUTCOME, TASK, "0")["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert [note["level"] for note in notes] == ["note", "warning", "note"]
    assert notes[0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 5}
    assert "send changes nothing" in notes[0]["message"]["text"]


def test_in_the_report() -> None:
    assert "<li>assumed: send changes nothing (a.c:3)</li>" in headline(OUTCOME, TASK)


def test_in_the_library(tmp_path: Path) -> None:
    path = tmp_path / "send.c"
    path.write_text(
        "#include <assert.h>\nint send_to(int *);\nint main(void) { int x = 1; send_to(&x); assert(x == 1); }"
    )
    changed = chcverify.verify(path, timeout=60, jobs=1)
    kept = chcverify.verify(path, timeout=60, jobs=1, undefined_functions="pure")
    assert (changed.status, kept.status) == ("unsafe", "safe")
    assert [(a.subject, a.line) for a in kept.assumptions] == [("send_to", 3)]


def test_defaults_follow_the_format(tmp_path: Path) -> None:
    def decided(text: str, given: Surroundings) -> tuple[UndefinedFunctions | None, VolatileReads | None]:
        tree = parse(text, "t.c")[0]
        assert may_use_interface(text) == uses_interface(tree), "a text without the names is not searched"
        found = given.decided(tree)
        return found.functions, found.volatile

    ruled = UndefinedFunctions.PURE, VolatileReads.PLAIN
    open_ = UndefinedFunctions.HAVOC, VolatileReads.FRESH
    assert decided("int main(void) { return 0; }", Surroundings()) == open_
    assert decided("void reach_error(void); int main(void) { return 0; }", Surroundings()) == ruled
    assert decided("int main(void) { return __VERIFIER_nondet_int(); }", Surroundings()) == ruled
    assert decided("int main(void) { return 0; }", Surroundings(competition=True)) == ruled
    given = Surroundings(UndefinedFunctions.REFUSE, VolatileReads.FRESH, True)
    assert decided("int main(void) { return 0; }", given) == (UndefinedFunctions.REFUSE, VolatileReads.FRESH)


def test_a_task_follows_the_rules(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }")
    (tmp_path / "unreach-call.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    task = tmp_path / "p.yml"
    task.write_text("format_version: '2.0'\ninput_files: p.c\nproperties:\n  - property_file: unreach-call.prp\n")
    assert surroundings_of(resolve(InputOptions(str(task)))).competition
    options = InputOptions(str(tmp_path / "p.c"), undefined_functions="refuse", volatile="plain")
    assert surroundings_of(resolve(options)) == Surroundings(UndefinedFunctions.REFUSE, VolatileReads.PLAIN)
