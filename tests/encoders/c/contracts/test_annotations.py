"""Predicates of ACSL and their positions in a file: what has a meaning has ACSL's, what has none is refused by name."""

from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from encoders.c.contracts.acsl_expressions import NoMeaning, Translation
from encoders.c.contracts.annotations import move_annotations, taken_clauses
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import LP64


def outcomes(folder: Path, text: str, function: str | None = None) -> set[str]:
    """The outcomes of random runs, from main or with a harness."""
    path = folder / "p.c"
    path.write_text(text)
    options = HarnessOptions(contracts=True)
    begin = Begin(function, options, True) if function else Begin(contracts=True)
    program = load_files([SourceFile(str(path))], LP64, begin=begin)
    return {execute(program, Random(seed, (0, 1, 2, 5), 1 << seed % 8)).outcome for seed in range(100)}


@pytest.mark.parametrize(
    ("predicate", "holds"),
    [
        ("0 <= i < 5", True),
        ("0 <= i < 3", False),
        ("5 > i >= 0", True),
        ("i + 2147483647 > 0", True),  # in int it would wrap
        ("-1 < u", True),  # in C the left side would be unsigned
        ("i * i == 9", True),
        ("(i + 1) * 2 == 8", True),
        ("2147483647 + 1 > 0", True),
        ("i == 4 ==> i == 5", True),
        ("i == 3 ==> i == 5", False),
        ("i == 4 ==> i == 5 ==> i == 6", True),
        ("i == 3 <==> u == 7", True),
        ("i == 3 <==> u == 8", False),
        ("!(i == 4) && \\true", True),
        ("i == 4 || u == 7 && i == 3", True),
        ("p == \\null || *p == 3", True),
        ("p->x == 3 && a[1] == 2", True),
        ("\\forall integer k; 0 <= k < 3 ==> a[k] == k + 1", True),
        ("\\forall integer k; 0 <= k <= 3 ==> a[k] == k + 1", False),
        ("\\forall integer k; 2 <= k < 2 ==> \\false", True),
        ("i & 1", True),
        ("i << 1 == 6", True),
        ("(long long)i + 2147483647LL > 0LL", True),
        ("(unsigned char)(i + 254) == 1 && (char) i == 3", True),
        ("2 * (unsigned long)u == 14", True),
    ],
)
def test_assertions(predicate: str, holds: bool, tmp_path: Path) -> None:
    state = "int i = 3; unsigned u = 7; struct s { int x; } s = {3}, *p = &s; int a[4] = {1, 2, 3, 9};"
    state = state.replace("*p == 3", "p->x == 3")
    predicate = predicate.replace("*p == 3", "p->x == 3")
    text = f"int main(void) {{ {state}\n//@ assert {predicate};\nreturn 0; }}"
    assert outcomes(tmp_path, text) == ({"end"} if holds else {"error"})


@pytest.mark.parametrize(
    ("predicate", "what"),
    [
        ("\\initialized(p)", "initialized"),
        ("\\valid(p)", "valid"),
        ("\\result == 1", "result"),
        ("\\forall integer k; 0 <= k < n ==> a[k] == 0", "not constant"),
        ("\\forall integer k; 0 <= k < 1000 ==> a[k] == 0", "more than 50"),
        ("a < b > c", "the chain"),
        ("a ? b : c", "conditional"),
        ("", "empty"),
        ("(a", "unbalanced"),
        ("a ==>", "missing"),
        ("f(x) > 0", "the call f"),
        ("a[f(x)] > 0", "the call f"),
        ("(x = 3) == 3", "="),
        ("\\separated(p, q)", "separated"),
    ],
)
def test_what_has_no_meaning_is_named(predicate: str, what: str) -> None:
    with pytest.raises(NoMeaning, match=what):
        Translation().predicate(predicate)


def test_the_error_names_clause_and_line(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=r"p\.c:2:2: unsupported: .*initialized in '//@ assert .initialized"):
        outcomes(tmp_path, "int main(void) { int x;\n //@ assert \\initialized(&x);\n}")
    with pytest.raises(Unsupported, match=r"the clause 'terminates' of a contract"):
        outcomes(tmp_path, "//@ terminates 1;\nint main(void) { return 0; }")


def test_macros_of_clauses_are_expanded_and_lines_stay() -> None:
    text = '#define MOST 4\n/*@ requires x < MOST;\n  @ ensures \\result > 0; */\nint f(int x);\n"//@ no;"'
    moved, clauses = move_annotations(text, "p.c")
    assert moved.splitlines()[3] == "int f(int x);"
    taken, found = taken_clauses(moved.replace("MOST", "4"), clauses)
    assert "__chcverify_clause" not in taken
    assert [(clause.kind, clause.text, clause.origin.line) for clause in found] == [
        ("requires", "x < 4", 2),
        ("ensures", "\\result > 0", 3),
    ]
    assert found[0].functions == {"f"}


CONTRACT = """
#define LIMIT 5
/*@ requires \\valid(p + (0 .. n - 1)) && 0 < n <= 2;
  @ requires *p < LIMIT;
  @ ensures *p == \\old(*p) + 1 && \\result == n; */
int f(int *p, int n) { p[0] = p[0] + 1; return n%s; }
"""


@pytest.mark.parametrize(("change", "found"), [("", False), (" + (n == 2)", True)])
def test_contracts(change: str, found: bool, tmp_path: Path) -> None:
    assert ("error" in outcomes(tmp_path, CONTRACT % change, "f")) == found


def test_annotations_are_comments_without_the_option(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int main(void) {\n//@ assert \\false;\nreturn 0; }")
    assert execute(load_files([SourceFile(str(path))], LP64), Random(0, (), 9)).outcome == "end"


def test_a_violated_assertion_is_shown_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int main(void) {\n  int x = 3;\n  //@ assert 0 <= x < 3;\n  return 0;\n}\n")
    program = load_files([SourceFile(str(path))], LP64, "assertion", begin=Begin(contracts=True))
    violation = execute(program, Random(0, (0,), 1)).violation
    assert violation is not None
    assert (violation.check.text, violation.check.origin.line) == ("assert 0 <= x < 3", 3)
    without = load_files([SourceFile(str(path))], LP64, "bounds,null,lifetime", begin=Begin(contracts=True))
    assert execute(without, Random(0, (0,), 1)).violation is None


@pytest.mark.parametrize(
    "predicate, meaning",
    [
        ("a[\\result] == 1", "((a[ chcverify_result ]) + (__int128)0)"),
        ("p->t[\\old(n) - 1] == 1", "((p->t[ chcverify_old_1 - 1 ]) + (__int128)0)"),
        ("a[\\at(i, Here)] == 1", "((a[ (i) ]) + (__int128)0)"),
    ],
)
def test_results_and_old_values_as_indices(predicate: str, meaning: str) -> None:
    assert (
        Translation(has_result=True, keeps_old=True)
        .predicate(predicate)
        .replace("-> ", "->")
        .startswith(f"({meaning} ==")
    )
