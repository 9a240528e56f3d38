"""The files of a campaign's runs, checked once more: certificates by the stand-alone checker, which shares no code with
chcverify; witnesses by `chcverify validate`, which decides the task anew with nothing but the witness as a hint."""

import subprocess
import sys
from pathlib import Path

from chcverify.campaign.measurement import Checks
from chcverify.campaign.tasks import CampaignTask
from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass

RECHECK_SECONDS = 300.0
"""Seconds of the clock for the check of one certificate. Chosen by hand."""
CHECKER_NAME = "check_certificate.py"


def find_checker() -> Path:
    """The stand-alone checker beside the package, as in a source checkout; InputError without one."""
    path = Path(__file__).resolve().parents[2] / CHECKER_NAME
    if not path.exists():
        raise InputError(CHECKER_NAME, 0, 0, "is not part of this installation: rechecking needs a source checkout")
    return path


class StandAloneRecheck:
    """Exports a task's clauses and checks a certificate against them. checker: the path of the stand-alone checker."""

    def __init__(self, checker: Path) -> None:
        self._checker = checker

    def __call__(self, task: CampaignTask, certificate: Path) -> str:
        """The reason for rejecting the certificate; "" if it is accepted."""
        if not certificate.exists():
            return "no certificate to check again"
        clauses = certificate.with_suffix(".smt2")
        exported = _failure(
            [sys.executable, "-m", "chcverify", "export", task.path, "--property", task.property_name,
             "-o", str(clauses)]
        )  # fmt: skip
        if exported:
            return f"the clauses cannot be exported: {exported}"
        return _failure([sys.executable, str(self._checker), str(certificate), str(clauses)])


class WitnessValidation:
    """Validates a witness with chcverify itself."""

    def __call__(self, task: CampaignTask, witness: Path) -> str:
        """Why the witness is not confirmed; "" if it is."""
        if not witness.exists():
            return "no witness"
        command = [sys.executable, "-m", "chcverify", "validate", "--witness", str(witness), task.path]
        command += ["--property", task.property_name, "--timeout", f"{RECHECK_SECONDS:g}"]
        return _failure(command)


def _failure(command: list[str]) -> str:
    """What a command that does not end with status 0 printed; "" if it does."""
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=RECHECK_SECONDS, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return f"the check took more than {RECHECK_SECONDS:g} s"
    return "" if ended.returncode == 0 else " ".join((ended.stdout + ended.stderr).split())[:500]


@dataclass(frozen=True)
class WantedChecks:
    """Which checks a campaign wants. Plain values: they travel to workers."""

    certificates: bool = False
    witnesses: bool = False

    def checks(self) -> Checks:
        """The checks on this machine. InputError if the stand-alone checker is wanted and missing."""
        certificate = StandAloneRecheck(find_checker()) if self.certificates else None
        return Checks(certificate, WitnessValidation() if self.witnesses else None)
