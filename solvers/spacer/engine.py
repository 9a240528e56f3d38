"""The engines `spacer` and `spacer-global`."""

from collections.abc import Mapping
from typing import ClassVar

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context, Requirements
from solvers.spacer.eliminated_predicates import complete
from solvers.spacer.fixedpoint import ask, check_parameter
from solvers.spacer.model_reader import interpretations
from solvers.spacer.proof_to_derivation import rebuild


class Spacer:
    """z3's Spacer as an engine.

    parameters: z3's parameters of the engine. Engine options whose names contain a dot are passed to z3.
    """

    name: ClassVar[str] = "spacer"
    description: ClassVar[str] = "Z3's Spacer: property directed reachability with model-based projection"
    requires: ClassVar[Requirements] = Requirements(normal=False)
    parameters: ClassVar[Mapping[str, object]] = {}

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for names without a dot and for values that z3 does not take."""
        for name, value in _options(given).items():
            check_parameter(name, value)

    def solve(self, system: HornSystem, context: Context) -> Result:
        if not system.queries:
            return Safe(Model({predicate: z3.BoolVal(True) for predicate in system.predicates}))
        options = {**self.parameters, **_options(context.options)}
        context.progress("spacer", {"clauses": len(system.clauses), "predicates": len(system.predicates)})
        answer = ask(system, options, context.remaining(), context.seed)
        context.statistics["verdict"] = str(answer.verdict)
        if answer.verdict == z3.unsat:
            found = interpretations(system, answer.term)
            context.statistics["interpretations"] = len(found)
            model = complete(system, found, context)
            return Unknown("Spacer says safe, but its model could not be completed") if model is None else Safe(model)
        if answer.verdict == z3.sat:
            derivation = rebuild(system, answer.term, context)
            if derivation is None:
                return Unknown("Spacer says unsafe, but no derivation was found along its proof")
            context.statistics["steps"] = len(derivation.steps)
            return Unsafe(derivation)
        return Unknown(answer.reason)


class SpacerGlobal(Spacer):
    """Spacer with global guidance: subsume, concretise and conjecture.

    Krishnan, Chen, Shoham, Gurfinkel (CAV 2020) [KrishnanChenShohamGurfinkel2020].
    """

    name: ClassVar[str] = "spacer-global"
    description: ClassVar[str] = "Spacer with global guidance: lemmas from clusters of similar lemmas"
    parameters: ClassVar[Mapping[str, object]] = {"spacer.global": True}


def _options(given: Mapping[str, str]) -> dict[str, object]:
    """Engine options such as spacer.ground_pobs=false, as z3 wants them; ValueError for others."""
    if other := next((name for name in given if "." not in name), None):
        raise ValueError(f"spacer has no option {other!r}; it has those of z3 such as spacer.ground_pobs=false")
    words = {"true": True, "false": False}
    return {name: words.get(value, int(value) if value.isdigit() else value) for name, value in given.items()}
