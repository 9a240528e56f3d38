"""Models that prove groups of checks, as text, and what they say of the clauses that all groups share."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import field

import z3

from chcverify.certificate.files.certificate_text import model_from_text
from chcverify.certificate.model import Model
from chcverify.errors import InputError
from chcverify.problems.check_problems import CheckProblems
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.run.groups.check_group import CheckGroup
from chcverify.transforms.known_invariants import KnownInvariants, conjunctions

GroupModel = tuple[CheckGroup, str]
"""A group, and a model that proves it."""


def read_models(problems: CheckProblems, checks: Collection[Check], models: Iterable[GroupModel]) -> Iterator[Model]:
    """The models, from their texts. checks: all of the program."""
    for group, text in models:
        problem = problems.of_group(frozenset(checks) - frozenset(group.checks), group.leaves_traps)
        yield model_from_text(problem.system, text, "")


@dataclass
class EasyModels:
    """The models of easy checks, which engines know when they run on other groups."""

    models: list[GroupModel] = field(default_factory=list)
    _invariants: KnownInvariants | None = None

    def add(self, group: CheckGroup, text: str) -> None:
        """Adds an accepted model."""
        self.models.append((group, text))
        self._invariants = None

    def invariants(self, problems: CheckProblems, checks: Collection[Check]) -> KnownInvariants:
        """What the models say, made when it is first asked for. checks: all of the program."""
        if self._invariants is None:
            try:
                models = list(read_models(problems, checks, self.models))
            except (InputError, z3.Z3Exception):  # engines do without
                models = []
            plain = [model.interpretations for model in models if not (model.definitions or model.folds)]
            self._invariants = KnownInvariants(conjunctions(plain))
        return self._invariants
