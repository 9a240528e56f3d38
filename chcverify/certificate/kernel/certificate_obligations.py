"""The obligations of a certificate: formulas that solvers must refute one by one.

Whatever needs no solver is decided here and raises MalformedCertificate. Formulas are not simplified: solvers get them
as in clauses and certificate; but where a derivation gives arrays by lambdas, which not every solver
supports, the formulas are about the arrays' elements (`terms/core/array_extensionality.py`).
"""

import time
from collections.abc import Callable, Iterator
from functools import partial

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Link, Step
from chcverify.certificate.kernel.definitions import Definitions
from chcverify.certificate.kernel.instances import Instances, Values
from chcverify.certificate.kernel.obligation import MalformedCertificate as MalformedCertificate
from chcverify.certificate.kernel.obligation import Obligation as Obligation
from chcverify.certificate.kernel.obligation import describe
from chcverify.certificate.kernel.recursion.folds import Folds
from chcverify.certificate.kernel.shared_arrays import SharedArrays
from chcverify.certificate.kernel.structure import check_structure
from chcverify.certificate.model import Model
from chcverify.effort import MOMENT_S
from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.core.array_extensionality import TooManyReads, has_lambda, pointwise
from chcverify.terms.core.traversal import conjunction, free_variables
from chcverify.terms.printing.smtlib import is_closed

# Models ---------------------------------------------------------------------------------------------------------------


def model_obligations(system: HornSystem, model: Model) -> list[Obligation]:
    """One obligation per clause: body & constraint => head, under the model; none where that interprets the head by
    true.

    MalformedCertificate if a definition is missing, is no formula, or has other free symbols than the arguments.
    """
    definitions = _definitions(system, model)
    folds = _folds(system, model)
    for predicate in system.predicates:
        formula = model.interpretations.get(predicate)
        if formula is None:
            raise MalformedCertificate(f"the model does not define {predicate.name}")
        if not z3.is_bool(formula):
            raise MalformedCertificate(f"the model of {predicate.name} is no formula")
        formula = definitions.without_atoms(formula)
        if z3.is_true(formula) or z3.is_false(formula):
            continue
        closed = z3.ForAll(list(predicate.formals), formula) if predicate.formals else formula
        if not is_closed(closed, folds.names) or (model.folds and folds.other_symbol(formula, predicate.formals)):
            raise MalformedCertificate(
                f"the model of {predicate.name} has other free symbols than the arguments of {predicate.name}"
            )
    if model.definitions:
        return [_defined(model, definitions, index, clause) for index, clause in enumerate(system.clauses)]
    return [
        Obligation(describe(index, clause), _instance(model, clause, folds), variables=clause.variables)
        for index, clause in enumerate(system.clauses)
        if clause.head is None or not z3.is_true(model.interpretations[clause.head.predicate])
    ]


def _definitions(system: HornSystem, model: Model) -> Definitions:
    """Of the model. Refused if they speak of more than their arguments and each other, or of the clauses' own."""
    for item in model.definitions:
        name = item.predicate.name
        if name in system.by_name:
            raise MalformedCertificate(f"{name} is a predicate of the clauses and cannot be defined")
        if not z3.is_bool(item.body):
            raise MalformedCertificate(f"the definition of {name} is no formula")
    definitions = Definitions(model.definitions)
    if model.definitions and not is_closed(z3.And(definitions.closed())):
        raise MalformedCertificate("a definition speaks of more than its arguments and earlier definitions")
    return definitions


def _folds(system: HornSystem, model: Model) -> Folds:
    """Of the model. Refused with definitions, or if one has the name of a predicate."""
    if model.folds and model.definitions:
        raise MalformedCertificate("a model has definitions and folds")
    for item in model.folds:
        if item.name in system.by_name:
            raise MalformedCertificate(f"{item.name} is a predicate of the clauses and cannot be defined")
    return Folds(model.folds)


def _defined(model: Model, definitions: Definitions, index: int, clause: Clause) -> Obligation:
    """The obligation of a clause under a model with definitions. Built at once: it may have further variables."""
    body = [model.instantiate(application) for application in clause.body]
    head = z3.BoolVal(False) if clause.head is None else model.instantiate(clause.head)
    known = {v.get_id() for atom in clause.body for argument in atom.arguments for v in free_variables(argument)}
    others = [variable for variable in clause.variables if variable.get_id() not in known]
    claim = definitions.claim(clause.constraint, body, head, others)
    variables = (*clause.variables, *claim.variables)
    return Obligation(describe(index, clause), partial(_claim, claim.assumption, claim.goal), variables=variables)


def _instance(model: Model, clause: Clause, folds: Folds) -> Callable[[], tuple[z3.BoolRef, z3.BoolRef]]:
    def build() -> tuple[z3.BoolRef, z3.BoolRef]:
        body = [model.instantiate(application) for application in clause.body]
        head = z3.BoolVal(False) if clause.head is None else model.instantiate(clause.head)
        return conjunction([clause.constraint, *body, *folds.equations([clause.constraint, *body, head])]), head

    return build


# Derivations ----------------------------------------------------------------------------------------------------------


def derivation_obligations(
    system: HornSystem, derivation: Derivation, deadline: float, ends_in_query: bool = True
) -> list[Obligation]:
    """One ground obligation per step: the instance of its clause's constraint is true. For cycles: see _Derivation.

    The values of variables that a step's facts do not determine are proposed by a solver. The proposal does no
    harm: the obligation is about the instance with those values, and must hold however division by zero and the like
    are interpreted. MalformedCertificate if the structure is wrong, or if there are no values by the deadline.
    ends_in_query: False for steps that derive facts only.
    """
    unusual = check_structure(system, derivation, ends_in_query)
    return list(_Derivation(system, derivation, unusual, deadline).obligations())


class _Derivation:
    """The obligations of a derivation whose structure has been checked.

    facts: the arguments of the facts that the steps so far derive. unusual: numbers of steps whose facts may have
    lambdas.

    A cycle's facts are parametric in n, and 0 <= n < count => F_j(n) is shown by induction over n and the position j:
    its start is the last link's fact at -1; and by each link's clause, for 0 <= n < count, the fact before it, the
    last link's at n - 1 for the first link, entails its own at n. So the fact after the cycle is the last link's at
    count - 1. The instance of the clause is fixed by the facts and the certificate's values: a solver adds nothing.
    """

    def __init__(self, system: HornSystem, derivation: Derivation, unusual: frozenset[int], deadline: float) -> None:
        self.system, self.derivation, self.unusual, self.deadline = system, derivation, unusual, deadline
        self.facts: list[Values] = []
        self._instances: dict[int, Instances] = {}
        self._arrays = SharedArrays()

    def obligations(self) -> Iterator[Obligation]:
        """The obligations of all steps, in order."""
        for number, step in enumerate(self.derivation.steps):
            if time.monotonic() > self.deadline:
                raise MalformedCertificate(f"step {number}: out of time")
            try:
                if isinstance(step, Cycle):
                    yield from self._cycle(step, number)
                else:
                    yield self._step(step, number)
            except TooManyReads as reason:
                raise MalformedCertificate(f"step {number}: {reason}") from None

    def _step(self, step: Step, number: int) -> Obligation:
        name = f"step {number} by {describe(step.clause, self.system.clauses[step.clause])}"
        values = [value for premise in step.premises for value in self.facts[premise]]
        values.extend(step.arguments)
        self.facts.append(step.arguments)
        is_plain = self.unusual.isdisjoint((number, *step.premises))
        if is_plain and (general := self._general(name, step.clause, values)) is not None:
            return general
        try:
            instance = self._instance(step.clause).at(values, self.deadline)
        except MalformedCertificate as reason:
            raise MalformedCertificate(f"{name}: {reason}") from None
        if is_plain:
            return Obligation(name, partial(_claim, z3.BoolVal(True), instance), ground=True)
        return _elementwise(name, instance)

    def _general(self, name: str, clause: int, values: Values) -> Obligation | None:
        """The obligation for all arrays that hold the same where the step reads them, if it holds for these."""
        common = self._arrays.common_parts(values)
        if common is None:
            return None
        try:
            until = min(self.deadline, time.monotonic() + MOMENT_S)
            instance = self._instance(clause).at(common.values, until)
        except MalformedCertificate:
            return None
        reads = self._arrays.reads(instance, common)
        if reads is None:
            return None
        # c[k_1] = v_1 & ... & c[k_m] = v_m => constraint[atoms := facts over c]
        variables = tuple(variable for variable, _ in common.parts)
        return Obligation(name, partial(_claim, conjunction(reads), instance), ground=True, variables=variables)

    def _cycle(self, cycle: Cycle, number: int) -> Iterator[Obligation]:
        n, last = cycle.variable, cycle.links[-1].arguments
        began = [at == value for at, value in zip(_at(last, n, -1), self.facts[cycle.start], strict=True)]
        # last[n := -1] = start
        yield _elementwise(f"the start of cycle {number}", conjunction(began))
        before = tuple(z3.substitute(term, (n, n - 1)) for term in last)
        for position, link in enumerate(cycle.links):
            name = f"cycle {number}, link {position} by {describe(link.clause, self.system.clauses[link.clause])}"
            try:
                goal = self._link(link, before)
            except MalformedCertificate as reason:
                raise MalformedCertificate(f"{name}: {reason}") from None
            # 0 <= n < count => constraint[atoms := parametric facts, variables := values]
            yield _elementwise(name, goal, z3.And(n >= 0, n < cycle.count), (n,))
            before = link.arguments
        self.facts.append(_at(last, n, cycle.count - 1))

    def _link(self, link: Link, before: Values) -> z3.BoolRef:
        """The instance of the link's clause, over the cycle's variable. MalformedCertificate if variables are left."""
        atoms = [term for p in link.premises for term in (before if p is None else self.facts[p])]
        bound, goal = self._instance(link.clause).determined([*atoms, *link.arguments])
        known = {variable.get_id(): value for variable, value in bound}
        given = {variable.get_id() for variable, _ in link.values}
        for variable in self._instance(link.clause).locals:
            if variable.get_id() not in given:
                raise MalformedCertificate(f"no value for {variable}")
        agree = [value == known[v.get_id()] for v, value in link.values if v.get_id() in known]
        rest = [(variable, value) for variable, value in link.values if variable.get_id() not in known]
        return conjunction([z3.substitute(goal, rest) if rest else goal, *agree])

    def _instance(self, clause: int) -> Instances:
        if clause not in self._instances:
            self._instances[clause] = Instances(self.system.clauses[clause])
        return self._instances[clause]


def _at(terms: Values, variable: z3.ArithRef, value: int) -> Values:
    return tuple(z3.substitute(term, (variable, z3.IntVal(value))) for term in terms)


def _elementwise(
    name: str, goal: z3.BoolRef, assumption: z3.BoolRef | None = None, variables: tuple[z3.ExprRef, ...] = ()
) -> Obligation:
    """assumption => goal, about elements of arrays where it is about arrays given by lambdas."""
    fresh: tuple[z3.ExprRef, ...] = ()
    if has_lambda(goal):
        goal, fresh = pointwise(goal)
        if has_lambda(goal):
            raise MalformedCertificate(
                f"{name}: arrays are compared or used in a way that cannot be written without lambdas"
            )
    claim = partial(_claim, z3.BoolVal(True) if assumption is None else assumption, goal)
    return Obligation(name, claim, ground=not fresh and not variables, variables=(*variables, *fresh))


def _claim(assumption: z3.BoolRef, goal: z3.BoolRef) -> tuple[z3.BoolRef, z3.BoolRef]:
    return assumption, goal
