"""Tasks in folders, and one variant of a task."""

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from encoders.c.types.c_types import ILP32, LP64, DataModel

from .transformations import ALL
from .trees import NoVariant, text_of, tree_of

_MOST = 3  # transformations of one variant


@dataclass(frozen=True)
class VariantTask:
    """A C file with the expected verdict of unreach-call."""

    path: Path
    expected: bool
    model: DataModel


@dataclass(frozen=True)
class Variant:
    """A program with the names of its transformations."""

    task: VariantTask
    names: tuple[str, ...]
    text: str


def tasks(directory: Path) -> list[VariantTask]:
    """The C tasks of the task definitions below the directory, with an expected verdict of unreach-call."""
    found = []
    for file in sorted(directory.rglob("*.yml")):
        document = yaml.safe_load(file.read_text())
        if not isinstance(document, dict):
            continue
        given = document.get("input_files", "")
        source = file.parent / (given[0] if isinstance(given, list) else given)
        verdicts = [p.get("expected_verdict") for p in document.get("properties", ()) if _is_unreach(p)]
        if source.suffix in (".c", ".i") and verdicts and isinstance(verdicts[0], bool):
            narrow = document.get("options", {}).get("data_model") == "ILP32"
            found.append(VariantTask(source, verdicts[0], ILP32 if narrow else LP64))
    return found


def _is_unreach(entry: dict[str, str]) -> bool:
    return bool(re.search(r"unreach-call\.prp$", str(entry.get("property_file", ""))))


def solved(found: list[VariantTask], results: Path) -> list[VariantTask]:
    """Those that the results have as solved. results: JSON, rows [folder, file, expected, {tool: [answer, ...]}]."""
    rows = json.loads(results.read_text())
    right = {Path(row[1]).name for row in rows if any(answer[0] == row[2] for answer in row[3].values())}
    return [task for task in found if task.path.name in right]


def variant(task: VariantTask, chance: random.Random) -> Variant:
    """A variant of the task by one to three transformations. NoVariant if none of them changes anything."""
    tree = tree_of(task.path, task.model)
    chosen = chance.sample([each for each in ALL if each.fits(task.model)], len(ALL) - 1)
    most = chance.randint(1, _MOST)
    names: list[str] = []
    for each in chosen:
        if len(names) < most and each.change(tree, chance):
            names.append(each.name)
    if not names:
        raise NoVariant(f"{task.path}: nothing to change")
    return Variant(task, tuple(names), text_of(tree))
