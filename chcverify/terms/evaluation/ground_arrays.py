"""Terms about arrays that are written as stores into an array with one value everywhere, without a walk for each cell.

A run that fills an array gives a long chain of stores for each of its steps, and the chain of one step is the beginning
of the next one's. So one table of cells follows the chains: it moves on by the stores that are new, and is made again
only for an array that is no continuation of one that was looked into. (Baker: Shallow binding makes functional arrays
fast, SIGPLAN Notices 26(8), 1991, goes back as well; derivations seldom do.)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import z3

from chcverify.effort import MAX_CASES, MAX_COMPARED
from chcverify.terms.core.traversal import applications_of, is_variable, kind_of
from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle

_NUMERALS = frozenset({z3.Z3_OP_ANUM, z3.Z3_OP_BNUM})
"""Kinds of integers and bit-vectors. Equal numbers are the same z3 term: two of these terms are different indices."""


@dataclass(frozen=True, eq=False)
class EvaluatedTerm:
    """The value of a term in which variables are in the place of arrays."""

    value: z3.ExprRef
    """It may contain the variables."""
    reads: Sequence[tuple[z3.ExprRef, z3.ExprRef]]
    """The cells of the variables that were replaced by what the arrays hold there."""


@dataclass(eq=False)
class _Cells:
    """The cells of one array."""

    stored: dict[Handle, Handle]
    """Values by their indices, both terms."""
    otherwise: Handle
    """The value of all others."""


class GroundArrays:
    """Arrays over integers or bit-vectors whose indices are numerals. The terms must be kept alive by others."""

    def __init__(self) -> None:
        self._cells: dict[Handle, _Cells | None] = {}
        """By the arrays at which the tables are."""
        self._chains: dict[Handle, tuple[Handle, ...] | None] = {}

    def newest_stores(self, array: z3.ExprRef) -> tuple[Handle, ...] | None:
        """A long array, and what it was before each of its last MAX_CASES stores; None of others."""
        key = handles.handle(array)
        if key not in self._chains:
            context, chain = handles.context_of(array), [key]
            while len(chain) <= MAX_CASES and (before := _before_store(context, chain[-1])) is not None:
                known = self._chains.get(before)
                chain += [before] if known is None else known[: MAX_CASES + 1 - len(chain)]
            self._chains[key] = tuple(chain) if len(chain) > MAX_CASES else None
        return self._chains[key]

    def evaluated(self, term: z3.ExprRef, arrays: Mapping[int, z3.ExprRef]) -> EvaluatedTerm | None:
        """The simplified term; arrays: those in whose place variables are, by the ids of these. None if it reads cells
        that are not known, or too many. The index of one read may be the value of another one."""
        known: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
        value = z3.simplify(term)
        while new := [read for read in _reads(value, arrays) if read.get_id() not in known and _is_at_number(read)]:
            if len(known) + len(new) > MAX_COMPARED:
                return None
            for read in new:
                held = self.cell(arrays[read.arg(0).get_id()], read.arg(1))
                if held is None:
                    return None
                known[read.get_id()] = read, held
            value = z3.simplify(z3.substitute(value, *known.values()))
        if any(True for _ in _reads(value, arrays)):
            return None
        return EvaluatedTerm(value, tuple(known.values()))

    def cell(self, array: z3.ExprRef, index: z3.ExprRef) -> z3.ExprRef | None:
        """What the array holds at a numeral; None if it is not written as such stores."""
        context, number = handles.context_of(array), handles.handle(index)
        if _kind(context, number) not in _NUMERALS:
            return None
        cells = self._at(context, handles.handle(array))
        if cells is None:
            return None
        held: z3.ExprRef = handles.wrap(cells.stored.get(number, cells.otherwise), array.ctx)
        return held

    def _at(self, context: int, array: Handle) -> _Cells | None:
        """The table of an array; None where there is none."""
        new: list[tuple[Handle, Handle]] = []  # stores, the last one first
        node = array
        while node not in self._cells:
            kind = _kind(context, node)
            parts = handles.children(context, node)
            if kind == z3.Z3_OP_CONST_ARRAY:
                self._cells[node] = _Cells({}, parts[0])
            elif kind == z3.Z3_OP_STORE and len(parts) == 3 and _kind(context, parts[1]) in _NUMERALS:
                new.append((parts[1], parts[2]))
                node = parts[0]
            else:
                self._cells[node] = None
        cells = self._cells[node]
        if cells is None or not new:
            return cells
        if _kind(context, node) == z3.Z3_OP_CONST_ARRAY:
            cells = _Cells({}, cells.otherwise)  # others may begin there, too
        else:
            del self._cells[node]
        cells.stored.update(reversed(new))
        self._cells[array] = cells
        return cells


def _reads(term: z3.ExprRef, arrays: Mapping[int, z3.ExprRef]) -> Iterator[z3.ExprRef]:
    """The reads of cells of these variables."""
    for read in applications_of(term, z3.Z3_OP_SELECT):
        if is_variable(read.arg(0)) and read.arg(0).get_id() in arrays:
            yield read


def _is_at_number(read: z3.ExprRef) -> bool:
    return kind_of(read.arg(1)) in _NUMERALS


def _before_store(context: int, array: Handle) -> Handle | None:
    """The array into which this one is a store of one cell; None for others."""
    if _kind(context, array) != z3.Z3_OP_STORE:
        return None
    parts = handles.children(context, array)
    return parts[0] if len(parts) == 3 else None


def _kind(context: int, term: Handle) -> int:
    """The kind of a term's function; -1 for what is no application."""
    if capi.get_ast_kind(context, term) not in (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST):
        return -1
    return int(capi.get_decl_kind(context, capi.get_app_decl(context, term)))
