"""A run's use of the certificate cache: the answer that it has for the clauses, and what it keeps of a new one.

A stored certificate goes through the same check as one of an engine, so a stale or forged cache costs time only.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from chcverify.cache.normal_form import NormalForm
from chcverify.cache.old_models import models_document
from chcverify.cache.store import UNDECIDED, CacheEntry, CacheStore
from chcverify.cache.undecided_functions import NOT_REPEATED, covers, run_of
from chcverify.certificate.derivation import Cycle
from chcverify.certificate.files.certificate_text import (
    derivation_from_text,
    derivation_to_text,
    model_from_text,
    model_to_text,
)
from chcverify.effort import BRIEF_SHARE
from chcverify.horn.system import HornSystem
from chcverify.options import CacheOptions, Options
from chcverify.portfolio.processes import run_limited
from chcverify.portfolio.run_plan import Certificate, CertificationResult, EngineRun, PortfolioResult
from chcverify.quick_dataclass import dataclass
from chcverify.results.result import Safe, Unsafe
from chcverify.task import Task

CYCLES = '"cycle"'  # in the text of a derivation that names variables
LABEL = "cache"  # in the verdict, where engines have their names


@dataclass(eq=False)
class CachedAnswers:
    """The cache as one run uses it. report: what came of it, for statistics."""

    store: CacheStore
    options: CacheOptions
    report: dict[str, Any] = field(default_factory=dict)
    _clauses: "CachedClauses | None" = None

    @classmethod
    def of(cls, options: CacheOptions) -> "CachedAnswers | None":
        """The cache of the options, None without one."""
        from chcverify import __version__

        if not options.directory:
            return None
        return cls(CacheStore(options.directory, __version__), options)

    def answer(
        self,
        system: HornSystem,
        certify: Callable[[Certificate], CertificationResult],
        seconds: float,
        memory_mb: int | None,
    ) -> PortfolioResult | None:
        """The stored answer, if its certificate is accepted within these seconds."""
        clauses = self._of(system)
        entry = self.store.read(clauses.form.key)
        self.report["notes"] = self.store.notes
        if entry is None:
            self.report["result"] = "no entry"
            return None
        # In a child: what is stored may be anything, and reading it may crash or take for ever.
        certified = run_limited(lambda: certify(clauses.certificate(entry)), seconds, memory_mb)
        if certified.value is None or not certified.value.accepted:
            reason = certified.value.reason if certified.value else certified.reason
            self.report["result"] = "refused"
            self.store.notes.append(f"cache: the stored certificate was not accepted: {reason}")
            return None
        self.report["result"] = "hit"
        return PortfolioResult(clauses.certificate(entry), LABEL, certified.value)

    def undecided(self, system: HornSystem, options: Options) -> str:
        """Why an earlier run with no smaller limits than these did not decide it; "" where it is to be tried."""
        if self.options.retry or options.output.show_invariants:
            return ""
        document = self.store.read_document(UNDECIDED, self._of(system).form.key)
        if not covers(document.get("run"), options):
            return ""
        self.report["result"] = "undecided"
        return f"{document.get('reason', '')}{NOT_REPEATED}"

    def keep_undecided(self, system: HornSystem, options: Options, reason: str) -> None:
        """Remembers a run with these limits and without a verdict."""
        self.store.write_document(UNDECIDED, self._of(system).form.key, {"run": run_of(options), "reason": reason})

    def with_old_models(self, task: Task, plan: Sequence[EngineRun]) -> Sequence[EngineRun]:
        """The plan, after a run on the model of an earlier version if there is one."""
        path = self.store.models_path(_name(task))
        if not path.is_file():
            return plan
        old = EngineRun("old-models", options={"file": str(path)}, fraction_of_remaining=BRIEF_SHARE)
        return [old, *plan]

    def keep(self, task: Task, system: HornSystem, found: PortfolioResult) -> None:
        """Stores a certified answer that did not come from the cache. What cannot be stored gives a note."""
        if found.engine == LABEL or not isinstance(found.result, Safe | Unsafe):
            return
        try:
            clauses = self._of(system)
            self.store.write(clauses.form.key, replace(clauses.entry(found.result), engine=found.engine))
            if isinstance(found.result, Safe):
                self.store.write_model(_name(task), models_document(system, found.result.model))
        except Exception as error:  # the verdict is certified: it does not depend on what can be stored
            self.store.notes.append(f"cache: nothing is stored: {type(error).__name__}: {error}")

    def keep_model(self, task: Task, system: HornSystem, found: PortfolioResult) -> CacheEntry | None:
        """What certifies an answer, to be stored elsewhere; a model is stored for the next version of the input.

        None for what cannot be stored, with a note.
        """
        if not isinstance(found.result, Safe | Unsafe):
            return None
        try:
            answer = found.accepted(system, found.result)
            entry = replace(CachedClauses(system).entry(answer), engine=found.engine)
            if isinstance(answer, Safe):
                self.store.write_model(_name(task), models_document(system, answer.model))
        except Exception as error:  # as in `keep`
            self.store.notes.append(f"cache: nothing is stored: {type(error).__name__}: {error}")
            return None
        return entry

    def _of(self, system: HornSystem) -> "CachedClauses":
        if self._clauses is None or self._clauses.system is not system:
            self._clauses = CachedClauses(system)
        return self._clauses


@dataclass(frozen=True, eq=False)
class CachedClauses:
    """The clauses of one question, with their normal form."""

    system: HornSystem

    @cached_property
    def form(self) -> NormalForm:
        """The normal form, on which keys and stored certificates depend."""
        return NormalForm.of(self.system)

    def certificate(self, entry: CacheEntry) -> Certificate:
        """The stored certificate in the names of the clauses; InputError if it is none."""
        form = self.form
        if entry.kind == "model":
            return Safe(form.model_from_normal(model_from_text(form.plain, entry.certificate, LABEL)))
        system = form.system if CYCLES in entry.certificate else form.plain
        return Unsafe(form.derivation_from_normal(derivation_from_text(system, entry.certificate, LABEL)))

    def entry(self, answer: Certificate) -> CacheEntry:
        """The answer as it is stored."""
        form = self.form
        if isinstance(answer, Safe):
            return CacheEntry("model", model_to_text(form.plain, form.model_to_normal(answer.model), for_people=False))
        derivation = form.derivation_to_normal(answer.derivation)
        has_cycles = any(isinstance(step, Cycle) for step in derivation.steps)
        return CacheEntry("derivation", derivation_to_text(form.system if has_cycles else form.plain, derivation))


def _name(task: Task) -> str:
    """What the model of an input is stored under: a name that an edit does not change."""
    return f"{os.path.normpath(task.input_file)}\0{task.property}\0{task.entry or ''}"
