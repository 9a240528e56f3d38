"""A small language of threads, random programs of it, and their text in C.

Shared are the integers g0, g1, .. and the mutexes m0, m1, ..; each thread has its own integers r0, r1.
"""

import random
from dataclasses import dataclass

SHARED, MUTEXES, OWN = 3, 2, 2
HANDLER = "on_interrupt"


@dataclass(frozen=True)
class Read:
    """r = g"""

    own: int
    shared: int


@dataclass(frozen=True)
class Write:
    """g = r + addend, or g = addend if own is None"""

    shared: int
    own: int | None
    addend: int


@dataclass(frozen=True)
class Increment:
    """g++: a read and a write."""

    shared: int


@dataclass(frozen=True)
class Sum:
    """r = g + h: a read of g, then one of h."""

    own: int
    first: int
    second: int


@dataclass(frozen=True)
class FetchAdd:
    """r = __atomic_fetch_add(&g, addend)"""

    own: int
    shared: int
    addend: int


@dataclass(frozen=True)
class CompareAndSwap:
    """r = __sync_bool_compare_and_swap(&g, expected, new)"""

    own: int
    shared: int
    expected: int
    new: int


@dataclass(frozen=True)
class Assume:
    """The run ends where r is not the value."""

    own: int
    value: int


@dataclass(frozen=True)
class Assert:
    """The error is reached where r is the value."""

    own: int
    value: int


@dataclass(frozen=True)
class If:
    own: int
    value: int
    then: "Body"
    otherwise: "Body"


@dataclass(frozen=True)
class Both:
    """if (g == value && h == other) then: h is read only where g has its value."""

    first: int
    value: int
    second: int
    other: int
    then: "Body"


@dataclass(frozen=True)
class Repeat:
    count: int
    body: "Body"


@dataclass(frozen=True)
class Locked:
    mutex: int
    body: "Body"


@dataclass(frozen=True)
class Section:
    """Between __VERIFIER_atomic_begin and __VERIFIER_atomic_end."""

    body: "Body"


Statement = (
    Read | Write | Increment | Sum | FetchAdd | CompareAndSwap | Assume | Assert | If | Both | Repeat | Locked | Section
)
Body = tuple[Statement, ...]


@dataclass(frozen=True)
class SmallProgram:
    """Threads that main creates, one after another. main: what it does then. joined: the threads that it waits for
    afterwards. last: what it does at the end."""

    threads: tuple[Body, ...]
    main: Body
    joined: tuple[int, ...]
    last: Body
    in_loop: bool = False
    """All threads do the same, and a loop of main creates them."""
    own_objects: bool = False
    """In C, the own integers are thread-local objects with static storage."""
    handler: Body = ()
    """What an interrupt handler does, which begins with own integers that are 0; () for no handler."""
    last_is_volatile: bool = False
    """Is the last shared integer volatile?"""


class SmallGenerator:
    """Draws programs. In every third one what threads do is guarded, most of it by one mutex, or in half of these by a
    lock that is one of the shared integers; in some, a loop creates the threads, or each has objects of its own.

    interrupts: the programs have an interrupt handler, whose runs can change the state in finitely many ways only, and
    at most two threads besides main.
    """

    def __init__(self, seed: int, interrupts: bool = False) -> None:
        self._random = random.Random(seed)
        self._is_guarded = seed % 3 == 0
        self._has_own_lock = seed % 6 == 3
        self._in_loop = seed % 5 == 3
        self._own_objects = seed % 4 == 1
        self._seed, self._interrupts = seed, interrupts

    def program(self) -> SmallProgram:
        """A program with one or two threads besides main, which has less to do the more there are."""
        if self._interrupts:
            return self._interrupted()
        count = self._random.choice((1, 2, 2, 2))
        size = {1: 5, 2: 4}[count]
        threads = tuple(self._body(self._random.randint(2, size), 2) for _ in range(count))
        if self._in_loop:
            threads = (threads[0],) * 2
        main = self._body(self._random.randint(0, 2 if count == 1 else 1), 1)
        joined = tuple(number for number in range(count) if self._random.random() < 0.8)
        last = (Read(0, self._shared()), Assert(0, self._value(3))) if self._random.random() < 0.6 else ()
        if self._in_loop:
            joined = ()
        return SmallProgram(threads, main, joined, last, self._in_loop, self._own_objects)

    def _interrupted(self) -> SmallProgram:
        """A program with an interrupt handler."""
        count = self._random.choice((0, 0, 1, 2))
        size = {0: 5, 1: 4, 2: 2}[count]
        threads = tuple(self._body(self._random.randint(1, size), 2) for _ in range(count))
        main = self._body(self._random.randint(1, size), 2)
        last = (Read(0, self._shared()), Assert(0, self._value(3))) if self._random.random() < 0.6 else ()
        handler = tuple(self._of_handler(1) for _ in range(self._random.randint(1, 3)))
        return SmallProgram(threads, main, tuple(range(count)), last, False, False, handler, self._seed % 2 == 0)

    def _of_handler(self, depth: int) -> Statement:
        """A statement of a handler, of which no repetition leads to greater and greater numbers."""
        pick = self._random
        own, inside = pick.randrange(OWN), (lambda: (self._of_handler(0),))
        draw = pick.random()
        if depth and draw < 0.2:
            return If(own, self._value(1), inside(), inside())
        if depth and draw < 0.5:
            return Both(self._shared(), self._value(1), self._shared(), self._value(1), inside())
        return pick.choice(
            (
                Read(own, self._shared()),
                Write(self._shared(), None, self._value(2)),
                Write(self._shared(), None, self._value(2)),
                Write(self._shared(), own, 0),
                CompareAndSwap(own, self._shared(), self._value(1), self._value(2)),
                Assert(own, self._value(3)),
            )
        )

    def _body(self, size: int, depth: int, in_section: bool = False) -> Body:
        found: list[Statement] = []
        for _ in range(size):
            found += self._statements(depth, in_section)
        return tuple(found)

    def _statements(self, depth: int, in_section: bool) -> list[Statement]:
        """One drawn statement, or two that belong together; guarded, at the top of a thread, if all is."""
        if not self._is_guarded or depth < 2:
            return self._any_statements(depth, in_section)
        body = tuple(self._any_statements(1, True))
        draw = self._random.random()
        if self._has_own_lock and draw < 0.9:
            return _under_lock(SHARED - 1, body)
        if draw < 0.2:
            body = (Locked(int(draw >= 0.1), body),)
        return [Section(body) if draw > 0.95 else Locked(int(draw < 0.1), body)]

    def _any_statements(self, depth: int, in_section: bool) -> list[Statement]:
        draw, pick = self._random.random(), self._random
        own = pick.randrange(OWN)
        if depth and draw < 0.3:
            return [self._nested(depth, in_section)]
        if draw < 0.45:
            return [Read(own, self._shared()), Assert(own, self._value(3))]
        if draw < 0.5:
            return [Read(own, self._shared()), Assume(own, self._value(1))]
        return [
            pick.choice(
                (
                    Read(own, self._shared()),
                    Write(self._shared(), pick.choice((None, own)), self._value(2)),
                    Write(self._shared(), pick.choice((None, own)), self._value(2)),
                    Increment(self._shared()),
                    Sum(own, self._shared(), self._shared()),
                    FetchAdd(own, self._shared(), 1),
                    CompareAndSwap(own, self._shared(), self._value(1), self._value(2)),
                )
            )
        ]

    def _nested(self, depth: int, in_section: bool) -> Statement:
        size = self._random.randint(1, 2)
        inside = self._random.random()
        if inside < 0.35 and not in_section:
            return Locked(self._random.randrange(MUTEXES), self._body(size, depth - 1, in_section))
        if inside < 0.55 and not in_section:
            return Section(self._body(size, 0, True))
        body = self._body(size, depth - 1, in_section)
        if inside < 0.75:
            return If(self._random.randrange(OWN), self._value(1), body, self._body(1, 0, in_section))
        if inside < 0.9:
            return Both(self._shared(), self._value(1), self._shared(), self._value(1), body)
        return Repeat(2, body)

    def _shared(self) -> int:
        return self._random.randrange(SHARED)

    def _value(self, highest: int) -> int:
        return self._random.randint(0, highest)


def _under_lock(lock: int, body: Body) -> list[Statement]:
    """The body while a shared integer is 1; the run ends where it is 1 before."""
    take = Section((Read(OWN - 1, lock), Assume(OWN - 1, 0), Write(lock, None, 1)))
    return [take, *body, Section((Write(lock, None, 0),))]


_HEAD = """#include <pthread.h>
extern void reach_error(void);
extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static void assume(int condition) { if (!condition) abort(); }
"""


def c_text(program: SmallProgram, with_errors: bool = True) -> str:
    """The program in C. with_errors: else its asserts do nothing."""
    lines = [_HEAD]
    kinds = ["int"] * (SHARED - 1) + ["volatile int" if program.last_is_volatile else "int"]
    lines += [f"{kind} g{number};" for number, kind in enumerate(kinds)]
    lines += [f"pthread_mutex_t m{number} = PTHREAD_MUTEX_INITIALIZER;" for number in range(MUTEXES)]
    own = "int " + ", ".join(f"r{number} = 0" for number in range(OWN)) + ";"
    declared = [] if program.own_objects else [f"  {own}"]
    lines += [f"static _Thread_local {own}"] if program.own_objects else []
    for number, body in enumerate(program.threads):
        lines += [f"void do{number}(void) {{", *declared, *_lines(body, 1, with_errors), "}"]
        lines += [f"void *thread{number}(void *unused) {{", f"  do{number}();", "  return 0;", "}"]
    count = len(program.threads)
    if program.handler:
        lines += [f"void {HANDLER}(void) {{", f"  {own}", *_lines(program.handler, 1, with_errors), "}"]
    lines += ["int main(void) {", *declared]
    lines += [f"  pthread_t t{number};" for number in range(count)]
    if program.in_loop:
        lines.append(f"  for (int i = 0; i < {count}; i++) pthread_create(&t0, 0, thread0, 0);")
    else:
        lines += [f"  pthread_create(&t{number}, 0, thread{number}, 0);" for number in range(count)]
    lines += _lines(program.main, 1, with_errors)
    lines += [f"  pthread_join(t{number}, 0);" for number in program.joined]
    lines += [*_lines(program.last, 1, with_errors), "  return 0;", "}"]
    return "\n".join(lines) + "\n"


def _lines(body: Body, depth: int, with_errors: bool) -> list[str]:
    return [line for statement in body for line in _statement(statement, depth, with_errors)]


def _statement(statement: Statement, depth: int, with_errors: bool) -> list[str]:
    """The lines of a statement; complexity: one case for each kind."""
    pad = "  " * depth

    def inner(body: Body) -> list[str]:
        return _lines(body, depth + 1, with_errors)

    match statement:
        case Read(own, shared):
            return [f"{pad}r{own} = g{shared};"]
        case Write(shared, own, addend):
            return [f"{pad}g{shared} = {addend if own is None else f'r{own} + {addend}'};"]
        case Increment(shared):
            return [f"{pad}g{shared}++;"]
        case Sum(own, first, second):
            return [f"{pad}r{own} = g{first} + g{second};"]
        case FetchAdd(own, shared, addend):
            return [f"{pad}r{own} = __atomic_fetch_add(&g{shared}, {addend}, 5);"]
        case CompareAndSwap(own, shared, expected, new):
            return [f"{pad}r{own} = __sync_bool_compare_and_swap(&g{shared}, {expected}, {new});"]
        case Assume(own, value):
            return [f"{pad}assume(r{own} == {value});"]
        case Assert(own, value):
            return [f"{pad}if (r{own} == {value}) {'reach_error()' if with_errors else '{}'};"]
        case If(own, value, then, otherwise):
            return [f"{pad}if (r{own} == {value}) {{", *inner(then), f"{pad}}} else {{", *inner(otherwise), f"{pad}}}"]
        case Both(first, value, second, other, then):
            return [f"{pad}if (g{first} == {value} && g{second} == {other}) {{", *inner(then), f"{pad}}}"]
        case Repeat(count, repeated):
            return [f"{pad}for (int i{depth} = 0; i{depth} < {count}; i{depth}++) {{", *inner(repeated), f"{pad}}}"]
        case Locked(mutex, guarded):
            ends = f"{pad}pthread_mutex_lock(&m{mutex});", f"{pad}pthread_mutex_unlock(&m{mutex});"
            return [ends[0], *inner(guarded), ends[1]]
        case Section(atomic):
            return [f"{pad}__VERIFIER_atomic_begin();", *inner(atomic), f"{pad}__VERIFIER_atomic_end();"]
