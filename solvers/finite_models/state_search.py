"""Finite models by cvc5's finite model finding: how many states each datatype has, and the tables of all functions."""

import itertools
from collections.abc import Sequence
from typing import Any

from chcverify.quick_dataclass import dataclass
from solvers.finite_models.relaxed_clauses import RelaxedSystem

Row = tuple[int | bool, ...]


@dataclass(frozen=True)
class StateModel:
    """States of a datatype are numbers from 0."""

    states: Sequence[int]
    """How many each has, by the sort's number."""
    transitions: dict[tuple[int, int], dict[Row, int]]
    """By sort and constructor the state for each row of arguments."""
    facts: Sequence[Sequence[Row]]
    """By predicate the rows for which it holds."""


class NoFiniteModel(Exception):
    """There is none, or none was found in time; the message is the reason."""


def search(relaxed: RelaxedSystem, milliseconds: int, seed: int = 0) -> StateModel:
    """A finite model of the relaxed clauses; NoFiniteModel."""
    try:
        import cvc5
    except ImportError:
        raise NoFiniteModel("cvc5 is not installed") from None
    solver = cvc5.Solver(cvc5.TermManager())
    options = {
        "finite-model-find": "true",
        "produce-models": "true",
        "tlimit-per": str(milliseconds),
        "seed": str(seed),
    }
    for name, value in options.items():
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    text = "\n".join(("(set-logic UF)", *relaxed.declarations(), *relaxed.assertions(), "(check-sat)"))
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "relaxed")
    symbols = parser.getSymbolManager()
    answer = ""
    try:
        # exists sets for the sorts, functions for the constructors, relations for the predicates. all clauses
        while not (command := parser.nextCommand()).isNull():
            answer = command.invoke(solver, symbols).strip() or answer
        if answer != "sat":
            raise NoFiniteModel("there is no finite model" if answer == "unsat" else f"cvc5: {answer}")
        return _Tables(cvc5, solver, symbols, relaxed).model()
    except RuntimeError as error:
        raise NoFiniteModel(f"cvc5: {' '.join(str(error).split())[:100]}") from None


class _Tables:
    """Reads the model of a solver."""

    def __init__(self, cvc5: Any, solver: Any, symbols: Any, relaxed: RelaxedSystem) -> None:
        self._cvc5, self._solver, self._relaxed = cvc5, solver, relaxed
        self._terms = {str(term): term for term in symbols.getDeclaredTerms()}
        sorts = {str(sort): sort for sort in symbols.getDeclaredSorts()}
        self._elements = {
            f"S{i}": list(solver.getModelDomainElements(sorts[f"S{i}"])) for i in range(len(relaxed.sorts))
        }
        manager = solver.getTermManager()
        self._manager = manager
        self._elements["Bool"] = [manager.mkFalse(), manager.mkTrue()]
        self._number = {
            name: {str(solver.getValue(element)): i for i, element in enumerate(found)}
            for name, found in self._elements.items()
        }

    def model(self) -> StateModel:
        """All tables."""
        relaxed = self._relaxed
        states = [len(self._elements[f"S{i}"]) for i in range(len(relaxed.sorts))]
        transitions = {}
        for i, sort in enumerate(relaxed.sorts):
            for j in range(sort.num_constructors()):
                names = [relaxed.sort_name(sort.constructor(j).domain(k)) for k in relaxed.arguments(sort, j)]
                rows = self._rows(f"C{i}_{j}", names)
                transitions[i, j] = {row: self._number[f"S{i}"][value] for row, value in rows}
        facts = []
        for i, predicate in enumerate(relaxed.system.predicates):
            names = [relaxed.sort_name(predicate.sorts[k]) for k in relaxed.kept[i]]
            facts.append([row for row, value in self._rows(f"P{i}", names) if value == "true"])
        return StateModel(states, transitions, facts)

    def _rows(self, name: str, sorts: Sequence[str]) -> list[tuple[Row, str]]:
        """Each row of arguments, with the function's value."""
        function, found = self._terms[name], []
        for elements in itertools.product(*(list(enumerate(self._elements[sort])) for sort in sorts)):
            arguments = [element for _, element in elements]
            applied = self._manager.mkTerm(self._cvc5.Kind.APPLY_UF, function, *arguments) if arguments else function
            row = tuple(bool(i) if sort == "Bool" else i for (i, _), sort in zip(elements, sorts, strict=True))
            found.append((row, str(self._solver.getValue(applied))))
        return found
