"""The kernel imports the modules that it lists as trusted, and no others."""

import ast
from pathlib import Path

from chcverify.certificate.kernel import TRUSTED_MODULES

ROOT = Path(__file__).parents[3]
# Packages whose import loads nothing of the project: docstrings, constants, and the library's facade, which loads its
# names when they are used.
FACADE = "chcverify"


def source(module: str) -> Path | None:
    """The file of a module of the project, None of other modules and of names in modules."""
    path = ROOT.joinpath(*module.split("."))
    if path.is_dir():
        return path / "__init__.py"
    return path.with_suffix(".py") if path.with_suffix(".py").exists() else None


def imported(path: Path) -> set[str]:
    """The modules of the project that the file imports anywhere; imports are absolute in this project."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in names if source(name) is not None}


def closure(roots: set[str]) -> set[str]:
    """The roots and all that they import, directly or not; the packages that contain a module count as imported."""
    seen: set[str] = set()
    stack = list(roots)
    while stack:
        module = stack.pop()
        if module in seen or module == FACADE:
            continue
        seen.add(module)
        parts = module.split(".")
        stack += [".".join(parts[:i]) for i in range(1, len(parts))]
        path = source(module)
        assert path is not None
        stack += imported(path)
    return seen


def test_the_kernel_imports_the_trusted_modules_alone() -> None:
    files = (ROOT / "chcverify/certificate/kernel").rglob("[!_]*.py")
    kernel = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files}
    modules = {module for module in closure(kernel) if source(module).name != "__init__.py"}  # type: ignore[union-attr]
    assert modules == set(TRUSTED_MODULES)
    assert sorted(TRUSTED_MODULES) == list(TRUSTED_MODULES)


def test_the_stand_alone_checker_imports_z3_and_the_standard_library_alone() -> None:
    assert imported(ROOT / "check_certificate.py") == set()
