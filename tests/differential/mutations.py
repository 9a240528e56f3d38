"""Wrong rules for the encoder, one at a time: each changes the text of one function as its module is loaded.

`mutant_table.py` lists them.
"""

import ast
import importlib.machinery
import importlib.util
import pathlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from types import CodeType, ModuleType

_LIBRARY = "encoders/c/library/"


@dataclass(frozen=True)
class Mutant:
    """In the function of a module (below encoders.c; of a C file below library/), the text `old` becomes `new`.

    old must occur in the function exactly once. function: "" for the whole file.
    """

    name: str
    module: str
    function: str
    old: str
    new: str
    theory: str = "auto"  # in which programs are encoded to notice it: "lia", "bv", or the first that can


def mutated(source: str, mutant: Mutant) -> str:
    """The text of a module with the mutant's change. Raises LookupError where it does not fit (any more)."""
    start, end = _extent(source, mutant)
    part = source[start:end]
    if part.count(mutant.old) != 1:
        raise LookupError(f"{mutant.name}: {part.count(mutant.old)} places in {mutant.module}:{mutant.function}")
    return source[:start] + part.replace(mutant.old, mutant.new) + source[end:]


def _extent(source: str, mutant: Mutant) -> tuple[int, int]:
    """Where the function's text begins and ends."""
    if not mutant.function:
        return 0, len(source)
    if mutant.module.endswith(".c"):
        start = source.find(f"\n{mutant.function}(")
        if start < 0:
            raise LookupError(f"{mutant.name}: no function {mutant.function} in {mutant.module}")
        return start, source.index("\n}", start)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name == mutant.function:
            assert node.end_lineno is not None
            return starts[node.lineno - 1], starts[node.end_lineno]
    raise LookupError(f"{mutant.name}: no function {mutant.function} in {mutant.module}")


class _Loader(importlib.machinery.SourceFileLoader):
    mutant: Mutant

    def get_code(self, fullname: str) -> CodeType:
        with open(self.path, encoding="utf-8") as file:
            return compile(mutated(file.read(), self.mutant), self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != f"encoders.c.{self.mutant.module}":
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or spec.origin is None:
            return None
        loader = _Loader(fullname, spec.origin)
        loader.mutant = self.mutant
        return importlib.util.spec_from_loader(fullname, loader)


def apply(mutant: Mutant) -> None:
    """Lets modules (or models of library functions) that this process has not loaded yet be loaded with the change."""
    if not mutant.module.endswith(".c"):
        assert f"encoders.c.{mutant.module}" not in sys.modules
        sys.meta_path.insert(0, _Finder(mutant))
        return
    suffix, read = _LIBRARY + mutant.module.removeprefix("library/"), pathlib.Path.read_text

    def changed(path: pathlib.Path, *arguments: object, **options: object) -> str:
        text = read(path, *arguments, **options)  # type: ignore[arg-type]
        return mutated(text, mutant) if path.as_posix().endswith(suffix) else text

    pathlib.Path.read_text = changed  # type: ignore[method-assign,assignment]
