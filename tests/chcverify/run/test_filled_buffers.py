"""Buffers of unknown size that a loop has filled: what comes after reads inside of what was written."""

from pathlib import Path

import pytest

from chcverify.results.checks import CheckKind, CheckStatus
from tests.chcverify.run.checked_function import verdicts_of

PROVED, VIOLATED = CheckStatus.PROVED, CheckStatus.VIOLATED


def bounds(tmp_path: Path, text: str) -> dict[int, set[CheckStatus]]:
    """The statuses of the checks of bounds of the function f, by line."""
    found: dict[int, set[CheckStatus]] = {}
    for verdict in verdicts_of(tmp_path, text):
        if verdict.check.kind is CheckKind.BOUNDS:
            found.setdefault(verdict.check.origin.line, set()).add(verdict.status)
    return found


SAFE = {
    "read again": "int f(char *t) {\n for (int i = 0; i < 256; i++) t[i] = i;\n"
    " int c = 0; for (int i = 0; i < 256; i++) c ^= t[(i + t[i]) & 255];\n return c; }",
    "the words before": "int f(unsigned char *k) {\n"
    " for (unsigned i = 0; i < 4; i++) { k[4 * i] = 1; k[4 * i + 3] = 2; }\n"
    " int c = 0; for (unsigned i = 1; i <= 4; i++) { unsigned j = (i - 1) * 4; c ^= k[j] ^ k[j + 3]; }\n return c; }",
    "as long as the number says": "int f(char *t, int n) {\n for (int i = 0; i < n; i++) t[i] = 0;\n"
    " if (n > 0) t[n - 1] = 1;\n return 0; }",
}


@pytest.mark.parametrize("name", SAFE)
def test_what_was_written_can_be_read(tmp_path: Path, name: str) -> None:
    found = bounds(tmp_path, SAFE[name])
    assert VIOLATED in found[2] and found[3] == {PROVED}


def test_one_more_than_was_written(tmp_path: Path) -> None:
    text = "int f(char *t) {\n for (int i = 0; i < 256; i++) t[i] = i;\n return t[256]; }"
    assert VIOLATED in bounds(tmp_path, text)[3]


def test_a_block_that_grows_is_not_the_released_one(tmp_path: Path) -> None:
    """A member leads to the old block, or to the new one after the old one was released: both ways are joined."""
    text = """#include <stdlib.h>
struct vec { char *data; int n, cap; };
int f(struct vec *v) {
  if (v->n < 0 || v->cap < 0 || v->cap > 1000000) return 1;
  if (v->n >= v->cap) {
    char *p = realloc(v->data, v->cap + 16);
    if (!p) return -1;
    v->data = p;
    v->cap += 16;
  }
  if (v->data) v->data[0] = 1;
  return 0;
}
"""
    access = [verdict for verdict in verdicts_of(tmp_path, text) if verdict.check.origin.line == 11]
    assert {verdict.status for verdict in access} == {PROVED}
    assert {verdict.engine for verdict in access} <= {"value analysis", "no clause"}
