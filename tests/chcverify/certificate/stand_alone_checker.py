"""The stand-alone checker in this process, for tests of certificates."""

import importlib.util
from pathlib import Path
from types import ModuleType

from chcverify.horn.io.writer import to_smtlib
from chcverify.horn.system import HornSystem

SCRIPT = Path(__file__).parents[3] / "check_certificate.py"


def stand_alone_checker() -> ModuleType:
    """check_certificate.py as a module."""
    spec = importlib.util.spec_from_file_location("check_certificate", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def status_of(module: ModuleType, folder: Path, certificate: str, clauses: str) -> int:
    """The exit status of the checker for a certificate and clauses, as texts."""
    (folder / "certificate").write_text(certificate)
    (folder / "clauses.smt2").write_text(clauses)
    status: int = module.main([str(folder / "certificate"), str(folder / "clauses.smt2")])
    return status


def check_alone(module: ModuleType, folder: Path, certificate: str, clauses: HornSystem) -> int:
    """The same for a system of clauses."""
    return status_of(module, folder, certificate, to_smtlib(clauses))
