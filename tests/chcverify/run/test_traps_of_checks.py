"""What is not modelled, and checks before and behind it: a proof leaves out only what no check can come behind."""

import time
from pathlib import Path

import pytest

from chcverify.options import InputOptions, Limits, Options
from chcverify.results.checks import CheckStatus
from chcverify.results.outcome import Outcome
from chcverify.run import all_checks
from chcverify.task import resolve

PROVED, VIOLATED, UNKNOWN = CheckStatus.PROVED, CheckStatus.VIOLATED, CheckStatus.UNKNOWN
START = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
char *strfry(char *);
char text[4];
"""
TRAP = "strfry(text);"


def decided(tmp_path: Path, body: str, before: str = "") -> tuple[Outcome, list[CheckStatus]]:
    """The outcome of main with this body, and the statuses of its checks in their order."""
    path = tmp_path / "p.c"
    path.write_text(f"{START}{before}\nint main(void) {{\n int n = __VERIFIER_nondet_int();\n {body}\n}}\n")
    options = Options(InputOptions(str(path), property="unreach-call,division"), Limits.of(60))
    outcome = all_checks.run(resolve(options.input), options, time.monotonic(), lambda event: None)
    return outcome, [verdict.status for verdict in outcome.checks]


def test_checks_before_a_trap_are_decided_and_those_behind_it_are_not(tmp_path: Path) -> None:
    body = f"if (n < 0) n = 0;\n assert(n >= 0);\n if (n > 5) {TRAP}\n assert(n >= 0);\n return 0;"
    outcome, statuses = decided(tmp_path, body)
    assert statuses == [PROVED, UNKNOWN] and outcome.word == "unknown"


def test_the_program_is_not_proved_where_a_trap_follows_all_checks(tmp_path: Path) -> None:
    outcome, statuses = decided(tmp_path, f"if (n < 0) n = 0;\n assert(n >= 0);\n assert(n > -2);\n {TRAP}\n return 0;")
    assert statuses == [PROVED, PROVED] and outcome.word == "unknown" and outcome.exit_status == 3
    assert "depends on strfry" in outcome.reason
    outcome, statuses = decided(tmp_path, f"if (n < 0) n = 0;\n assert(n >= 0);\n {TRAP}\n return 0;")
    assert statuses == [PROVED] and outcome.word == "unknown"
    assert not any(verdict.certificate for verdict in outcome.checks), "it is none of the clauses of all checks"


def test_a_trap_that_no_run_comes_to_is_no_obstacle(tmp_path: Path) -> None:
    outcome, statuses = decided(tmp_path, f"if (n < 0) n = 0;\n assert(n >= 0);\n if (n == -1) {TRAP}\n return 0;")
    assert statuses == [PROVED] and outcome.word == "true"


BEHIND = {
    "in a loop": f"for (int i = 0; i < 2; i++) {{\n assert(n == n + i - i);\n {TRAP} }}\n return 0;",
    "by goto": f"again: assert(n != 3 || n == 3);\n {TRAP}\n if (n) goto again;\n return 0;",
    "in a branch": f"if (n) {TRAP}\n assert(n == n);\n return 0;",
    "in a function called later": f"{TRAP}\n check(n);\n return 0;",
    "after the return to the caller": "convert();\n check(n);\n return 0;",
    "in an inner call of the same statement": "return strfry(text) != 0 && check(n);",
    "in the function that holds the trap, called again": "twice(n);\n twice(n);\n return 0;",
    "in a switch": f"switch (n) {{ case 1: {TRAP} case 2: assert(n < 3); }}\n return 0;",
    "through a pointer that the trap may have set": "int (*run)(void) = zero;\n quotient(1);\n"
    " _Complex long double c;\n if (n) run = c == 0 ? by_zero : zero;\n return run();",
    "at the end of a block": "int one = 1;\n end(&one);\n { int q __attribute__((cleanup(end))) = 0; }\n return 0;",
    "behind a trap in code behind a trap": f"{TRAP} while (n) {{ {TRAP} }} assert(n == 0);\n return 0;",
}
FUNCTIONS = f"""int check(int n) {{ assert(n == n); return 0; }}
int quotient(int i) {{ return 5 / i; }}
int by_zero(void) {{ return quotient(0); }}
int zero(void) {{ return 0; }}
void end(int *p) {{ *p = 5 / *p; }}
void convert(void) {{ {TRAP} }}
void twice(int n) {{ assert(n == n); {TRAP} }}
"""


@pytest.mark.parametrize("name", BEHIND)
def test_no_check_is_proved_that_a_run_may_come_to_behind_a_trap(tmp_path: Path, name: str) -> None:
    outcome, statuses = decided(tmp_path, BEHIND[name], FUNCTIONS)
    assert PROVED not in statuses and CheckStatus.NOT_REACHED not in statuses
    assert outcome.word == "unknown"


def test_what_may_do_anything_keeps_all_checks_open(tmp_path: Path) -> None:
    """An assembler statement, a condition, and a call inside of what is not modelled."""
    for trap in ('__asm__ volatile ("nop" : "+r" (n));', "if ((strfry(text) != 0) + (long double) n > 1.5L) n = 1;"):
        _, statuses = decided(tmp_path, f"if (n < 0) n = 0;\n assert(n >= 0);\n {trap}\n return 0;")
        assert PROVED in statuses or statuses == [UNKNOWN]
    _, statuses = decided(tmp_path, 'assert(n == n);\n __asm__ volatile ("nop" : "+r" (n));\n return 0;')
    assert statuses == [UNKNOWN]


def test_a_violation_before_a_trap_is_shown(tmp_path: Path) -> None:
    outcome, statuses = decided(tmp_path, f"assert(n != 7);\n if (n > 5) {TRAP}\n return 5 / (n - 9);")
    assert statuses[0] is VIOLATED and statuses[1] is not PROVED and outcome.exit_status == 1


def test_without_time_the_trap_before_a_check_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_checks, "LEAST_S", 1000.0)
    body = f"if (n < 0) n = 0;\n assert(n >= 0);\n if (n > 5) {TRAP}\n assert(n >= 0);\n return 0;"
    outcome, statuses = decided(tmp_path, body)
    assert statuses == [UNKNOWN, UNKNOWN]
    first, second = (verdict.reason for verdict in outcome.checks)
    assert first == "no time was left for it"
    assert second == "no time was left for it; depends on strfry at p.c:10, if a run comes there"
