"""A model of a Horn system: the certificate of `safe`."""

from collections.abc import Mapping
from dataclasses import dataclass

import z3

from chcverify.horn.system import Application, Predicate
from chcverify.terms.core.traversal import substitute


@dataclass(frozen=True, eq=False)
class Model:
    """For each predicate a formula whose free variables are among `predicate.formals`."""

    interpretations: Mapping[Predicate, z3.BoolRef]

    def __getitem__(self, predicate: Predicate) -> z3.BoolRef:
        return self.interpretations[predicate]

    def instantiate(self, application: Application) -> z3.BoolRef:
        """The interpretation with the application's arguments for the formals; KeyError if there is none."""
        formula = self.interpretations[application.predicate]
        return substitute(formula, zip(application.predicate.formals, application.arguments, strict=True))

    def updated(self, more: Mapping[Predicate, z3.BoolRef]) -> "Model":
        """The model with other interpretations for some predicates."""
        return Model({**self.interpretations, **more})
