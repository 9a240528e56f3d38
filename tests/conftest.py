"""Which tests a run executes, and what they cost (tests/tiers.py).

No test depends on how much is done within given seconds: limits such as 600 s are safety nets for what would not end,
and what a limit does is tested with a clock, an engine or a phase that the test controls.
"""

from collections.abc import Generator, Mapping

import pytest
from hypothesis import settings

from tests.tiers import Tier, processor_seconds, read_record, selected, write_record

settings.register_profile("any machine", deadline=None)  # a busy machine is no error
settings.load_profile("any machine")

_SECONDS = "processor seconds"
"""The property of a test's report that holds what the test cost."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options that `tiers` describes."""
    parser.addoption("--tier", choices=[tier.value for tier in Tier], help="which tests; see tests/tiers.py")
    parser.addoption("--record-times", action="store_true", help="writes tests/recorded_times.json again")


def pytest_configure(config: pytest.Config) -> None:
    """Without --tier: the quick tier, or all tests of the paths and names that are given."""
    if config.option.tier is None:
        is_whole_tree = config.args_source is not pytest.Config.ArgsSource.ARGS and not config.option.keyword
        config.option.tier = (Tier.QUICK if is_whole_tree else Tier.WHOLE).value
    if config.option.record_times and not hasattr(config, "workerinput"):
        is_whole = config.option.tier == Tier.WHOLE.value and config.args_source is not pytest.Config.ArgsSource.ARGS
        config.pluginmanager.register(_Recorder({} if is_whole else read_record()))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests of other tiers."""
    chosen = selected(Tier(config.option.tier), [item.nodeid for item in items], read_record())
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
    items[:] = [item for item in items if item.nodeid in chosen]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Notes the processor time of the test."""
    before = processor_seconds()
    try:
        return (yield)
    finally:
        item.user_properties.append((_SECONDS, processor_seconds() - before))


class _Recorder:
    """Collects the processor times of a run's tests from their reports, and writes them at its end.

    known: the times of tests that did not run.
    """

    def __init__(self, known: Mapping[str, float]) -> None:
        self._seconds = dict(known)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes what the report of a test says."""
        for name, value in report.user_properties:
            if name == _SECONDS:
                self._seconds[report.nodeid] = float(str(value))

    def pytest_sessionfinish(self) -> None:
        """Writes the record."""
        write_record(self._seconds)
