"""The drawings and the table of ARCHITECTURE.md agree with the sources."""

import ast
import re
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest

import chcverify
from chcverify.results import result

ROOT = Path(__file__).resolve().parent.parent
MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
# The words of the drawing of the layers that are not names in `chcverify`.
GROUPS = {
    "supervisor": "chcverify.run.supervisor",
    "driver": "chcverify.run",
    "encoders": "encoders",
    "solvers": "solvers",
}
PATH = re.compile(r"(?<![\w/])((?:chcverify|encoders|solvers|tests|docs|benchmarks)/[\w/.-]*\w)")


def section(title: str) -> str:
    """The text of a section of the map."""
    return MAP.partition(f"## {title}\n")[2].partition("\n## ")[0]


def drawing(title: str) -> str:
    """The indented lines of a section."""
    return "\n".join(line.strip() for line in section(title).splitlines() if line.startswith("    "))


def layers() -> list[list[str]]:
    """The groups of each layer of the drawing, from the top, as names of modules."""
    parts = drawing("Layers").replace("\n", " ").split(" -> ")
    words = [re.findall(r"\w+", part) for part in parts]
    return [[GROUPS.get(word, f"chcverify.{word}") for word in layer] for layer in words]


@cache
def imports_of(group: str) -> frozenset[str]:
    """The modules that the modules of a group import."""
    folder = ROOT.joinpath(*group.split("."))
    found: set[str] = set()
    for path in folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(node.module or "")
    return frozenset(found)


def crossings(importer: str, imported: str) -> set[str]:
    """The imports from one group into another."""
    return {name for name in imports_of(importer) if name == imported or name.startswith(f"{imported}.")}


def test_no_group_imports_one_that_is_drawn_above_it_or_beside_it() -> None:
    drawn = layers()
    assert len(drawn) > 6 and max(map(len, drawn)) > 2
    wrong = {}
    for above, below in combinations(drawn, 2):
        for upper, lower in product(above, below):
            if not upper.startswith(lower):
                wrong[lower, upper] = crossings(lower, upper)
    for beside in drawn:
        for one, other in combinations(beside, 2):
            wrong[one, other] = crossings(one, other)
            wrong[other, one] = crossings(other, one)
    assert not {pair: names for pair, names in wrong.items() if names}


@pytest.mark.parametrize("title", ["From input to verdict", "Layers", "Reading order", "Where to add", "Processes"])
def test_the_paths_in_a_section_exist(title: str) -> None:
    for path in PATH.findall(section(title)):
        assert (ROOT / path).exists(), path


def test_the_drawing_of_the_data_flow_names_the_parts_that_there_are() -> None:
    text = drawing("From input to verdict")
    kinds = re.findall(r"(\w+)\((\w+)\)", text)
    assert {kind for kind, _ in kinds} == {"Safe", "Unsafe", "Unknown"}
    for kind, field in kinds:
        assert field in getattr(result, kind).__dataclass_fields__
    assert "HornSystem" in text and chcverify.HornSystem


def rows() -> list[list[str]]:
    """The packages that each row of the table is about, as paths."""
    found = []
    for line in re.findall(r"^\| (`.*?) \|", section("Layers"), re.M):
        names = re.findall(r"`([\w/]+)`", line)
        home = names[0].rpartition("/")[0]
        found.append([names[0], *(f"{home}/{name}" if home else name for name in names[1:])])
    return found


def test_the_table_lists_the_packages() -> None:
    listed = [path for row in rows() for path in row]
    assert not [path for path in listed if not (ROOT / path).is_dir()]
    assert len(set(listed)) == len(listed)
    packages = [
        path.parent.relative_to(ROOT).as_posix()
        for top in ("chcverify", "encoders", "encoders/c", "solvers")
        for path in ROOT.joinpath(top).glob("*/__init__.py")
    ]
    assert not set(packages) - set(listed) - {"encoders/c"}
