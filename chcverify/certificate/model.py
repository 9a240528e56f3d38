"""A model of a Horn system: the certificate of `safe`."""

from collections.abc import Mapping
from dataclasses import dataclass

import z3

from chcverify.horn.system import Application, Predicate
from chcverify.terms.core.traversal import substitute, subterms


@dataclass(frozen=True, eq=False)
class Definition:
    """predicate(formals) <=> body, the body over predicate.formals and predicates that are defined before."""

    predicate: Predicate
    body: z3.BoolRef


@dataclass(frozen=True, eq=False)
class Fold:
    """A function by structural recursion over a datatype (a catamorphism); see certificate/kernel/recursion/folds.py.

    formals: parameters, then x, the term that is folded. cases: for each constructor of x's sort the value, over the
    parameters, the constructor's accessors of x, and folds of these accessors with parameters.
    """

    function: z3.FuncDeclRef
    formals: tuple[z3.ExprRef, ...]
    cases: tuple[z3.ExprRef, ...]

    @property
    def name(self) -> str:
        """The function's name."""
        return str(self.function.name())

    @property
    def body(self) -> z3.ExprRef:
        """The cases as one term over the formals: a choice for each constructor but the last."""
        folded = self.formals[-1]
        sort = folded.sort()
        result = self.cases[-1]
        for number in reversed(range(len(self.cases) - 1)):
            result = z3.If(sort.recognizer(number)(folded), self.cases[number], result)
        return result


@dataclass(frozen=True, eq=False)
class CellSum:
    """The sum of a term over the cells of an array below a bound; see certificate/kernel/recursion/cell_sums.py.

    formals: parameters, then the array a and the bound i. summand: over the parameters, `place` and `cell`, which stand
    for i - 1 and a[i - 1].
    """

    function: z3.FuncDeclRef
    formals: tuple[z3.ExprRef, ...]
    cell: z3.ExprRef
    place: z3.ArithRef
    summand: z3.ArithRef

    @property
    def name(self) -> str:
        """The function's name."""
        return str(self.function.name())

    @property
    def body(self) -> z3.ArithRef:
        """The definition over the formals: 0 if the bound is not positive, else one summand more than below i - 1."""
        *parameters, array, bound = self.formals
        before = self.function(*parameters, array, bound - 1)
        last = substitute(self.summand, [(self.cell, z3.Select(array, bound - 1)), (self.place, bound - 1)])
        total: z3.ArithRef = z3.If(bound <= 0, z3.IntVal(0), before + last)
        return total


@dataclass(frozen=True, eq=False)
class Model:
    """For each predicate a formula whose free variables are among `predicate.formals`.

    definitions: of further predicates, in which the formulas may be written; see certificate/kernel/definitions.py.
    folds: functions over datatypes or arrays that the formulas may use. A model has definitions or folds, not both.
    """

    interpretations: Mapping[Predicate, z3.BoolRef]
    definitions: tuple[Definition, ...] = ()
    folds: tuple[Fold | CellSum, ...] = ()

    def __getitem__(self, predicate: Predicate) -> z3.BoolRef:
        return self.interpretations[predicate]

    def instantiate(self, application: Application) -> z3.BoolRef:
        """The interpretation with the application's arguments for the formals; KeyError if there is none."""
        formula = self.interpretations[application.predicate]
        return application.instance(formula)

    def updated(self, more: Mapping[Predicate, z3.BoolRef]) -> "Model":
        """The model with other interpretations for some predicates."""
        return Model({**self.interpretations, **more}, self.definitions, self.folds)

    def without_definitions(self) -> "Model":
        """Weaker formulas that hold in every fact, too, but need not be inductive: for people to read."""
        atoms = {item.predicate.function.get_id() for item in self.definitions}
        true = z3.BoolVal(True)

        def weaker(formula: z3.BoolRef) -> z3.BoolRef:
            found = [term for term in subterms(formula) if z3.is_app(term) and term.decl().get_id() in atoms]
            return z3.simplify(substitute(formula, [(atom, true) for atom in found])) if found else formula

        if not atoms:
            return self
        return Model({predicate: weaker(formula) for predicate, formula in self.interpretations.items()})
