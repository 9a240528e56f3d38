"""Ranks of loops over linked blocks: addresses grow with each allocation, so links that were stored once lead downwards
or upwards.

What holds of all links is a formula with a quantifier: the greatest inductive part of such candidates (Flanagan,
Leino: Houdini, FME 2001) is the model. Ranks are then searched in clauses that assume what it says of each link they
read: the questions have no quantifier. The certificate is about the clauses as they are, with that model.
"""

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import z3

from chcverify.certificate.model import Model
from chcverify.certificate.search.houdini import inductive_subset
from chcverify.certificate.termination import RankingProof
from chcverify.effort import MAIN_SHARE, MAX_ALTERNATIVES, MAX_BUILT, QUESTION_S
from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    free_variables,
    is_quantifier_free,
    substitute,
    subterms,
)
from solvers.termination.ranking_search import NotFound, prove

_ANY = z3.Int("block!any")  # no variable of a clause


def prove_by_links(system: HornSystem, known: Model, deadline: float) -> RankingProof:
    """A proof by the order of blocks, relative to a model and to invariants of links. NotFound where there is none."""
    lowest = _lowest_address(system)
    if lowest is None:
        raise NotFound("no blocks are allocated one after another")
    until = time.monotonic() + MAIN_SHARE * (deadline - time.monotonic())
    at_block = {predicate: _at_block(predicate) for predicate in system.predicates}
    indexed = HornSystem.of([_indexed(clause, at_block) for clause in system.clauses], list(at_block.values()))
    null = _null_address(system, lowest)
    candidates = {at: list(_LinkConditions.of(predicate, lowest, null)) for predicate, at in at_block.items()}
    if sum(map(len, candidates.values())) > MAX_BUILT:
        raise NotFound("there are too many variables that may be addresses")
    plain = {predicate: _without_quantifiers(known[predicate]) for predicate in system.predicates}
    given = {at: plain[predicate] for predicate, at in at_block.items()}
    found = inductive_subset(indexed, candidates, until, given, check_s=QUESTION_S)
    facts = {predicate: found[at] for predicate, at in at_block.items()}
    read = HornSystem(system.predicates, tuple(_with_instances(clause, facts) for clause in system.clauses))
    proof = prove(read, Model(plain), deadline, is_thorough=True)
    return replace(proof, model=Model({p: conjunction([known[p], *map(_closed(p), facts[p])]) for p in facts}))


def _without_quantifiers(formula: z3.BoolRef) -> z3.BoolRef:
    """The conjuncts of a formula that have none."""
    return conjunction([part for part in conjuncts(formula) if is_quantifier_free(part)])


def _at_block(predicate: Predicate) -> Predicate:
    """The predicate with one more argument, an address: what holds for any address holds of each block's links."""
    return Predicate(predicate.name, (*predicate.sorts, z3.IntSort()))


def _block(predicate: Predicate) -> z3.ArithRef:
    """The formal of that argument, of the predicate with it."""
    return z3.Int(f"${predicate.arity}")


def _closed(predicate: Predicate) -> Callable[[z3.BoolRef], z3.BoolRef]:
    """Says of all blocks what a formula says of one."""
    block, bound = _block(predicate), z3.Int("block")

    def close(formula: z3.BoolRef) -> z3.BoolRef:
        if all(not variable.eq(block) for variable in free_variables(formula)):
            return formula
        closed: z3.BoolRef = z3.ForAll([bound], substitute(formula, [(block, bound)]))
        return closed

    return close


def _indexed(clause: Clause, at_block: Mapping[Predicate, Predicate]) -> Clause:
    """The clause about one block: of what its body says of others, that is left which it reads or writes."""
    body = [
        at_block[atom.predicate](*atom.arguments, place) for atom in clause.body for place in (_ANY, *_indices(clause))
    ]
    head = None if clause.head is None else at_block[clause.head.predicate](*clause.head.arguments, _ANY)
    return Clause(head, tuple(body), clause.constraint)


def _indices(clause: Clause) -> list[z3.ExprRef]:
    """The indices at which a clause reads or writes arrays of numbers."""
    found = {
        term.arg(1).get_id(): term.arg(1)
        for term in subterms(clause.constraint, *(clause.head.arguments if clause.head else ()))
        if (z3.is_app_of(term, z3.Z3_OP_SELECT) or z3.is_app_of(term, z3.Z3_OP_STORE)) and z3.is_int(term.arg(1))
    }
    return list(found.values())


def _lowest_address(system: HornSystem) -> int | None:
    """The address of the first block: the end of what is allocated, where runs begin."""
    for clause in system.clauses:
        if not clause.is_fact or clause.head is None:
            continue
        for position, argument in enumerate(clause.head.arguments):
            if clause.head.predicate.role(position) is Role.END:
                # the constraint of a clause where runs begin
                solver = z3.SimpleSolver()
                solver.add(clause.constraint)
                if solver.check() == z3.sat:
                    value = solver.model().eval(argument, model_completion=True)
                    return value.as_long() if z3.is_int_value(value) else None
    return None


def _null_address(system: HornSystem, lowest: int) -> int:
    """What the clauses have as the address of no block: as far below 0 as the first block is above it, or 0."""
    numbers = (term for clause in system.clauses for term in subterms(clause.constraint) if z3.is_int_value(term))
    return -lowest if any(abs(number.as_long()) == lowest and number.as_long() < 0 for number in numbers) else 0


@dataclass(frozen=True)
class _LinkConditions:
    """Conditions of the facts of one predicate and a block. lowest: the address of the first block, and the distance
    between one and the next. null: that of no block."""

    addresses: Sequence[z3.ArithRef]
    links: Sequence[z3.ArrayRef]
    ends: Sequence[z3.ArithRef]
    block: z3.ArithRef
    lowest: int
    null: int

    @classmethod
    def of(cls, predicate: Predicate, lowest: int, null: int) -> Iterator[z3.BoolRef]:
        """The conditions over the formals of a predicate with one more argument, the block."""
        integers = z3.ArraySort(z3.IntSort(), z3.IntSort())
        names = predicate.names or ("",) * predicate.arity
        addresses: list[z3.ArithRef] = []
        links: list[z3.ArrayRef] = []
        ends: list[z3.ArithRef] = []
        for position, formal in enumerate(predicate.formals):
            if isinstance(formal, z3.ArrayRef) and formal.sort() == integers:
                links.append(formal)
            elif isinstance(formal, z3.ArithRef) and formal.is_int() and predicate.role(position) is Role.END:
                ends.append(formal)
            elif isinstance(formal, z3.ArithRef) and formal.is_int() and " " not in names[position]:
                addresses.append(formal)
        if len(addresses) > MAX_ALTERNATIVES:
            addresses = []
        return cls(addresses, links, ends, _block(predicate), lowest, null).conditions()

    def conditions(self) -> Iterator[z3.BoolRef]:
        """Of addresses, then of links."""
        null, block = self.null, self.block
        for end in self.ends:
            yield from (end >= self.lowest, end % self.lowest == 0)
        for address in self.addresses:
            yield from (address >= self.lowest, address % self.lowest == 0)
            yield z3.Or(address == null, address >= self.lowest)
            for end in self.ends:
                yield from (address < end, end == address + self.lowest)
        for one, other in itertools.permutations(self.addresses, 2):
            yield one < other
        for links in self.links:
            goals = [links[block] < block, *(links[block] < end for end in self.ends)]
            goals += [z3.Or(links[block] == null, links[block] > block)]
            goals += [z3.Or(links[block] == null, links[block] >= self.lowest), links[block] % self.lowest == 0]
            places = [block < end for end in self.ends]
            for address in self.addresses:
                places += [block < address, block <= address]
            for place, goal in itertools.product(places, goals):
                # block is the address of one, and is allocated, or no newer than an address => where its link leads
                yield z3.Implies(z3.And(block >= self.lowest, block % self.lowest == 0, place), goal)


def _with_instances(clause: Clause, facts: Mapping[Predicate, Sequence[z3.BoolRef]]) -> Clause:
    """The clause with what holds of the facts in its body; of links, what holds of those that it reads."""
    parts, places = [clause.constraint], _indices(clause)
    for atom in clause.body:
        block = _block(atom.predicate)
        arguments = list(zip(atom.predicate.formals, atom.arguments, strict=True))
        for formula in facts[atom.predicate]:
            is_of_links = any(variable.eq(block) for variable in free_variables(formula))
            wanted = places if is_of_links else [block]
            parts += [substitute(formula, [*arguments, (block, place)]) for place in wanted]
    return replace(clause, constraint=conjunction(parts))
