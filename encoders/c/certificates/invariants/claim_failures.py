"""Why a claimed loop invariant is not inductive: a clause that does not keep it, with values."""

import time
from collections.abc import Iterator, Mapping, Sequence

import z3

from chcverify.cache.old_models import candidates, models_document
from chcverify.certificate.model import Model
from chcverify.effort import MAX_ALTERNATIVES, QUESTION_MS
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, conjuncts
from encoders.c.certificates.invariants.claimed_invariants import ClaimedInvariant

Carried = Mapping[int, tuple[Predicate, z3.BoolRef]]
"""For each claim, by its position in the list: its predicate in another system, and its formula there."""


def claims_model(claims: Sequence[ClaimedInvariant]) -> Model:
    """The claims that have a formula, as interpretations of their predicates."""
    found: dict[Predicate, list[z3.BoolRef]] = {}
    for claim in claims:
        if claim.formula is not None:
            found.setdefault(claim.predicate, []).append(claim.formula)
    return Model({predicate: conjunction(formulas) for predicate, formulas in found.items()})


def claim_warnings(
    claims: Sequence[ClaimedInvariant], model: Model | None, blocks: HornSystem | None, until: float
) -> tuple[str, ...]:
    """A line for each claim that could not be used, or that a clause does not keep.

    model: of the clauses that the claims are about; what it implies is proved. blocks: the clauses from loop head to
    loop head, None if there are none. until: time.monotonic() to stop at.
    """
    found = {}
    open_: list[ClaimedInvariant] = []
    for claim in claims:
        if claim.formula is None:
            found[_head(claim)] = f"{_head(claim)} is not used: {claim.reason}"
        elif model is None or not _implies(model, claim):
            open_.append(claim)
    if blocks is not None and open_:
        carried = _carried(blocks, claims)
        for number, claim in enumerate(claims):
            if claim in open_ and number in carried and time.monotonic() < until:
                why = _broken(blocks, carried, number)
                if why:
                    found[_head(claim)] = f"{_head(claim)} {why}"
    return tuple(found.values())


def _head(claim: ClaimedInvariant) -> str:
    return f"the loop invariant '{claim.text}' at {claim.origin.file}:{claim.origin.line}"


def _implies(model: Model, claim: ClaimedInvariant) -> bool:
    """Does the model's interpretation imply the claim?"""
    if claim.predicate not in model.interpretations or claim.formula is None:
        return False
    solver = z3.SimpleSolver()
    solver.set("timeout", QUESTION_MS)
    # model(predicate) & ~claim
    return bool(solver.check(model[claim.predicate], z3.Not(claim.formula)) == z3.unsat)


def _carried(system: HornSystem, claims: Sequence[ClaimedInvariant]) -> Carried:
    """The claims whose predicates and variables the system has."""
    found: dict[int, tuple[Predicate, z3.BoolRef]] = {}
    for number, claim in enumerate(claims):
        if claim.formula is None:
            continue
        alone = HornSystem((claim.predicate,), ())
        here = candidates(system, models_document(alone, Model({claim.predicate: claim.formula})))
        for predicate, formulas in here.items():
            if predicate.name == claim.predicate.name and len(formulas) == len(conjuncts(claim.formula)):
                found[number] = predicate, conjunction(formulas)
    return found


def _broken(system: HornSystem, carried: Carried, number: int) -> str:
    """The clause into the loop head that does not keep a claim, with values; "" if all keep it."""
    predicate, formula = carried[number]
    unclear = ""
    for clause in system.clauses:
        if clause.head is None or clause.head.predicate != predicate:
            continue
        solver = z3.SimpleSolver()
        solver.set("timeout", QUESTION_MS)
        # claims(body) & constraint & ~claim(head)
        solver.add(clause.constraint, *_instances(clause.body, carried), z3.Not(clause.head.instance(formula)))
        answer = solver.check()
        if answer == z3.sat:
            return _description(clause, predicate, solver.model())
        if answer != z3.unsat:
            unclear = "could not be checked in time"
    return unclear


def _instances(atoms: Sequence[Application], carried: Carried) -> Iterator[z3.BoolRef]:
    for atom in atoms:
        for predicate, formula in carried.values():
            if predicate == atom.predicate:
                yield atom.instance(formula)


def _description(clause: Clause, predicate: Predicate, model: z3.ModelRef) -> str:
    """What the clause does, with the values before and behind it."""
    assert clause.head is not None
    after = _values(clause.head, model)
    before = next((_values(atom, model) for atom in clause.body if atom.predicate == predicate), None)
    line = f" (the clause of line {clause.origin.line})" if clause.origin is not None else ""
    if before is None:
        return f"does not hold where the loop is entered{line}: with {after}" if after else "does not hold at first"
    return f"is not kept by the loop body{line}: from {before} to {after}" + (
        "; whether a run comes there is open" if before else ""
    )


def _values(atom: Application, model: z3.ModelRef) -> str:
    """The values of the arguments that have names in the source."""
    names = atom.predicate.names
    found: dict[str, str] = {}
    for name, term in zip(names, atom.arguments, strict=False):
        value = model.eval(term, model_completion=True)
        if name.isidentifier() and isinstance(value, z3.IntNumRef | z3.BitVecNumRef):
            found.setdefault(name, str(value.as_signed_long() if isinstance(value, z3.BitVecNumRef) else value))
    return ", ".join(f"{name} = {value}" for name, value in list(found.items())[:MAX_ALTERNATIVES])
