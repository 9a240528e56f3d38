"""Buffers and lengths that belong together, as the use of a function shows."""

from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.harness.tied_sizes import tied_by_use
from encoders.c.source.parser import parse
from encoders.c.types.c_types import LP64

SUM = (
    "int f(unsigned turns, const int *a, int k) {{ int s = 0; for (unsigned i = 0; {}; i++) s ^= a[i]; return s + k; }}"
)
PUT = """struct v { unsigned used, room; char *data; };
int f(struct v *v, char c) { if (v->used >= v->room) return 0; v->data[v->used] = c; return 1; }"""


@pytest.mark.parametrize("condition", ["i < turns", "turns > i", "i != turns"])
def test_parameters_that_bound_an_index(condition: str) -> None:
    tree, _ = parse(SUM.format(condition), "a.c", LP64)
    assert tied_by_use(tree.ext[-1]) == {("a", "turns")}


def test_members_that_bound_an_index() -> None:
    tree, _ = parse(PUT, "a.c", LP64)
    assert tied_by_use(tree.ext[-1]) == {("v->data", "v->room")}


PUSH = """struct v { unsigned used, room; char *data; };
int f(struct v *v, char c) { if (v->used == v->room) return 0; v->data[v->used++] = c; return 1; }"""


def test_an_index_that_is_changed_behind_its_use_is_the_compared_one() -> None:
    tree, _ = parse(PUSH, "a.c", LP64)
    assert tied_by_use(tree.ext[-1]) == {("v->data", "v->room")}
    before, _ = parse(PUSH.replace("v->used++", "++v->used"), "a.c", LP64)
    assert tied_by_use(before.ext[-1]) == set()


@pytest.mark.parametrize("text", [SUM.format("i < turns"), PUT])
def test_calls_keep_them_with_the_option(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.c"
    path.write_text(text)

    def outcomes(sizes: bool) -> set[str]:
        begin = Begin("f", HarnessOptions(sizes=sizes))
        program = load_files([SourceFile(str(path))], LP64, "bounds", begin=begin)
        return {execute(program, Random(seed, (0, 1, 2, 3), 1 << seed % 4)).outcome for seed in range(60)}

    assert "error" in outcomes(sizes=False)
    assert outcomes(sizes=True) >= {"end"} and "error" not in outcomes(sizes=True)
