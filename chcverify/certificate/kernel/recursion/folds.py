"""Functions by structural recursion over datatypes, in which a model may be written (catamorphisms, finite automata).

A fold f(p, x) is defined by one term for each constructor C of x's sort, over the parameters p and C's accessors of x;
folds occur in it only as g(q, a(x)), q among p and a an accessor of C. Since a(x) is a proper subterm of x where x is
built by C, and all terms of a datatype are finite, exactly one function satisfies all the equations

    f(p, x) = if x is built by C1 then case_1 else ... case_n

by induction over x. So a model over folds defines a relation for each predicate. In an obligation the folds stand as
uninterpreted functions, with instances of these equations as further assumptions. The instances are true of the
functions that the definitions describe; so if no functions at all satisfy the instances and the negated obligation,
these do not, and the obligation holds. Which instances are taken decides what can be shown, not whether it is true.

Sums over the cells of an array are treated likewise: see cell_sums.py.
"""

from collections.abc import Iterable, Sequence

import z3

from chcverify.certificate.kernel.obligation import MalformedCertificate
from chcverify.certificate.kernel.recursion.cell_sums import cell_sum_equations, check_cell_sum
from chcverify.certificate.model import CellSum, Fold
from chcverify.terms.core.traversal import substitute, subterms


class Folds:
    """The folds of one model. Raises MalformedCertificate where they are not as the module's docstring demands."""

    def __init__(self, items: Sequence[Fold | CellSum]) -> None:
        self.names = frozenset(item.name for item in items)
        self._by_function = {item.function.get_id(): item for item in items}
        if len(self.names) < len(items):
            raise MalformedCertificate("two folds have the same name")
        self._sums = [item for item in items if isinstance(item, CellSum)]
        self._folds = [item for item in items if isinstance(item, Fold)]
        for total in self._sums:
            check_cell_sum(total)
        for item in self._folds:
            _check_signature(item)
            for number, case in enumerate(item.cases):
                self._check_case(item, number, case)

    def is_application(self, term: z3.ExprRef) -> bool:
        """True if the term is a fold of something."""
        return bool(z3.is_app(term) and term.num_args() and term.decl().get_id() in self._by_function)

    def other_symbol(self, formula: z3.ExprRef, formals: Iterable[z3.ExprRef]) -> str:
        """A symbol of the formula that is neither interpreted nor a formal argument nor a fold; "" if there is none."""
        known = {formal.get_id() for formal in formals}
        for term in subterms(formula):
            if not z3.is_app(term) or term.get_id() in known or self.is_application(term):
                continue
            if term.decl().kind() in (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_RECURSIVE):
                return str(term.decl().name())
        return ""

    def _check_case(self, item: Fold, number: int, case: z3.ExprRef) -> None:
        """The value for the constructor of this number."""
        *parameters, folded = item.formals
        accessors = {accessor.get_id() for accessor in _accessors(folded.sort(), number)}
        if case.sort() != item.function.range() or case.eq(folded):
            raise MalformedCertificate(f"case {number} of {item.name} has another sort than its values")
        if other := self.other_symbol(case, item.formals):
            raise MalformedCertificate(f"case {number} of {item.name} uses {other}")
        for term in subterms(case):
            if not z3.is_app(term):
                raise MalformedCertificate(f"case {number} of {item.name} has a quantifier")
            for child in term.children():
                if child.eq(folded) and term.decl().get_id() not in accessors:
                    raise MalformedCertificate(f"case {number} of {item.name} uses its argument as a whole")
            if self.is_application(term):
                *given, last = term.children()
                if last.num_args() != 1 or last.decl().get_id() not in accessors or not last.arg(0).eq(folded):
                    raise MalformedCertificate(f"case {number} of {item.name} is not structurally recursive")
                if not all(any(value.eq(parameter) for parameter in parameters) for value in given):
                    raise MalformedCertificate(f"case {number} of {item.name} changes a parameter")

    def equations(self, formulas: Sequence[z3.ExprRef]) -> list[z3.BoolRef]:
        """The equation of each fold for each term of its datatype in the formulas; for all values of parameters.

        Of sums, those for their arrays and bounds in the formulas.
        """
        if not self.names:
            return []
        closed = _closed_terms(formulas)
        terms = [term for term in closed if term.sort().kind() == z3.Z3_DATATYPE_SORT]
        found = [equation for total in self._sums for equation in cell_sum_equations(total, closed)]
        for item in self._folds:
            *parameters, folded = item.formals
            for term in terms:
                if term.sort() != folded.sort():
                    continue
                application = item.function(*parameters, term)
                equation = application == substitute(item.body, [(folded, term)])
                if parameters:
                    equation = z3.ForAll(parameters, equation, patterns=[application])
                found.append(equation)
        return found


def _check_signature(item: Fold) -> None:
    if not item.formals or any(a.eq(b) for i, a in enumerate(item.formals) for b in item.formals[:i]):
        raise MalformedCertificate(f"{item.name} has no arguments, or one twice")
    if not all(z3.is_const(f) and f.decl().kind() == z3.Z3_OP_UNINTERPRETED for f in item.formals):
        raise MalformedCertificate(f"{item.name} has formal arguments that are no variables")
    function = item.function
    if [function.domain(i) for i in range(function.arity())] != [formal.sort() for formal in item.formals]:
        raise MalformedCertificate(f"{item.name} has formal arguments of other sorts than its own")
    sort = item.formals[-1].sort()
    if function.kind() != z3.Z3_OP_UNINTERPRETED or function.range().kind() not in (z3.Z3_INT_SORT, z3.Z3_REAL_SORT):
        raise MalformedCertificate(f"{item.name} is no new function with numbers as values")
    if not isinstance(sort, z3.DatatypeSortRef) or sort.num_constructors() != len(item.cases):
        raise MalformedCertificate(f"{item.name} has not one case for each constructor of a datatype")


def _accessors(sort: z3.DatatypeSortRef, number: int) -> list[z3.FuncDeclRef]:
    return [sort.accessor(number, i) for i in range(sort.constructor(number).arity())]


def _closed_terms(formulas: Sequence[z3.ExprRef]) -> list[z3.ExprRef]:
    """The terms in the formulas that contain no bound variable."""
    open_terms: set[int] = set()
    found = []
    for term in subterms(*formulas):
        if z3.is_var(term) or any(child.get_id() in open_terms for child in term.children()):
            open_terms.add(term.get_id())
        elif z3.is_app(term):
            found.append(term)
    return found
