"""Engine `given-invariants`: the inductive part of the loop invariants that annotations of the input claim.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001], with the user's formulas as candidates.
"""

import json
from collections.abc import Mapping

from chcverify.cache.old_models import candidates
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Unknown
from solvers.engine import Context, Requirements
from solvers.invariants.houdini_engine import first_that_excludes
from solvers.invariants.old_models_engine import candidate_rounds


class GivenInvariants:
    """Safe when the claims that are inductive exclude every query; they are published on the lemma bus.

    option claims: the formulas, as the JSON text of a `models_document`.
    """

    name = "given-invariants"
    description = "the inductive part of the loop invariants in comments (--contracts)"
    requires = Requirements()

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for another option than `claims`."""
        for option in given:
            if option != "claims":
                raise ValueError(f"{option} is not an option of {self.name}: claims is")

    def solve(self, system: HornSystem, context: Context) -> Result:
        try:
            document = json.loads(context.options["claims"])
        except (KeyError, ValueError):
            document = None
        if not isinstance(document, dict):
            return Unknown(f"{self.name}: the input claims no loop invariants")
        found = candidates(system, document)
        context.statistics["candidates"] = sum(map(len, found.values()))
        if not any(found.values()):
            return Unknown(f"{self.name}: the loop invariants have nothing in common with these clauses")
        return first_that_excludes(candidate_rounds(system, found, context), system, self.name, context)
