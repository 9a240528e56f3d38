"""Engine `explicit`: all derivable facts on explicit values, for systems that have few."""

from chcverify.horn.system import HornSystem
from chcverify.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context, Requirements
from solvers.explicit.derivations import derivation
from solvers.explicit.evaluation import Evaluation, GaveUp, Limits, Program
from solvers.explicit.models import model

_POINTS = 600  # of a predicate: 400, joined twice, take a solver 3 s, and the time grows with the square
_CANDIDATES = 8  # uses of queries that depend on ANY: if these are none with the values that are tried, it says nothing


class Explicit:
    """First with ANY for every value that nothing determines, then with all values of such variables that have few."""

    name = "explicit"
    description = "all facts on explicit values: closed programs, with recursion and bit-vectors, too"
    requires = Requirements(normal=False)

    def solve(self, system: HornSystem, context: Context) -> Result:
        program = Program(system, context)
        result: Result = Unknown("")
        for enumerate_ in (False, True):
            evaluation = Evaluation(program, Limits(), enumerate_)
            result = _result(evaluation, program, context)
            if not isinstance(result, Unknown) or not evaluation.could_enumerate:
                break
        return result


def _result(evaluation: Evaluation, program: Program, context: Context) -> Result:
    refused = ""
    candidates = 0
    try:
        for query in evaluation.queries():
            found = derivation(program.system, evaluation.table, query)
            if found is not None:
                return Unsafe(found)
            refused = refused or f"{program.place(query)} may apply, which depends on what nothing determines"
            candidates += 1
            if candidates == _CANDIDATES:
                return Unknown(refused)
        most = max(map(len, evaluation.table.joined.values()), default=0)
        if not refused and most > _POINTS:
            refused = f"a model of {most} points for one predicate takes too long to check"
        return Unknown(refused) if refused else Safe(model(evaluation.table))
    except GaveUp as error:
        return Unknown(refused or str(error))
    finally:
        context.statistics.update({"facts": len(evaluation.table.facts), "candidates": candidates})
