"""All interleavings of a small program, state by state: can the error be reached, is there a race or a deadlock?

Written for these tests, from the definitions of the language and of a data race, without anything of the encoder or of
the interpreter.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from .small_programs import (
    MUTEXES,
    OWN,
    SHARED,
    Assert,
    Assume,
    Body,
    Both,
    CompareAndSwap,
    FetchAdd,
    If,
    Increment,
    Locked,
    Read,
    Repeat,
    Section,
    SmallProgram,
    Statement,
    Sum,
    Write,
)


class Op(Enum):
    """A step of a thread; the numbers are those of the fields in `_Code`."""

    LOAD = auto()  # own a = shared b
    STORE = auto()  # shared a = own b + c; b is -1 for none
    ADD = auto()  # own a = own b + own c
    JUMP_UNLESS = auto()  # to c if own a != b
    JUMP = auto()  # to c
    ASSUME = auto()  # own a == b
    ERROR = auto()
    LOCK = auto()  # mutex a
    UNLOCK = auto()
    BEGIN = auto()
    END = auto()
    CREATE = auto()  # thread a
    JOIN = auto()  # thread a
    EXIT = auto()


_Code = list[tuple[Op, int, int, int]]
HELD = OWN  # the first own integer that holds parts of a statement
OWN_ALL = OWN + 3
MAIN = 0


@dataclass(frozen=True)
class Meaning:
    """What the interleavings of a program show. states: how many there are."""

    error: bool
    race: bool
    deadlock: bool
    states: int


class TooManyStates(Exception):
    """The program has more states than are enumerated."""


def meaning(program: SmallProgram, with_errors: bool = True, limit: int = 200_000) -> Meaning:
    """Enumerates all states. with_errors: runs end at an assert that fails; else asserts do nothing."""
    return _Enumeration(program, with_errors).all(limit)


def _compile(body: Body, code: _Code, with_errors: bool) -> None:
    for statement in body:
        _compile_one(statement, code, with_errors)


def _compile_one(statement: Statement, code: _Code, with_errors: bool) -> None:
    match statement:
        case Read(own, shared):
            code.append((Op.LOAD, own, shared, 0))
        case Write(shared, own, addend):
            code.append((Op.STORE, shared, -1 if own is None else own, addend))
        case Increment(shared):
            code += [(Op.LOAD, HELD, shared, 0), (Op.STORE, shared, HELD, 1)]
        case Sum(own, first, second):
            code += [(Op.LOAD, HELD, first, 0), (Op.LOAD, HELD + 1, second, 0), (Op.ADD, own, HELD, HELD + 1)]
        case FetchAdd(own, shared, addend):
            code += [(Op.BEGIN, 0, 0, 0), (Op.LOAD, own, shared, 0), (Op.STORE, shared, own, addend), (Op.END, 0, 0, 0)]
        case CompareAndSwap():
            _compile_swap(statement, code)
        case Assume(own, value):
            code.append((Op.ASSUME, own, value, 0))
        case Assert(own, value):
            code += [(Op.JUMP_UNLESS, own, value, len(code) + 2), (Op.ERROR, 0, 0, 0)] if with_errors else []
        case If(own, value, then, otherwise):
            branch = len(code)
            code.append((Op.JUMP_UNLESS, own, value, 0))
            _compile(then, code, with_errors)
            over = len(code)
            code.append((Op.JUMP, 0, 0, 0))
            code[branch] = (Op.JUMP_UNLESS, own, value, len(code))
            _compile(otherwise, code, with_errors)
            code[over] = (Op.JUMP, 0, 0, len(code))
        case Both(first, value, second, other, then):
            code.append((Op.LOAD, HELD, first, 0))
            one = len(code)
            code += [(Op.JUMP, 0, 0, 0), (Op.LOAD, HELD, second, 0), (Op.JUMP, 0, 0, 0)]
            _compile(then, code, with_errors)
            code[one] = (Op.JUMP_UNLESS, HELD, value, len(code))
            code[one + 2] = (Op.JUMP_UNLESS, HELD, other, len(code))
        case Repeat(count, repeated):
            for _ in range(count):
                _compile(repeated, code, with_errors)
        case Locked(mutex, guarded):
            code.append((Op.LOCK, mutex, 0, 0))
            _compile(guarded, code, with_errors)
            code.append((Op.UNLOCK, mutex, 0, 0))
        case Section(atomic):
            code.append((Op.BEGIN, 0, 0, 0))
            _compile(atomic, code, with_errors)
            code.append((Op.END, 0, 0, 0))


def _compile_swap(statement: CompareAndSwap, code: _Code) -> None:
    """In one section; the object counts as written also where it keeps its value."""
    own, shared, end = statement.own, statement.shared, len(code) + 7
    code += [
        (Op.BEGIN, 0, 0, 0),
        (Op.LOAD, HELD, shared, 0),
        (Op.STORE, shared, HELD, 0),
        (Op.STORE, SHARED, -1, 0),  # a cell of its own, which no program reads
        (Op.JUMP_UNLESS, HELD, statement.expected, end),
        (Op.STORE, shared, -1, statement.new),
        (Op.STORE, SHARED, -1, 1),
        (Op.LOAD, own, SHARED, 0),
        (Op.END, 0, 0, 0),
    ]


@dataclass(frozen=True)
class _State:
    """counters: of each thread, -1 before it is created. owners: of the mutexes, -1 if free."""

    counters: tuple[int, ...]
    shared: tuple[int, ...]
    own: tuple[tuple[int, ...], ...]
    owners: tuple[int, ...]


class _Enumeration:
    def __init__(self, program: SmallProgram, with_errors: bool) -> None:
        self.codes: list[_Code] = []
        main: _Code = [(Op.CREATE, number + 1, 0, 0) for number in range(len(program.threads))]
        _compile(program.main, main, with_errors)
        main += [(Op.JOIN, number + 1, 0, 0) for number in program.joined]
        _compile(program.last, main, with_errors)
        for code in (main, *(self._thread(body, with_errors) for body in program.threads)):
            self.codes.append([*code, (Op.EXIT, 0, 0, 0)])
        self.handler = len(self.codes) if program.handler else None
        if self.handler is not None:
            handled = self._thread((Section(program.handler),), with_errors)
            self.codes.append([*handled, (Op.EXIT, 0, 0, 0)])
        self.volatile = SHARED - 1 if program.last_is_volatile else None
        self.error = self.race = self.deadlock = False

    @staticmethod
    def _thread(body: Body, with_errors: bool) -> _Code:
        code: _Code = []
        _compile(body, code, with_errors)
        return code

    def all(self, limit: int) -> Meaning:
        count = len(self.codes)
        counters = [0, *(-1 for _ in range(count - 1))]
        if self.handler is not None:
            counters[self.handler] = 0
        first = _State(
            tuple(counters),
            (0,) * (SHARED + 1),
            tuple((0,) * OWN_ALL for _ in range(count)),
            (-1,) * MUTEXES,
        )
        seen, work = {first}, [first]
        while work:
            state = work.pop()
            for following in self._successors(state):
                if following not in seen:
                    seen.add(following)
                    work.append(following)
            if len(seen) > limit:
                raise TooManyStates
        return Meaning(self.error, self.race, self.deadlock, len(seen))

    def _runs(self, state: _State, thread: int) -> bool:
        counter = state.counters[thread]
        return counter >= 0 and self.codes[thread][counter][0] is not Op.EXIT

    def _successors(self, state: _State) -> Iterator[_State]:
        next_accesses: list[tuple[int, int, bool, bool]] = []
        # main's next step may be its end, which ends all threads; others may take steps before it
        moved = not self._runs(state, MAIN)
        for thread in range(len(self.codes)):
            if not self._runs(state, thread):
                continue
            for following, accesses in self._turns(state, thread):
                moved |= thread != self.handler
                next_accesses += [(thread, *access) for access in accesses]
                if following is not None:
                    yield following if thread != self.handler else self._returned(following, thread)
        self.deadlock |= not moved
        for number, (thread, cell, writes, atomic) in enumerate(next_accesses):
            for other, its_cell, its_writes, its_atomic in next_accesses[:number]:
                if thread == other or cell != its_cell or not (writes or its_writes):
                    continue
                if self.handler in (thread, other):  # it does not interrupt sections
                    interrupted_is_atomic = its_atomic if thread == self.handler else atomic
                    self.race |= not interrupted_is_atomic and cell != self.volatile
                else:
                    self.race |= not (atomic and its_atomic)

    @staticmethod
    def _returned(state: _State, handler: int) -> _State:
        """The state when the handler has returned: it may run again."""
        counters, own = list(state.counters), list(state.own)
        counters[handler], own[handler] = 0, (0,) * OWN_ALL
        return _State(tuple(counters), state.shared, tuple(own), state.owners)

    def _turns(self, state: _State, thread: int) -> Iterator[tuple[_State | None, list[tuple[int, bool, bool]]]]:
        """The state behind the thread's next step or section, with its accesses: cell, is it written, atomically? None
        where the run ends; nothing where the thread waits."""
        counters, shared = list(state.counters), list(state.shared)
        own, owners = [*state.own[thread]], list(state.owners)
        accesses: list[tuple[int, bool, bool]] = []
        sections, code, ended = 0, self.codes[thread], False
        while True:
            op, a, b, c = code[counters[thread]]
            counters[thread] += 1
            match op:
                case Op.LOAD | Op.STORE | Op.ADD:
                    accesses += _data_step((op, a, b, c), shared, own, sections > 0)
                case Op.JUMP | Op.JUMP_UNLESS:
                    is_taken = op is Op.JUMP or own[a] != b
                    counters[thread] = c if is_taken else counters[thread]
                case Op.ASSUME:
                    ended = own[a] != b
                case Op.ERROR:
                    self.error = ended = True
                case Op.LOCK if owners[a] != -1:
                    return
                case Op.LOCK | Op.UNLOCK:
                    owners[a] = thread if op is Op.LOCK else -1
                case Op.BEGIN | Op.END:
                    sections += 1 if op is Op.BEGIN else -1
                case Op.CREATE:
                    counters[a] = 0
                case Op.JOIN if self._runs(state, a):
                    return
                case Op.EXIT:
                    counters[thread] -= 1
            if ended or not sections:
                break
        everyone = (*state.own[:thread], tuple(own), *state.own[thread + 1 :])
        following = None if ended else _State(tuple(counters), tuple(shared), everyone, tuple(owners))
        yield following, [access for access in accesses if access[0] < SHARED]


def _data_step(
    step: tuple[Op, int, int, int], shared: list[int], own: list[int], in_section: bool
) -> list[tuple[int, bool, bool]]:
    """Executes a step that moves or adds values; its access, if it has one."""
    op, a, b, c = step
    if op is Op.ADD:
        own[a] = own[b] + own[c]
        return []
    if op is Op.LOAD:
        own[a] = shared[b]
        return [(b, False, in_section)]
    shared[a] = c + (own[b] if b >= 0 else 0)
    return [(a, True, in_section)]
