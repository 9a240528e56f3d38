"""The file of --baseline: the findings of an earlier run, by names that edits of other lines keep."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from chcverify.errors import InputError
from chcverify.explain.findings.check_identities import identities
from chcverify.results.checks import CheckStatus
from chcverify.results.outcome import Outcome

_FINDINGS = (CheckStatus.VIOLATED, CheckStatus.UNKNOWN)
Baseline = Mapping[str, CheckStatus]
"""The verdicts of an earlier run, by the identities of checks."""


def read_baseline(path: str) -> Baseline:
    """The findings in a file. Raises InputError for what is no such file."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        return {str(one["id"]): CheckStatus(one["verdict"]) for one in document["findings"]}
    except OSError as error:
        raise InputError(path, 0, 0, (error.strerror or str(error)).lower()) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(path, 0, 0, "no baseline: --write-baseline writes one") from error


def baseline_text(outcomes: Iterable[Outcome]) -> str:
    """The file with the findings of runs; of a check with several verdicts, a violation counts."""
    found: dict[str, CheckStatus] = {}
    for outcome in outcomes:
        names = identities(verdict.check for verdict in outcome.checks)
        for verdict in outcome.checks:
            name = names[verdict.check]
            if verdict.status in _FINDINGS and found.get(name) is not CheckStatus.VIOLATED:
                found[name] = verdict.status
    findings = [{"id": name, "verdict": status.value} for name, status in sorted(found.items())]
    return json.dumps({"format": 1, "findings": findings}, indent=2) + "\n"
