"""Engines `explicit` and `explicit-large`: all derivable facts on explicit values, for systems that have few."""

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context, Requirements
from solvers.explicit.evaluation import CompiledSystem, Evaluation, EvaluationLimitReached, EvaluationLimits
from solvers.explicit.fact_derivations import derivation
from solvers.explicit.fact_model import model

MAX_MODEL_POINTS = 600
"""Facts of one predicate in a model. Measured: checking 400 points that are joined twice takes z3 3 s, and the time
grows with the square."""
LARGE_FACTS = 10_000
"""Facts of the engine `explicit-large`. Measured: 8,000 of a reduced product of two threads (fib_bench_longer) are
derived in 1 s, and checked in 20 s; 22,000 (fib_safe-7) in 3 s, but their check takes minutes."""
LARGE_CELLS = 100_000
"""Cells of arrays in these facts, so that memory is bounded. Chosen by hand."""
LARGE_WORK_INSTRUCTIONS = 10_000_000
"""Instructions of the engine `explicit-large`, so that it gives up early where the facts have no end. Chosen by
hand."""
LARGE_MODEL_POINTS = 2_000
"""The same as MAX_MODEL_POINTS for `explicit-large`. Measured on a product of two threads (fib_bench_longer): z3
checks 79 clauses between predicates of up to 1,715 points in 20 s, cvc5 in 86 s; a quarter of them in 3 and 9 s."""

FEW_FACTS = EvaluationLimits()


class Explicit:
    """Explicit states: evaluates with ANY for undetermined values, then with all values of those that have few.

    limits: of an evaluation. max_points: facts of one predicate in a model. Statistics: facts, and candidates (uses of
    queries that depend on ANY).
    """

    description = "all facts on explicit values: closed programs, with recursion and bit-vectors, too"
    requires = Requirements(normal=False)

    def __init__(
        self,
        name: str = "explicit",
        limits: EvaluationLimits = FEW_FACTS,
        max_points: int = MAX_MODEL_POINTS,
    ) -> None:
        self.name = name
        self._limits, self._max_points = limits, max_points

    def solve(self, system: HornSystem, context: Context) -> Result:
        program = CompiledSystem(system, context)
        result: Result = Unknown("")
        for enumerate_ in (False, True):
            evaluation = Evaluation(program, self._limits, enumerate_)
            result = self._result(evaluation, program, context)
            if not isinstance(result, Unknown) or not evaluation.could_enumerate:
                break
        return result

    def _result(self, evaluation: Evaluation, program: CompiledSystem, context: Context) -> Result:
        """The answer of an evaluation; Unknown with a reason at a limit, or if a use of a query is not certain."""
        refused = ""
        candidates = 0
        try:
            for query in evaluation.queries():
                found = derivation(program.system, evaluation.table, query)
                if found is not None:
                    return Unsafe(found)
                refused = refused or f"{program.position(query)} may apply, which depends on what nothing determines"
                candidates += 1
                if candidates == MAX_ALTERNATIVES:
                    return Unknown(refused)
            most = max(map(len, evaluation.table.joined.values()), default=0)
            if not refused and most > self._max_points:
                refused = f"a model of {most} points for one predicate takes too long to check"
            return Unknown(refused) if refused else Safe(model(evaluation.table))
        except EvaluationLimitReached as error:
            return Unknown(refused or str(error))
        finally:
            context.statistics.update({"facts": len(evaluation.table.facts), "candidates": candidates})


def explicit_large() -> Explicit:
    """Engine `explicit-large`: explicit states of systems whose clauses have one atom, such as products of threads."""
    limits = EvaluationLimits(LARGE_FACTS, LARGE_CELLS, LARGE_WORK_INSTRUCTIONS, unsure=1)
    return Explicit("explicit-large", limits, LARGE_MODEL_POINTS)
