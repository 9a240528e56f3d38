"""The import direction and the size of files, read from the sources themselves."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(path for top in ("chcverify", "encoders", "solvers") for path in (ROOT / top).rglob("*.py"))

# Layers from the top; a module may import from its own group or from a lower layer. Groups of one layer never import
# each other. The first prefix that fits decides.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("chcverify.__main__",),
    ("chcverify.cli",),
    ("chcverify.supervisor", "chcverify.api"),
    (
        "chcverify.driver",
        "chcverify.forms",
        "chcverify.partial",
        "chcverify.problem",
        "chcverify.validation",
        "chcverify.crosscheck",
    ),
    ("chcverify.portfolio",),
    ("encoders", "solvers", "chcverify.transforms", "chcverify.explain", "chcverify.doctor", "chcverify.campaign"),
    (
        "chcverify.certificate",
        "chcverify.result",
        "chcverify.source",
        "chcverify.outcome",
        "chcverify.insight",
        "chcverify.task",
    ),
    ("chcverify.horn",),
    ("chcverify.terms",),
    (
        "chcverify.assumption",
        "chcverify.errors",
        "chcverify.events",
        "chcverify.options",
        "chcverify.phases",
        "chcverify.reasons",
        "chcverify.version",
    ),
)
PACKAGE_ROOTS = ("chcverify", "encoders", "solvers")
# Groups that share a layer and may import each other: parts of one thing.
SAME = (
    {
        "chcverify.driver",
        "chcverify.forms",
        "chcverify.partial",
        "chcverify.problem",
        "chcverify.validation",
        "chcverify.crosscheck",
    },
    {"chcverify.supervisor", "chcverify.api"},
    {"chcverify.phases", "chcverify.events"},
    {"chcverify.certificate", "chcverify.result", "chcverify.source", "chcverify.outcome", "chcverify.insight"},
)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def place(module: str) -> tuple[int, str] | None:
    """(layer, group) of a module; None for the three package roots themselves."""
    for number, layer in enumerate(LAYERS):
        for group in layer:
            if module == group or module.startswith(group + "."):
                return number, group
    return None


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of every module that the file imports, inside functions too."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parts, base] if base else parts)
            yield node.lineno, base
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def violation(importer: str, imported: str) -> str | None:
    """Why the import is against the direction, or None."""
    if imported.split(".")[0] not in PACKAGE_ROOTS or imported in PACKAGE_ROOTS:
        return None
    here, there = place(importer), place(imported)
    if here is None or there is None:
        return None
    if there[0] < here[0]:
        return f"{importer} imports {imported}, which is above it"
    if there[0] == here[0] and there[1] != here[1] and not any({here[1], there[1]} <= group for group in SAME):
        return f"{importer} imports {imported}, which is beside it"
    return None


def test_the_rules_reject_what_they_should() -> None:
    assert violation("chcverify.horn.system", "chcverify.driver")
    assert violation("solvers.spacer", "chcverify.portfolio.run")
    assert violation("solvers.spacer", "encoders.c.ir")
    assert violation("chcverify.transforms.cone", "solvers.engine")
    assert violation("chcverify.driver", "encoders.c.ir") is None
    assert violation("solvers.spacer", "solvers.engine") is None
    assert violation("solvers.spacer", "z3") is None


def test_import_direction() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}: {why}"
        for path in SOURCES
        for line, name in imports(path)
        if (why := violation(module_name(path), name))
    }
    assert not found, "\n".join(sorted(found))


def test_every_module_has_a_layer() -> None:
    modules = {module_name(path) for path in SOURCES} - set(PACKAGE_ROOTS)
    assert not {module for module in modules if place(module) is None}


def test_only_terms_touches_the_raw_interface() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in SOURCES
        for line, name in imports(path)
        if name.startswith("z3.z3core") and not module_name(path).startswith("chcverify.terms")
    }
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_short(path: Path) -> None:
    most = 520 if path.name == "check_certificate.py" else 500  # it is one file, to be read and taken as it is
    assert len(path.read_text(encoding="utf-8").splitlines()) <= most
