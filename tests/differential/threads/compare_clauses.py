"""Compares the clauses of small programs with all interleavings: what a run shows must be derivable from them."""

import time
from collections.abc import Callable
from functools import partial

from chcverify.horn.system import HornSystem
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Safe, Unsafe
from encoders.c.cfa import ir
from encoders.c.concurrency.owicki_gries import encode_threads
from encoders.c.concurrency.reduced_product import SwitchOrder, encode_reduced
from encoders.c.concurrency.thread_clauses import ThreadEncoding
from encoders.c.concurrency.thread_product import encode_product
from encoders.c.source.source_errors import Unsupported
from solvers.engine import Context
from solvers.registry import get

from .compare import loaded
from .enumeration import TooManyStates, meaning
from .small_programs import SmallGenerator, SmallProgram

SECONDS = 8.0  # of a decision; most take less than one


def compare_clauses(
    seed: int, program: SmallProgram | None = None, interrupts: bool = False, quick: bool = False
) -> tuple[list[str], list[str]] | None:
    """What the clauses of the program of a seed say that no interleaving does, and what they leave undecided.

    None if the program has too many states. A product must be decided as the enumeration says, unless the program has
    what is not modelled; thread-modular clauses may derive more, but have no model where there is a violation. quick:
    the product alone, and the modular clauses where threads are created in loops.
    """
    program = program or SmallGenerator(seed, interrupts).program()
    try:
        holds = {"error": meaning(program).error, "race": meaning(program, with_errors=False).race}
    except TooManyStates:
        return None
    problems, open_ = list[str](), list[str]()
    for name, shown in holds.items():
        automata = loaded(program, name == "error")
        # a thread-modular system of a program without violation may or may not have a model
        encoders: list[tuple[str, Callable[[ir.Program, bool], ThreadEncoding]]]
        encoders = [("product", encode_product)] if not program.in_loop else []
        if not program.in_loop and name == "error" and not quick:
            encoders += [(f"reduced product, {order.value},", partial(_reduced, order)) for order in SwitchOrder]
        encoders += [("modular", encode_threads)] if shown and (program.in_loop or not quick) else []
        for kind, encode in encoders:
            try:
                system = encode(automata, name == "race").system
            except Unsupported:  # of too many states or clauses
                open_.append(f"{kind} {name}")
                continue
            answer = decided(system)
            if kind == "modular" and not quick and _by_cases(system):
                problems.append(
                    f"{name}: the modular clauses split by cases have a model, and an interleaving shows it"
                )
            if answer is None:
                open_.append(f"{kind} {name}")
            elif answer and shown:
                problems.append(f"{name}: the {kind} clauses have a model, and an interleaving shows it")
            elif not answer and not shown and not any(c.name.startswith("not modelled") for c in system.clauses):
                problems.append(f"{name}: derived from the product, and no interleaving shows it")
    return problems, open_


def _reduced(order: SwitchOrder, program: ir.Program, races: bool) -> ThreadEncoding:
    assert not races
    return encode_reduced(program, order)


def decided(system: HornSystem) -> bool | None:
    """True if the system has a model, False if it derives a violation, None if that is not found out."""
    if not any(clause.head is None for clause in system.clauses):
        return True
    deadline = time.monotonic() + SECONDS
    result = get("explicit").solve(system, Context(deadline))
    if not isinstance(result, Safe | Unsafe):
        reduced, _, _ = SystemVariants(deadline).reduced(system)
        result = get("spacer").solve(reduced, Context(deadline))
    return isinstance(result, Safe) if isinstance(result, Safe | Unsafe) else None


def _by_cases(system: HornSystem) -> bool:
    """Does the system have a model that intervals and equalities find once flags are control?"""
    deadline = time.monotonic() + SECONDS
    changed = SystemVariants(deadline).cases(system)
    return changed is not None and isinstance(get("df-boxes-eq").solve(changed[0], Context(deadline)), Safe)
