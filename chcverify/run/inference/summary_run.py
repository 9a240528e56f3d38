"""A proof in which functions are summaries, and the candidates for contracts that it gives."""

from typing import TYPE_CHECKING

from chcverify.errors import InputError
from chcverify.options import Options
from chcverify.problems.c_problem import CProblem, load_c_program, problem_of
from chcverify.problems.protocol import Problem, Refused
from chcverify.problems.task_functions import entry_functions_of
from chcverify.results.events import Listener
from chcverify.results.result import Safe
from chcverify.results.source_facts import ContractCandidate, SourceInvariant
from chcverify.run.driver import VerificationRun
from chcverify.run.supervisor import Stopped, in_child
from chcverify.task import Task

if TYPE_CHECKING:
    from chcverify.certificate.model import Model


def contract_candidates_of(task: Task, options: Options, started: float) -> tuple[ContractCandidate, ...]:
    """The candidates for the functions that the task's files define; () where nothing is known of them.

    The limits count from `started` (time.monotonic()). Without a proof, the candidates name what functions access.
    """
    try:
        return in_child(lambda listener: _candidates(task, options, started, listener), options.limits, started)
    except (Stopped, InputError):
        return ()


def _candidates(task: Task, options: Options, started: float, listener: Listener) -> tuple[ContractCandidate, ...]:
    names = tuple(entry.name for entry in entry_functions_of(task, ("*",)) if entry.name != "main")
    try:
        run = _SummaryRun(task, options, started, listener, names)
        run.outcome()
        return run.candidates
    except Refused:
        return ()


class _SummaryRun(VerificationRun):
    """Decides the program with functions that are not inlined; keeps the candidates."""

    def __init__(
        self, task: Task, options: Options, started: float, listener: Listener, names: tuple[str, ...]
    ) -> None:
        super().__init__(task, options, started, listener, self._load)
        self.names = names
        self.candidates: tuple[ContractCandidate, ...] = ()

    def _load(self, task: Task) -> CProblem:
        from encoders.c.encoding.encoder import EncodeOptions

        problem = problem_of(load_c_program(task), task.property, EncodeOptions(summaries=frozenset(self.names)))
        self.candidates = self._of(problem, None)
        return problem

    def invariants(self, problem: Problem, answer: Safe) -> tuple[SourceInvariant, ...]:
        """None: the model is worded as candidates."""
        assert isinstance(problem, CProblem)
        self.candidates = self._of(problem, answer.model.without_definitions())
        return ()

    def _of(self, problem: CProblem, model: "Model | None") -> tuple[ContractCandidate, ...]:
        from encoders.c.summaries.contract_candidates import contract_candidates

        return tuple(contract_candidates(problem.encoding, model, ("main", *self.names)))
