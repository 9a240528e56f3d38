"""Cases in which local variables matter: those of if-then-else terms where only one branch mentions them.

The remainder of a division by a variable, and what is read before it is written, are such terms: the local variable
stands for any value, and only a case of its own, which other conjuncts often exclude, mentions it.
"""

from collections.abc import Sequence, Set

import z3

from chcverify.effort import MAX_COMBINED
from chcverify.terms.native.arena import Arena, ArenaTerm

_CONNECTIVES = frozenset({z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_ITE, z3.Z3_OP_IMPLIES, z3.Z3_OP_XOR, -1})


def with_facts(parts: Sequence[ArenaTerm], locals_: Set[ArenaTerm], arena: Arena) -> list[ArenaTerm]:
    """Equivalent conjuncts: where an atom is one of them, it is replaced by true in all others that mention locals;
    by false where its negation is one of them."""
    table: dict[ArenaTerm, ArenaTerm] = {}
    facts: set[ArenaTerm] = set()
    for part in parts:
        atom = _atom(part, arena)
        # A second part about the atom says the same as the first one, or contradicts it.
        if atom is not None and atom not in table:
            facts.add(part)
            value = arena.true if part == atom else arena.false
            table.update(dict.fromkeys(_written_alike(atom, arena), value))

    def rewritten(part: ArenaTerm) -> ArenaTerm:
        if not arena.variables(part) & locals_:
            return part
        atom = _atom(part, arena) if part in facts else None
        own = () if atom is None else _written_alike(atom, arena)
        others = {term: value for term, value in table.items() if term not in own}
        return arena.simplify(arena.replace(part, others)) if others else part

    return [conjunct for part in dict.fromkeys(parts) for conjunct in arena.conjuncts(rewritten(part))]


def _atom(part: ArenaTerm, arena: Arena) -> ArenaTerm | None:
    """The atom of a literal; None for other formulas."""
    atom = arena.children(part)[0] if arena.kind(part) == z3.Z3_OP_NOT else part
    return None if arena.kind(atom) in _CONNECTIVES or arena.is_value(atom) else atom


def _written_alike(atom: ArenaTerm, arena: Arena) -> tuple[ArenaTerm, ...]:
    """The atom; of an equation the one with its sides exchanged, too."""
    if arena.kind(atom) != z3.Z3_OP_EQ:
        return (atom,)
    left, right = arena.children(atom)
    return atom, arena.equation(right, left)


def guarded_cases(parts: Sequence[ArenaTerm], locals_: Set[ArenaTerm], arena: Arena) -> list[list[ArenaTerm]]:
    """Cases whose disjunction is equivalent to the conjuncts, at most MAX_COMBINED: each is the conjuncts with the
    truth value of a condition without locals that decides whether a term with locals matters."""
    if arena.false in parts:
        return []
    done: list[list[ArenaTerm]] = []
    waiting = [list(parts)]
    while waiting:
        case = waiting.pop()
        is_last = len(done) + len(waiting) + 1 >= MAX_COMBINED
        guard = None if is_last else _guard(case, locals_, arena)
        if guard is None:
            done.append(case)
            continue
        for fact, value in ((guard, arena.true), (arena.complement(guard), arena.false)):
            table = dict.fromkeys(_written_alike(guard, arena), value)
            under = [arena.simplify(arena.replace(part, table)) for part in case]
            if arena.false not in under:
                waiting.append([fact, *(conjunct for part in under for conjunct in arena.conjuncts(part))])
    return done


def _guard(parts: Sequence[ArenaTerm], locals_: Set[ArenaTerm], arena: Arena) -> ArenaTerm | None:
    """A condition without locals of an if-then-else term of which one branch alone mentions locals."""
    stack, seen = list(parts), set[ArenaTerm]()
    while stack:
        term = stack.pop()
        if term in seen or arena.kind(term) == -1 or not arena.variables(term) & locals_:
            continue  # what is below a quantifier may be about its variables
        seen.add(term)
        children = arena.children(term)
        if arena.kind(term) == z3.Z3_OP_ITE:
            condition, *branches = children
            mentioning = [branch for branch in branches if arena.variables(branch) & locals_]
            if len(mentioning) == 1 and not arena.variables(condition) & locals_:
                return condition
        stack.extend(children)
    return None
