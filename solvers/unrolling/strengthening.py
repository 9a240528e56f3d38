"""From k-inductive to inductive: the states that stay safe for k - 1 more steps."""

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.eliminate import eliminate
from chcverify.terms.walk import conjunction, disjunction, free_variables, substitute
from solvers.engine import Context


def violating(system: HornSystem, predicate: Predicate, timeout_ms: int) -> z3.BoolRef | None:
    """The states (over the formals) in which some query is violated at once; None if it has no quantifier-free form."""
    return _preimage(system, predicate, None, timeout_ms)


def inductive_model(
    system: HornSystem, k: int, invariants: dict[Predicate, z3.BoolRef], timeout_ms: int
) -> Model | None:
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
            formula = _preimage(system, predicate, bad, timeout_ms)
            if formula is None:
                return None
            invariant = invariants.get(predicate)
            following[predicate] = formula if invariant is None else conjunction([invariant, formula])
            layers[predicate].append(z3.Not(formula))
        bad = following
    return Model(
        {p: conjunction([invariants.get(p, z3.BoolVal(True)), *(n for n in layers[p])]) for p in system.predicates}
    )


def _preimage(
    system: HornSystem, predicate: Predicate, target: dict[Predicate, z3.BoolRef] | None, timeout_ms: int
) -> z3.BoolRef | None:
    """OR over the clauses from predicate: exists others. constraint & target(head). target None: the queries."""
    parts: list[z3.BoolRef] = []
    for index in system.using[predicate]:
        clause = system.clauses[index]
        if (target is None) != clause.is_query:
            continue
        goal = [clause.constraint]
        if target is not None and clause.head is not None:
            head = clause.head
            goal.append(substitute(target[head.predicate], zip(head.predicate.formals, head.arguments, strict=True)))
        formula = substitute(conjunction(goal), zip(clause.body[0].arguments, predicate.formals, strict=True))
        formals = {formal.get_id() for formal in predicate.formals}
        others = [variable for variable in free_variables(formula) if variable.get_id() not in formals]
        # exists others. constraint & target(head)
        part = eliminate(others, formula, timeout_ms)
        if part is None:
            return None
        parts.append(part)
    return z3.simplify(disjunction(parts))


def reachable_model(system: HornSystem, depth: int, context: Context) -> Model | None:
    """A model of a linear system none of whose derivations is longer than `depth` clauses: what each depth can reach.

    The layers are interpolants: a model of the acyclic system in which P@d stands for P after d clauses, and no
    P@depth exists. The disjunction of the layers is then inductive.
    """
    layered = _layered(system, depth)
    solver = z3.SolverFor("HORN")
    solver.set("timeout", max(1, int(1000 * context.remaining())))
    # forall. body@d & constraint => head@(d+1), nothing beyond `depth`, no query at any depth
    solver.add(*layered)
    if solver.check() != z3.sat:
        return None
    found = solver.model()
    interpretations: dict[Predicate, z3.BoolRef] = {}
    for predicate in system.predicates:
        # No model completion here: it would replace the formals by values, too.
        layers = [found.eval(_at_depth(predicate, d)(*predicate.formals)) for d in range(depth)]
        interpretations[predicate] = disjunction(layers)
    return Model(interpretations)


def _at_depth(predicate: Predicate, depth: int) -> z3.FuncDeclRef:
    return z3.Function(f"{predicate.name}@{depth}", *predicate.sorts, z3.BoolSort())


def _layered(system: HornSystem, depth: int) -> list[z3.BoolRef]:
    rules: list[z3.BoolRef] = []
    for clause in system.clauses:
        for d in range(-1, depth) if not clause.is_fact else [-1]:
            if clause.body and d < 0:
                continue
            body = [_at_depth(a.predicate, d)(*a.arguments) for a in clause.body]
            head = z3.BoolVal(False)
            if clause.head is not None and d + 1 < depth:
                head = _at_depth(clause.head.predicate, d + 1)(*clause.head.arguments)
            rule = z3.Implies(conjunction([*body, clause.constraint]), head)
            rules.append(z3.ForAll(list(clause.variables), rule) if clause.variables else rule)
    return rules
