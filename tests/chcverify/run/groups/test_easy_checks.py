"""Checks that common invariants prove: beside violated and hard ones, before traps; certificates of their group."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import z3

from chcverify.certificate.files.certificate_text import model_from_text
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.origin import Origin
from chcverify.options import InputOptions, Limits, Options
from chcverify.problems.c_problem import CProblem, load, load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.results.checks import Check, CheckKind
from chcverify.run.groups import easy_checks
from chcverify.run.groups.easy_checks import (
    QUICK_SOURCES,
    EasyChecks,
    ProvedChecks,
    quick_sources,
    thorough_sources,
)
from chcverify.run.groups.partial_models import ModelSource, PartialModel
from chcverify.run.groups.value_models import value_models
from chcverify.task import resolve
from encoders.c.cfa.program_checks import checks_of

START = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
char *strfry(char *);
char text[4];
"""


def proved(path: Path, body: str, property: str, left_out: int = 0) -> tuple[tuple[Check, ...], list[ProvedChecks]]:
    """All checks of main with this body, and what is proved of all but the first ones."""
    path.write_text(f"{START}int main(void) {{\n int n = __VERIFIER_nondet_int();\n {body}\n return 0;\n}}\n")
    options = Options(InputOptions(str(path), property=property), Limits.of(600))
    task = resolve(options.input)
    program = load_c_program(task)
    checks = checks_of(program)
    problems = CheckProblems.of(program, task.property)
    sources = (*QUICK_SOURCES, *thorough_sources(task))
    return checks, [*EasyChecks(task, options, problems, checks, checks[left_out:], sources).proved(600)]


def names(groups: list[ProvedChecks]) -> set[str]:
    found = [check for group in groups for check in group.checks]
    assert len(found) == len(set(found)), "each check once"
    return {f"{check.kind.value}: {check.text}" for check in found}


BODY = """int t[8] = {0}, sum = 0;
 for (int i = 0; i < 8; i++) t[i] = i;
 if (n > 7) n = 7;
 sum = t[n];
 sum = 10 / n;
 for (int i = 0; i < n; i++) sum = i * 3 - t[i];
 assert(n * n * n * n != 81);"""


WRITES = """int *p = __builtin_malloc(16);
 if (!p) return 0;
 p[0] = 1;
 p[1] = 2;
 p[2] = 3;
 p[3] = 4;"""


def test_violated_and_hard_checks_take_no_proof_away(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    _, groups = proved(path, BODY, "undefined-behaviour")
    found = names(groups)
    assert {"bounds: t[i] = i", "overflow: i++"} <= found, "hold"
    assert found.isdisjoint({"bounds: sum = t[n]", "division: 10 / n"}), "are violated"
    assert len(found) >= 8, sorted(found)
    assert any(group.model for group in groups), "for what is decided later"
    for group in groups:
        covered = tuple(check.id for check in group.checks)
        system = load(resolve(InputOptions(str(path), property="undefined-behaviour", selected_checks=covered))).system
        model = model_from_text(system, group.recalled.outcome.certificate)
        assert certify(system, model, float("inf"), "off").accepted


def test_what_a_check_before_it_excludes_is_proved(tmp_path: Path) -> None:
    """The second division is by zero only in runs that the first one ends."""
    checks, groups = proved(tmp_path / "p.c", "int a = 10 / n;\n int b = 9 / n;", "division")
    assert len(checks) == 2 and names(groups) == {"division: 9 / n"}


def test_an_assumed_check_that_comes_later_proves_nothing(tmp_path: Path) -> None:
    body = "int a = 9 / n;\n assert(n != 0);\n a = 8 / (n - 1);"
    _, groups = proved(tmp_path / "p.c", body, "division,assertion")
    assert [check.kind.value for group in groups for check in group.checks] == ["assertion"]


def test_no_check_behind_a_trap_is_proved(tmp_path: Path) -> None:
    body = "if (n < 0) n = 0;\n assert(n >= 0);\n if (n > 5) strfry(text);\n assert(n >= -1);\n assert(n > 3);"
    checks, groups = proved(tmp_path / "p.c", body, "assertion")
    assert [check.origin.line for group in groups for check in group.checks] == [checks[0].origin.line]


def test_a_trap_that_is_excluded_is_no_obstacle(tmp_path: Path) -> None:
    body = "if (n < 0) n = 0;\n assert(n >= 0);\n if (n == -1) strfry(text);\n assert(n >= -1);\n assert(n > 3);"
    checks, groups = proved(tmp_path / "p.c", body, "assertion")
    assert {check for group in groups for check in group.checks} == set(checks[:2])


def test_all_checks_before_a_trap(tmp_path: Path) -> None:
    body = "if (n < 0) n = 0;\n assert(n >= 0);\n assert(n >= -1);\n strfry(text);"
    checks, groups = proved(tmp_path / "p.c", body, "assertion")
    assert {check for group in groups for check in group.checks} == set(checks)
    assert [group.leaves_traps for group in groups] == [True]


@pytest.mark.parametrize("left_out", [1, 2])
def test_only_what_is_wanted_is_proved(tmp_path: Path, left_out: int) -> None:
    body = "if (n < 0) n = 0;\n assert(n >= 0);\n assert(n >= -1);\n assert(n >= -2);"
    checks, groups = proved(tmp_path / "p.c", body, "assertion", left_out)
    assert {check for group in groups for check in group.checks} == set(checks[left_out:])
    assert groups[-1].model == "", "no other check is open"


def test_checks_without_a_clause_are_told_first(tmp_path: Path) -> None:
    """The encoder's intervals exclude their violations, whatever the hard check beside them is."""
    body = "int t[8] = {0};\n n &= 7;\n t[n] = 1;\n assert(n * n * n * n != 81);"
    _, (first, *others) = proved(tmp_path / "p.c", body, "undefined-behaviour,assertion")
    assert first.recalled.outcome.engine == "no clause"
    assert "bounds: t[n] = 1" in names([first]) and names([first, *others])


def test_a_check_without_a_clause_behind_a_trap_is_not_told(tmp_path: Path) -> None:
    body = "int t[8] = {0};\n n &= 7;\n t[n] = 1;\n if (n > 5) strfry(text);\n t[n] = 2;"
    _, groups = proved(tmp_path / "p.c", body, "bounds")
    assert names(groups) == {"bounds: t[n] = 1"}


def test_only_traps_that_are_not_excluded_are_obstacles(tmp_path: Path) -> None:
    body = (
        "if (n < 0) n = 0;\n if (n == -1) strfry(text);\n assert(n >= -1);\n if (n > 3) strfry(text);\n assert(n < 9);"
    )
    checks, groups = proved(tmp_path / "p.c", body, "assertion")
    assert {check for group in groups for check in group.checks} == {checks[0]}


def test_one_refused_obligation_takes_no_other_proof_away(tmp_path: Path) -> None:
    """A model that is wrong for one query is refused as a whole; its parts for the others are accepted."""

    def sometimes_wrong(whole: CProblem, until: float) -> Iterator[PartialModel]:
        (found,) = value_models(whole, until)
        assert found.model_of_part is not None
        wrong = next(
            index
            for index in whole.system.queries
            if index in found.refuted and whole.encoding.infos[index].check.origin.line == 9  # type: ignore[union-attr]
        )

        def of_part(queries: Collection[int]) -> Model:
            made = found.of(queries)
            return made.updated({p: z3.BoolVal(True) for p in whole.system.predicates}) if wrong in queries else made

        yield PartialModel(found.refuted, found.whole, of_part)

    path = tmp_path / "p.c"
    path.write_text(f"{START}int main(void) {{\n {WRITES}\n return 0;\n}}\n")
    options = Options(InputOptions(str(path), property="lifetime"), Limits.of(600))
    task = resolve(options.input)
    program = load_c_program(task)
    checks = checks_of(program)
    problems = CheckProblems.of(program, task.property)
    sources = (ModelSource("value analysis", 0.6, sometimes_wrong),)
    groups = [*EasyChecks(task, options, problems, checks, checks, sources).proved(600)]
    assert sorted(check.origin.line for group in groups for check in group.checks) == [8, 10, 11]


ITEMS = """#include <stdlib.h>
struct item { struct item *next; unsigned flags; };
static struct item *made(unsigned flags) {
  struct item *m = malloc(sizeof *m);
  if (m) { m->next = 0; m->flags = flags & 7; }
  return m;
}
int add(struct item *list, unsigned flags) {
  struct item *m = made(flags);
  if (!list || !m) return 0;
  if (m->next) m->next->flags = 1;
  m->next = list->next;
  return 1;
}
"""


def test_what_is_left_is_looked_at_by_cases(tmp_path: Path) -> None:
    """Where there is memory for an item, its members are known; where there is none, nothing is."""
    path = tmp_path / "items.c"
    path.write_text(ITEMS)
    options = Options(InputOptions(str(path), property="undefined-behaviour", entries=("add",)), Limits.of(600))
    task = replace(resolve(options.input), entry="add")
    program = load_c_program(task)
    checks = checks_of(program)
    problems = CheckProblems.of(program, task.property)
    search = EasyChecks(task, options, problems, checks, checks, QUICK_SOURCES)
    left = set(checks) - {check for group in search.proved(600) for check in group.checks}
    assert left and {check.origin.line for check in left} == {11}
    groups = list(search.proved(600, 1_200))
    assert names(groups) and {check for group in groups for check in group.checks} == set(checks)
    assert groups[-1].recalled.outcome.engine == "value analysis by cases"


LENGTH = """extern int __VERIFIER_nondet_int(void);
static int length(const char *text) {
  int found = 0;
  while (text[found]) found++;
  return found;
}
"""


STRING = "char text[64]; int n = __VERIFIER_nondet_int(); if (n < 0 || n > 63) return 0; text[n] = 0;"


@pytest.mark.parametrize(
    ("rest", "entry", "largest", "engine"),
    [
        (f"int main(void) {{ {STRING} return length(text); }}", None, 1_000, "positions of sentinels"),
        (f"int main(void) {{ {STRING} return length(text); }}", None, 1, "common invariants"),
        (f"int f(void) {{ {STRING} return length(text); }}", "f", 1_000, "common invariants"),
    ],
    ids=["main", "large", "any call"],
)
def test_a_string_is_read_up_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rest: str, entry: str | None, largest: int, engine: str
) -> None:
    monkeypatch.setattr(easy_checks, "MAX_BUILT", largest)
    path = tmp_path / "length.c"
    path.write_text(LENGTH + rest)
    entries = () if entry is None else (entry,)
    options = Options(InputOptions(str(path), property="bounds", entries=entries), Limits.of(600))
    task = replace(resolve(options.input), entry=entry)
    program = load_c_program(task)
    checks = checks_of(program)
    problems = CheckProblems.of(program, task.property)
    without = EasyChecks(task, options, problems, checks, checks, QUICK_SOURCES)
    assert {check.text for group in without.proved(600) for check in group.checks} == {"text[n] = 0"}
    sources = (*quick_sources(task), *thorough_sources(task))
    groups = list(EasyChecks(task, options, problems, checks, checks, sources).proved(600))
    assert {check for group in groups for check in group.checks} == set(checks)
    assert groups[-1].recalled.outcome.engine == engine


@pytest.mark.parametrize(("search_s", "parts"), [(0.0, 1), (2.0, 1), (2.1, 2), (7.9, 4), (100.0, 7)])
def test_a_model_that_took_long_is_checked_in_parts(search_s: float, parts: int) -> None:
    checks = tuple(Check(Origin("a.c", line), CheckKind.BOUNDS, "") for line in range(7))
    found = PartialModel(frozenset(), Model, lambda queries: Model(), search_s)
    made = easy_checks._parts(checks, found, 8.0)
    assert len(made) == parts and sum(made, ()) == checks
    assert easy_checks._parts(checks, replace(found, model_of_part=None), 8.0) == [checks], "it has none"
    assert easy_checks._parts((), found, 8.0) == [] and easy_checks._parts(checks, found, 0.0) == [checks]
