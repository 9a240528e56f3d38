"""Engine `explicit`: computes all derivable facts on explicit values, for systems that have few."""

from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context, Requirements
from solvers.explicit.evaluation import CompiledSystem, Evaluation, EvaluationLimitReached, EvaluationLimits
from solvers.explicit.explicit_tuning import EXPLICIT_TUNING
from solvers.explicit.fact_derivations import derivation
from solvers.explicit.fact_model import model


class Explicit:
    """Engine `explicit`: evaluates with ANY for undetermined values, then with all values of those that have few.

    Statistics: facts, and candidates (uses of queries that depend on ANY).
    """

    name = "explicit"
    description = "all facts on explicit values: closed programs, with recursion and bit-vectors, too"
    requires = Requirements(normal=False)

    def solve(self, system: HornSystem, context: Context) -> Result:
        program = CompiledSystem(system, context)
        result: Result = Unknown("")
        for enumerate_ in (False, True):
            evaluation = Evaluation(program, EvaluationLimits(), enumerate_)
            result = _result(evaluation, program, context)
            if not isinstance(result, Unknown) or not evaluation.could_enumerate:
                break
        return result


def _result(evaluation: Evaluation, program: CompiledSystem, context: Context) -> Result:
    """The answer of one evaluation; Unknown with a reason if a limit was reached or a use of a query is not certain."""
    refused = ""
    candidates = 0
    try:
        for query in evaluation.queries():
            found = derivation(program.system, evaluation.table, query)
            if found is not None:
                return Unsafe(found)
            refused = refused or f"{program.position(query)} may apply, which depends on what nothing determines"
            candidates += 1
            if candidates == EXPLICIT_TUNING.max_uncertain_queries:
                return Unknown(refused)
        most = max(map(len, evaluation.table.joined.values()), default=0)
        if not refused and most > EXPLICIT_TUNING.max_model_points:
            refused = f"a model of {most} points for one predicate takes too long to check"
        return Unknown(refused) if refused else Safe(model(evaluation.table))
    except EvaluationLimitReached as error:
        return Unknown(refused or str(error))
    finally:
        context.statistics.update({"facts": len(evaluation.table.facts), "candidates": candidates})
