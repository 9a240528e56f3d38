"""Engine `acceleration`: concrete runs in which loops are accelerated; finds deep violations, proves nothing."""

from collections.abc import Sequence

import z3

from chcverify.effort import LARGEST_ORDINARY_CONSTANT, MAX_ALTERNATIVES, MAX_BUILT, MAX_COMPARED, MAX_VISITED
from chcverify.horn.system import HornSystem, Predicate
from chcverify.results.result import Result, Unknown, Unsafe
from chcverify.terms.core.traversal import subterms
from solvers.acceleration.accelerated_run import AcceleratedRun, CompiledRules
from solvers.acceleration.compiled_rules import CompiledRule, UnsupportedClause, compile_clause
from solvers.acceleration.nondeterminism import STYLES, RunChoices, can_draw
from solvers.acceleration.run_derivation import derivation
from solvers.engine import Context, Requirements

# Chosen by hand; no measurement is recorded.
REDRAW_PROBABILITIES = (0.0, 0.0, 0.0, 0.0, 0.0, 0.2)
"""Probability that a run chooses a value anew, by the number of the run modulo the length."""


class Acceleration:
    """Engine `acceleration`: executes runs with different choices until one reaches a query. Proves nothing.

    Statistics: runs, and cycles that were accelerated.
    """

    name = "acceleration"
    description = "concrete runs with accelerated loops: deep violations only"
    requires = Requirements(normal=False, as_given=True)

    def solve(self, system: HornSystem, context: Context) -> Result:
        program, left_out = _compile(system, context)
        if not program.facts or not program.queries:
            return Unknown(left_out or "no run can begin and end in a query")
        pool = _pool(system)
        cycles, most = 0, MAX_BUILT
        for number in range(MAX_COMPARED):
            if not context.remaining():
                return Unknown(f"time limit after {number} runs with {cycles} accelerated cycles")
            style = STYLES[min(number, len(STYLES) - 1)]
            fresh = REDRAW_PROBABILITIES[number % len(REDRAW_PROBABILITIES)]
            choices = RunChoices(hash((context.seed, number)), style, fresh, pool)
            run = AcceleratedRun(program, choices, most, lambda: context.remaining() > 0)
            found = run.reaches_query()
            cycles += run.accelerated
            context.statistics.update({"runs": number + 1, "cycles": cycles})
            if found:
                return Unsafe(derivation(system, run.entries))
            if run.cut and run.accelerated:
                most = min(most + MAX_BUILT, MAX_VISITED)
            if not (number or run.cut or run.could_differ()):
                return Unknown("the only run ends without a violation" + (f"; {left_out}" if left_out else ""))
            if not cycles and number + 1 == MAX_ALTERNATIVES:
                return Unknown(f"no violation and no cycle to accelerate in {number + 1} runs")
        return Unknown(f"no violation in {MAX_COMPARED} runs with {cycles} accelerated cycles")


def _compile(system: HornSystem, context: Context) -> tuple[CompiledRules, str]:
    """The rules of all clauses that runs support, and the reason why the first other clause is left out."""
    rules: list[CompiledRule] = []
    left_out = ""
    for index, clause in enumerate(system.clauses):
        try:
            if not context.remaining():
                raise UnsupportedClause("what there was no time for")
            if not clause.is_linear:
                raise UnsupportedClause("clauses with several premises")
            for variable in clause.variables:
                if not can_draw(variable.sort()):
                    raise UnsupportedClause(f"the sort {variable.sort()}")
            rules.extend(compile_clause(index, clause))
        except UnsupportedClause as error:
            left_out = left_out or f"runs leave out {error}"
    onward: dict[Predicate, list[CompiledRule]] = {}
    queries: dict[Predicate, list[CompiledRule]] = {}
    for rule in rules:
        if rule.source is not None:
            (queries if rule.target is None else onward).setdefault(rule.source, []).append(rule)
    facts = [rule for rule in rules if rule.source is None]
    return CompiledRules(facts, onward, queries, {rule: number for number, rule in enumerate(rules)}), left_out


def _pool(system: HornSystem) -> Sequence[int]:
    """The integers to choose from: numerals of the clauses, neighbours of the ordinary ones, and small numbers."""
    own = {term.as_long() for clause in system.clauses for term in subterms(clause.constraint) if z3.is_int_value(term)}
    near = {value + d for value in own if abs(value) < LARGEST_ORDINARY_CONSTANT for d in (-1, 1)}
    return sorted(own | near | {-1, 0, 1, 2, 3})
