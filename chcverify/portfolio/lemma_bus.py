"""The lemma bus between worker processes.

Engines publish lemmas as text; the host of their common system passes each to the other engines. Nobody is trusted:
the receiving side believes a lemma only once it has proved it inductive together with what it already believes. The
check is there, not in the host, since only engines that ask for lemmas should pay for checking them, the host must
always be ready to pass messages on, and a crash in a check then costs one engine.
"""

import time
from collections import deque
from collections.abc import Iterable, Sequence

import z3

from chcverify.certificate.files.certificate_text import model_from_text, model_to_text
from chcverify.certificate.model import Model
from chcverify.certificate.search.houdini import inductive_subset
from chcverify.effort import MAX_FORMULAS, MOMENT_MS, STEP_S
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem, Predicate
from chcverify.options import MEGABYTE
from chcverify.portfolio.messages import Lemmas, LemmaText
from chcverify.portfolio.processes import Channel, Message
from chcverify.terms.core.traversal import conjunction
from solvers.engine import Lemma


class LemmaBroker:
    """The host's side: passes each lemma once to everyone but its sender."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self.lemmas: list[LemmaText] = []

    def publish(self, messages: Iterable[LemmaText]) -> list[LemmaText]:
        """The messages that are new."""
        new = []
        for lemma in messages:
            if lemma.text not in self._seen:
                self._seen.add(lemma.text)
                new.append(lemma)
        self.lemmas += new
        return new

    @staticmethod
    def deliver(messages: Sequence[LemmaText], receiver: Channel) -> None:
        """Lemmas are a service, not a duty: who does not listen gets no more of them."""
        if messages and receiver.backlog < MEGABYTE:
            receiver.send(Lemmas(list(messages)))


class WorkerBus:
    """The LemmaBus of an engine in a worker, over the predicates of `system`."""

    def __init__(self, channel: Channel, system: HornSystem, origin: str) -> None:
        self._channel = channel
        self._system = system
        self._origin = origin
        self._believed = InductiveLemmaStore(system)

    def publish(self, lemmas: list[Lemma]) -> None:
        """Sends lemmas that the engine has proved to the other engines of the variant."""
        models = [Model({lemma.predicate: lemma.formula}) for lemma in lemmas]
        texts = [model_to_text(self._system, model, for_people=False) for model in models]
        self._channel.send(Message(Lemmas([LemmaText(self._origin, text) for text in texts])))
        self._believed.trust(lemmas)

    def poll(self) -> list[Lemma]:
        """The lemmas of other engines that have become inductive since the last call."""
        candidates = []
        for message in self._channel.receive():
            if isinstance(message, Lemmas):
                candidates += [lemma for text in message.lemmas for lemma in self._read(text)]
        return self._believed.add(candidates) if candidates else []

    def _read(self, message: LemmaText) -> list[Lemma]:
        try:
            model = model_from_text(self._system, message.text, f"lemma of {message.origin}")
        except InputError:
            return []
        return [Lemma(predicate, formula, message.origin) for predicate, formula in model.interpretations.items()]


class InductiveLemmaStore:
    """Lemmas that are inductive together, grown by what others propose (Houdini, Flanagan and Leino, FME 2001)."""

    def __init__(self, system: HornSystem) -> None:
        self._system = system
        self._lemmas: dict[Predicate, list[z3.BoolRef]] = {predicate: [] for predicate in system.predicates}
        self._pending: deque[Lemma] = deque(maxlen=MAX_FORMULAS)

    def __getitem__(self, predicate: Predicate) -> list[z3.BoolRef]:
        return self._lemmas[predicate]

    def trust(self, lemmas: Iterable[Lemma]) -> None:
        """Takes over what its own engine has proved."""
        for lemma in lemmas:
            self._lemmas[lemma.predicate].append(lemma.formula)

    def add(self, candidates: Iterable[Lemma]) -> list[Lemma]:
        """The greatest set of candidates, old ones included, that is inductive with what is believed; now believed."""
        open_ = [lemma for lemma in [*self._pending, *candidates] if not self._implied(lemma)]
        proposed: dict[Predicate, list[z3.BoolRef]] = {}
        for lemma in open_:
            proposed.setdefault(lemma.predicate, []).append(lemma.formula)
        known = {predicate: conjunction(formulas) for predicate, formulas in self._lemmas.items()}
        deadline = time.monotonic() + STEP_S
        found = inductive_subset(self._system, proposed, deadline, known, MOMENT_MS / 1000)
        inductive = {(predicate, formula.get_id()) for predicate, formulas in found.items() for formula in formulas}
        kept = [lemma for lemma in open_ if (lemma.predicate, lemma.formula.get_id()) in inductive]
        self.trust(kept)
        self._pending.clear()
        if time.monotonic() < deadline:  # what took too long once is not tried again
            self._pending.extend(lemma for lemma in open_ if lemma not in kept)
        return kept

    def _implied(self, lemma: Lemma) -> bool:
        """believed(x) => lemma(x)"""
        return _valid([*self._lemmas[lemma.predicate], z3.Not(lemma.formula)])


def _valid(negation: list[z3.BoolRef]) -> bool:
    """True if the conjunction is unsatisfiable; False after a time-out."""
    solver = z3.SimpleSolver()
    solver.set("timeout", MOMENT_MS)
    solver.add(negation)
    return bool(solver.check() == z3.unsat)
