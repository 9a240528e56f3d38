"""Links of blocks in clauses: what leads to tracked blocks, which blocks live, and their order along the links.

An order of blocks is a number for each, its rank. Where a link is stored that would lead to a lower rank, one of the
two blocks moves next to the other one. Such a number exists, since between two ranks there is always another one; the
clauses take half of the gap between any two.

What is assumed of links and ranks is sound since each assumption comes with a failure of the same edge, `broken`. Where
the assumption is wrong of a block, `broken` holds in the run in which that block is the tracked one; it derives `false`
from the state before the edge, without the assumption. The kernel refutes that clause like any other, so an accepted
model shows that no run was cut. See docs/c.md, lost blocks, and docs/decisions/c.md for the argument in full.
"""

from collections.abc import Iterator, Mapping, Sequence

import z3

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.memory.tracked_objects import BlockLinks, BlockRanks, ObjectState, TrackedObject
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, StateVariable
from encoders.c.cfa.inlining import FlatEdge
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding

UNLINKED = 0  # of a block that lives, before its link is stored: what that is has no meaning

Update = tuple[StateVariable, z3.ExprRef]


@dataclass(frozen=True, eq=False)
class LinkStep:
    """What a store or a load of a link does to the state that links need.

    assumed: holds in each run in which `broken` was false until then, whichever block is the tracked one.
    broken: of the tracked block.
    """

    updates: tuple[Update, ...]
    assumed: z3.BoolRef = z3.BoolVal(True)
    broken: z3.BoolRef = z3.BoolVal(False)


class LinkTerms:
    """Terms in a state. Addresses are those of the top region."""

    def __init__(self, theory: IntegerEncoding, state: State) -> None:
        self.theory, self.state = theory, state

    def _number(self, value: int) -> z3.ExprRef:
        return self.theory.address(value).term

    def store(
        self,
        links: BlockLinks,
        array: StateVariable | None,
        cell: z3.ExprRef,
        value: z3.ExprRef,
        edge: FlatEdge,
        live: int,
    ) -> LinkStep:
        """A pointer is stored in a cell of an array. live: the variables that matter after the edge."""
        updates, order = tuple(self._linked(links, array, cell, value)), links.order
        if order is None or edge not in order.stores or not live >> order.ranks.index & 1 or self.theory.name != "lia":
            return LinkStep(updates)  # what the edge stores is no link, or the order stays as it is
        ranked = self._ranked(links, order, cell, value, order.stores[edge], live)
        return LinkStep((*updates, *ranked.updates), ranked.assumed, ranked.broken)

    def _linked(
        self, links: BlockLinks, array: StateVariable | None, cell: z3.ExprRef, value: z3.ExprRef
    ) -> Iterator[Update]:
        """A pointer is stored in a cell of an array: it leads to the tracked block now, or no more."""
        if links.order is not None and links.order.links is array:
            alive = self.state(links.alive)
            state = z3.If(self._lives(links, cell), self._number(ObjectState.HEAP), z3.Select(alive, cell))
            yield links.alive, z3.Store(alive, cell, state)
        for other, referrer in links.cells:
            if other is array:
                before = self.state(referrer)
                without = z3.If(before == cell, self._number(NULL), before)
                yield referrer, z3.If(self.state(links.tracked.point) == value, cell, without)

    def unlinked(self, links: BlockLinks | None, address: z3.ExprRef, is_clear: bool) -> Iterator[Update]:
        """A block begins to live at an address. If it is the tracked one, whatever lies in memory leads not there.

        is_clear: its links are null.
        """
        if links is None:
            return
        state = ObjectState.HEAP if links.order is None or is_clear else UNLINKED
        yield links.alive, z3.Store(self.state(links.alive), address, self._number(state))
        for _, referrer in links.cells:
            yield referrer, z3.If(self.state(links.tracked.point) == address, self._number(NULL), self.state(referrer))

    def alive(self, links: BlockLinks, address: z3.ExprRef) -> z3.BoolRef:
        """The block that begins at an address lives, if one may begin there.

        Else an access or a release is a violation, derived with the choice of that address: no proof covers it.
        """
        is_start = is_multiple(self.theory, BoundedTerm(address, None), OBJECT_STRIDE)
        return z3.Or(z3.Not(is_start), address == self._number(0), self._lives(links, address))

    def read(self, links: BlockLinks, block: z3.ExprRef) -> LinkStep:
        """The link of a block is read: one was stored in it, if a block begins there."""
        is_start = is_multiple(self.theory, BoundedTerm(block, None), OBJECT_STRIDE)
        state = z3.Select(self.state(links.alive), block)
        known = z3.Or(z3.Not(is_start), block == self._number(0), self._is_linked(links, block))
        return LinkStep((), known, z3.And(block == self.state(links.tracked.point), state == self._number(UNLINKED)))

    def released_links(
        self, followed: Mapping[TrackedObject, BlockLinks], tracked: TrackedObject, address: z3.ExprRef
    ) -> Iterator[Update]:
        """The block at an address is released, with all of its cells. tracked: of its region."""
        if (links := followed.get(tracked)) is not None:
            yield links.alive, z3.Store(self.state(links.alive), address, self._number(NULL))
            yield from (self._without(referrer, address) for _, referrer in links.referrers)
        for other in followed.values():
            yield from (self._without(link.referrer, address) for link in other.outer if link.holders is tracked)

    def _without(self, referrer: StateVariable, address: z3.ExprRef) -> Update:
        """A cell leads nowhere if it is in the block at an address."""
        stride = self.theory.address(OBJECT_STRIDE)
        cell = BoundedTerm(self.state(referrer), (NULL, OBJECT_STRIDE << 60))
        block = BoundedTerm(address, (NULL, OBJECT_STRIDE << 60))
        ends = [self.theory.advance(side, stride, None, 1) for side in (cell, block)]
        less = self.theory.address_less
        within = z3.And(less(block, ends[0], True), less(cell, ends[1], True))
        return referrer, z3.If(within, self._number(NULL), cell.term)

    # --- the order of blocks ----------------------------------------------------------------------------------------

    def leads_upwards(self, links: BlockLinks, order: BlockRanks, cell: z3.ExprRef) -> z3.BoolRef:
        """The cell that leads to the tracked block is at the beginning of a block with a lower rank.

        That block lives, since the cell is forgotten when it is released: no more is asked of one that does not.
        """
        start = is_multiple(self.theory, BoundedTerm(cell, None), OBJECT_STRIDE)
        lower = self._less(self._rank(links, order, cell), self.state(order.own))
        return z3.And(cell != self._number(NULL), start, z3.Or(z3.Not(self._lives(links, cell)), lower))

    def _ranked(
        self, links: BlockLinks, order: BlockRanks, holder: z3.ExprRef, held: z3.ExprRef, raises: bool, live: int
    ) -> LinkStep:
        """A link to the block `held` is stored in `holder`, and one of the two moves if it would lead downwards.

        raises: `held` moves. live: the variables whose values are of use.
        """
        blocks = {term.get_id(): term for term in (holder, held)}
        for variable in order.pointers:
            if live >> variable.index & 1:
                blocks.setdefault(self.state(variable).get_id(), self.state(variable))
        ranks = {key: self._rank(links, order, block) for key, block in blocks.items()}
        moved, other = (held, holder) if raises else (holder, held)
        fixed = ranks[other.get_id()]
        half = self.state(order.gap) / 2
        new = fixed + half if raises else fixed - half
        lives = z3.If(held == self.state(links.tracked.point), self._is_kept(links), self._lives(links, held))
        upwards = self._less(ranks[holder.get_id()], ranks[held.get_id()])
        kept = [self.state(variable) for variable in order.anchors if live >> variable.index & 1]
        moves = z3.And(lives, *(held != anchor for anchor in kept), z3.Not(upwards))
        beside = [*ranks.values(), self.state(order.own)]
        assumed = [*self._led_upwards(links, order, list(blocks.values()), ranks, kept)]
        assumed += [z3.Implies(moves, self._next_to(raises, fixed, new, beside))]
        own = z3.If(z3.And(moves, moved == self.state(links.tracked.point)), new, self.state(order.own))
        before = self.state(order.ranks)
        updates = (
            (order.ranks, z3.Store(before, moved, z3.If(moves, new, z3.Select(before, moved)))),
            (order.own, own),
            (order.gap, z3.If(moves, half, self.state(order.gap))),
        )
        return LinkStep(updates, z3.And(assumed), self._broken(links, order, list(blocks.values()), ranks, kept))

    def _next_to(self, above: bool, fixed: z3.ExprRef, new: z3.ExprRef, others: Sequence[z3.ExprRef]) -> z3.BoolRef:
        """The new rank is the next one above, or below, the fixed one."""
        if above:
            return z3.And(
                self._less(fixed, new), *(z3.Implies(self._less(fixed, x), self._less(new, x)) for x in others)
            )
        return z3.And(self._less(new, fixed), *(z3.Implies(self._less(x, fixed), self._less(x, new)) for x in others))

    def _led_upwards(
        self,
        links: BlockLinks,
        order: BlockRanks,
        blocks: Sequence[z3.ExprRef],
        ranks: dict[int, z3.ExprRef],
        kept: Sequence[z3.ExprRef],
    ) -> Iterator[z3.BoolRef]:
        """Of these blocks, those that live lead upwards, if to each other, but for those that are kept."""
        for block in blocks:
            leads, rank = z3.Select(self.state(order.links), block), ranks[block.get_id()]
            for target in blocks:
                both = z3.And(
                    self._is_linked(links, block),
                    self._lives(links, target),
                    leads == target,
                    block != target,
                    *(target != anchor for anchor in kept),
                )
                if target is not block:
                    yield z3.Implies(both, self._less(rank, ranks[target.get_id()]))

    def _broken(
        self,
        links: BlockLinks,
        order: BlockRanks,
        blocks: Sequence[z3.ExprRef],
        ranks: dict[int, z3.ExprRef],
        kept: Sequence[z3.ExprRef],
    ) -> z3.BoolRef:
        """The tracked block lives and is none that is kept, and one of these, which lives, leads there downwards."""
        point, own = self.state(links.tracked.point), self.state(order.own)
        cases = [
            z3.And(
                block != point,
                self._is_linked(links, block),
                z3.Select(self.state(order.links), block) == point,
                z3.Not(self._less(ranks[block.get_id()], own)),
            )
            for block in blocks
        ]
        return z3.And(self._is_kept(links), *(point != anchor for anchor in kept), z3.Or(cases))

    def _is_kept(self, links: BlockLinks) -> z3.BoolRef:
        """The tracked block lives."""
        return self.state(links.tracked.state) == self._number(ObjectState.HEAP)

    def _rank(self, links: BlockLinks, order: BlockRanks, block: z3.ExprRef) -> z3.ExprRef:
        is_tracked = block == self.state(links.tracked.point)
        return z3.If(is_tracked, self.state(order.own), z3.Select(self.state(order.ranks), block))

    def _lives(self, links: BlockLinks, block: z3.ExprRef) -> z3.BoolRef:
        state, null = z3.Select(self.state(links.alive), block), self._number(NULL)
        return state != null if links.order is None else z3.Not(self._less(state, self._number(UNLINKED)))

    def _is_linked(self, links: BlockLinks, block: z3.ExprRef) -> z3.BoolRef:
        return self._less(self._number(UNLINKED), z3.Select(self.state(links.alive), block))

    def _less(self, left: z3.ExprRef, right: z3.ExprRef) -> z3.BoolRef:
        return self.theory.address_less(BoundedTerm(left, None), BoundedTerm(right, None), True)


def is_multiple(theory: IntegerEncoding, point: BoundedTerm, of: int) -> z3.BoolRef:
    """The address is a multiple of a number."""
    by = theory.address(of).term
    remainder = point.term % by if theory.name == "lia" else z3.URem(point.term, by)
    return remainder == theory.address(0).term
