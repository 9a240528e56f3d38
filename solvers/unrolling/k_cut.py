"""The k-cut of a natural loop, a transformation of linear Horn systems, and its back-translation for models.

Donaldson, Haller, Kroening, Ruemmer: Software verification using k-induction (SAS 2011)
[DonaldsonHallerKroeningRummer2011], definition 4. If the loop L with header h is k-cut, h[h.1] ... h[h.k] are the base
case's copies, h[h.z] stands for the nodes Z, h[h.a1] ... h[h.ak] are the copies in which queries are assumptions, and
h[h.k+1] is the step case's last copy. With k = 0, Z comes at once.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, disjunction, substitute
from solvers.unrolling.clause_graph import Loop, Positions, carried

Violating = Callable[[Predicate], z3.BoolRef | None]
"""The states, over the formals, in which a query is violated at once; None if there is no quantifier-free form."""

_OPEN = " |["


def base_name(predicate: Predicate) -> str:
    """The predicate's name before all cuts."""
    return predicate.copy_of or predicate.name


@dataclass(frozen=True, eq=False)
class Cut:
    """A system before and after the k-cut of a loop.

    clauses: for each clause after the cut the one that it is a copy of, None for the havoc.
    """

    before: HornSystem
    system: HornSystem
    clauses: tuple[int | None, ...]
    loop: Loop
    k: int
    unmodified: Mapping[Predicate, Positions]

    def model(self, model: Model) -> Model:
        """A model of the system before the cut from one of the system after it (theorem 1, with a witness).

        Let Z(v) be the interpretation of h[h.z], which is about arguments that the loop does not modify, at v. In the
        base case's i-th iteration v[h.i] holds, and if Z(v), v[h.a1] ... v[h.ai], too, as there were so many safe
        iterations. Later Z(v), v[h.a1] ... v[h.ak] and v[h.k+1] hold. The disjunction of these k + 1 cases is closed
        under the clauses of the loop: each edge leads from the copies of its source to those of its target, and a back
        edge from the j-th to the next; queries and exits are clauses of v[h.1] ... v[h.k+1].
        """
        table = {p: model[p] for p in self.before.predicates if p not in self.loop.body}
        for predicate in self.loop.body:
            table[predicate] = self._merged(predicate, model)
        return Model(table)

    def _merged(self, predicate: Predicate, model: Model) -> z3.BoolRef:
        entry = _entry(self.loop.header, self.unmodified)
        positions = self.unmodified[predicate].values()
        frame = substitute(model[entry], zip(entry.formals, (predicate.formals[q] for q in positions), strict=True))
        assumed = [model[_copy(predicate, self.loop, f"a{j}")] for j in range(1, self.k + 1)]
        cases = [
            conjunction([model[_copy(predicate, self.loop, str(i))], z3.Implies(frame, conjunction(assumed[:i]))])
            for i in range(1, self.k + 1)
        ]
        last = conjunction([frame, *assumed, model[_copy(predicate, self.loop, str(self.k + 1))]])
        return z3.simplify(disjunction([*cases, last]))


def k_cut(system: HornSystem, loop: Loop, k: int, violating: Violating) -> Cut:
    """The k-cut of definition 4.

    Requires a linear system and a natural loop whose header is entered only by clauses from outside the loop.
    """
    unmodified = carried(system, loop)
    clauses: list[Clause] = []
    origins: list[int | None] = []
    for index, clause in enumerate(system.clauses):
        if clause.body and clause.body[0].predicate in loop.body:
            copies = _checked(clause, loop, k, unmodified) + _assumed(system, clause, loop, k, violating)
        else:
            copies = _outside(clause, loop, k, unmodified)
        clauses += copies
        origins += [index] * len(copies)
    clauses.append(_havoc(loop, k, unmodified))
    outside = [predicate for predicate in system.predicates if predicate not in loop.body]
    return Cut(system, HornSystem.of(clauses, outside), (*origins, None), loop, k, unmodified)


def _copy(predicate: Predicate, loop: Loop, tag: str) -> Predicate:
    name = f"{predicate.name}{_OPEN}{base_name(loop.header)}.{tag}]"
    return replace(predicate, name=name, copy_of=base_name(predicate))


def _entry(header: Predicate, unmodified: Mapping[Predicate, Positions]) -> Predicate:
    """Z: the header with the arguments that the loop does not modify."""
    name = f"{header.name}{_OPEN}{base_name(header)}.z]"
    return replace(header.restricted(list(unmodified[header])), name=name, copy_of=base_name(header))


def _to(application: Application, loop: Loop, tag: str) -> Application:
    return Application(_copy(application.predicate, loop, tag), application.arguments)


def _to_entry(head: Application, unmodified: Mapping[Predicate, Positions]) -> Application:
    return Application(_entry(head.predicate, unmodified), tuple(head.arguments[j] for j in unmodified[head.predicate]))


def _outside(clause: Clause, loop: Loop, k: int, unmodified: Mapping[Predicate, Positions]) -> list[Clause]:
    """Edges in the main program, and from there to the first copy or, with k = 0, to Z."""
    if clause.head is None or clause.head.predicate not in loop.body:
        return [clause]
    return [replace(clause, head=_to(clause.head, loop, "1") if k else _to_entry(clause.head, unmodified))]


def _checked(clause: Clause, loop: Loop, k: int, unmodified: Mapping[Predicate, Positions]) -> list[Clause]:
    """The copies in L_1 ... L_{k+1}: queries and exits stay; the last back edge of the base case leads to Z."""
    copies = []
    for i in range(1, k + 2):
        head = clause.head
        if head is not None and head.predicate == loop.header:
            if i > k:
                continue
            head = _to(head, loop, str(i + 1)) if i < k else _to_entry(head, unmodified)
        elif head is not None and head.predicate in loop.body:
            head = _to(head, loop, str(i))
        copies.append(replace(clause, head=head, body=(_to(clause.body[0], loop, str(i)),)))
    return copies


def _assumed(system: HornSystem, clause: Clause, loop: Loop, k: int, violating: Violating) -> list[Clause]:
    """The copies in L_1^a ... L_k^a: no exits; instead of queries, what is not violated is assumed."""
    head, source = clause.head, clause.body[0]
    if head is None or head.predicate not in loop.body or not k:
        return []
    constraint = clause.constraint
    if any(system.clauses[index].is_query for index in system.using[source.predicate]):
        bad = violating(source.predicate)
        if bad is not None:  # otherwise the step case gets harder, never wrong
            here = source.instance(bad)
            constraint = conjunction([constraint, z3.Not(here)])
    copies = []
    for i in range(1, k + 1):
        is_back = head.predicate == loop.header
        tag = f"a{i}" if not is_back else f"a{i + 1}" if i < k else str(k + 1)
        copies.append(
            replace(clause, head=_to(head, loop, tag), body=(_to(source, loop, f"a{i}"),), constraint=constraint)
        )
    return copies


def _havoc(loop: Loop, k: int, unmodified: Mapping[Predicate, Positions]) -> Clause:
    """Z -> the first copy after it: only the arguments that the loop does not modify keep their values."""
    header = loop.header
    kept = list(unmodified[header])
    after = [z3.Const(f"havoc.{j}", sort) for j, sort in enumerate(header.sorts)]
    before = [z3.Const(f"kept.{j}", header.sorts[j]) for j in kept]
    same = conjunction(after[j] == value for j, value in zip(kept, before, strict=True))
    first = _copy(header, loop, "a1" if k else "1")
    return Clause(first(*after), (_entry(header, unmodified)(*before),), same, header.origin, "havoc")
