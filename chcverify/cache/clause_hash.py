"""A hash of the clauses of a Horn system that depends neither on names nor on what the process did before.

z3 orders the arguments of commutative functions by the age of their terms, so the same clauses may have them in another
order in another process. Here the arguments of such functions have no order. Different systems may have the same hash
in theory: what is found by it is checked.
"""

import hashlib
from collections.abc import Sequence

import z3

from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle

_COMMUTATIVE = frozenset(
    {
        z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT, z3.Z3_OP_XOR, z3.Z3_OP_ADD, z3.Z3_OP_MUL,
        z3.Z3_OP_BADD, z3.Z3_OP_BMUL, z3.Z3_OP_BAND, z3.Z3_OP_BOR, z3.Z3_OP_BXOR,
    }
)  # fmt: skip
_BYTES = 16


def system_hash(system: HornSystem) -> str:
    """A hexadecimal digest of the clauses, in their order, and of the sorts of the predicates."""
    positions = {predicate.name: position for position, predicate in enumerate(system.predicates)}
    atoms = [_terms(clause) for clause in system.clauses]
    numbers = _numbered(system, atoms)
    hashes = _Hashes(system, numbers)
    whole = hashlib.sha256()
    for predicate in system.predicates:
        whole.update(f"{predicate.arity} {' '.join(map(hashes.sort, predicate.sorts))};".encode())
    for clause, terms in zip(system.clauses, atoms, strict=True):
        head = "" if clause.head is None else positions[clause.head.predicate.name]
        whole.update(f"{head}:{[positions[atom.predicate.name] for atom in clause.body]}".encode())
        whole.update(b"".join(hashes.of(term) for term in terms))
    return whole.hexdigest()


def _terms(clause: Clause) -> list[Handle]:
    """The arguments of body and head, and the constraint."""
    arguments = [argument for atom in clause.applications for argument in atom.arguments]
    return [handles.handle(term) for term in (*arguments, clause.constraint)]


def _numbered(system: HornSystem, atoms: Sequence[Sequence[Handle]]) -> dict[Handle, int]:
    """A number for each variable, by its first occurrence, where commutative functions have no order but of shapes."""
    if not system.clauses:
        return {}
    shapes = _Hashes(system, None)
    context = handles.context_of(system.clauses[0].constraint)
    numbers: dict[Handle, int] = {}
    seen: set[Handle] = set()
    for terms in atoms:
        stack = list(reversed(terms))
        while stack:
            term = stack.pop()
            if term in seen:
                continue
            seen.add(term)
            below = handles.children(context, term)
            if shapes.is_variable(term):
                numbers.setdefault(term, len(numbers))
            elif len(below) > 1 and shapes.is_commutative(term):
                below = sorted(below, key=shapes.of)
            stack.extend(reversed(below))
    return numbers


class _Hashes:
    """The hashes of terms, bottom up. numbers: of variables; None: variables of one sort are alike."""

    def __init__(self, system: HornSystem, numbers: dict[Handle, int] | None) -> None:
        self._z3 = system.clauses[0].constraint.ctx if system.clauses else z3.main_ctx()
        self._context = self._z3.ref().value
        self._numbers = numbers
        self._known: dict[Handle, bytes] = {}
        self._seen: set[Handle] = set()
        self._labels: dict[int, tuple[bytes, bool, bool]] = {}
        self._sorts: dict[int, str] = {}

    def of(self, root: Handle) -> bytes:
        """The hash of a term."""
        known = self._known
        if root not in known:
            for term, below in handles.postorder(self._context, (root,), self._seen):
                known[term] = self._combined(term, below)
        return known[root]

    def is_variable(self, term: Handle) -> bool:
        """True for uninterpreted constants."""
        return capi.get_ast_kind(self._context, term) == handles.APP and self._label(term)[2]

    def is_commutative(self, term: Handle) -> bool:
        """True for applications of functions whose arguments may come in any order."""
        return capi.get_ast_kind(self._context, term) == handles.APP and self._label(term)[1]

    def sort(self, sort: z3.SortRef) -> str:
        """The text of a sort."""
        return self._sort(sort.ast.value)

    def _combined(self, term: Handle, below: Sequence[Handle]) -> bytes:
        """The hash of a term whose children have theirs."""
        kind = capi.get_ast_kind(self._context, term)
        if kind != handles.APP:
            return _digest(self._other(term, kind), [self._known[child] for child in below])
        label, is_commutative, is_variable = self._label(term)
        if is_variable:
            number = "" if self._numbers is None else self._numbers[term]
            return _digest(f"v{number} {self._sort(capi.get_sort(self._context, term))}".encode(), ())
        parts = [self._known[child] for child in below]
        return _digest(label, sorted(parts) if is_commutative else parts)

    def _other(self, term: Handle, kind: int) -> bytes:
        """What a numeral, a bound variable or a quantifier has besides its children."""
        sort = self._sort(capi.get_sort(self._context, term))
        if kind == handles.VAR:
            return f"b{capi.get_index_value(self._context, term)} {sort}".encode()
        if kind == handles.QUANTIFIER:
            bound = [self._sort(found) for _, found in handles.bound(self._context, term)]
            which = (
                capi.is_quantifier_forall(self._context, term),
                capi.is_quantifier_exists(self._context, term),
            )
            return f"q{which} {bound} {sort}".encode()
        return f"n{sort} {handles.wrap(term, self._z3).sexpr()}".encode()

    def _label(self, term: Handle) -> tuple[bytes, bool, bool]:
        """The text of an application's function, is it commutative, and is the term a variable?"""
        declaration = capi.get_app_decl(self._context, term)
        if declaration not in self._labels:
            kind = capi.get_decl_kind(self._context, declaration)
            is_variable = kind == z3.Z3_OP_UNINTERPRETED and not capi.get_app_num_args(self._context, term)
            text = "" if is_variable else handles.declaration(term, self._z3).sexpr()
            label = f"f{kind} {text}".encode("utf-8", "surrogateescape")
            self._labels[declaration] = label, kind in _COMMUTATIVE, is_variable
        return self._labels[declaration]

    def _sort(self, sort: int) -> str:
        if sort not in self._sorts:
            self._sorts[sort] = handles.sort(sort, self._z3).sexpr()
        return self._sorts[sort]


def _digest(label: bytes, parts: Sequence[bytes]) -> bytes:
    return hashlib.blake2b(b"".join((label, b"\0", *parts)), digest_size=_BYTES).digest()
