"""Signedness inference: bit-vectors that flow into each other are read all as signed or all as unsigned numbers."""

import z3

from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.unionfind import UnionFind
from chcverify.terms.native import capi, handles

_SIGNED = {
    z3.Z3_OP_SLEQ, z3.Z3_OP_SLT, z3.Z3_OP_SGEQ, z3.Z3_OP_SGT, z3.Z3_OP_SIGN_EXT, z3.Z3_OP_BASHR, z3.Z3_OP_SBV2INT,
    z3.Z3_OP_BSDIV, z3.Z3_OP_BSDIV_I, z3.Z3_OP_BSREM, z3.Z3_OP_BSREM_I, z3.Z3_OP_BSMOD, z3.Z3_OP_BSMOD_I,
}  # fmt: skip
_UNSIGNED = {
    z3.Z3_OP_ULEQ, z3.Z3_OP_ULT, z3.Z3_OP_UGEQ, z3.Z3_OP_UGT, z3.Z3_OP_ZERO_EXT, z3.Z3_OP_BLSHR, z3.Z3_OP_BV2INT,
    z3.Z3_OP_BUDIV, z3.Z3_OP_BUDIV_I, z3.Z3_OP_BUREM, z3.Z3_OP_BUREM_I,
}  # fmt: skip
Key = tuple[object, ...]
"""Of an argument (its predicate's name and position) or of a term of a clause (the clause's index and a handle)."""


class SignednessClasses:
    """The classes of keys that are read alike, each with the sum of its votes: signed unless that is below zero."""

    def __init__(self) -> None:
        self._classes: UnionFind[Key] = UnionFind()
        self._votes: dict[Key, int] = {}  # of representatives

    def of_argument(self, predicate: Predicate, position: int) -> bool:
        return self._signed((predicate.name, position))

    def of_term(self, clause: int, term: z3.ExprRef) -> bool:
        """Of a bit-vector, or of the bit-vectors that a formula compares."""
        return self._signed((clause, handles.handle(term)))

    def _signed(self, key: Key) -> bool:
        return self._votes.get(self._classes.find(key), 0) >= 0

    def join(self, one: Key, other: Key) -> None:
        """Both are read alike."""
        absorbed = self._classes.find(one)
        kept = self._classes.union(one, other)
        if kept != absorbed:
            self.vote(kept, self._votes.pop(absorbed, 0))

    def vote(self, key: Key, vote: int) -> None:
        """Adds to the votes of the key's class."""
        representative = self._classes.find(key)
        self._votes[representative] = self._votes.get(representative, 0) + vote

    def decide(self, key: Key, vote: int) -> None:
        """Replaces the votes of the key's class."""
        self._votes[self._classes.find(key)] = vote


def infer_signedness(system: HornSystem) -> SignednessClasses:
    """By the majority of operations for which it matters; signed where there are none. Single bits are 0 and 1."""
    found = SignednessClasses()
    for index, clause in enumerate(system.clauses):
        for atom in clause.applications:
            for i, argument in enumerate(atom.arguments):
                if isinstance(argument, z3.BitVecRef) and not z3.is_bv_value(argument):
                    found.join((index, handles.handle(argument)), (atom.predicate.name, i))
        _inspect(found, index, [clause.constraint, *(a for atom in clause.applications for a in atom.arguments)])
    for predicate in system.predicates:
        for i, sort in enumerate(predicate.sorts):
            if isinstance(sort, z3.BitVecSortRef) and sort.size() == 1:
                found.decide((predicate.name, i), -1)
    return found


def _inspect(found: SignednessClasses, index: int, roots: list[z3.ExprRef]) -> None:
    """Operands and results of one width are better read alike, but for numerals, which may be read either way."""
    ctx = handles.context_of(roots[0])
    for node, below in handles.postorder(ctx, map(handles.handle, roots), set()):
        if not below or capi.get_ast_kind(ctx, node) != handles.APP:
            continue
        sorts = [capi.get_sort(ctx, child) for child in below]
        if capi.get_sort_kind(ctx, sorts[-1]) != z3.Z3_BV_SORT:
            continue
        kind, own = capi.get_decl_kind(ctx, capi.get_app_decl(ctx, node)), capi.get_sort(ctx, node)
        vote = 1 if kind in _SIGNED else -1 if kind in _UNSIGNED else 0
        is_bits = capi.get_sort_kind(ctx, own) == z3.Z3_BV_SORT
        for child, sort in zip(below, sorts, strict=True):
            if capi.get_sort_kind(ctx, sort) != z3.Z3_BV_SORT or capi.get_ast_kind(ctx, child) != handles.APP:
                continue
            if sort == own or not is_bits:
                found.join((index, node), (index, child))
            if vote:
                found.vote((index, child), vote)
