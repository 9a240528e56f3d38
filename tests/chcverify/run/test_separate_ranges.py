"""Ranges that must not overlap: pointers beyond their objects, or made from null, seem to lead to other objects."""

from pathlib import Path

import pytest

from chcverify.results.checks import CheckKind, CheckStatus
from tests.chcverify.run.checked_function import verdicts_of

PROVED, VIOLATED = CheckStatus.PROVED, CheckStatus.VIOLATED
DECLARED = "#include <string.h>\nstruct buffer { size_t length; char *bytes; };\n"
FUNCTIONS = {
    "any distance": ("void f(char *b, char *c, size_t n, size_t k) { memcpy(b + k, c, n); }", {"bounds"}),
    "null members": (
        "void f(struct buffer *b, struct buffer *c) { memcpy(b->bytes + b->length, c->bytes, c->length); }",
        {"bounds", "null"},
    ),
    "one buffer": (
        "void f(char *b, size_t n, size_t k) { memcpy(b + k, b, n); }",
        {"bounds", "overlap"},
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_only_what_is_wrong_is_violated(tmp_path: Path, name: str) -> None:
    text, violated = FUNCTIONS[name]
    verdicts = verdicts_of(tmp_path, DECLARED + text)
    assert {verdict.status for verdict in verdicts} == {PROVED, VIOLATED}
    assert {verdict.check.kind.value for verdict in verdicts if verdict.status is VIOLATED} == violated
    assert CheckKind.OVERLAP in {verdict.check.kind for verdict in verdicts}
