"""Cells of the block that a link leads to, such as data[next[k]], where clauses read what both blocks hold.

What is so of each two neighbours in a list (ascending numbers, colours in turn) is said of one symbolic index then.
"""

from collections.abc import Collection, Iterator, Mapping

import z3

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.arithmetic.index_functions import INDEX
from chcverify.terms.core.traversal import conjuncts, defined_variable, subterms
from chcverify.transforms.abstractions.affine_cells import RelatedCell

_ARRAY = z3.ArraySort(z3.IntSort(), z3.IntSort())


def neighbour_cells(system: HornSystem) -> tuple[RelatedCell, ...]:
    """The cells b[a[k]] of arrays b of which a clause reads b[a[x]] and b[x], each once; b itself leads nowhere.

    Also of arrays b that are read at an x that becomes a[x], but where the question is which blocks live: that hardly
    depends on what is in them.
    """
    links, pairs = set[str](), dict[tuple[str, str], None]()
    for clause in system.clauses:
        read = {(array, index.get_id()) for array, index in _reads(clause)}
        for link, array, index in _behind_links(clause):
            links.add(link)
            if (array, index.get_id()) in read:
                pairs[link, array] = None
    for link, array in () if system.has_role(Role.IN_USE) else _traversals(system):
        links.add(link)
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


def _traversals(system: HornSystem) -> Iterator[tuple[str, str]]:
    """The names of a and b for each variable x that a clause moves to a[x], and array b that a clause reads at x."""
    moved, read = dict[str, dict[str, None]](), dict[str, dict[str, None]]()
    for clause in system.clauses:
        names = _variables(clause)
        for array, index in _reads(clause):
            for name in names.get(index.get_id(), ()):
                read.setdefault(name, {})[array] = None
        for link, name in _moves(clause, names):
            moved.setdefault(name, {})[link] = None
    yield from ((link, array) for name, links in moved.items() for link in links for array in read.get(name, ()))


def _moves(clause: Clause, names: Mapping[int, Collection[str]]) -> Iterator[tuple[str, str]]:
    """For each argument x of the body that is a[x] in the head the names of a and x."""
    if clause.head is None:
        return
    arrays = _arrays(clause)
    values = dict(filter(None, map(defined_variable, conjuncts(clause.constraint))))
    for name, argument in zip(clause.head.predicate.argument_names, clause.head.arguments, strict=True):
        term = values.get(argument, argument)
        if z3.is_select(term) and term.arg(0).get_id() in arrays and name in names.get(term.arg(1).get_id(), ()):
            yield arrays[term.arg(0).get_id()], name


def _variables(clause: Clause) -> dict[int, set[str]]:
    """The names of the integer arguments of the clause's body by their ids."""
    names: dict[int, set[str]] = {}
    for atom in clause.body:
        for name, argument in zip(atom.predicate.argument_names, atom.arguments, strict=True):
            if z3.is_int(argument):
                names.setdefault(argument.get_id(), set()).add(name)
    return names


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
