"""The largest part of candidate contracts that is proved as it is written (Flanagan, Leino: Houdini, FME 2001).

Each function is proved against its contract, with the contracts of the others in place of their bodies. Clauses that
are not proved are dropped, until all that is left is proved: then the written file is accepted as it is.
"""

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from chcverify.effort import LEAST_S
from chcverify.options import Options, OutputOptions, SourceFile
from chcverify.properties.registry import kinds_of
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES, CheckKind, CheckStatus, CheckVerdict
from chcverify.results.entry_function import EntryFunction
from chcverify.results.outcome import Outcome
from chcverify.results.source_facts import ContractCandidate
from chcverify.run.entries import runs
from chcverify.run.inference.contract_text import ContractPositions, ContractText, WrittenClause
from chcverify.task import Task

_HOLD = frozenset({CheckStatus.PROVED, CheckStatus.NOT_REACHED})
Rewrite = Callable[[frozenset[int]], str]
"""The text without contracts, and without the loop invariants of some of its lines."""


@dataclass(frozen=True)
class ContractSearchResult:
    """text: of the file. contracts: those that were written. notes: what was left out and why, one line each."""

    text: str
    contracts: Mapping[str, Sequence[WrittenClause]]
    notes: tuple[str, ...]


@dataclass
class ContractSearch:
    """The search for one file. rewrite: makes its text. deadline: time.monotonic()."""

    task: Task
    options: Options
    rewrite: Rewrite
    deadline: float
    contracts: dict[str, list[WrittenClause]] = field(default_factory=dict)
    calls: dict[str, frozenset[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    without: set[int] = field(default_factory=set)  # lines of loop invariants that are left out
    _positions: ContractPositions = field(init=False)
    _dropped: dict[str, int] = field(default_factory=dict)  # clauses of each function

    def result(self, candidates: Sequence[ContractCandidate]) -> ContractSearchResult:
        """The contracts that are proved."""
        self._positions = ContractPositions.of(self.rewrite(frozenset()), self.task.input_file)
        for candidate in candidates:
            self.calls[candidate.function] = frozenset(candidate.calls)
            self._begin(candidate)
        begin = {self.task.entry or "main"} - set(self.contracts)
        pending = {*self.contracts, *begin}
        while self.contracts and pending:
            now = pending - begin or pending  # where the program begins comes last: its proof needs all the others
            weaker = self._round(sorted(now))
            pending = {name for name in pending - now | weaker | self._above(weaker) if name in self.contracts} | (
                begin if pending - now or weaker else set()
            )
        return ContractSearchResult(self._text().text, self.contracts, tuple(self.notes))

    def _begin(self, candidate: ContractCandidate) -> None:
        name = candidate.function
        if name == "main":
            return
        reason = candidate.reason or self._positions.refused.get(name, "")
        if not reason and name not in self._positions.offsets:
            reason = "its definition is not in the file itself"
        if not reason and candidate.has_pointers and not kinds_of(self.task.property) >= DEREFERENCES:
            reason = "it is given pointers, and memory is not checked (--property undefined-behaviour)"
        if reason:
            self._note(name, reason)
            return
        self.contracts[name] = [
            WrittenClause(name, kind, text)
            for kind, texts in (
                ("requires", candidate.requires),
                ("assigns", (", ".join(candidate.assigns),)),
                ("ensures", candidate.ensures),
            )
            for text in texts
        ]

    def _note(self, name: str, reason: str) -> None:
        self.notes.append(f"no contract written for {name}: {reason}")

    def _text(self) -> ContractText:
        positions = ContractPositions.of(self.rewrite(frozenset(self.without)), self.task.input_file)
        return positions.with_contracts(self.contracts)

    # --- one round

    def _round(self, entries: Sequence[str]) -> set[str]:
        """Proves some functions; those whose contracts are weaker then."""
        weaker: set[str] = set()
        written = self._text()
        with tempfile.TemporaryDirectory(prefix="chcverify-") as directory:
            path = Path(directory) / Path(self.task.input_file).name
            path.write_text(written.text, encoding="utf-8", errors="surrogateescape")
            for number, name in enumerate(entries):
                left = (self.deadline - time.monotonic()) / (len(entries) - number)
                if left < LEAST_S:
                    return self._give_up("the time limit was reached before its clauses were proved again")
                outcome = self._proof(str(path), name, left)
                weaker |= self._failures(name, outcome, written, str(path))
        return weaker

    def _above(self, names: set[str]) -> set[str]:
        """The functions that call some of these."""
        return {name for name, called in self.calls.items() if called & names}

    def _proof(self, path: str, name: str, seconds: float) -> Outcome:
        """The outcome of the proof that begins with a function."""
        flags = next(source.flags for source in self.task.files if source.path == self.task.input_file)
        own = SourceFile(path, (*flags, f"-I{Path(self.task.input_file).parent}"))
        sources = (own, *(source for source in self.task.files if source.path != self.task.input_file))
        kinds = dict.fromkeys((*self.task.property.split(","), CheckKind.CONTRACT.value, CheckKind.INVARIANT.value))
        task = replace(
            self.task,
            input_file=path,
            sources=sources,
            property=",".join(kinds),
            harness=replace(self.task.harness, contracts=True, modular=True),
            all_checks=True,
            selected_checks=(),
        )
        limits = replace(self.options.limits, timeout=seconds)
        options = Options(self.options.input, limits, self.options.engines, output=OutputOptions(brief=True))
        entry = EntryFunction(name, path, 1)
        return next(iter(runs(task, [entry], options))).outcome

    def _failures(self, name: str, outcome: Outcome, written: ContractText, path: str) -> set[str]:
        """Drops what a proof did not show; the functions whose contracts are weaker then."""
        failed = [verdict for verdict in outcome.checks if verdict.status not in _HOLD]
        if not failed and outcome.status == "safe":
            return set()
        weaker: set[str] = set()
        for verdict in failed:
            weaker |= self._failure(name, verdict, written, path)
        if not failed:
            reason = outcome.reason.replace(path, self.task.input_file)
            weaker |= self._drop([name] if name in self.contracts else self._called(name), reason)
        return weaker

    def _failure(self, name: str, verdict: CheckVerdict, written: ContractText, path: str) -> set[str]:
        check = verdict.check
        line = check.origin.line if check.origin.file == path else 0
        clause = written.clauses.get(line)
        if clause is not None and clause.kind != "assigns":
            if clause in self.contracts.get(clause.function, ()):
                self.contracts[clause.function].remove(clause)
                self._dropped[clause.function] = self._dropped.get(clause.function, 0) + 1
            return {clause.function}
        if clause is not None:
            return self._drop([clause.function], f"'assigns {clause.text}' is not proved")
        own = written.lines.get(line, 0)
        if check.kind is CheckKind.INVARIANT and own and own not in self.without:
            self.without.add(own)
            self.notes.append(f"{self.task.input_file}:{own}: a loop invariant that contracts do not imply is left out")
            return {name}
        shown = f"{self.task.input_file}:{own}: {check.text}"
        if name in self.contracts:
            return self._drop([name], f"with contracts for what it calls, this is not proved: {shown}")
        weak = [callee for callee in self._called(name) if self._dropped.get(callee)]
        return self._drop(weak or self._called(name), f"in its place, {name} is not proved: {shown}")

    def _called(self, name: str) -> list[str]:
        return [callee for callee in self.contracts if callee in self.calls.get(name, frozenset())]

    def _drop(self, names: Sequence[str], reason: str) -> set[str]:
        for name in names:
            if self.contracts.pop(name, None) is not None:
                self._note(name, reason)
        return set(names)

    def _give_up(self, reason: str) -> set[str]:
        self._drop(list(self.contracts), reason)
        return set()
