"""The import direction, the size of files and folders, and the names, read from the sources themselves."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE_ROOTS = ("chcverify", "encoders", "solvers")
SOURCES = sorted(path for top in PACKAGE_ROOTS for path in (ROOT / top).rglob("*.py"))

Layers = tuple[tuple[str, ...], ...]
# From the top. A module may import from its own group and from lower layers; groups of one layer do not import each
# other. The longest prefix that fits decides.
LAYERS: Layers = (
    ("chcverify.__main__",),
    ("chcverify.cli",),
    ("chcverify.lsp",),
    ("chcverify.campaign",),
    ("chcverify.run.inference",),
    ("chcverify.run.entries",),
    ("chcverify.api", "chcverify.run.supervisor"),
    ("chcverify.run",),
    ("chcverify.problems",),
    ("chcverify.portfolio",),
    ("chcverify.explain",),
    ("encoders", "solvers", "chcverify.transforms"),
    ("chcverify.inputs",),
    ("chcverify.task",),
    ("chcverify.properties",),
    ("chcverify.cache",),
    ("chcverify.results",),
    ("chcverify.certificate",),
    ("chcverify.horn.io",),
    ("chcverify.horn",),
    ("chcverify.terms",),
    (
        "chcverify.errors",
        "chcverify.options",
        "chcverify.garbage",
        "chcverify.process_lifetime",
        "chcverify.processor_time",
    ),
    ("chcverify.display_limits", "chcverify.effort", "chcverify.quick_dataclass"),
)
# The same inside a group.
SUBLAYERS: tuple[Layers, ...] = (
    (
        ("encoders.c.witnesses", "encoders.c.summaries", "encoders.c.termination", "encoders.c.concurrency"),
        ("encoders.c.certificates",),
        ("encoders.c.encoding", "encoders.c.execution"),
        ("encoders.c.analysis",),
        ("encoders.c.frontend", "encoders.c.source_queries"),
        ("encoders.c.parsed_sources",),
        ("encoders.c.harness",),
        ("encoders.c.contracts",),
        ("encoders.c.lowering",),
        ("encoders.c.lowering.operators",),
        ("encoders.c.library", "encoders.c.threads"),
        ("encoders.c.cfa",),
        ("encoders.c.source", "encoders.c.source_map"),
        ("encoders.c.types",),
    ),
    (
        ("chcverify.transforms.pipeline",),
        ("chcverify.transforms.exact", "chcverify.transforms.abstractions"),
        ("chcverify.transforms",),
    ),
    (
        ("chcverify.certificate.kernel", "chcverify.certificate.files"),
        ("chcverify.certificate.search",),
        ("chcverify.certificate.model", "chcverify.certificate.derivation"),
    ),
    (
        ("chcverify.terms.bitvectors", "chcverify.terms.quantifiers", "chcverify.terms.evaluation"),
        ("chcverify.terms.arithmetic", "chcverify.terms.printing"),
        ("chcverify.terms.core",),
        ("chcverify.terms.native",),
    ),
    (
        ("solvers.pdr",),
        ("solvers.pdr.lemmas",),
        ("solvers.pdr.transition_system",),
    ),
)
# Exceptions: groups that are parts of one thing and import each other in both directions.
SAME = (
    {"chcverify.api", "chcverify.run.supervisor"},
    {"encoders.c.lowering", "encoders.c.lowering.operators"},
    {"chcverify.transforms.exact", "chcverify.transforms.abstractions"},
)
# What an engine's package may import besides `solvers.engine`.
ENGINES: dict[str, set[str]] = {
    "solvers.acceleration": set(),
    "solvers.bounded": set(),
    "solvers.explicit": set(),
    "solvers.finite_models": set(),
    "solvers.saturation": set(),
    "solvers.termination": {"solvers.abstract_interpretation"},
    "solvers.spacer": set(),
    "solvers.pdr": set(),
    "solvers.ctigar": {"solvers.pdr"},
    "solvers.abstract_interpretation": {"solvers.invariants"},
    "solvers.value_analysis": set(),
    "solvers.invariants": {"solvers.abstract_interpretation", "solvers.registry"},
    "solvers.unrolling": {"solvers.registry"},
    "solvers.bmc": {"solvers.unrolling"},
    "solvers.kinduction": {
        "solvers.abstract_interpretation",
        "solvers.bmc",
        "solvers.invariants",
        "solvers.pdr",
        "solvers.registry",
        "solvers.unrolling",
    },
    "solvers.external": set(),
    "solvers.registry": {"solvers.external"},
}
MAX_LINES = 500
MAX_MAP_LINES = 150  # of ARCHITECTURE.md, which is read from beginning to end
MAX_CHECKER_LINES = 1120
MAX_MODULES = 15
MANY_MODULES = "Many modules:"  # begins the sentence in the docstring of a package with more than MAX_MODULES
MAX_REPEATED_NAMES = 8
# File names that say what role a module has in its package.
ROLES = {"__init__", "__main__", "engine", "options", "base"}
# Words that have been used for many things at once, and that no definition is called by.
BANNED_WORDS = frozenset(
    [
        "place",
        "places",
        "told",
        "tell",
        "tells",
        "telling",
        "hear",
        "heard",
        "leap",
        "leaps",
        "leapt",
        "feed",
        "feeding",
        "fed",
        "guess",
        "luck",
        "judge",
        "judges",
        "judgement",
        "insight",
        "way",
        "foreseen",
    ]
)
# Words that no docstring begins with a sentence about.
BANNED_IN_DOCSTRINGS = re.compile(r"\b(way back|gone over|leapt|foreseen|by luck)\b", re.IGNORECASE)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in SOURCES}


def is_within(module: str, group: str) -> bool:
    return module == group or module.startswith(group + ".")


def position(module: str, layers: Layers) -> tuple[int, str] | None:
    """(layer, group) of a module, None if it is in no group."""
    fitting = [(len(group), n, group) for n, layer in enumerate(layers) for group in layer if is_within(module, group)]
    return max(fitting)[1:] if fitting else None


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of every module that the file imports, inside functions and for type checking too."""
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
    for layers in (LAYERS, *SUBLAYERS):
        here, there = position(importer, layers), position(imported, layers)
        if here is None or there is None or any({here[1], there[1]} <= group for group in SAME):
            continue
        if there[0] < here[0] and not is_within(here[1], imported):
            return f"{importer} imports {imported}, which is above it"
        if there[0] == here[0] and there[1] != here[1]:
            return f"{importer} imports {imported}, which is beside it"
    engine, other = (".".join(name.split(".")[:2]) for name in (importer, imported))
    if engine in ENGINES and is_within(imported, "solvers") and other not in {engine, "solvers.engine", "solvers"}:
        return None if other in ENGINES[engine] else f"{importer} imports {imported}, which {engine} does not declare"
    return None


def test_the_rules_reject_what_they_should() -> None:
    assert violation("chcverify.horn.system", "chcverify.run.driver")
    assert violation("solvers.spacer.engine", "chcverify.portfolio.scheduler")
    assert violation("solvers.spacer.engine", "encoders.c.cfa.ir")
    assert violation("solvers.spacer.engine", "solvers.pdr.engine")
    assert violation("chcverify.transforms.exact.cone_of_influence", "solvers.engine")
    assert violation("encoders.c.cfa.ir", "encoders.c.encoding.encoder")
    assert violation("encoders.c.execution.objects", "encoders.c.encoding.encoder")
    assert violation("chcverify.certificate.search.houdini", "chcverify.certificate.kernel.policy")
    assert violation("chcverify.run.driver", "encoders.c.cfa.ir") is None
    assert violation("solvers.spacer.engine", "solvers.engine") is None
    assert violation("solvers.ctigar.engine", "solvers.pdr.engine") is None
    assert violation("solvers.spacer.engine", "z3") is None


def test_import_direction() -> None:
    wrong = {
        f"{path.relative_to(ROOT)}:{line}: {why}"
        for path in SOURCES
        for line, name in imports(path)
        if (why := violation(module_name(path), name))
    }
    assert not wrong, "\n".join(sorted(wrong))


def test_every_module_has_a_layer_and_every_layer_modules() -> None:
    modules = set(MODULES) - set(PACKAGE_ROOTS)
    assert not {module for module in modules if position(module, LAYERS) is None}
    assert not {m for m in modules if m.startswith("encoders.c.") and position(m, SUBLAYERS[0]) is None}
    packages = {m for m in modules if m.startswith("solvers.") and m != "solvers.engine"}
    assert not {module for module in packages if ".".join(module.split(".")[:2]) not in ENGINES}
    groups = {group for layers in (LAYERS, *SUBLAYERS) for layer in layers for group in layer}
    assert not {group for group in groups | set(ENGINES) if group not in modules | set(PACKAGE_ROOTS)}


def test_no_import_cycles() -> None:
    """Imports for type checking and inside functions included; the facade of the library loads its names when used."""
    graph = {name: {other for _, other in imports(path) if other in MODULES} for name, path in MODULES.items()}
    for name in graph:
        graph[name] = {o for o in graph[name] if not (MODULES[o].name == "__init__.py" or o == name)}
    graph["chcverify"] = set()
    left = dict(graph)
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    assert not left, f"cycles among {sorted(left)}"


def test_packages_are_described() -> None:
    """Every package has a docstring; one with many modules gives the reason there."""
    for path in SOURCES:
        if path.name == "__init__.py":
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            count = len(list(path.parent.glob("*.py"))) - 1
            assert text, f"{path.parent} has no docstring"
            assert count <= MAX_MODULES or MANY_MODULES in text, f"{path.parent} has {count} modules"


def test_names_are_not_reused() -> None:
    stems = Counter(path.stem for path in SOURCES if path.stem not in ROLES)
    again = sorted(name for name, count in stems.items() if count > 1)
    assert len(again) <= MAX_REPEATED_NAMES, f"module names that occur more than once: {again}"
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES]
    classes = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    again = sorted(name for name, count in classes.items() if count > 1)
    assert len(again) <= MAX_REPEATED_NAMES, f"class names that occur more than once: {again}"


def words(identifier: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)}


def test_vocabulary() -> None:
    """No definition is named by a word that has many meanings (the glossary has the terms to use)."""
    wrong = []
    for name, path in MODULES.items():
        if words(name.rpartition(".")[2]) & BANNED_WORDS:
            wrong.append(name)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                if (used := words(node.name) & BANNED_WORDS) and node.name not in ("place_nodes", "place"):
                    wrong.append(f"{name}.{node.name}: {', '.join(sorted(used))}")
                first = (ast.get_docstring(node) or "").partition("\n")[0]
                if match := BANNED_IN_DOCSTRINGS.search(first):
                    wrong.append(f"{name}.{node.name}: {match[0]!r} in its docstring")
    assert not wrong, "\n".join(sorted(wrong))


def test_only_terms_touches_the_raw_interface() -> None:
    wrong = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in SOURCES
        for line, name in imports(path)
        if name.startswith("z3.z3core") and not module_name(path).startswith("chcverify.terms")
    }
    assert not wrong, "\n".join(sorted(wrong))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_short(path: Path) -> None:
    assert lines_of(path) <= MAX_LINES


def test_the_map_and_the_checker_are_short() -> None:
    assert lines_of(ROOT / "ARCHITECTURE.md") <= MAX_MAP_LINES
    assert lines_of(ROOT / "check_certificate.py") <= MAX_CHECKER_LINES


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())
