"""Which literals the invariants of a predicate are made of."""

from chcverify.horn.roles import Role
from chcverify.horn.system import Predicate
from solvers.invariants.links.address_arguments import Addresses
from solvers.invariants.links.link_literals import Literal
from solvers.invariants.links.order_literals import OrderLiterals
from solvers.invariants.links.reference_literals import ReferenceLiterals


def literals_of(predicate: Predicate, addresses: Addresses) -> list[Literal]:
    """The literals of a predicate, their guards first."""
    if Role.IN_USE in predicate.roles:
        return ReferenceLiterals(predicate, addresses).literals()
    return OrderLiterals(predicate, addresses).literals()
