"""Marks the tests by what they cost.

No test depends on how much is done within given seconds: limits such as 600 s are safety nets for what would not end,
and what a limit does is tested with a clock, an engine or a phase that the test controls.
"""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("any machine", deadline=None)  # a busy machine is no error
settings.load_profile("any machine")

_TESTS = Path(__file__).parent
# `pytest -m fast` runs these, but for the files below: less than a minute on two cores.
_FAST = ("chcverify", "encoders", "test_architecture.py")
# Whole runs of the command, long replays, gcc over the system's headers: several seconds for each file.
_SLOW_UNITS = frozenset(
    f"{name}.py"
    for name in (
        "encoders/c/certificates/test_repeated_runs",
        "encoders/c/execution/test_replay_acceleration",
        "encoders/c/execution/test_native_replay",
        "encoders/c/source/test_headers",
        "chcverify/campaign/test_benchexec",
        "chcverify/campaign/test_cluster",
        "chcverify/campaign/test_store",
        "chcverify/campaign/test_tuning",
        "chcverify/certificate/test_certificate_check",
        "chcverify/certificate/test_certificate_cycles",
        "chcverify/cli/test_annotate",
        "chcverify/cli/test_command",
        "chcverify/cli/test_crosscheck",
        "chcverify/cli/test_native",
        "chcverify/cli/test_reliability",
        "chcverify/cli/test_hook",
        "chcverify/cli/test_outputs",
        "chcverify/lsp/test_language_server",
        "chcverify/cache/test_cached_answers",
        "encoders/c/execution/test_violation_test",
        "encoders/c/witnesses/test_validation",
        "chcverify/portfolio/test_run",
        "chcverify/explain/report/test_browser",
    )
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Adds the mark `fast`."""
    for item in items:
        path = item.path.relative_to(_TESTS)
        if (
            path.parts[0] in _FAST
            and path.parts[:2] != ("chcverify", "transforms")
            and path.as_posix() not in _SLOW_UNITS
        ):
            item.add_marker(pytest.mark.fast)
