"""The tests mirror the sources: every module is imported by a test of its own group.

The group of a module is its package below `chcverify`, `solvers` or `encoders/c`, and the tests of the group are in the
folder of the same name below tests/. A test that imports a module of a package may test the package's parts through it:
they count as imported, too, if modules of the package import each other so.
"""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("chcverify", "encoders", "solvers")
SOURCES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for top in TOPS
    for path in sorted((ROOT / top).rglob("*.py"))
}


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules of the project that a file imports, by absolute names."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    packages = {f"{name}.__init__" for name in names}
    return frozenset((names | packages) & SOURCES.keys())


def files_beside(module: str) -> list[Path]:
    """The files in the test folder of the module's group; for modules that are in no group, of all groups beside it."""
    parts = module.split(".")
    depth = 3 if parts[0] == "encoders" else 2
    folder = ROOT.joinpath("tests", *parts[: min(depth, len(parts) - 1)])
    return sorted(folder.rglob("*.py"))


def is_tested(module: str) -> bool:
    package = module.rpartition(".")[0]
    work = [name for path in files_beside(module) for name in imported(path)]
    seen: set[str] = set()
    while work:
        name = work.pop()
        if name not in seen:
            seen.add(name)
            work += [other for other in imported(SOURCES[name]) if other.rpartition(".")[0] == package]
    return module in seen


def test_every_module_is_imported_by_a_test_of_its_group() -> None:
    modules = [module for module in SOURCES if not module.endswith("__init__")]
    missing = [module for module in modules if not is_tested(module)]
    assert not missing, f"no test in the folder of their group imports {missing}"


def test_the_rule_can_fail() -> None:
    assert not any(is_tested(module) for module in ("solvers.pdr.no_such_module", "chcverify.no_such_module"))
    assert is_tested("solvers.bounded.forecast") and is_tested("chcverify.task")
