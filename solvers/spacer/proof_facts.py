"""Reads the ground facts out of Spacer's proof: a DAG of hyper-resolution and modus ponens steps."""

import z3

from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass

_RULES = (z3.Z3_OP_PR_HYPER_RESOLVE, z3.Z3_OP_PR_MODUS_PONENS)


@dataclass(frozen=True)
class ProofFact:
    """A ground fact predicate(arguments)."""

    predicate: Predicate
    arguments: tuple[z3.ExprRef, ...]

    @property
    def key(self) -> tuple[str, tuple[int, ...]]:
        return self.predicate.name, tuple(argument.get_id() for argument in self.arguments)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProofFact) and self.key == other.key


@dataclass(frozen=True)
class ProofNode:
    """A step of Spacer's proof: it derives `fact` (None: the query) from `premises`.

    By several clauses where z3 eliminated predicates.
    """

    fact: ProofFact | None
    premises: tuple[ProofFact, ...]


def nodes(system: HornSystem, proof: z3.ExprRef) -> list[ProofNode]:
    """The proof's steps on facts of the system, premises first, the query last; the iterative walk visits each once."""
    above: dict[int, tuple[ProofFact, ...]] = {}  # proof term -> the facts that it hands to the step above
    found: list[ProofNode] = []
    stack = [(proof, False)]
    while stack:
        term, expanded = stack.pop()
        key = term.get_id()
        if key in above:
            continue
        parts = [child for child in term.children() if child.decl().kind() in _RULES]
        if not expanded:
            stack.append((term, True))
            stack.extend((part, False) for part in parts)
            continue
        premises = tuple(dict.fromkeys(fact for part in parts for fact in above[part.get_id()]))
        fact = _fact(system, term.arg(term.num_args() - 1))
        if fact is None:
            above[key] = premises
        else:
            found.append(ProofNode(fact, premises))
            above[key] = (fact,)
    return [*found, ProofNode(None, above[proof.get_id()])]


def _fact(system: HornSystem, conclusion: z3.ExprRef) -> ProofFact | None:
    """The conclusion as a fact of the system; None for z3's query predicates and for facts with open arguments."""
    if not z3.is_app(conclusion):
        return None
    predicate = system.by_name.get(conclusion.decl().name())
    if predicate is None or conclusion.num_args() != predicate.arity:
        return None
    arguments = tuple(conclusion.children())
    return ProofFact(predicate, arguments) if is_ground(*arguments) else None


def is_ground(*terms: z3.ExprRef) -> bool:
    """True if the terms have no variables, bound or free, and no functions without fixed meaning."""
    stack, seen = list(terms), set()
    while stack:
        part = stack.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        if not z3.is_app(part) or part.decl().kind() in (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_AS_ARRAY):
            return False
        stack.extend(part.children())
    return True
