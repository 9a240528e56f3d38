"""Random programs that link, copy and release nodes: every proof of them is compared with a sanitizer on all inputs.

`python -m tests.differential.memory.lists FIRST COUNT` compares those of COUNT seeds. A program is made together with
its runs: statements that would be a violation or lose a node are mostly left out, so that most programs have no fault
or one. Half of them get a fault on purpose: a statement that is left out, written twice, or moved.
"""

import itertools
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Safe
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from solvers.bmc.engine import Bmc
from solvers.engine import Context
from solvers.invariants.links.engine import Links

from .generate import MemoryProgram
from .sanitizers import PROTOTYPES, built, quick_violation

_SECONDS = 4  # for one proof
_INPUTS = 4  # conditions of a program that its inputs decide
_NAMES = "abcd"
_BEGIN = (
    "struct @node { struct @node *next; };\nint @main(void) {\n  struct @node *a = 0, *b = 0, *c = 0, *d = 0, *t;\n"
)


class _Fault(Exception):
    """A run comes to a violation, or to a node whose link was not stored."""


@dataclass
class _Run:
    """The state of a run: what variables and links hold, 0 for null, None for a link that was not stored."""

    inputs: tuple[bool, ...]
    variables: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_NAMES, 0))
    links: dict[int, int | None] = field(default_factory=dict)
    born: int = 0
    asked: int = 0

    def copy(self) -> "_Run":
        return _Run(self.inputs, dict(self.variables), dict(self.links), self.born, self.asked)

    def lost(self) -> bool:
        """Some node is reachable no more."""
        seen, stack = set[int](), [v for v in self.variables.values() if v]
        while stack:
            node = stack.pop()
            if node in self.links and node not in seen:
                seen.add(node)
                stack += [self.links[node] or 0]
        return bool(self.links.keys() - seen)

    def load(self, node: int) -> int:
        found = self.links.get(node)
        if found is None:
            raise _Fault
        return found

    def store(self, node: int, value: int) -> None:
        if node not in self.links:
            raise _Fault
        self.links[node] = value

    def new(self, link: int | None) -> int:
        self.born += 1
        self.links[self.born] = link
        return self.born

    def release(self, node: int) -> None:
        if node and node not in self.links:
            raise _Fault
        self.links.pop(node, None)

    def ask(self) -> bool:
        self.asked += 1
        if self.asked > len(self.inputs):
            raise _Fault
        return self.inputs[self.asked - 1]


@dataclass(frozen=True)
class _Statement:
    """A statement. execute: what it does to a run."""

    text: str
    execute: Callable[[_Run], None]


@dataclass(frozen=True)
class ListProgram:
    """A program. text: with `@` before names of the file's scope. is_faulty: a fault was put into it."""

    seed: int
    text: str
    is_faulty: bool

    def source(self) -> str:
        """The whole text."""
        return PROTOTYPES + self.text.replace("@", "")

    def on_all_inputs(self) -> list[MemoryProgram]:
        """The program with each of its inputs."""
        return [MemoryProgram(self.text, values) for values in itertools.product((0, 1), repeat=_INPUTS)]


def make(seed: int) -> ListProgram:
    """The program of a seed."""
    rng = random.Random(seed)
    runs = [_Run(values) for values in itertools.product((False, True), repeat=_INPUTS)]
    body = list[str]()
    for _ in range(rng.randint(6, 16)):
        for _ in range(20):
            statement = _statement(rng, 0)
            after = _executed(statement, runs)
            if after is not None or rng.random() < 0.004:
                body.append(statement.text)
                runs = after or runs
                break
    body += [f"while ({x}) {{ t = {x}->next; free({x}); {x} = t; }}" for x in _to_release(rng, runs)]
    is_faulty = rng.random() < 0.5
    if is_faulty:
        _break(rng, body)
    lines = "\n".join(f"  {text}" for text in body)
    return ListProgram(seed, f"{_BEGIN}{lines}\n  return 0;\n}}\n", is_faulty)


def _executed(statement: _Statement, runs: Sequence[_Run]) -> list[_Run] | None:
    """The runs after a statement; None if one has a fault or loses a node."""
    after = [run.copy() for run in runs]
    try:
        for run in after:
            statement.execute(run)
    except _Fault:
        return None
    return None if any(run.lost() for run in after) else after


def _to_release(rng: random.Random, runs: Sequence[_Run]) -> list[str]:
    """Variables whose lists are all nodes, in an order in which none is released twice if there is one."""
    orders = [order for n in range(len(_NAMES) + 1) for order in itertools.permutations(_NAMES, n)]
    rng.shuffle(orders)
    for order in sorted(orders, key=len):
        if all(_releases_all(order, run) for run in runs):
            return list(order)
    return [rng.choice(_NAMES)]


def _releases_all(order: Sequence[str], run: _Run) -> bool:
    left = dict(run.links)
    for name in order:
        node = run.variables[name]
        while node:
            if left.get(node) is None:
                return False
            node = left.pop(node) or 0
    return not left


def _break(rng: random.Random, body: list[str]) -> None:
    """Puts a fault into a program."""
    at = rng.randrange(len(body))
    match rng.randrange(4):
        case 0:
            del body[at]
        case 1:
            body.insert(rng.randrange(len(body)), body[at])
        case 2:
            body.insert(rng.randrange(len(body)), body.pop(at))
        case _:
            old, new = rng.sample(_NAMES, 2)
            body[at] = body[at].replace(f"{old}->", f"{new}->", 1)


# --- statements -------------------------------------------------------------------------------------------------------


def _statement(rng: random.Random, depth: int) -> _Statement:
    if depth < 2 and rng.random() < 0.3:
        return _conditional(rng, depth)
    return rng.choice((*_PLAIN, *_PLAIN, *_UNUSUAL))(rng)


def _conditional(rng: random.Random, depth: int) -> _Statement:
    text, holds = _condition(rng)
    then = [_statement(rng, depth + 1) for _ in range(rng.randint(1, 2))]
    otherwise = [_statement(rng, depth + 1) for _ in range(rng.randint(0, 1))]

    def execute(run: _Run) -> None:
        for each in then if holds(run) else otherwise:
            each.execute(run)

    behind = f" else {{ {' '.join(s.text for s in otherwise)} }}" if otherwise else ""
    return _Statement(f"if ({text}) {{ {' '.join(s.text for s in then)} }}{behind}", execute)


def _condition(rng: random.Random) -> tuple[str, Callable[[_Run], bool]]:
    x, y = rng.choice(_NAMES), rng.choice(_NAMES)
    return rng.choice(
        (
            ("__VERIFIER_nondet_int()", lambda run: run.ask()),
            (x, lambda run: bool(run.variables[x])),
            (f"{x} == {y}", lambda run: run.variables[x] == run.variables[y]),
            (f"{x} && {x}->next", lambda run: bool(run.variables[x] and run.load(run.variables[x]))),
            (f"!{x} || !{x}->next", lambda run: not (run.variables[x] and run.load(run.variables[x]))),
            (
                f"{x} && {x}->next == {y}",
                lambda run: bool(run.variables[x]) and run.load(run.variables[x]) == run.variables[y],
            ),
        )
    )


def _new(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice((*_NAMES, "0"))

    def execute(run: _Run) -> None:
        value = run.variables.get(y, 0)
        run.variables["t"] = run.new(None)
        run.store(run.variables["t"], value)
        run.variables[x] = run.variables["t"]

    return _Statement(f"t = malloc(sizeof *t); t->next = {y}; {x} = t;", execute)


def _bare(rng: random.Random) -> _Statement:
    x = rng.choice(_NAMES)
    return _Statement(f"{x} = malloc(sizeof *{x});", lambda run: run.variables.update({x: run.new(None)}))


def _cleared(rng: random.Random) -> _Statement:
    x = rng.choice(_NAMES)
    return _Statement(f"{x} = calloc(1, sizeof *{x});", lambda run: run.variables.update({x: run.new(0)}))


def _direct(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice((*_NAMES, "0"))

    def execute(run: _Run) -> None:
        run.load(run.variables[x])
        run.store(run.variables[x], run.new(None))
        run.store(run.load(run.variables[x]), run.variables.get(y, 0))

    return _Statement(f"{x}->next = malloc(sizeof *{x}); {x}->next->next = {y};", execute)


def _link(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice((*_NAMES, "0"))
    return _Statement(f"{x}->next = {y};", lambda run: run.store(run.variables[x], run.variables.get(y, 0)))


def _relink(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice(_NAMES)
    return _Statement(f"{x}->next = {y}->next;", lambda run: run.store(run.variables[x], run.load(run.variables[y])))


def _skip(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice((*_NAMES, "0"))

    def execute(run: _Run) -> None:
        run.store(run.load(run.variables[x]), run.variables.get(y, 0))

    return _Statement(f"{x}->next->next = {y};", execute)


def _aliased(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice((*_NAMES, "0"))
    return _Statement(
        f"{{ struct @node **p = &{x}->next; *p = {y}; }}",
        lambda run: run.store(run.variables[x], run.variables.get(y, 0)),
    )


def _copy(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice((*_NAMES, "0"))
    return _Statement(f"{x} = {y};", lambda run: run.variables.update({x: run.variables.get(y, 0)}))


def _advance(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice(_NAMES)
    return _Statement(f"{x} = {y}->next;", lambda run: run.variables.update({x: run.load(run.variables[y])}))


def _choose(rng: random.Random) -> _Statement:
    x, y, z = rng.choice(_NAMES), rng.choice(_NAMES), rng.choice((*_NAMES, "0"))

    def execute(run: _Run) -> None:
        node = run.variables[y]
        run.variables[x] = run.load(node) if node else run.variables.get(z, 0)

    return _Statement(f"{x} = {y} ? {y}->next : {z};", execute)


def _link_chosen(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice(_NAMES)

    def execute(run: _Run) -> None:
        node = run.variables[y]
        run.store(run.variables[x], run.load(node) if node else 0)

    return _Statement(f"{x}->next = {y} ? {y}->next : 0;", execute)


def _whole(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice(_NAMES)
    return _Statement(f"*{x} = *{y};", lambda run: run.store(run.variables[x], run.load(run.variables[y])))


def _moved(rng: random.Random) -> _Statement:
    x = rng.choice(_NAMES)

    def execute(run: _Run) -> None:
        link = run.load(run.variables[x])
        run.release(run.variables[x])
        run.variables[x] = run.new(link)

    return _Statement(f"{x} = realloc({x}, sizeof *{x});", execute)


def _release(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice((*_NAMES, "0"))

    def execute(run: _Run) -> None:
        run.release(run.variables[x])
        run.variables[x] = run.variables.get(y, 0)

    return _Statement(f"free({x}); {x} = {y};", execute)


def _pop(rng: random.Random) -> _Statement:
    x, y = rng.choice(_NAMES), rng.choice(_NAMES)

    def execute(run: _Run) -> None:
        following = run.load(run.variables[x])
        run.release(run.variables[x])
        run.variables[y] = following

    return _Statement(f"t = {x}->next; free({x}); {y} = t;", execute)


def _remove(rng: random.Random) -> _Statement:
    x = rng.choice(_NAMES)

    def execute(run: _Run) -> None:
        node = run.load(run.variables[x])
        run.store(run.variables[x], run.load(node))
        run.release(node)

    return _Statement(f"t = {x}->next; {x}->next = t->next; free(t);", execute)


_PLAIN = (_new, _new, _link, _relink, _copy, _advance, _pop, _remove)
_UNUSUAL = (_bare, _cleared, _direct, _skip, _aliased, _choose, _link_chosen, _whole, _moved, _release)


# --- comparison -------------------------------------------------------------------------------------------------------


def proofs(program: ListProgram, seconds: float) -> Iterator[str]:
    """The engines that prove the program."""
    loaded = load_source(program.source(), "lists.c", LP64, "valid-memsafety")
    variants = SystemVariants(time.monotonic() + seconds)
    system = encode(loaded, "valid-memsafety").system
    if isinstance(Bmc().solve(variants.reduced(system)[0], Context.within(seconds)), Safe):
        yield "bmc"
    linked = variants.links(system)
    if linked is not None and isinstance(Links().solve(linked[0], Context.within(seconds)), Safe):
        yield "links"


def violations(programs: Sequence[ListProgram]) -> list[str]:
    """For each program what the sanitizer finds in a run with a violation, "" if there is no such run."""
    with tempfile.TemporaryDirectory() as folder:
        binary = built([MemoryProgram(program.text, ()) for program in programs], "gcc", Path(folder))
        inputs = list(itertools.product("01", repeat=_INPUTS))
        return [quick_violation(binary, number, inputs) for number in range(len(programs))]


def main() -> int:
    """Compares the programs of a range of seeds; the exit status."""
    first, count = map(int, sys.argv[1:3])
    wrong = safe = proved = 0
    for start in range(first, first + count, 10):
        programs = [make(seed) for seed in range(start, min(start + 10, first + count))]
        for program, report in zip(programs, violations(programs), strict=True):
            engines = list(proofs(program, _SECONDS))
            safe += not report
            proved += bool(engines)
            if engines and report:
                wrong += 1
                print(f"{program.seed}: proved by {engines}, but {report}\n{program.source()}", flush=True)
    print(f"{count} programs, {safe} without violation, {proved} proved, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
