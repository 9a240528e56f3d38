"""Engine `explicit-refined`: explicit values of the arguments that matter, found from impossible derivations.

At first facts say nothing about their arguments. A derivation of a query is then checked as one formula: either it is
possible, or an unsatisfiable core names the arguments whose values facts have to keep, or, where inputs determine
it, the cases that clauses distinguish. So state machines become their control-flow graph, with the few flags that the
query depends on, and what else they compute is ignored.
"""

import itertools

from chcverify.effort import MAX_ALTERNATIVES, MAX_TRIED
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context, Requirements
from solvers.explicit.evaluation import CompiledSystem, Evaluation, EvaluationLimitReached, EvaluationLimits
from solvers.explicit.fact_model import model
from solvers.explicit.path_check import ClauseUses, PathCheck, Refinement
from solvers.explicit.precision import ValuePrecision, compared_values

LIMITS = EvaluationLimits(facts=600, cells=10_000, work=10_000_000, unsure=1)
"""Of one evaluation. Servers and clients of openssl keep 72 to 478 facts. With 2,000 facts, loops that count to a large
number took the whole share of the time before the engine gave up."""


class ExplicitRefined:
    """Statistics: facts of the last evaluation, rounds before it, and arguments whose values facts keep."""

    name = "explicit-refined"
    description = "explicit values of the arguments that impossible derivations name: state machines with flags"
    requires = Requirements(normal=False)

    def solve(self, system: HornSystem, context: Context) -> Result:
        program, precision = CompiledSystem(system, context), ValuePrecision()
        compared, uses = compared_values(system), ClauseUses(system)
        for rounds in range(MAX_TRIED):
            evaluation = Evaluation(program, LIMITS, precision=precision)
            found: list[Refinement] = []
            try:
                for query in itertools.islice(evaluation.queries(), MAX_ALTERNATIVES):
                    answer = PathCheck(uses, evaluation.table, query, precision, compared).decide(context)
                    if answer is None:
                        return Unknown(f"a derivation from {len(evaluation.table.facts)} facts is not decided in time")
                    if not isinstance(answer, Refinement):
                        return Unsafe(answer)
                    if not answer and context.remaining() <= 0:
                        return Unknown("time limit")
                    if not answer:
                        return Unknown(f"values do not exclude {program.position(query)}, after {rounds} rounds")
                    found.append(answer)
                    if not answer.impossible:
                        break
            except EvaluationLimitReached as error:
                if not found:
                    return Unknown(f"{error}, after {rounds} rounds")
            finally:
                facts = len(evaluation.table.facts)
                context.statistics.update({"facts": facts, "rounds": rounds, "arguments": len(precision)})
            if not found:
                return Safe(model(evaluation.table))
            for refinement in found:
                precision.refine(refinement.tracked, refinement.cases, compared)
                precision.impossible.update(refinement.impossible)
        return Unknown(f"{MAX_TRIED} rounds")
