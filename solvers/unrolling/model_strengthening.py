"""From proofs by unrolling to inductive models: by quantifier elimination, and by interpolation over layers.

Layers are an acyclic system: P@d stands for P after d clauses. Its models, which Spacer finds, are interpolants.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import z3

from chcverify.certificate.model import Model
from chcverify.effort import QUESTION_MS
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.results.result import Safe
from chcverify.terms.core.traversal import conjunction, disjunction, free_variables, substitute
from chcverify.terms.quantifiers.elimination import eliminate
from solvers.engine import Context
from solvers.registry import get

TRUE = z3.BoolVal(True)
Formulas = Mapping[Predicate, z3.BoolRef]


def violating(system: HornSystem, predicate: Predicate, timeout_ms: int) -> z3.BoolRef | None:
    """The states (over the formals) that violate some query on their own; None without a quantifier-free formula."""
    return preimage(system, predicate, None, timeout_ms)


def safe_states(system: HornSystem, context: Context) -> dict[Predicate, z3.BoolRef]:
    """For each predicate the states that violate no query on their own, where there is a quantifier-free formula.

    Where there is none, or no time, the step case does without this hypothesis: it gets harder, never wrong.
    """
    table: dict[Predicate, z3.BoolRef] = {}
    for predicate in system.predicates:
        timeout_ms = min(QUESTION_MS, int(1000 * context.remaining()))
        bad = violating(system, predicate, timeout_ms) if timeout_ms > 0 else None
        if bad is not None and not z3.is_false(bad):
            table[predicate] = z3.Not(bad)
    return table


def inductive_model(system: HornSystem, k: int, invariants: Formulas, context: Context) -> Model | None:
    """The inductive model behind a k-inductive proof of a linear system, or None if an elimination failed.

    Let bad_1(P) be the states of P that violate a query, bad_{j+1}(P) those with a successor in bad_j, within the
    auxiliary invariants I, which are inductive. If all states within k steps of the facts are safe and k safe states
    are followed by a safe one, then S(P) = I(P) & ~bad_1(P) & ... & ~bad_k(P) is inductive: for s in S and a step to
    s', s' lies in I; a violation in k steps from s or fewer is excluded by S, and one in exactly k + 1 would give k
    safe states in a row followed by an unsafe one.
    """
    bad: dict[Predicate, z3.BoolRef] | None = None
    layers: dict[Predicate, list[z3.BoolRef]] = {predicate: [] for predicate in system.predicates}
    for _ in range(k):
        following: dict[Predicate, z3.BoolRef] = {}
        for predicate in system.predicates:
            timeout_ms = min(QUESTION_MS, int(1000 * context.remaining()))
            formula = preimage(system, predicate, bad, timeout_ms) if timeout_ms > 0 else None
            if formula is None:
                return None
            following[predicate] = conjunction([invariants.get(predicate, TRUE), formula])
            layers[predicate].append(z3.Not(formula))
        bad = following
    return Model({p: conjunction([invariants.get(p, TRUE), *layers[p]]) for p in system.predicates})


def preimage(
    system: HornSystem, predicate: Predicate, target: Formulas | None, timeout_ms: int, *, only_light: bool = False
) -> z3.BoolRef | None:
    """The states of the predicate that a linear clause leads into the target; None if an elimination failed.

    OR over the clauses from predicate alone: exists others. constraint & target(head). target None: the queries.
    timeout_ms: milliseconds for each elimination. only_light: by equations only.
    """
    parts: list[z3.BoolRef] = []
    for index in system.using[predicate]:
        clause = system.clauses[index]
        if (target is None) != clause.is_query or not clause.is_linear:
            continue
        goal = [clause.constraint]
        if target is not None and clause.head is not None:
            goal.append(clause.head.instance(target[clause.head.predicate]))
        formula = substitute(conjunction(goal), zip(clause.body[0].arguments, predicate.formals, strict=True))
        formals = {formal.get_id() for formal in predicate.formals}
        others = [variable for variable in free_variables(formula) if variable.get_id() not in formals]
        # exists others. constraint & target(head)
        part = eliminate(others, formula, timeout_ms, only_light=only_light)
        if part is None:
            return None
        parts.append(part)
    return z3.simplify(disjunction(parts))


def interpolated_model(
    system: HornSystem, k: int, invariants: Formulas, safe: Formulas, context: Context
) -> Model | None:
    """The inductive model behind a k-inductive proof, or None if Spacer computes no interpolants in time.

    safe: what the step case assumes of all but the last facts. With F_0 = invariants & safe, layer i + 1 contains what
    clauses derive from layer i within F_0, and no query is violated in layer k. The conjunction of F_0 and all layers
    is then inductive: what a clause derives from it lies in the invariants, in each layer, and, like all of layer k, in
    `safe`.
    """
    first = {p: conjunction([invariants.get(p, TRUE), safe.get(p, TRUE)]) for p in system.predicates}
    found = _solve(list(cumulative(system, k, invariants, first)), context)
    if found is None:
        return None
    layers = {p: [found.get(_layer(p, i), TRUE) for i in range(1, k + 1)] for p in system.predicates}
    bound = first if k else {p: invariants.get(p, TRUE) for p in system.predicates}
    layered = {p: conjunction([bound[p], *(f for f in layers[p] if not z3.is_true(f))]) for p in system.predicates}
    return Model(layered)


def cumulative(system: HornSystem, k: int, invariants: Formulas, first: Formulas) -> Iterator[Clause]:
    """For i < k: body@i & F_0(body) & constraint => head@(i+1); body@k & invariants(body) & constraint => false."""
    for clause in system.clauses:
        for i in range(k, k + 1) if clause.head is None else range(k):
            known = invariants if clause.head is None else first
            assumed = [atom.instance(known[atom.predicate]) for atom in clause.body if atom.predicate in known]
            body = tuple(to_layer(atom, i) for atom in clause.body) if i else ()
            head = None if clause.head is None else to_layer(clause.head, i + 1)
            yield replace(clause, head=head, body=body, constraint=conjunction([clause.constraint, *assumed]))


def reachable_model(system: HornSystem, depth: int, context: Context) -> Model | None:
    """A model of a linear system whose derivations have at most `depth` clauses: the facts reachable at each depth.

    The layers are interpolants: a model of the acyclic system in which P@d stands for P after d clauses, and no
    P@depth exists. The disjunction of the layers is then inductive.
    """
    found = _solve(list(_exact(system, depth)), context)
    if found is None:
        return None
    layers = {p: [found.get(_layer(p, d), z3.BoolVal(False)) for d in range(depth)] for p in system.predicates}
    return Model({p: disjunction(formulas) for p, formulas in layers.items()})


def _exact(system: HornSystem, depth: int) -> Iterator[Clause]:
    """body@d & constraint => head@(d+1), nothing beyond `depth`, no query at any depth."""
    for clause in system.clauses:
        for d in [-1] if clause.is_fact else range(depth):
            body = tuple(to_layer(atom, d) for atom in clause.body)
            head = None if clause.head is None or d + 1 >= depth else to_layer(clause.head, d + 1)
            yield replace(clause, head=head, body=body)


def _layer(predicate: Predicate, d: int) -> Predicate:
    return replace(predicate, name=f"{predicate.name}@{d}")


def to_layer(atom: Application, d: int) -> Application:
    """The atom of layer d."""
    return Application(_layer(atom.predicate, d), atom.arguments)


def _solve(clauses: list[Clause], context: Context) -> Mapping[Predicate, z3.BoolRef] | None:
    """Spacer's model of the acyclic system of these clauses."""
    result = get("spacer").solve(HornSystem.of(clauses), Context(context.deadline, context.seed))
    return result.model.interpretations if isinstance(result, Safe) else None
