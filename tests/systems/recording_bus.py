"""A lemma bus for tests."""

from solvers.engine import Lemma


class Bus:
    """Keeps what is published."""

    def __init__(self) -> None:
        self.lemmas: list[Lemma] = []

    def publish(self, lemmas: list[Lemma]) -> None:
        self.lemmas += lemmas

    def poll(self) -> list[Lemma]:
        return []
