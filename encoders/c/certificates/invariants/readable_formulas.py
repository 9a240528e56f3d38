"""Formulas over a location's state as formulas over expressions of the source: no addresses, no generated names.

A pointer's value is an index into its region. Comparisons with such an index become comparisons with the object that
lives there, cells of arrays get the names that the source has for them. A comparison that cannot be worded so is left
out: the result follows from the formula.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

import z3

from chcverify.effort import MAX_COMBINED
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    disjunction,
    disjuncts,
    fold,
    free_variables,
    is_quantifier_free,
)
from encoders.c.analysis.regions import Region, find
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, ScalarStorage
from encoders.c.certificates.invariants.formula_printer import c_text
from encoders.c.certificates.object_names import ObjectNames
from encoders.c.certificates.region_cells import fields_between, fields_to_cell
from encoders.c.types.c_types import CFunction, CPointer

_NEAR = OBJECT_STRIDE // 2  # cells: an index further away than this belongs to another object
_SUMS = frozenset({z3.Z3_OP_ADD, z3.Z3_OP_BADD})
_DIFFERENCES = frozenset({z3.Z3_OP_SUB, z3.Z3_OP_BSUB, z3.Z3_OP_UMINUS, z3.Z3_OP_BNEG})
_PRODUCTS = frozenset({z3.Z3_OP_MUL, z3.Z3_OP_BMUL})
_SIGN = {z3.Z3_OP_LE: 1, z3.Z3_OP_LT: 1, z3.Z3_OP_GE: -1, z3.Z3_OP_GT: -1}
_STRICT = frozenset({z3.Z3_OP_LT, z3.Z3_OP_GT})


@dataclass(frozen=True, eq=False)
class Symbol:
    """An argument of a predicate as the source has it."""

    text: str
    """Its name in the source, "" if it has none."""
    target: Region | None = None
    """The region that a pointer, or each pointer in an array, points into."""
    is_pointer: bool = False
    to_function: bool = False
    """It points to functions."""
    leaf: ScalarStorage | None = None
    """The cells that an array holds."""

    @classmethod
    def of(cls, text: str, kind: object, leaf: ScalarStorage | None, is_array: bool) -> "Symbol":
        """The symbol of a state variable of a type."""
        is_pointer = isinstance(kind, CPointer)
        to_function = isinstance(kind, CPointer) and isinstance(kind.target, CFunction)
        pointee = leaf.region.pointee if leaf is not None else None
        target = find(pointee) if is_pointer and pointee is not None else None
        return cls(text, target, is_pointer, to_function, leaf if is_array else None)


@dataclass(frozen=True, eq=False)
class _Sum:
    """A linear sum: a constant, and terms with their factors. pointers: those of the terms that are pointers."""

    constant: int
    terms: Mapping[z3.ExprRef, int] = field(default_factory=dict)
    pointers: Mapping[z3.ExprRef, Symbol] = field(default_factory=dict)

    def plus(self, other: "_Sum", factor: int = 1) -> "_Sum":
        terms = dict(self.terms)
        for term, count in other.terms.items():
            terms[term] = terms.get(term, 0) + factor * count
        left = {term: count for term, count in terms.items() if count}
        pointers = {term: symbol for term, symbol in {**self.pointers, **other.pointers}.items() if term in left}
        return _Sum(self.constant + factor * other.constant, left, pointers)

    def without(self, term: z3.ExprRef) -> "_Sum":
        """The sum without a term and without its constant."""
        return _Sum(0, {other: count for other, count in self.terms.items() if not other.eq(term)}, {})

    def term(self, like: z3.ExprRef) -> z3.ExprRef:
        """The sum as a term of the sort of `like`."""
        parts = [term if count == 1 else count * term for term, count in self.terms.items()]
        if self.constant or not parts:
            parts.append(_number(self.constant, like))
        out = parts[0]
        for part in parts[1:]:
            out = out + part
        return out


@dataclass(frozen=True, eq=False)
class _FormulaPart:
    """The translation of a term."""

    exact: z3.ExprRef | None
    """In names of the source, None if it has none there."""
    weaker: z3.ExprRef | None = None
    stronger: z3.ExprRef | None = None
    """For a formula, a consequence of it and a formula that implies it."""
    total: _Sum | None = None
    """For a number, its linear form."""


_UNKNOWN = _FormulaPart(None, z3.BoolVal(True), z3.BoolVal(False))


def _present(formula: z3.ExprRef | None) -> z3.BoolRef:
    """The formula of a part that has one."""
    assert z3.is_bool(formula)
    return formula


def _formula(exact: z3.ExprRef) -> _FormulaPart:
    return _FormulaPart(exact, exact, exact)


Known = tuple[z3.ExprRef, Symbol, int]
"""A pointer and the address that it has."""


class Readable:
    """Rewrites formulas over the arguments of one predicate into names of the source.

    symbols: of the predicate's formal arguments. names: the texts of the constants in the results.
    """

    def __init__(self, objects: ObjectNames, symbols: Mapping[z3.ExprRef, Symbol]) -> None:
        self._objects = objects
        self._symbols = {formal.get_id(): symbol for formal, symbol in symbols.items()}
        self._formals = list(symbols)  # keeps the identities alive
        self.names: dict[z3.ExprRef, str] = {formal: symbol.text for formal, symbol in symbols.items() if symbol.text}
        self._made: dict[tuple[str, z3.SortRef], z3.ExprRef] = {}
        # Of parts that many cases share, with the parts, which keep their identities.
        self._addresses: dict[int, tuple[z3.BoolRef, list[Known]]] = {}
        self._weaker: dict[tuple[int, ...], tuple[z3.BoolRef, Sequence[Known], z3.BoolRef | None]] = {}
        named = (formal for formal, symbol in symbols.items() if symbol.text and not symbol.is_pointer)
        self._named_scalars = {formal.get_id() for formal in named if not z3.is_array(formal)}

    def formula(self, formula: z3.BoolRef) -> z3.BoolRef:
        """A consequence of the formula in names of the source, as strong as they allow."""
        if is_quantifier_free(formula) and all(v.get_id() in self._named_scalars for v in free_variables(formula)):
            return formula
        return self._consequence(formula, (), 0)

    def _consequence(self, formula: z3.BoolRef, known: Sequence[Known], depth: int) -> z3.BoolRef:
        """The same. known: pointers with their addresses. depth: how many disjunctions the formula is below."""
        parts = conjuncts(formula)
        here = [*known, *self._known(parts)]
        out: list[z3.BoolRef | None] = []
        for part in parts:
            cases = disjuncts(part)
            if len(cases) > 1 and depth < MAX_COMBINED:
                out.append(disjunction([self._consequence(case, here, depth + 1) for case in cases]))
            else:
                out.append(self._weaker_part(part, here))
        return conjunction([part for part in out if part is not None and not z3.is_true(part)])

    def _weaker_part(self, part: z3.BoolRef, known: Sequence[Known]) -> z3.BoolRef | None:
        """A consequence of a part that is not taken apart; None if there is none in names of the source."""
        key = (part.get_id(), *(number for pointer, _, address in known for number in (pointer.get_id(), address)))
        if key not in self._weaker:
            weaker = fold(part, lambda term, below: self._visit(term, below, known)).weaker
            self._weaker[key] = part, known, None if weaker is None else _present(weaker)
        return self._weaker[key][2]

    def _known(self, parts: Iterable[z3.BoolRef]) -> list[Known]:
        """The pointers whose address an equality gives."""
        found = []
        for part in parts:
            key = part.get_id()
            if key not in self._addresses:
                self._addresses[key] = part, self._addresses_in(part)
            found += self._addresses[key][1]
        return found

    def _addresses_in(self, part: z3.BoolRef) -> list[Known]:
        """The pointer whose address the part gives if it is an equality."""
        if not z3.is_eq(part):
            return []
        found = []
        for left, right in (part.children(), part.children()[::-1]):
            symbol = self._symbols.get(left.get_id())
            address = _value(right)
            if symbol is not None and symbol.is_pointer and symbol.text and address is not None and address >= 0:
                found.append((left, symbol, address))
        return found

    # --- terms and formulas ---------------------------------------------------------------------------------------

    def _visit(self, term: z3.ExprRef, parts: list[_FormulaPart], known: Sequence[Known]) -> _FormulaPart:
        if z3.is_quantifier(term):
            return self._quantified(term, parts[-1])
        if z3.is_var(term):
            return _FormulaPart(term, total=_Sum(0, {term: 1}))
        if term.get_id() in self._symbols:
            return self._formal(term)
        if z3.is_bool(term):
            return self._boolean(term, parts)
        if term.decl().kind() == z3.Z3_OP_SELECT:
            return self._cell(term, parts, known)
        return self._number(term, parts)

    def _formal(self, term: z3.ExprRef) -> _FormulaPart:
        symbol = self._symbols[term.get_id()]
        if z3.is_bool(term):
            return _formula(term) if symbol.text else _UNKNOWN
        if symbol.leaf is not None:
            alone = self._objects.only(symbol.leaf.region)
            named = alone is not None and symbol.leaf.region.parent is None
            return _FormulaPart(term if named else None)
        if not symbol.text:
            return _FormulaPart(None)
        return _FormulaPart(term, total=_Sum(0, {term: 1}, {term: symbol} if symbol.is_pointer else {}))

    def _number(self, term: z3.ExprRef, parts: list[_FormulaPart]) -> _FormulaPart:
        """A number or a pointer that is neither a variable nor a cell of an array."""
        value = _value(term)
        if value is not None:
            return _FormulaPart(term, total=_Sum(value))
        if any(part.exact is None for part in parts):
            return _FormulaPart(None)
        exact = term.decl()(*(part.exact for part in parts)) if parts else term
        totals = [part.total for part in parts if part.total is not None]
        if len(totals) == len(parts) and parts:
            linear = _linear(term.decl().kind(), totals)
            if linear is not None:
                return _FormulaPart(exact, total=linear)
        if any(total.pointers for total in totals):
            return _FormulaPart(None)  # a choice of pointers, or arithmetic that C does not have
        return _FormulaPart(exact, total=_Sum(0, {exact: 1}))

    def _boolean(self, term: z3.BoolRef, parts: list[_FormulaPart]) -> _FormulaPart:
        """Translates a formula that is neither a quantifier nor a variable."""
        if parts and all(part.weaker is not None for part in parts):
            return self._connective(term, term.decl().kind(), parts)
        totals = [part.total for part in parts if part.total is not None]
        if any(part.exact is None for part in parts):
            return _UNKNOWN
        if any(total.pointers for total in totals):
            is_comparison = len(totals) == len(parts) == 2
            difference = totals[0].plus(totals[1], -1) if is_comparison else None
            return _UNKNOWN if difference is None else self._comparison(term, term.decl().kind(), difference)
        if _is_index_of_all_memory(totals):
            return _UNKNOWN
        return _formula(term.decl()(*(part.exact for part in parts)) if parts else term)

    def _connective(self, term: z3.BoolRef, kind: int, parts: list[_FormulaPart]) -> _FormulaPart:
        """Translates a formula of formulas."""
        if kind == z3.Z3_OP_NOT:
            below = parts[0]
            exact = None if below.exact is None else z3.Not(below.exact)
            return _FormulaPart(exact, z3.Not(_present(below.stronger)), z3.Not(_present(below.weaker)))
        exact = None
        if all(part.exact is not None for part in parts):
            exact = term.decl()(*(part.exact for part in parts))
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
            join = conjunction if kind == z3.Z3_OP_AND else disjunction
            weaker, stronger = ([_present(p.weaker) for p in parts], [_present(p.stronger) for p in parts])
            return _FormulaPart(exact, join(weaker), join(stronger))
        if kind == z3.Z3_OP_IMPLIES:
            implied = z3.Implies(_present(parts[0].stronger), _present(parts[1].weaker))
            return _FormulaPart(exact, implied, z3.Implies(_present(parts[0].weaker), _present(parts[1].stronger)))
        return _UNKNOWN if exact is None else _formula(exact)

    def _quantified(self, term: z3.QuantifierRef, body: _FormulaPart) -> _FormulaPart:
        """Translates a quantifier from its translated body."""
        if body.weaker is None or body.stronger is None or not (term.is_forall() or term.is_exists()):
            return _UNKNOWN
        if body.exact is not None and body.exact.eq(term.body()):
            return _formula(term)
        fresh = [z3.FreshConst(term.var_sort(i), "k") for i in range(term.num_vars())]
        make = z3.ForAll if term.is_forall() else z3.Exists

        def closed(formula: z3.ExprRef) -> z3.BoolRef:
            opened = z3.substitute_vars(formula, *reversed(fresh))
            return opened if z3.is_true(opened) or z3.is_false(opened) else make(fresh, opened)

        exact = None if body.exact is None else closed(body.exact)
        return _FormulaPart(exact, closed(body.weaker), closed(body.stronger))

    # --- pointers -------------------------------------------------------------------------------------------------

    def _comparison(self, term: z3.BoolRef, kind: int, difference: _Sum) -> _FormulaPart:
        """Translates `difference = 0`, `difference <= 0`, ... of a difference with pointers in it."""
        factors = {pointer: difference.terms[pointer] for pointer in difference.pointers}
        if kind != z3.Z3_OP_EQ and kind not in _SIGN:
            return _UNKNOWN
        if sorted(factors.values()) == [-1, 1]:
            return self._of_two(term, kind, difference, factors)
        if len(factors) != 1 or abs(next(iter(factors.values()))) != 1:
            return _UNKNOWN
        pointer, factor = next(iter(factors.items()))
        oriented = _Sum(0).plus(difference, factor)
        symbol = difference.pointers[pointer]
        rest = _Sum(0).plus(oriented.without(pointer), -1)
        address = -oriented.constant
        # pointer (==, <=, >=) rest + address
        if kind == z3.Z3_OP_EQ:
            return self._equal(pointer, symbol, rest, address)
        upper = _SIGN[kind] * factor > 0
        if kind in _STRICT:
            address += -1 if upper else 1
        return self._bounded(pointer, symbol, rest, address, upper)

    def _equal(self, pointer: z3.ExprRef, symbol: Symbol, rest: _Sum, address: int) -> _FormulaPart:
        """Translates `pointer == rest + address`."""
        if not rest.terms:
            named = self._named(symbol, address)
            return _UNKNOWN if named is None else _formula(pointer == self._constant(named, pointer))
        array = None if symbol.target is None else self._objects.array(symbol.target, address)
        if array is None or any(z3.is_var(term) for term in rest.terms):
            return _UNKNOWN
        name, index = array
        return _formula(pointer == self._constant(name, pointer) + replace(rest, constant=index).term(pointer))

    def _named(self, symbol: Symbol, address: int) -> str | None:
        if symbol.to_function:
            return self._objects.function(address)
        if symbol.target is None:
            return "0" if address == NULL else None
        return self._objects.pointer(symbol.target, address)

    def _bounded(self, pointer: z3.ExprRef, symbol: Symbol, rest: _Sum, address: int, upper: bool) -> _FormulaPart:
        """Translates `pointer <= rest + address` if upper, else `pointer >= rest + address`."""
        if not z3.is_int(pointer) or symbol.to_function:
            return _UNKNOWN
        if symbol.target is not None and self._objects.is_alone(symbol.target):
            array = self._objects.array(symbol.target, address)
            if array is not None and (rest.terms or array[1] >= 0):
                end = self._constant(array[0], pointer) + replace(rest, constant=array[1]).term(pointer)
                return _formula(pointer <= end if upper else pointer >= end)
        if rest.terms:
            return _UNKNOWN
        is_null = pointer == self._constant("0", pointer)
        if upper and address >= NULL:
            return _FormulaPart(None, z3.BoolVal(True), is_null)
        return _FormulaPart(None, z3.Not(is_null), z3.BoolVal(False)) if not upper and address > NULL else _UNKNOWN

    def _of_two(self, term: z3.BoolRef, kind: int, difference: _Sum, factors: Mapping[z3.ExprRef, int]) -> _FormulaPart:
        """Translates a comparison of two pointers, possibly with a distance. factors: 1 and -1, of the pointers."""
        one, two = sorted(factors, key=lambda pointer: -factors[pointer])
        first, second = (difference.pointers[pointer].target for pointer in (one, two))
        other = {each: -count for each, count in difference.terms.items() if each not in factors}
        is_equality = kind == z3.Z3_OP_EQ
        apart = abs(difference.constant) + (1 if other else 0)
        if apart >= _NEAR or first is None or second is None or find(first) is not find(second):
            return _formula(one == two) if is_equality and not apart else _UNKNOWN
        if (find(first).bytes and apart) or not (is_equality or self._objects.is_alone(first)):
            return _UNKNOWN
        # one (==, <=, ...) two + the rest
        right = _Sum(-difference.constant, {two: 1, **other})
        return _formula(term.decl()(one, right.term(one)))

    # --- cells of arrays ------------------------------------------------------------------------------------------

    def _cell(self, term: z3.ExprRef, parts: list[_FormulaPart], known: Sequence[Known]) -> _FormulaPart:
        """Translates `array[index]`."""
        array, index = term.arg(0), parts[1].total
        symbol = self._symbols.get(array.get_id())
        if symbol is None or symbol.leaf is None or index is None:
            return _FormulaPart(None)
        named = (self._indexed if index.terms else self._constant_cell)(term, symbol.leaf, index, known)
        if named is None:
            return _FormulaPart(None)
        if z3.is_bool(named):
            return _formula(named)
        pointer = replace(symbol, text=self.names.get(named, ""), leaf=None) if symbol.is_pointer else None
        if pointer is not None and not pointer.text:
            pointer = replace(pointer, text=c_text_of(named, self.names))
        return _FormulaPart(named, total=_Sum(0, {named: 1}, {} if pointer is None else {named: pointer}))

    def _constant_cell(
        self, term: z3.ExprRef, leaf: ScalarStorage, index: _Sum, known: Sequence[Known]
    ) -> z3.ExprRef | None:
        """A cell of an array at a constant index, None if it has no name."""
        cell = self._objects.cell(leaf.region, index.constant)
        if cell is None:
            for _, symbol, address in known:
                path_and_factor = None if symbol.target is None else fields_between(leaf.region, symbol.target)
                if path_and_factor is not None:
                    path, factor = path_and_factor
                    distance = index.constant // factor - address
                    if 0 <= distance < _NEAR:
                        inner = f"[{index.constant % factor}]" if factor > 1 else ""
                        cell = _through(symbol.text, distance, path) + inner
                        break
        return None if cell is None else self._constant(cell, term)

    def _indexed(self, term: z3.ExprRef, leaf: ScalarStorage, index: _Sum, known: Sequence[Known]) -> z3.ExprRef | None:
        """A cell of an array at an index that is no number, None if it has no name."""
        if len(index.pointers) == 1:
            return self._behind_pointer(term, leaf, index)
        if index.pointers:
            return None
        array, like, region = term.arg(0), term.arg(1), find(leaf.region)
        alone = self._objects.only(region)
        if alone is not None and abs(index.constant) < _NEAR:
            path = fields_to_cell(region, self._objects.region_of(alone))
            if path is None:
                return None
            return self._element(f"{alone.variable.name}[{{}}]{_fields(path)}", array, index.term(like))
        if any(z3.is_var(each) for each in index.terms):
            return None
        static = self._objects.array(region, index.constant)
        if static is not None:
            return self._element(f"{static[0]}[{{}}]", array, replace(index, constant=static[1]).term(like))
        for _, symbol, address in known:
            path = fields_to_cell(region, symbol.target)
            if path is not None and abs(index.constant - address) < _NEAR:
                near = replace(index, constant=index.constant - address)
                return self._element(f"{symbol.text}[{{}}]{_fields(path)}", array, near.term(like))
        return None

    def _behind_pointer(self, term: z3.ExprRef, leaf: ScalarStorage, index: _Sum) -> z3.ExprRef | None:
        """A cell of an array at an index with one pointer in it, None if it has no name."""
        pointer, symbol = next(iter(index.pointers.items()))
        path = fields_to_cell(leaf.region, symbol.target)
        if index.terms[pointer] != 1 or path is None or not symbol.text:
            return None
        rest = replace(index.without(pointer), constant=index.constant)
        if not rest.terms:
            return self._constant(_through(symbol.text, rest.constant, path), term)
        return self._element(f"{symbol.text}[{{}}]{_fields(path)}", term.arg(0), rest.term(term.arg(1)))

    def _element(self, form: str, array: z3.ExprRef, index: z3.ExprRef) -> z3.ExprRef:
        return z3.Select(self._constant(form, array), index)

    def _constant(self, text: str, like: z3.ExprRef) -> z3.ExprRef:
        """A constant of the sort of `like` that is printed as the text; for "0", the number."""
        if text == "0":
            return _number(0, like)
        key = (text, like.sort())
        if key not in self._made:
            self._made[key] = z3.FreshConst(like.sort(), "named")
            self.names[self._made[key]] = text
        return self._made[key]


def _linear(kind: int, totals: Sequence[_Sum]) -> _Sum | None:
    """The linear form of a sum, a difference or a product with a constant first factor; None for other operations."""
    total = totals[0]
    if kind in _SUMS:
        for other in totals[1:]:
            total = total.plus(other)
        return total
    if kind in _DIFFERENCES:
        total = _Sum(0).plus(total, -1) if len(totals) == 1 else total
        for other in totals[1:]:
            total = total.plus(other, -1)
        return total
    if kind in _PRODUCTS and len(totals) == 2 and not total.terms:
        return _Sum(0).plus(totals[1], total.constant)
    return None


def _is_index_of_all_memory(totals: Sequence[_Sum]) -> bool:
    """True if a bound variable ranges over cells of several objects, as only addresses do."""
    has_bound_variable = any(z3.is_var(each) for total in totals for each in total.terms)
    return has_bound_variable and any(abs(total.constant) >= _NEAR for total in totals)


def c_text_of(term: z3.ExprRef, names: Mapping[z3.ExprRef, str]) -> str:
    """The text of a cell of an array of pointers; "" where a bound variable is in it."""
    text = c_text(term, names)
    return "" if "\0" in text or "..." in text else text


def _through(pointer: str, distance: int, path: Sequence[str]) -> str:
    """A cell so many elements behind a pointer."""
    plain = pointer.isidentifier() or pointer.endswith("]") or ("->" in pointer and " " not in pointer)
    base = pointer if plain else f"({pointer})"
    if distance:
        return f"{base}[{distance}]{_fields(path)}"
    return f"{base}->{'.'.join(path)}" if path else f"*{base}"


def _fields(path: Sequence[str]) -> str:
    return "".join(f".{name}" for name in path)


def _value(term: z3.ExprRef) -> int | None:
    if z3.is_int_value(term):
        return int(term.as_long())
    return int(term.as_signed_long()) if z3.is_bv_value(term) else None


def _number(value: int, like: z3.ExprRef) -> z3.ExprRef:
    return z3.BitVecVal(value, like.sort()) if z3.is_bv(like) else z3.IntVal(value)
