"""The parts of the installation: versions, missing packages, and conflicts with other packages."""

import importlib
import importlib.util
import platform
import re
import shutil
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Literal

from chcverify.quick_dataclass import dataclass

_OPTIONAL = {"pplpy": "polyhedra", "pysmt": "certificates checked by further solvers"}
_PACKAGES = ("chcverify", "encoders", "solvers")


@dataclass(frozen=True)
class Diagnosis:
    """level: "ok", "note" (optional, or of no harm) or "problem" (something will not work)."""

    level: Literal["ok", "note", "problem"]
    text: str


def examine() -> Iterator[Diagnosis]:
    """All findings, the foundations first."""
    yield Diagnosis("ok", f"Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    for name in ("chcverify", *_required()):
        version = _version(name)
        yield Diagnosis("ok", f"{name} {version}") if version else Diagnosis("problem", f"{name} is not installed")
    yield from _solvers()
    for name, use in _OPTIONAL.items():
        version = _version(name)
        text = f"{name} {version}" if version else f"{name} is not installed (optional: {use})"
        yield Diagnosis("ok" if version else "note", text)
    yield from _preprocessor()
    for package in _PACKAGES:
        yield from _overwritten(package)


def _required() -> list[str]:
    """The requirements of the distribution, without its extras."""
    try:
        stated = metadata.requires("chcverify") or []
    except metadata.PackageNotFoundError:
        return []
    return [re.split(r"[^A-Za-z0-9._-]", item, maxsplit=1)[0] for item in stated if "extra ==" not in item]


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _solvers() -> Iterator[Diagnosis]:
    """The libraries of the certificate checkers, each with the reason if it does not start."""
    for name in ("z3", "cvc5", "bitwuzla"):
        try:
            importlib.import_module(name)
        except Exception as error:
            yield Diagnosis("problem", f"{name} does not start: {error}")
        else:
            yield Diagnosis("ok", f"{name} starts")


def _preprocessor() -> Iterator[Diagnosis]:
    gcc = shutil.which("gcc")
    if gcc:
        yield Diagnosis("ok", f"gcc at {gcc}")
    else:
        yield Diagnosis("note", "no gcc: C programs that include headers need it (or pcpp)")


def _overwritten(package: str) -> Iterator[Diagnosis]:
    """Conflicts of the common package names `encoders` and `solvers` with packages of other distributions."""
    specification = importlib.util.find_spec(package)
    places = list(specification.submodule_search_locations or ()) if specification else []
    home = Path(__file__).resolve().parents[2]
    for place in places:
        if Path(place).resolve().parent != home:
            yield Diagnosis(
                "problem", f"the package {package} is taken from {place}, not from {home}: reinstall chcverify"
            )
    if not places:
        yield Diagnosis("problem", f"the package {package} is missing: reinstall chcverify")
    owners = {name for name in metadata.packages_distributions().get(package, ()) if name != "chcverify"}
    for owner in sorted(owners):
        yield Diagnosis(
            "problem", f"the distribution {owner} installs a package {package}, too, and may overwrite ours"
        )
