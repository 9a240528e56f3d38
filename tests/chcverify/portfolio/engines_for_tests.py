"""Engines that behave badly, or that decide only with what others tell them; registered by name in the tests."""

import os
import signal
import time

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context, Lemma, Requirements


class Base:
    name = "test"
    description = "for tests"
    requires = Requirements()


class Sleeper(Base):
    """Never answers and ignores polite signals."""

    def solve(self, system: HornSystem, context: Context) -> Result:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(1)


class Crasher(Base):
    def solve(self, system: HornSystem, context: Context) -> Result:
        os.kill(os.getpid(), signal.SIGSEGV)
        return Unknown("unreachable")


class Raiser(Base):
    def solve(self, system: HornSystem, context: Context) -> Result:
        raise RuntimeError("lost the thread")


class Hungry(Base):
    def solve(self, system: HornSystem, context: Context) -> Result:
        blocks = []
        while True:
            blocks.append(bytearray(8 << 20))


class Liar(Base):
    """Claims whatever the option `claim` says, with a worthless certificate."""

    def solve(self, system: HornSystem, context: Context) -> Result:
        if context.options.get("claim") == "unsafe":
            return Unsafe(Derivation((Step(system.queries[0], (), ()),)))
        return Safe(Model({predicate: z3.BoolVal(True) for predicate in system.predicates}))


class Quitter(Base):
    def solve(self, system: HornSystem, context: Context) -> Result:
        context.statistics["seed"] = context.seed
        return Unknown("does not know")


class Linear(Quitter):
    requires = Requirements(linear=True)


class Teller(Base):
    """Publishes P(x) => x >= 0, which is inductive, and P(x) => x <= 3, which is not; then sleeps."""

    def solve(self, system: HornSystem, context: Context) -> Result:
        predicate = system.predicates[0]
        x = predicate.formals[0]
        context.bus.publish([Lemma(predicate, x <= 3, self.name), Lemma(predicate, x >= 0, self.name)])
        time.sleep(600)
        return Unknown("slept")


class Listener(Base):
    """Takes the first lemma that its bus believes for the model."""

    def solve(self, system: HornSystem, context: Context) -> Result:
        while context.remaining() > 0:
            lemmas = context.bus.poll()
            if lemmas:
                context.statistics["origins"] = sorted({lemma.origin for lemma in lemmas})
                context.statistics["lemmas"] = len(lemmas)
                return Safe(Model({lemma.predicate: lemma.formula for lemma in lemmas}))
            time.sleep(0.01)
        return Unknown("heard nothing")
