"""Lives of tracked objects that a clause leaves as they are, with what is known of them in its head."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from solvers.value_analysis import value_sets
from solvers.value_analysis.clause_code import ClauseCode
from solvers.value_analysis.clause_objects import ClauseObjects, TrackedInClause
from solvers.value_analysis.node_values import NodeValues
from solvers.value_analysis.pointers.handed_on import HandedOn
from solvers.value_analysis.pointers.untouched_addresses import UntouchedAddresses
from solvers.value_analysis.relations.linear_inequalities import ClauseInequalities, Form, Relation
from solvers.value_analysis.states import NEVER, AbstractState, Life, Lives, Phase, TrackedArguments
from solvers.value_analysis.value_sets import Pieces

Supplier = tuple[int, int]
"""Where the body has an object: an atom, and the number of the object there."""


class KeptLives:
    """The objects of a clause, which it hands on from its body to its head."""

    def __init__(
        self,
        code: ClauseCode,
        objects: ClauseObjects,
        of_head: Sequence[TrackedArguments],
        inequalities: ClauseInequalities,
    ) -> None:
        self.code, self.objects, self.of_head, self.inequalities = code, objects, of_head, inequalities
        self._untouched: dict[int, UntouchedAddresses] = {}  # by the nodes of the objects' addresses

    def related(
        self,
        run: NodeValues,
        relations: Sequence[Relation],
        of_body: int | None = None,
        size: int | None = None,
    ) -> dict[Form, int]:
        """The inequalities of the head; of a tracked object, where `of_body` is the node of its size in the body, and
        `size` the position in the head."""
        if not relations and self.inequalities.is_trivial and size is None:
            return {}
        compared = self.inequalities.compared(run, of_body)
        return self.inequalities.of_head(run, [*self.inequalities.known(run, relations), *compared], size)

    def lives(
        self,
        run: NodeValues,
        relations: Sequence[Relation],
        own: int,
        supplier: Supplier,
        at: tuple[int, Lives],
        handed_on: Callable[[int], HandedOn],
    ) -> Lives | None:
        """The lives of an object that the clause does not touch; None if that takes a case for its address.

        relations: the inequalities of the body. own, supplier: where the head and the body have it. at: its address,
        with its lives in the body. handed_on: how the arguments of an atom go on to the head.
        """
        phases, (key, lives) = [], at
        for phase, life in zip(Phase, lives.phases, strict=True):
            if life is not None and phase is Phase.ALIVE:
                life = self._moved(run, relations, own, supplier, life)
            elif life is not None:
                present = handed_on(supplier[0]).present(key, life.present)
                if present is None:
                    return None
                life = life if present is life.present else replace(life, present=present)
            phases.append(life)
        is_kept = all(one is other for one, other in zip(phases, lives.phases, strict=True))
        return lives if is_kept else Lives(tuple(phases))

    def untouched(
        self,
        run: NodeValues,
        relations: Sequence[Relation],
        item: TrackedInClause,
        body: AbstractState,
        handed_on: Callable[[int], HandedOn],
    ) -> dict[int, list[Lives]]:
        """The lives in each place of the head at the addresses where the clause leaves an object as it is.

        body: the state of the atom that has it; if several have it, each address takes a case. Others as of `lives`.
        """
        if len(item.body) != 1:
            return {}
        found: dict[int, list[Lives]] = {}
        addresses, objects = self._addresses(item), body.objects[item.body[0][1]]
        places = objects.arguments.size, objects.arguments.state, objects.arguments.fresh
        before = [_number(body, place) for place in places]
        for part in addresses.of(run, sorted(objects.known), before):
            for key in part.keys:
                if part.values is None:
                    found[key] = [NEVER for _ in item.head]
                    continue
                lives = []
                for own in item.head:
                    at = key, objects.known[key]
                    moved = self.lives(part.values, relations, own, item.body[0], at, handed_on)
                    if moved is None:
                        break
                    lives.append(_with_fresh(moved, addresses, self.objects.head_nodes[own], part.values))
                else:
                    found[key] = lives
        return found

    def _addresses(self, item: TrackedInClause) -> UntouchedAddresses:
        known = self._untouched.get(item.point)
        if known is None:
            heads = [self.objects.head_nodes[own] for own in item.head]
            of_body = self.objects.of_body(*item.body[0])
            known = UntouchedAddresses(self.code, item.point, item.stride, of_body, heads)
            self._untouched[item.point] = known
        return known

    def _moved(self, run: NodeValues, relations: Sequence[Relation], own: int, supplier: Supplier, life: Life) -> Life:
        """The life of an object, with what its inequalities say of the head."""
        size = self.of_head[own].size
        if size is None or not life.inequalities:
            return replace(life, inequalities={}) if life.inequalities else life
        related = [*relations, (self.code.body[supplier[0]], life.inequalities)]
        return with_inequalities(life, size, self.related(run, related, self.objects.of_body(*supplier)[0], size))


def _number(body: AbstractState, position: int | None) -> Pieces | None:
    """The values of an argument that is a number; None if there is none."""
    value = None if position is None else body.values[position]
    return value if isinstance(value, tuple) else None


def _with_fresh(lives: Lives, addresses: UntouchedAddresses, head: Sequence[int | None], values: NodeValues) -> Lives:
    """The lives with the next fresh addresses of the head, whose nodes these are. values: of the clause's nodes."""

    def moved(life: Life) -> Life:
        fresh = addresses.fresh(head, values, life.fresh)
        return life if fresh == life.fresh else replace(life, fresh=fresh)

    return Lives(tuple([None if life is None else moved(life) for life in lives.phases]))


def with_inequalities(life: Life, size: int, found: Mapping[Form, int]) -> Life:
    """The life with inequalities of its object. size: the position of that; what bounds it alone narrows its size."""
    least, largest = found.get(((size, 1),)), found.get(((size, -1),))
    limits = value_sets.of(-value_sets.FAR if least is None else least, value_sets.FAR if largest is None else -largest)
    narrow = value_sets.multiples(value_sets.meet(life.size, limits), life.divisor)
    related = {form: _rounded(form, number, size, life.divisor) for form, number in found.items() if len(form) > 1}
    return replace(life, size=narrow or life.size, inequalities=related)


def _rounded(form: Form, number: int, size: int, divisor: int) -> int:
    """The least value of a form that is at least a number, where the size is a multiple of the divisor, and perhaps the
    other variables' factors are."""
    is_multiple = divisor > 1 and all(position == size or factor % divisor == 0 for position, factor in form)
    return -(-number // divisor) * divisor if is_multiple else number
