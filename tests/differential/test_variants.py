"""Variants of programs behave as the originals: gcc's programs end with the same status."""

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from encoders.c.types.c_types import ILP32, LP64

from .variants.tasks import VariantTask, tasks, variant
from .variants.transformations import ALL, Transformation
from .variants.trees import NoVariant, text_of, tree_of

PROGRAM = """
#define N 40
typedef struct pair { int first; unsigned second; } pair;
extern int putchar(int);
int table[N];
static int weight(int i, int step) {
  int r = 0;
  for (int j = 0; j < i; j += step) { if (j % 3 == 0) continue; r++; }
  return r;
}
int main(void) {
  int i = 0, sum = 0;
  unsigned count;
  int *cell = &sum;
  pair p;
  p.first = 3;
  p.second = 4u;
  count = 7;
  i = 0;
  for (i = 0; i < N; i++)
    table[i] = i * 2;
  while (i > 0) {
    --i;
    if (table[i] > 9) { sum += table[i]; } else if (count > 2u) count -= 1; else sum = sum - 1;
  }
  *cell += weight(p.first + 2, 1) + (int)p.second;
  return (sum + (int)count) % 7;
}
"""
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


def write(directory: Path, text: str) -> Path:
    path = directory / "program.c"
    path.write_text(text)
    return path


def status(directory: Path, text: str) -> int:
    """The exit status of the program that gcc makes of the text."""
    path, program = write(directory, text), directory / "program"
    subprocess.run(["gcc", "-w", "-fwrapv", "-o", str(program), str(path)], check=True)
    return subprocess.run([str(program)], check=False).returncode


@needs_gcc
@pytest.mark.parametrize("transformation", ALL, ids=[each.name for each in ALL])
def test_a_transformation_changes_the_text_and_not_the_result(tmp_path: Path, transformation: Transformation) -> None:
    tree = tree_of(write(tmp_path, PROGRAM), LP64)
    before = text_of(tree)
    changed = transformation.change(tree, random.Random(1))
    after = text_of(tree)
    assert changed == (after != before)
    assert changed
    if transformation.name == "sizes":
        assert "table[40]" in before and not re.search(r"\b40\b", after)
    else:
        assert status(tmp_path, after) == status(tmp_path, before)


@needs_gcc
@pytest.mark.parametrize("seed", range(6))
def test_several_together(tmp_path: Path, seed: int) -> None:
    expected = status(tmp_path, PROGRAM)
    made = variant(VariantTask(write(tmp_path, PROGRAM), True, LP64), random.Random(seed))
    assert "types" not in made.names  # long is wider than int in this data model
    assert "sizes" in made.names or status(tmp_path, made.text) == expected


def test_types_are_for_the_model_in_which_they_are_equal() -> None:
    assert {each.name for each in ALL if not each.fits(LP64)} == {"types"}
    assert all(each.fits(ILP32) for each in ALL)


def test_what_has_no_variant(tmp_path: Path) -> None:
    with pytest.raises(NoVariant, match="layout"):
        tree_of(
            write(tmp_path, "struct s { char c; int i; } __attribute__((packed)); int main(void) { return 0; }"), LP64
        )
    with pytest.raises(NoVariant, match="nothing to change"):
        variant(VariantTask(write(tmp_path, "int f(void);"), True, LP64), random.Random(0))


def test_tasks_of_a_directory() -> None:
    found = tasks(Path(__file__).parents[2] / "benchmarks/one_loop")
    verdicts = {task.path.name: task.expected for task in found}
    assert verdicts["even.c"] is True
    assert verdicts["even-unsafe.c"] is False
    assert {task.model for task in found} == {ILP32}
