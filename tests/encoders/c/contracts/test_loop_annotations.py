"""Loop invariants in comments: evaluated at the head of their loop, whatever statement it is a part of."""

from pathlib import Path

import pytest

from chcverify.options import SourceFile
from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import Program, ReachError
from encoders.c.cfa.program_checks import checks_of
from encoders.c.contracts.loop_annotations import expression_at
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.source.source_errors import Origin, Unsupported
from encoders.c.types.c_types import LP64


def load(folder: Path, text: str, property: str = "invariant") -> Program:
    path = folder / "p.c"
    path.write_text(text)
    return load_files([SourceFile(str(path))], LP64, property, begin=Begin(contracts=True))


def outcome(folder: Path, text: str) -> str:
    return execute(load(folder, text), Random(0, (), 9)).outcome


LOOPS = {
    "while": "//@ loop invariant %s;\nwhile (i < 3) i++;",
    "for": "/*@ loop invariant %s; */ for (; i < 3; i++) ;",
    "for without condition": "/*@ loop invariant %s; */ for (;; i++) { if (i == 3) break; }",
    "do": "//@ loop invariant %s;\ndo i++; while (i < 3); ",
    "behind if": "if (1) //@ loop invariant %s;\n while (i < 3) i++; else i = 9;",
    "in else": "if (0) i = 9; else /*@ loop invariant %s; */ while (i < 3) i++;",
    "behind a label": "again: /*@ loop invariant %s; */ while (i < 3) i++; if (i < 0) goto again;",
    "in front of a label": "/*@ loop invariant %s; */ again: while (i < 3) i++; if (i < 0) goto again;",
    "two annotations": "//@ loop invariant 0 <= i;\n//@ loop invariant %s;\nwhile (i < 3) i++;",
    "nested": "while (i < 3) { int k = 0; //@ loop invariant %s && k >= 0;\n while (k < 2) k++; i++; }",
    "continue": "//@ loop invariant %s;\nwhile (i < 3) { i++; continue; }",
    "switch": "switch (i) { case 0: /*@ loop invariant %s; */ while (i < 3) i++; }",
}


@pytest.mark.parametrize("name", LOOPS)
def test_an_invariant_is_checked_at_the_head(name: str, tmp_path: Path) -> None:
    most = 2 if name in ("do", "nested") else 3  # the head is reached once more than the body, but for these
    text = "int main(void) { int i = 0; " + LOOPS[name] + " return 0; }"
    assert outcome(tmp_path, text % f"i <= {most}") == "end"
    assert outcome(tmp_path, text % f"i < {most}") == "error"


def test_each_invariant_is_a_check_at_its_own_position(tmp_path: Path) -> None:
    text = "int main(void) { int i = 0;\n/*@ loop invariant 0 <= i;\n  @ loop invariant i <= 3; */\n"
    checks = checks_of(load(tmp_path, text + "while (i < 3) i++; return 0; }"))
    assert [(check.kind, check.origin.line, check.text) for check in checks] == [
        (CheckKind.INVARIANT, 2, "loop invariant 0 <= i"),
        (CheckKind.INVARIANT, 3, "loop invariant i <= 3"),
    ]


def test_columns_behind_an_annotation_stay(tmp_path: Path) -> None:
    text = "int main(void) { int i = 0;\n/*@ loop invariant i < 9; */ while (i < 3) i++;\nreturn 0; }"
    with_annotation = load(tmp_path, text, "unreach-call").functions["main"]
    path = tmp_path / "q.c"
    path.write_text(text)
    plain = load_files([SourceFile(str(path))], LP64).functions["main"]
    assert {edge.origin.column for edge in plain.edges} <= {edge.origin.column for edge in with_annotation.edges}


def test_without_the_property_invariants_are_claims_and_change_no_run(tmp_path: Path) -> None:
    program = load(
        tmp_path, "int main(void) { int i = 0;\n//@ loop invariant i < 1;\nwhile (i < 3) i++; }", "assertion"
    )
    main = program.functions["main"]
    assert [claim.text for claim in main.claims] == ["i < 1"]
    heads = {location.number for location in main.locations if location.is_loop_head}
    assert {claim.location for claim in main.claims} <= heads
    assert not any(isinstance(edge.operation, ReachError) for edge in main.edges)
    assert execute(program, Random(0, (), 9)).outcome == "end"


def test_other_clauses_of_loops_are_named(tmp_path: Path) -> None:
    text = "int main(void) { int i = 0;\n/*@ loop assigns i;\n loop variant 3 - i;\n"
    text += "loop invariant \\initialized(&i); */\nwhile (i < 3) i++; return 0; }"
    found = [(a.kind, a.text.replace(str(tmp_path), "")) for a in load(tmp_path, text, "assertion").assumptions]
    assert found == [
        ("annotation", "'loop assigns' is not checked: without --modular or the property invariant (/p.c:2)"),
        ("annotation", "'loop variant' is not checked (/p.c:3)"),
        (
            "invariant",
            "the loop invariant '\\initialized(&i)' is not used: \\initialized has no meaning here (/p.c:4)",
        ),
    ]
    with pytest.raises(Unsupported, match=r"p\.c:4:\d+: .*initialized in 'loop invariant"):
        load(tmp_path, text)


@pytest.mark.parametrize("behind", ["i++;", "{ i++; }", "", "if (i) while (i < 3) i++;"])
def test_annotations_of_what_is_no_loop_are_refused(behind: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=r"p\.c:2:1: .*'loop invariant' in front of what is no loop"):
        load(tmp_path, "int main(void) { int i = 0;\n//@ loop invariant i < 3;\n" + behind + " return 0; }")


def test_text_that_is_no_expression_is_refused() -> None:
    with pytest.raises(Unsupported, match=r"p\.c:3:1: .*no predicate"):
        expression_at("1 +", (), Origin("p.c", 3, 1), LP64)
