"""Files of certificates for single checks: the checks in whose clauses a certificate is stand at its beginning.

A program's clauses depend on the checks that are decided together. So a certificate names them, and whoever reads it
encodes the program with these checks. Nothing has to be trusted: it is checked against those clauses.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from chcverify.errors import InputError
from chcverify.results.checks import CheckVerdict

_MODEL_LINE = "; check "
_DERIVATION_KEY = re.compile(r'\{"checks": (\[[^\]]*\])')


def write_certificates(verdicts: Iterable[CheckVerdict], folder: Path) -> None:
    """Writes a file for each certificate into the folder; proved checks may share one. Raises InputError."""
    written: set[str] = set()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for verdict in verdicts:
            if verdict.certificate and verdict.certificate not in written:
                written.add(verdict.certificate)
                (folder / _file_name(verdict)).write_text(
                    with_checks(verdict.certificate, verdict.covered), encoding="utf-8"
                )
    except OSError as error:
        raise InputError(str(folder), 0, 0, f"cannot be written: {(error.strerror or str(error)).lower()}") from error


def with_checks(certificate: str, checks: Sequence[str]) -> str:
    """The text of a certificate that names checks by their ids."""
    if certificate.startswith("{"):
        return f'{{"checks": {json.dumps(list(checks))},{certificate[1:]}'
    return "".join(f"{_MODEL_LINE}{name}\n" for name in checks) + certificate


def named_checks(certificate: str) -> tuple[str, ...]:
    """The ids of the checks that a certificate's text names; () for a certificate of all checks."""
    match = _DERIVATION_KEY.match(certificate)
    if match:
        return tuple(json.loads(match[1]))
    lines = certificate.splitlines()
    return tuple(line.removeprefix(_MODEL_LINE) for line in lines if line.startswith(_MODEL_LINE))


def _file_name(verdict: CheckVerdict) -> str:
    """`proved-0f3a….smt2`, `violated-….json`: the verdict, and a digest of what the certificate is about."""
    suffix = "json" if verdict.certificate.startswith("{") else "smt2"
    about = "\n".join((verdict.check.id, *verdict.covered))
    status = "violated" if suffix == "json" else "proved"
    return f"{status}-{hashlib.sha256(about.encode()).hexdigest()[:12]}.{suffix}"
