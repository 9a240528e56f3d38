"""The live view: the phases of the engines on a terminal, erased before the verdict is printed."""

import os
import sys
import time
from collections.abc import Mapping
from types import TracebackType

from chcverify.results.events import EngineEvent, Event, Stage

REFRESH_SECONDS = 0.2
"""Seconds of the clock between two drawings. Chosen by hand."""
_ENDS = tuple(stage for stage in Stage if stage.is_end)
_WORDS: Mapping[str, str] = {
    Stage.START: "started",
    Stage.UNKNOWN: "gave up",
    Stage.BACK_TRANSLATION: "carrying its answer back",
    Stage.CERTIFY: "being checked",
    Stage.REFUSED: "refused",
}


def wanted() -> bool:
    """True if there is a terminal that can show it."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") not in (None, "dumb")


class LiveView:
    """`on_event` takes the events of the run, `refresh` draws."""

    def __init__(self, started: float) -> None:
        from rich.console import Console  # takes a while to import: only where it is seen
        from rich.live import Live

        self.phase = "start"
        self.engines: dict[str, EngineEvent] = {}
        self._started = started
        # No thread draws: the process that shows this is the one that forks and waits.
        self._live = Live(console=Console(stderr=True), auto_refresh=False, transient=True, redirect_stdout=False)

    def __enter__(self) -> "LiveView":
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, where)

    def on_event(self, event: Event) -> None:
        """Keeps the phase of the run, or of an engine."""
        if isinstance(event, EngineEvent):
            self.engines[event.engine] = event
        else:
            self.phase = event.phase

    def refresh(self) -> None:
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(overflow="ellipsis")
        table.add_row(f"{time.monotonic() - self._started:6.1f} s", self.phase, "")
        for engine, event in self.engines.items():
            phase, ended = event.phase, event.phase in _ENDS
            figures = ", ".join(str(value) if ended else f"{name} {value}" for name, value in event.figures.items())
            shown = Text(" ".join(figures.split()), no_wrap=True, overflow="ellipsis")
            table.add_row(f"  {engine}", _WORDS.get(phase, phase), shown, style="dim" if ended else "")
        self._live.update(table, refresh=True)
