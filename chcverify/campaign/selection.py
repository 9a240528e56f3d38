"""Which of the planned runs of a campaign are made: all, or those that can teach something about a schedule."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from chcverify.campaign.measurement import RunResult
from chcverify.campaign.store import ResultStore
from chcverify.campaign.tasks import CampaignTask
from chcverify.campaign.tuning.tuning_data import BEFORE_ENGINES, complete_features


class Selection(Protocol):
    """Chooses among the planned runs. `learn` is given every result, those of earlier parts of the campaign first."""

    def prepare(
        self, store: ResultStore, tasks: Sequence[CampaignTask], jobs: int, report: Callable[[str], object]
    ) -> None:
        """Is called once before the first run."""

    def wants(self, tool: str, task: CampaignTask) -> bool:
        """Should this run be made? Asked when it could start."""

    def learn(self, result: RunResult) -> None:
        """A run has ended."""


class AllRuns:
    """The selection that makes every run."""

    def prepare(
        self, store: ResultStore, tasks: Sequence[CampaignTask], jobs: int, report: Callable[[str], object]
    ) -> None:
        """Nothing is needed."""

    def wants(self, tool: str, task: CampaignTask) -> bool:
        return True

    def learn(self, result: RunResult) -> None:
        """Nothing changes."""


class ScheduleRuns:
    """The runs from which a schedule is tuned.

    An engine runs on tasks whose clauses have the features that its entry in the schedule asks for. A task that is
    decided before any engine starts is decided so under every schedule: its other runs are left out, as are all runs of
    tasks that cannot be encoded.

    applicable: the names of the engines for clauses with these features.
    """

    def __init__(self, applicable: Callable[[frozenset[str]], Iterable[str]]) -> None:
        self._applicable = applicable
        self._engines: Mapping[str, frozenset[str]] = {}
        self._without_engine: set[str] = set()

    def prepare(
        self, store: ResultStore, tasks: Sequence[CampaignTask], jobs: int, report: Callable[[str], object]
    ) -> None:
        """Computes the features of the tasks, as far as they are not stored."""
        features = complete_features(store, tasks, jobs, report)
        self._engines = {key: frozenset(self._applicable(names)) for key, names in features.items()}

    def wants(self, tool: str, task: CampaignTask) -> bool:
        return task.key not in self._without_engine and tool in self._engines.get(task.key, ())

    def learn(self, result: RunResult) -> None:
        if result.engine == BEFORE_ENGINES:
            self._without_engine.add(result.task.key)
