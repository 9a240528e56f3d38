"""Executes a program with threads under a strategy: sequential consistency, one turn of one thread after another."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import field
from enum import Enum

from chcverify.effort import MAX_TRIED
from chcverify.quick_dataclass import dataclass
from chcverify.results.source_facts import TraceStep
from chcverify.results.violation import Violation
from encoders.c.cfa import ir
from encoders.c.cfa.program_checks import error_check
from encoders.c.execution.closures import is_true
from encoders.c.execution.compiled_automata import CompiledLocation, EdgeInstruction
from encoders.c.execution.interpreter import Machine
from encoders.c.execution.memory.memory_checks import ViolationReached
from encoders.c.execution.objects import NULL_POINTER, CValue, ExecutionStuck
from encoders.c.execution.run_state import Activation
from encoders.c.execution.threads.schedules import MAIN, Schedule, Strategy
from encoders.c.execution.threads.thread_recorder import ThreadRecorder
from encoders.c.execution.threads.thread_steps import MemoryAccess, ThreadSteps
from encoders.c.library.model_files import MODELS
from encoders.c.types.c_types import CInteger, CType


class Ending(Enum):
    """How a run with threads ends."""

    VIOLATION = "violation"
    RACE = "race"
    END = "end"  # main has returned, the strategy has ended the run, or an assumption does not hold
    DEADLOCK = "deadlock"  # there are threads, and all of them wait
    STUCK = "stuck"  # it goes beyond what is modelled
    LIMIT = "limit"


MANY_THREADS = 256
"""If there are fewer threads, those of each turn are a list that strategies may keep; copies of lists of 10,000 threads
took 40 % of a run."""
# While the number of threads is one of these, each start of one more ends a turn: nobody sees
# it, but a loop that starts threads and does nothing else would be one turn without an end. Loops that start thousands
# are one turn from there on, which saves a third of a run.
STARTS_THAT_END_TURNS = range(4, 7)
TOO_MANY_THREADS = "more threads than a run may have"
MAX_THREADS_OF_RUN = 32_000
"""Threads of a run, which ends if it starts more. Chosen by hand: tasks with loops that start 10,000 threads have at
most two such loops."""


@dataclass(frozen=True)
class Race:
    """Two accesses of different threads that conflict, and that both are the next step of their thread."""

    first: MemoryAccess
    second: MemoryAccess

    def __str__(self) -> str:
        return f"data race: {_described(self.first)} and {_described(self.second)}"


def _described(access: MemoryAccess) -> str:
    what = "writes" if access.site.is_write else "reads"
    who = "the interrupt handler" if access.interrupts else f"thread {access.thread}"
    where = f"{access.site.edge.origin}: {who} {what} {access.target.name or 'a block'}"
    return f"{where} in `{access.site.edge.text}`" if access.site.edge.text else where


@dataclass(frozen=True, eq=False)
class ThreadExecution:
    """The result of a run."""

    ending: Ending
    schedule: Schedule
    trace: tuple[TraceStep, ...] = ()
    """Empty if nothing is recorded."""
    violation: Violation | None = None
    """Of Ending.VIOLATION."""
    race: Race | None = None
    """Of Ending.RACE."""
    reason: str = ""
    """Of Ending.STUCK, and of some limits."""
    waiting: tuple[tuple[int, str], ...] = ()
    """The threads that wait at a deadlock, with the positions."""
    turns: int = 0
    """How many were taken."""
    steps: int = 0
    started: int = 0
    """How many threads there were."""
    log: "Sequence[TurnLog]" = ()
    """What each turn did, if accesses were watched."""


@dataclass(eq=False, slots=True)
class TurnLog:
    """What a turn did."""

    thread: int
    inputs: int = 0
    """The number of the run's choices before it."""
    accesses: list[MemoryAccess] = field(default_factory=list)
    created: list[int] = field(default_factory=list)
    """The threads that it created."""
    joined: list[int] = field(default_factory=list)
    """The threads whose end it waited for."""


@dataclass(eq=False, slots=True)
class Thread:
    """A thread of a run."""

    number: int
    stack: list[Activation]
    location: int
    sections: int = 0
    """How many atomic sections it is in."""
    ended: bool = False
    result: CValue = NULL_POINTER
    next: list[MemoryAccess] = field(default_factory=list)
    """The accesses of its next step, where they are watched."""
    interrupts: bool = False
    """It is that of an interrupt handler."""


class _RunOver(Exception):
    """The run is over. reason: of Ending.STUCK."""

    def __init__(self, ending: Ending, reason: str = "", race: Race | None = None) -> None:
        super().__init__(reason)
        self.ending, self.reason, self.race = ending, reason, race


def _as_joined(result: CValue, kind: CType) -> CValue:
    """What a join reads. Raises ExecutionStuck if the thread has ended with a number for a pointer, or the reverse."""
    if isinstance(result, int) != isinstance(kind, CInteger):
        raise ExecutionStuck(f"the result of a thread, read as '{kind}'")
    return result


def _without(numbers: list[int], number: int) -> list[int]:
    """The numbers, which ascend, without one of them."""
    position = bisect_left(numbers, number)
    return numbers[:position] + numbers[position + 1 :]


class ThreadRun:
    """A run of a program with threads on an interpreter, whose calls and location are those of the executing thread.

    watches: look for data races, and keep the log of accesses.
    """

    def __init__(self, machine: Machine, steps: ThreadSteps, watches: bool) -> None:
        self.machine, self.known, self.watches = machine, steps, watches
        main = Thread(MAIN, machine.stack, machine.location)
        self.threads = {MAIN: main}
        self.alive = [MAIN]
        self.taken: list[int] = []
        self.log: list[TurnLog] = []
        self.now = TurnLog(MAIN)

    # --- turns ------------------------------------------------------------------------------------------------------

    def run(self, strategy: Strategy) -> ThreadExecution:
        """Executes the program to its end, a violation or a limit."""
        ending, reason, race, violation = Ending.END, "", None, None
        machine = self.machine
        try:
            ending = self._turns(strategy)
        except _RunOver as over:
            ending, reason, race = over.ending, over.reason, over.race
            violation = machine._violation() if ending is Ending.VIOLATION else None
        except ViolationReached as reached:
            if reached.violation.check not in machine.program.assumed:
                ending, violation = Ending.VIOLATION, reached.violation
                machine._note_violation(violation)
        except ExecutionStuck as stuck:
            ending, reason = Ending.STUCK, str(stuck)
        except RecursionError:
            ending, reason = Ending.STUCK, "an expression is nested too deeply"
        waiting = tuple((number, self._position(number)) for number in self.alive) if ending is Ending.DEADLOCK else ()
        trace = () if machine.recorder is None else tuple(machine.recorder.steps())
        schedule = Schedule.of(self.taken, machine.inputs())
        return ThreadExecution(
            ending,
            schedule,
            trace,
            violation,
            race,
            reason,
            waiting,
            len(self.taken),
            machine.steps,
            len(self.threads),
            self.log,
        )

    def _turns(self, strategy: Strategy) -> Ending:
        """Takes turns until there are no more; raises _RunOver where a turn ends the run."""
        current, candidates, interrupts = MAIN, self.alive, 0
        while self.alive:
            if interrupts >= MAX_TRIED:
                interrupts = 0
                if not any(map(self._can_go_on, self._interrupted())):
                    break
            if not candidates:
                return Ending.DEADLOCK
            chosen = strategy.choose(candidates, current, len(self.taken))
            if chosen is None:
                return Ending.END if any(map(self._can_go_on, candidates)) else Ending.DEADLOCK
            if self._can_go_on(chosen):
                self._turn(self.threads[chosen])
                if self.threads[chosen].interrupts:
                    interrupts += 1
                else:
                    current, interrupts = chosen, 0
                candidates = self.alive
            else:
                candidates = _without(candidates, chosen)
        return Ending.END

    def _interrupted(self) -> list[int]:
        """The threads, those of interrupt handlers aside."""
        return [number for number in self.alive if not self.threads[number].interrupts]

    def _can_go_on(self, number: int) -> bool:
        """False if the thread's next step has to wait. The thread is the executing one from here on."""
        machine, thread = self.machine, self.threads[number]
        machine.stack, machine.locals = thread.stack, thread.stack[-1].objects
        at = self._compiled(thread.location)
        operation = None if at.only is None else at.only.edge.operation
        if isinstance(operation, ir.AtomicBegin) and operation.condition is not None:
            assert at.only is not None
            machine.edge, machine.record = at.only.edge, None
            return machine.code.test(operation.condition)(machine)
        return not isinstance(operation, ir.JoinThread) or self._joined(operation).ended

    def _turn(self, thread: Thread) -> None:
        """Executes the next step of a thread, and what it does by itself behind it."""
        machine = self.machine
        self.taken.append(thread.number)
        if isinstance(machine.recorder, ThreadRecorder):
            machine.recorder.thread = thread.number
        if self.watches:
            thread.next = []
            self.now = TurnLog(thread.number, len(machine.records))
            self.log.append(self.now)
        compiled, points, starts = machine.code.compiled_locations, self.known.points, self.known.starts
        location, limit, is_first = thread.location, machine.limits.steps, True
        while True:
            if location in points:
                if not is_first and not thread.sections and len(self.alive) > 1:
                    thread.location = location
                    if self.watches:
                        thread.next = self._accesses(thread, location)
                        self._look_for_race(thread.next)
                    return
                thread.location = location
                if self.watches:
                    self._watch(thread, location)
            elif location in starts and not is_first and not thread.sections and self._start_ends_turn():
                thread.location = location
                thread.next = []
                return
            at = compiled.get(location) or machine.code.compiled(location)
            is_end = at.is_exit and thread.number == MAIN and len(thread.stack) == 1
            if is_end and not is_first and len(self.alive) > 1:  # the end of main, which ends all threads, is a turn
                thread.location = location
                thread.next = []
                return
            is_first = False
            machine.steps += 1
            if machine.steps > limit:
                raise _RunOver(Ending.LIMIT)
            if at.is_exit and len(thread.stack) > 1:
                location = machine._return()
                continue
            if at.is_exit:
                self._end(thread)
                return
            location = self._execute(thread, at)
            if thread.ended:
                return

    def _start_ends_turn(self) -> bool:
        return len(self.threads) in STARTS_THAT_END_TURNS and len(self.alive) > 1

    def _compiled(self, location: int) -> CompiledLocation:
        code = self.machine.code
        return code.compiled_locations.get(location) or code.compiled(location)

    def _joined(self, operation: ir.JoinThread) -> Thread:
        number = self.machine.code.function(operation.thread)(self.machine)
        found = self.threads.get(number) if isinstance(number, int) else None
        if found is None:
            raise ExecutionStuck(f"{self.machine.position()}: join of what is no thread")
        return found

    # --- steps ------------------------------------------------------------------------------------------------------

    def _execute(self, thread: Thread, at: CompiledLocation) -> int:
        """Executes an edge from a location; the location behind it. The run is over where there is none."""
        machine = self.machine
        if at.branch is not None:
            test, yes, no = at.branch
            instruction = yes if test(machine) else no
            machine.edge, machine.record = instruction.edge, None
            machine.oracle.begin(machine.edge)
        elif at.only is not None:
            instruction = at.only
            machine.edge, machine.record = instruction.edge, None
            machine.oracle.begin(machine.edge)
        else:
            chosen = machine._choose(at.options)
            if chosen is None:
                raise _RunOver(Ending.END)
            instruction = chosen
        value = None
        if instruction.action is not None:
            value = instruction.action(machine)
        elif instruction.is_control:
            return self._control(thread, instruction)
        if machine.recorder is not None and instruction.kind:
            machine._note(instruction.kind, instruction, value)
        return instruction.target

    def _control(self, thread: Thread, instruction: EdgeInstruction) -> int:
        """Executes a call, an error or an operation on threads. Complexity: one case for each."""
        machine, edge = self.machine, instruction.edge
        match edge.operation:
            case ir.Call():
                if len(thread.stack) >= machine.limits.depth:
                    raise _RunOver(Ending.LIMIT)
                return machine._call(instruction)
            case ir.ReachError():
                if machine.program.assumed and error_check(edge) in machine.program.assumed:
                    raise _RunOver(Ending.END)
                machine._note("violation", instruction)
                raise _RunOver(Ending.VIOLATION)
            case ir.CreateThread() as operation:
                self._create(operation, instruction)
            case ir.JoinThread() as operation:
                self._join(operation, instruction)
            case ir.AtomicBegin() as operation:
                self._begin_section(thread, operation)
            case ir.AtomicEnd():
                thread.sections -= 1
            case ir.CurrentThread(lvalue=lvalue):
                self._put(lvalue, thread.number)
            case ir.ExitThread(value=value):
                thread.result = machine.code.function(value)(machine)
                machine._note("call", instruction, [])
                self._end_thread(thread)
            case _:
                raise AssertionError(type(edge.operation).__name__)
        return instruction.target

    def _put(self, lvalue: ir.LValue, value: CValue) -> None:
        target, offset = self.machine.code.function(lvalue)(self.machine)
        self.machine.put(target, offset, lvalue.type, value)

    def _create(self, operation: ir.CreateThread, instruction: EdgeInstruction) -> None:
        machine, number = self.machine, len(self.threads) + 1
        function = machine.program.functions[operation.function]
        activation = Activation(function)
        for parameter, argument in zip(function.parameters, operation.arguments, strict=True):
            value = machine.code.function(argument)(machine)
            activation.objects[parameter.unique] = made = machine.made(parameter.name)
            machine.begin_written(made, False)
            if machine.memory is not None:
                machine.memory.begin_variable(made, parameter)
            machine.put(made, 0, parameter.type, value)
        self._put(operation.lvalue, number)
        machine._note("call", instruction, [("thread", number)])
        if number > MAX_THREADS_OF_RUN:
            raise _RunOver(Ending.LIMIT, TOO_MANY_THREADS)
        made_thread = self.threads[number] = Thread(
            number, [activation], function.entry, interrupts=operation.interrupts
        )
        if len(self.alive) < MANY_THREADS:
            self.alive = [*self.alive, number]
        else:
            self.alive.append(number)
        self.now.created.append(number)
        if self.watches and function.entry in self.known.points:
            creator = machine.stack
            machine.stack, machine.locals = made_thread.stack, activation.objects
            made_thread.next = self._accesses(made_thread, function.entry)
            machine.stack, machine.locals = creator, creator[-1].objects

    def _join(self, operation: ir.JoinThread, instruction: EdgeInstruction) -> None:
        joined = self._joined(operation)
        if not joined.ended:  # as the first step of a turn it would have waited
            raise _RunOver(Ending.STUCK, f"{self.machine.position()}: a section waits for a thread")
        self.now.joined.append(joined.number)
        if operation.lvalue is not None:
            self._put(operation.lvalue, _as_joined(joined.result, operation.lvalue.type))
        self.machine._note("call", instruction, [("thread", joined.number)])

    def _begin_section(self, thread: Thread, operation: ir.AtomicBegin) -> None:
        condition, machine = operation.condition, self.machine
        if condition is not None and not is_true(machine.code.function(condition)(machine)):
            if not thread.sections and len(self.alive) == 1:  # nobody is left who could make it true
                raise _RunOver(Ending.DEADLOCK)
            raise _RunOver(Ending.STUCK, f"{machine.position()}: a section waits for another thread")
        thread.sections += 1

    def _end(self, thread: Thread) -> None:
        """Ends a thread whose function has returned; where main has, the run."""
        machine, activation = self.machine, thread.stack[-1]
        if thread.number == MAIN:
            raise _RunOver(Ending.END)
        result = activation.function.result
        if result is not None:
            made = activation.objects.get(result.unique) or machine.made(result.name)
            thread.result = machine.get(made, 0, result.type)
        self._end_thread(thread)

    def _end_thread(self, thread: Thread) -> None:
        thread.ended, thread.next = True, []
        self.alive = _without(self.alive, thread.number)
        if self.machine.memory is not None:
            for activation in reversed(thread.stack):
                for made in activation.objects.values():
                    self.machine.memory.end(made)

    # --- data races -------------------------------------------------------------------------------------------------

    def _accesses(self, thread: Thread, location: int) -> list[MemoryAccess]:
        """The accesses of the thread's step at a location, in the frame of its innermost call."""
        return self.known.accesses(location, self.machine, thread.number, thread.sections > 0, thread.interrupts)

    def _watch(self, thread: Thread, location: int) -> None:
        """Notes the accesses of the step that is executed next."""
        made = self._accesses(thread, location)
        self.now.accesses += made
        self._look_for_race(made)

    def _look_for_race(self, made: list[MemoryAccess]) -> None:
        """Ends the run if a next step of another thread conflicts with one of these accesses."""
        for access in made:
            for number in self.alive:
                for other in self.threads[number].next:
                    if access.conflicts(other):
                        raise _RunOver(Ending.RACE, race=Race(other, access))

    def _position(self, number: int) -> str:
        """The position in the user's source at which a thread is, as FILE:LINE:COLUMN."""
        thread = self.threads[number]
        at = self._compiled(thread.location)
        edge = at.only.edge if at.only is not None else None
        calls = [activation.call.edge for activation in reversed(thread.stack) if activation.call is not None]
        edges = [each for each in (edge, *calls) if each is not None and not each.origin.file.startswith(MODELS)]
        return str(edges[0].origin) if edges else ""
