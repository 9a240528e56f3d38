"""Engine `old-models`: the inductive part of models that earlier versions of the input had.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001], with candidates from a file of the certificate cache.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from chcverify.cache.old_models import candidates
from chcverify.cache.store import read_document
from chcverify.certificate.search.houdini import inductive_subset
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Unknown
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context, Requirements
from solvers.invariants.candidate_mining import Candidates, mined
from solvers.invariants.houdini_engine import first_that_excludes, strengthened


class OldModels:
    """Safe when the candidates that are still inductive exclude every query; they are published on the lemma bus.

    option file: of the model, as the cache stores it.
    """

    name = "old-models"
    description = "the inductive part of the model of an earlier version (--cache)"
    requires = Requirements()

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for another option than `file`."""
        for option in given:
            if option != "file":
                raise ValueError(f"{option} is not an option of {self.name}: file is")

    def solve(self, system: HornSystem, context: Context) -> Result:
        try:
            document = read_document(Path(context.options["file"]))
        except (KeyError, OSError, ValueError) as error:
            return Unknown(f"{self.name}: no model of an earlier version: {error}")
        found = candidates(system, document)
        context.statistics["candidates"] = sum(map(len, found.values()))
        if not any(found.values()):
            return Unknown(f"{self.name}: the model of the earlier version has nothing in common with these clauses")
        return first_that_excludes(candidate_rounds(system, found, context), system, self.name, context)


def candidate_rounds(system: HornSystem, old: Candidates, context: Context) -> Iterator[Invariants]:
    """The inductive part of given formulas alone, then together with those that the clauses suggest."""
    kept = inductive_subset(system, old, context.deadline)
    context.statistics["kept"] = sum(map(len, kept.values()))
    known = strengthened({}, kept)
    yield known
    fresh = mined(system)
    # An old formula that is not inductive alone may be so beside new ones.
    both = {p: [*(f for f in old[p] if not any(f is k for k in kept[p])), *fresh[p]] for p in system.predicates}
    yield strengthened(known, inductive_subset(system, both, context.deadline, known))
