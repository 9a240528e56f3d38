"""Engine `explicit`: all derivable facts on explicit values, for systems that have few."""

from chcverify.horn.system import HornSystem
from chcverify.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context, Requirements
from solvers.explicit.certify import derivation, model
from solvers.explicit.evaluation import Evaluation, GaveUp, Limits, Program


class Explicit:
    """First with ANY for every value that nothing determines, then with all values of such variables that have few."""

    name = "explicit"
    description = "all facts on explicit values: closed programs, with recursion and bit-vectors, too"
    requires = Requirements(normal=False)

    def solve(self, system: HornSystem, context: Context) -> Result:
        program = Program(system, context)
        reason = ""
        for enumerate_ in (False, True):
            evaluation = Evaluation(program, Limits(), enumerate_)
            table = evaluation.table
            try:
                query = evaluation.query()
                if query is None:
                    return Safe(model(table))
                found = derivation(system, table, query)
                if found is not None:
                    return Unsafe(found)
                reason = f"{program.place(query)} may apply, which depends on what nothing determines"
            except GaveUp as error:
                reason = str(error)
            finally:
                context.statistics["facts"] = len(table.facts)
            if not evaluation.could_enumerate:
                break
        return Unknown(reason)
