"""Proofs under a precondition without an engine."""

import time
from dataclasses import replace
from pathlib import Path

from chcverify.options import HarnessOptions, InputOptions, Limits, Options
from chcverify.run.inference.quick_proofs import quick_proofs
from chcverify.task import resolve

TEXT = "struct s { unsigned long n; char *p; }; char f(const struct s *s, unsigned long i) { return s->p[i]; }\n"


def proved(path: Path, *requires: str) -> set[str]:
    """The kinds of the checks at the access that are proved where the predicates hold."""
    path.write_text(TEXT)
    given = InputOptions(str(path), property="undefined-behaviour", entries=("f",))
    task = replace(resolve(given), harness=HarnessOptions(null=True, requires=requires))
    found = quick_proofs(task, None, Options(given, Limits(timeout=60)), time.monotonic() + 60)
    return {check.kind.value for check in found}


def test_what_follows_from_a_precondition(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    assert "bounds" in proved(path, "\\valid_read(s)", "\\valid(s->p + (0 .. s->n - 1))", "i < s->n")
    assert "bounds" not in proved(path, "\\valid_read(s)", "\\valid(s->p + (0 .. s->n - 1))")
