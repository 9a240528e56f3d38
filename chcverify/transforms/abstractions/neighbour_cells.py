"""Cells of the block that a link leads to, such as data[next[k]], where clauses read what both blocks hold.

What is so of each two neighbours in a list (ascending numbers, colours in turn) is said of one symbolic index then.
"""

from collections.abc import Iterator

import z3

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.arithmetic.index_functions import INDEX
from chcverify.terms.core.traversal import subterms
from chcverify.transforms.abstractions.affine_cells import RelatedCell

_ARRAY = z3.ArraySort(z3.IntSort(), z3.IntSort())


def neighbour_cells(system: HornSystem) -> tuple[RelatedCell, ...]:
    """The cells b[a[k]] of arrays b of which a clause reads b[a[x]] and b[x], each once; b itself leads nowhere."""
    links, pairs = set[str](), dict[tuple[str, str], None]()
    for clause in system.clauses:
        read = {(array, index.get_id()) for array, index in _reads(clause)}
        for link, array, index in _behind_links(clause):
            links.add(link)
            if (array, index.get_id()) in read:
                pairs[link, array] = None
    found = [(link, array) for link, array in pairs if array not in links]
    return tuple(
        RelatedCell(array, z3.Select(z3.Const(link, _ARRAY), INDEX)) for link, array in found[:MAX_ALTERNATIVES]
    )


def _behind_links(clause: Clause) -> Iterator[tuple[str, str, z3.ExprRef]]:
    """For each read b[a[x]] of the clause the names of a and b, and x."""
    names = _arrays(clause)
    for array, index in _reads(clause):
        if z3.is_select(index) and index.arg(0).get_id() in names:
            yield names[index.arg(0).get_id()], array, index.arg(1)


def _reads(clause: Clause) -> Iterator[tuple[str, z3.ExprRef]]:
    """The arrays of the clause's body that it reads, with the indices."""
    names = _arrays(clause)
    for term in subterms(clause.constraint, *(x for atom in clause.applications for x in atom.arguments)):
        if z3.is_select(term) and term.arg(0).get_id() in names:
            yield names[term.arg(0).get_id()], term.arg(1)


def _arrays(clause: Clause) -> dict[int, str]:
    """The names of the arrays in the clause's body by their ids, without those that proofs need alone."""
    return {
        argument.get_id(): atom.predicate.argument_names[i]
        for atom in clause.body
        for i, argument in enumerate(atom.arguments)
        if atom.predicate.role(i) is Role.ARRAY and argument.sort() == _ARRAY
    }
