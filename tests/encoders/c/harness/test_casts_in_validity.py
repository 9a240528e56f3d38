"""Casts of pointers in `\\valid` and `\\valid_read`: as many elements of the object as the bytes need."""

from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import LP64

RUNS = 150  # random runs; without a contract the first violation is met within the first ten


def outcomes(path: Path, text: str) -> set[str]:
    """The outcomes of random runs that begin with f, with accesses checked."""
    path.write_text(text)
    begin = Begin("f", HarnessOptions(contracts=True), contracts=True)
    program = load_files([SourceFile(str(path))], LP64, "bounds,null,lifetime", begin=begin)
    return {execute(program, Random(seed, (0, 1, 2, 3, 9), 1 << seed % 8)).outcome for seed in range(RUNS)}


BODY = "int f(const {0} *p, unsigned n) {{ const unsigned char *q = (const void *)p; return n ? q[n - 1] : 0; }}\n"


@pytest.mark.parametrize("kind", ["void", "int", "unsigned char"])
def test_as_many_elements_as_the_bytes_need(tmp_path: Path, kind: str) -> None:
    clause = "/*@ requires \\valid_read((unsigned char *)p + (0 .. n - 1)); */\n"
    assert "error" not in outcomes(tmp_path / "a.c", clause + BODY.format(kind))
    assert "error" in outcomes(tmp_path / "a.c", BODY.format(kind))
    wide = clause.replace("unsigned char", "short").replace("n - 1", "(n + 1) / 2 - 1")
    assert "error" not in outcomes(tmp_path / "a.c", wide + BODY.format(kind))


@pytest.mark.parametrize(("bytes_", "violated"), [("4 * n", False), ("4 * n + 400", True)])
def test_in_a_check_the_bytes_themselves_are_accessed(tmp_path: Path, bytes_: str, violated: bool) -> None:
    requires, ensures = "\\valid(p + (0 .. n - 1))", f"\\valid((char *)p + (0 .. {bytes_} - 1))"
    text = f"/*@ requires {requires};\n    ensures {ensures}; */\n" + BODY.format("int")
    assert ("error" in outcomes(tmp_path / "a.c", text)) is violated


def test_separated_pointers_are_not_cast(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="cast"):
        outcomes(
            tmp_path / "a.c",
            "/*@ ensures \\separated((char *)p, q); */\nint f(int *p, int *q) { return *p + *q; }\n",
        )
