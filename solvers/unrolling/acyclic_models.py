"""Models of linear systems without cycles, by elimination alone: nothing is searched for, and nothing checked.

Near the facts a predicate is what can be derived of it, the strongest formula; elsewhere it is what leads to no
violation, the weakest one. Strongest formulas come first: the solver that checks the model then gets facts and
violation in two questions instead of in one.
"""

from collections.abc import Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.certificate.search.splitting import cases
from chcverify.effort import MAX_BUILT, MAX_COMPARED, QUESTION_MS
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.graphs import depth_first
from chcverify.terms.core.traversal import conjunction, disjunction, free_variables, substitute, subterms
from chcverify.terms.quantifiers.elimination import eliminate
from solvers.engine import Context
from solvers.unrolling.model_strengthening import preimage


def acyclic_model(system: HornSystem, context: Context) -> Model | None:
    """A model of a linear system in normal form without cycles and without violations.

    None for other systems, and where variables that clauses do not fix by equations are left over on the way from the
    facts as well as from the queries. If there is a violation, the result is no model.
    """
    following = {
        predicate: [head.predicate for i in using if (head := system.clauses[i].head) is not None]
        for predicate, using in system.using.items()
    }
    order = depth_first(system.predicates, following.__getitem__)
    if order.retreating or not system.is_linear:
        return None
    strongest: dict[Predicate, z3.BoolRef] = {}
    for predicate in reversed(order.postorder):
        formula = _derivable(system, predicate, strongest, context)
        if formula is not None:
            strongest[predicate] = formula
    bad: dict[Predicate, z3.BoolRef] = {}
    for predicate in order.postorder:
        if predicate in strongest:
            continue
        formula = _violating(system, predicate, bad, context)
        if formula is None:
            return None
        bad[predicate] = formula
    return Model({**{p: z3.simplify(z3.Not(formula)) for p, formula in bad.items()}, **strongest})


def _derivable(
    system: HornSystem, predicate: Predicate, known: dict[Predicate, z3.BoolRef], context: Context
) -> z3.BoolRef | None:
    """OR over the clauses into the predicate: exists others. constraint & known(body); None without such a formula."""
    parts = []
    for clause in (system.clauses[index] for index in system.defining[predicate]):
        assert clause.head is not None
        if any(atom.predicate not in known for atom in clause.body):
            return None
        before = [atom.instance(known[atom.predicate]) for atom in clause.body]
        pairs = zip(clause.head.arguments, predicate.formals, strict=True)
        formula = substitute(conjunction([clause.constraint, *before]), pairs)
        part = _without_others(formula, predicate.formals, context)
        if part is None:
            return None
        parts.append(part)
    result: z3.BoolRef = z3.simplify(disjunction(parts))
    too_large = sum(1 for _ in subterms(result)) > MAX_BUILT
    return None if too_large else result


def _without_others(formula: z3.BoolRef, formals: Sequence[z3.ExprRef], context: Context) -> z3.BoolRef | None:
    """exists others. formula, by equations, in the whole or in each case of the longest disjunction; None if that is
    not enough.
    """
    found = _eliminated(formula, formals, context)
    if found is not None:
        return found
    split = cases(formula)
    if not 1 < len(split) <= MAX_COMPARED:
        return None
    parts = []
    for case in split:
        part = _eliminated(case, formals, context)
        if part is None:
            return None
        parts.append(part)
    return disjunction(parts)


def _eliminated(formula: z3.BoolRef, formals: Sequence[z3.ExprRef], context: Context) -> z3.BoolRef | None:
    kept = {formal.get_id() for formal in formals}
    others = [variable for variable in free_variables(formula) if variable.get_id() not in kept]
    timeout_ms = min(QUESTION_MS, int(1000 * context.remaining()))
    # exists others. formula
    return eliminate(others, formula, timeout_ms, only_light=True) if timeout_ms > 0 else None


def _violating(
    system: HornSystem, predicate: Predicate, bad: dict[Predicate, z3.BoolRef], context: Context
) -> z3.BoolRef | None:
    """The states that violate a query or lead into bad ones; None without such a formula."""
    parts = []
    for target in (None, bad):
        timeout_ms = min(QUESTION_MS, int(1000 * context.remaining()))
        part = preimage(system, predicate, target, timeout_ms, only_light=True) if timeout_ms > 0 else None
        if part is None:
            return None
        parts.append(part)
    return disjunction(parts)
