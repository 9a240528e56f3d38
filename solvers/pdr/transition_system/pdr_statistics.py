"""Counts of a run, and its trace as JSON lines."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, TextIO

from chcverify.terms.native.raw import Raw, Term


class Statistics:
    """Counts by name, and the trace. event: writes one JSON line if a trace was requested."""

    def __init__(self, raw: Raw, trace: str) -> None:
        self.raw = raw
        self.counts: Counter[str] = Counter()
        self._file: TextIO | None = open(trace, "w", encoding="utf-8") if trace else None  # noqa: SIM115

    def count(self, name: str, by: int = 1) -> None:
        """Adds to the counter of that name."""
        self.counts[name] += by

    def event(self, kind: str, cube: Sequence[Term] | None = None, **figures: Any) -> None:
        if self._file is not None:
            record: dict[str, Any] = {"event": kind, **figures}
            if cube is not None:
                record["cube"] = [str(self.raw.wrap(literal)).replace("\n", " ") for literal in cube]
            self._file.write(json.dumps(record) + "\n")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
