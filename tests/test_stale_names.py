"""Docstrings, comments and the map speak of files and names that exist."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [path for top in ("chcverify", "encoders", "solvers") for path in sorted((ROOT / top).rglob("*.py"))]
TOPS = ("chcverify", "encoders", "solvers", "tests", "docs", "benchmarks", "competition")
PATH = re.compile(r"(?<![\w/.*-])((?:[\w-]+/)*[\w-]+\.(?:py|md|lark))(?![\w/*])")
CONSTANT = re.compile(r"(?<![\w`'\"-])([A-Z]+(?:_[A-Z]+)+)(?![\w`'\"-])")
CLASS = re.compile(r"(?<![\w`'\"])([A-Z][a-z]+(?:[A-Z][a-z]+)+)\b")
NAME = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\))?`")
# Names of other projects: of Linux, gcc, goto-cc, make, Boogie, tiny-AES-c, and of tools and papers.
FOREIGN = frozenset([
    "place_field", "update_alignment_for_field", "TYPE_ALIGN", "__CPROVER_file_local_a_c_f", "shell", "bv8",
    "KeyExpansion", "BenchExec", "FastTrack", "PR_SET_PDEATHSIG", "PR_SET_CHILD_SUBREAPER",
])  # fmt: skip


@cache
def files() -> frozenset[str]:
    """All files of the project, and the ends of their paths."""
    found = [path.relative_to(ROOT).parts for top in TOPS for path in (ROOT / top).rglob("*") if path.is_file()]
    found += [(path.name,) for path in ROOT.glob("*")]
    return frozenset("/".join(parts[start:]) for parts in found for start in range(len(parts)))


@cache
def parts(path: Path) -> tuple[str, tuple[tuple[int, str], ...]]:
    """The code of a file without docstrings and comments, and these, each with its line."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    prose: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            prose.append((node.lineno, node.value.value))
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    for number, line in enumerate(lines, 1):
        code, mark, comment = line.partition("  # ") if not line.lstrip().startswith("# ") else ("", "#", line)
        if mark:
            prose.append((number, comment))
            lines[number - 1] = code
    return "\n".join(lines), tuple(prose)


@cache
def words_of_code() -> frozenset[str]:
    """All words outside docstrings and comments: names, and parts of strings; and those of models in C and tables."""
    found = {path.stem for path in SOURCES} | {path.name for path in ROOT.rglob("encoders/c/library/**/*")}
    for path in SOURCES:
        found |= set(re.findall(r"\w+", parts(path)[0]))
    others = ("encoders/**/*.[ch]", "encoders/**/*.txt", "encoders/**/*.lark", "pyproject.toml", "docs/references.bib")
    for path in (path for pattern in others for path in ROOT.glob(pattern)):
        found |= set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    return frozenset(found)


def stale(text: str) -> Iterator[str]:
    """The paths and names in a text for which the project has nothing."""
    paths = PATH.findall(text)
    yield from (path for path in paths if path not in files())
    known = words_of_code() | FOREIGN
    yield from (name for name in [*CONSTANT.findall(text), *CLASS.findall(text)] if name not in known)
    for name in NAME.findall(text):
        if name not in paths and not any(path.endswith(name) for path in paths):
            yield from (part for part in name.split(".") if part not in known and "X" not in part)  # X: any letters


def test_docstrings_and_comments_name_what_exists() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in SOURCES
        for line, text in parts(path)[1]
        for name in stale(text)
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_not_there_is_found() -> None:
    assert list(
        stale("see analysis/no_such_file.py and `no_such_name`, `HornSystem.of`, chcverify/horn/system.py")
    ) == [
        "analysis/no_such_file.py",
        "no_such_name",
    ]
