"""The checks in whose clauses a certificate is, at the beginning of its text.

A program's clauses depend on the checks that are decided together. So a certificate names them, and whoever reads it
encodes the program with these checks. Nothing has to be trusted: it is checked against those clauses.
"""

import json
import re
from collections.abc import Sequence

_MODEL_LINE = "; check "
_DERIVATION_KEY = re.compile(r'\{"checks": (\[[^\]]*\])')


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
