"""The check `uninitialised` where functions without a body may write what they are given."""

from pathlib import Path

import pytest

from chcverify import api

PROGRAMS = {
    "what it is given is written": (
        "true",
        "int x; char t[4]; struct s s; fill(&x); text(t, 4); both(&s); return x ? t[3] : s.b;",
    ),
    "a null pointer leads to nothing": ("false", "int x, *p = 0; if (ask() == 3) p = &x; fill(p); return x;"),
    "one way or the other": (
        "true",
        "int x[3], *p = 0; if (ask() == 3) p = x; else x[1] = 2; fill(p); return x[1];",
    ),
}


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_verdict(tmp_path: Path, name: str) -> None:
    word, body = PROGRAMS[name]
    path = tmp_path / "elsewhere.c"
    path.write_text(
        "struct s { int a, b; };\nint fill(int *), text(char *, int), both(struct s *), ask(void);\n"
        f"int main(void) {{ {body} }}\n"
    )
    outcome = api.verify(str(path), property="uninitialised", timeout=600, jobs=2)
    assert outcome.word.partition("(")[0] == word, outcome.reason
