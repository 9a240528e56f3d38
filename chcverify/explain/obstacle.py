"""The obstacle in a system that was not decided: its queries, and the loops next to them."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from chcverify.display_limits import IN_A_LIST
from chcverify.horn.origin import Origin
from chcverify.horn.system import HornSystem, Predicate
from chcverify.results.outcome import Obstacle


def obstacle(system: HornSystem, queried: Iterable[Origin], of_program: bool) -> Obstacle | None:
    """The origins of the queries and of the loop heads from which a query is reached past no other loop head.

    queried: where the queries come from, as people see it. Loops are predicates that depend on themselves. None where
    the system says nothing about its origins.
    """
    dependencies: dict[Predicate, list[Predicate]] = {}
    for clause in system.clauses:
        if clause.head is not None:
            dependencies.setdefault(clause.head.predicate, []).extend(atom.predicate for atom in clause.body)
    assertions = _origins(queried)
    near = _loops_before_queries(system, dependencies)
    loops = _origins(predicate.origin for predicate in near if predicate.origin is not None)
    names = () if of_program else tuple(predicate.name for predicate in near[:IN_A_LIST])
    return Obstacle(assertions, loops, names, of_program) if assertions or loops or names else None


def _loops_before_queries(system: HornSystem, dependencies: Mapping[Predicate, Sequence[Predicate]]) -> list[Predicate]:
    """The loop heads from which a query is reached without another one between, nearest first."""
    marked = {p for p in system.predicates if p.origin is not None and p.origin.is_loop_head}
    heads = marked or {predicate for predicate in system.predicates if _depends_on_itself(predicate, dependencies)}
    near: list[Predicate] = []
    work = deque(atom.predicate for clause in system.clauses if clause.is_query for atom in clause.body)
    seen = set(work)
    while work:
        predicate = work.popleft()
        if predicate in heads:
            near.append(predicate)
            continue
        for before in dependencies.get(predicate, ()):
            if before not in seen:
                seen.add(before)
                work.append(before)
    return near


def _depends_on_itself(predicate: Predicate, dependencies: Mapping[Predicate, Sequence[Predicate]]) -> bool:
    work, seen = list(dependencies.get(predicate, ())), set[Predicate]()
    while work:
        other = work.pop()
        if other == predicate:
            return True
        if other not in seen:
            seen.add(other)
            work += dependencies.get(other, ())
    return False


def _origins(origins: Iterable[Origin]) -> tuple[Origin, ...]:
    """Those with a line, each line once, in the order of the file."""
    lines = {(origin.file, origin.line): origin for origin in origins if origin.line > 0}
    return tuple(lines[key] for key in sorted(lines))[:IN_A_LIST]
