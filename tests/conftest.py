"""Marks the tests by what they cost.

No test depends on how much is done within given seconds: limits such as 600 s are safety nets for what would not end,
and what a limit does is tested with a clock, an engine or a phase that the test controls.
"""

from pathlib import Path

import pytest

_TESTS = Path(__file__).parent
# `pytest -m fast` runs these, but for the files below: less than a minute on two cores.
_FAST = ("unit", "test_architecture.py")
# Whole runs of the command, long replays, gcc over the system's headers: several seconds for each file.
_SLOW_UNITS = frozenset(
    f"unit/{name}.py"
    for name in (
        "c_backend/test_cycles",
        "c_backend/test_leap",
        "c_backend/test_replay_native",
        "c_frontend/test_headers",
        "certificate/test_certificate_check",
        "certificate/test_certificate_cycles",
        "cli/test_annotate",
        "cli/test_command",
        "cli/test_crosscheck",
        "cli/test_native",
        "cli/test_reliability",
        "explain/test_validation",
        "portfolio/test_run",
        "report/test_browser",
    )
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Adds the mark `fast`."""
    for item in items:
        path = item.path.relative_to(_TESTS)
        if path.parts[0] in _FAST and path.as_posix() not in _SLOW_UNITS:
            item.add_marker(pytest.mark.fast)
