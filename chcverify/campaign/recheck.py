"""Certificates of a campaign, checked once more by the stand-alone checker, which shares no code with chcverify."""

import subprocess
import sys
from pathlib import Path

from chcverify.campaign.tasks import CampaignTask
from chcverify.errors import InputError

RECHECK_SECONDS = 300.0
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
        exported = self._run(
            [
                sys.executable,
                "-m",
                "chcverify",
                "export",
                task.path,
                "--property",
                task.property_name,
                "-o",
                str(clauses),
            ]
        )
        if exported:
            return f"the clauses cannot be exported: {exported}"
        return self._run([sys.executable, str(self._checker), str(certificate), str(clauses)])

    def _run(self, command: list[str]) -> str:
        try:
            ended = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=RECHECK_SECONDS, stdin=subprocess.DEVNULL
            )
        except subprocess.TimeoutExpired:
            return f"the check took more than {RECHECK_SECONDS:g} s"
        return "" if ended.returncode == 0 else " ".join((ended.stdout + ended.stderr).split())[:500]
