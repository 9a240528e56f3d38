"""Mutants of safe programs, one line changed as programmers err: an index off by one, a free too many or missing."""

import random
import re
from collections.abc import Callable, Iterator

from .generate import MemoryProgram

MUTANTS_EACH = 4  # of a program
_Edit = Callable[[str], str | None]


def _replaced(pattern: str, by: str) -> _Edit:
    def edit(line: str) -> str | None:
        changed, count = re.subn(pattern, by, line, count=1)
        return changed if count else None

    return edit


_EDITS: dict[str, _Edit] = {
    "< to <=": _replaced(r"(i|v\d+) < ", r"\1 <= "),
    "an index off by one": _replaced(r"\[@pick\((\w+)\)\]", r"[@pick(\1) + 1]"),
    "an index before": _replaced(r"\[(i|0)\]", r"[\1 - 1]"),
    "a missing free": _replaced(r"(if \(\w+\) )?(free\([\w>-]+\)|@free_all\(\w+\));", ";"),
    "a free too many": _replaced(r"(free\([\w>-]+\));", r"\1; \1;"),
    "a size too small": _replaced(r"malloc\((.*?)\);", r"malloc((\1) - 1);"),
    "a size without its factor": _replaced(r" \* sizeof(\(int\)| \*\w+)\)", ")"),
    "a missing guard": _replaced(r"if \(\w+( > 0|n > 0)\) ", ""),
    "a pointer that is not reset": _replaced(r"w = 0; wn = 0; @gp = 0; @gpn = 0;", ";"),
    "a count off by one": _replaced(r", (\w+n), ", r", \1 + 1, "),
}


def mutants_of(program: MemoryProgram, seed: int) -> Iterator[tuple[int, tuple[str, MemoryProgram]]]:
    """Numbered mutants of a program, each with the name of its change."""
    rng = random.Random(seed)
    lines = program.text.split("\n")
    candidates = [
        (name, position, changed)
        for position, line in enumerate(lines)
        for name, edit in _EDITS.items()
        if (changed := edit(line)) is not None
    ]
    by_name: dict[str, list[tuple[int, str]]] = {}
    for name, position, changed in candidates:
        by_name.setdefault(name, []).append((position, changed))
    names = rng.sample(sorted(by_name), min(MUTANTS_EACH, len(by_name)))
    for number, name in enumerate(names):
        position, changed = rng.choice(by_name[name])
        text = "\n".join([*lines[:position], changed, *lines[position + 1 :]])
        yield number, (name, MemoryProgram(text, program.inputs))
