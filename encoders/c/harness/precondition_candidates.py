"""Predicates over the parameters of a function that its callers may have to guarantee: templates, filled with the
pointers and integers that the function is given, and with what its violated checks are about."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from pycparser import c_ast
from pycparser.c_generator import CGenerator
from pycparser.c_parser import CParser, ParseError

from chcverify.effort import MAX_TRIED, MAX_VISITED
from chcverify.options import HarnessOptions
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES, Check, CheckKind
from chcverify.results.precondition import PreconditionCandidate
from encoders.c.harness.harness_text import HarnessWriter, write_harness
from encoders.c.harness.tied_sizes import bounded_indices
from encoders.c.lowering.context import Unit
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, Scope
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import VOID, CArray, CFunction, CInteger, CPointer, CRecord, CType
from encoders.c.types.record_layout import is_unnamed

_LESS = re.compile(
    r"(len|length|count|used|pos|position|head|tail|index|idx|size|off|offset|top|read|write|n|i|start)$"
)
_MORE = re.compile(r"(cap|capacity|size|max|limit|alloc|allocated|total|end|mask|bufsize|n|len|length|count)$")
_IS_SIZE = re.compile(r"(\w+_)?(len|length|size|count|num|n|sz|cap|capacity|max)", re.IGNORECASE)
_SIZES = re.compile(r"(len|length|size|count|num|bytes|cap|capacity|max|n|sz|nmemb)", re.IGNORECASE)
_ARITHMETIC = frozenset({CheckKind.OVERFLOW, CheckKind.DIVISION, CheckKind.SHIFT, CheckKind.CONVERSION})
_MEMORY = DEREFERENCES | {CheckKind.FREE}
_ANY = _ARITHMETIC | _MEMORY | {CheckKind.ASSERTION, CheckKind.UNREACHABLE, CheckKind.BUILTIN, CheckKind.VLA_BOUND}


@dataclass(frozen=True)
class _Pointer:
    """A pointer that a function is given, `p` or `p->m`. sized: is it one to any number of elements?"""

    text: str
    target: CType
    sized: bool
    is_parameter: bool
    reads: bool  # is its target const?
    position: int  # among the parameters, or the members


@dataclass(frozen=True)
class _Integer:
    """An integer that a function is given, `n` or `p->n`; position: among the parameters, or the members."""

    text: str
    type: CInteger
    position: int


def precondition_candidates(
    unit: Unit, symbol: FunctionSymbol, scope: Scope, options: HarnessOptions, violated: Sequence[Check]
) -> list[PreconditionCandidate]:
    """The candidates for a function with a body, the cheapest first."""
    return _Templates(unit, symbol, scope, options).candidates(violated)


class _Templates:
    """Fills the templates for one function."""

    def __init__(self, unit: Unit, symbol: FunctionSymbol, scope: Scope, options: HarnessOptions) -> None:
        self.unit, self.symbol, self.scope, self.options = unit, symbol, scope, options
        self.writer = HarnessWriter(symbol, unit.layout, options, 1, (), (), frozenset())
        self.pointers: list[_Pointer] = []
        self.integers: list[_Integer] = []
        self.lengths: set[int] = set()  # of arrays that the function may index
        for position, (kind, node, name) in enumerate(self.writer.parameters()):
            self._enter(kind, name, position, _is_const(node))
        self.subscripts, self.constants = self._body()
        self.bounded = bounded_indices(symbol.definition) if symbol.definition is not None else set()

    def _enter(self, kind: CType, name: str, position: int, reads: bool) -> None:
        """A parameter, and the members of the object behind it."""
        if isinstance(kind, CInteger) and not kind.is_bool:
            self.integers.append(_Integer(name, kind, position))
        if not isinstance(kind, CPointer) or isinstance(kind.target, CFunction):
            return
        sized = not self.writer.writer.holds_pointers(kind.target)
        self.pointers.append(_Pointer(name, kind.target, sized, True, reads, position))
        if isinstance(kind.target, CRecord):
            self._members(kind.target, f"{name}->")

    def _members(self, record: CRecord, prefix: str, depth: int = 0) -> None:
        """What is in the object; behind its pointers only pointers, as deep as the harness has objects."""
        layout = self.unit.layout.records.get(record.tag)
        for position, member in enumerate(layout.fields if layout is not None and not record.is_union else ()):
            text, kind, level = prefix + member.name, member.type, prefix.count("->")
            if is_unnamed(member.name):
                continue
            if isinstance(kind, CInteger) and not kind.is_bool:
                if level == 1:
                    self.integers.append(_Integer(text, kind, position))
            elif isinstance(kind, CRecord) and depth == 0:
                self._members(kind, f"{text}.", depth + 1)
            elif isinstance(kind, CArray) and kind.length:
                self.lengths.add(kind.length)
            elif isinstance(kind, CPointer) and level <= self.options.depth and _is_object(kind.target):
                sized = not self.writer.writer.holds_pointers(kind.target)
                self.pointers.append(_Pointer(text, kind.target, sized, False, False, position))
                if isinstance(kind.target, CRecord) and level < self.options.depth:
                    self._members(kind.target, f"{text}->", depth)

    def _body(self) -> tuple[set[tuple[str, str]], set[int]]:
        """What is a subscript of what in the body; the constants there that may be numbers of elements."""
        subscripts: set[tuple[str, str]] = set()
        constants: set[int] = set()
        work: list[c_ast.Node] = [self.symbol.definition] if self.symbol.definition is not None else []
        generator = CGenerator()
        while work:
            node = work.pop()
            work += [child for _, child in node.children()]
            if isinstance(node, c_ast.ArrayRef):
                subscripts.add((generator.visit(node.name), generator.visit(node.subscript)))
            value = _constant(node)
            if value is not None and 0 < value <= MAX_VISITED:
                constants.add(value)
            if isinstance(node, c_ast.ArrayDecl) and (length := _constant(node.dim)):
                self.lengths.add(length)
            named = self.scope.names.get(node.name) if isinstance(node, c_ast.ID) else None
            if isinstance(named, GlobalVariable) and isinstance(named.type, CArray) and named.type.length:
                self.lengths.add(named.type.length)
        return subscripts, constants

    def candidates(self, violated: Sequence[Check]) -> list[PreconditionCandidate]:
        """All candidates that the harness can assume, each once."""
        kinds = {check.kind for check in violated}
        found = [*self._pointers(), *self._integers(kinds), *self._relations(), *self._of_checks(violated)]
        found.sort(key=lambda candidate: candidate.cost)
        different = list({candidate.text: candidate for candidate in reversed(found)}.values())[::-1]
        cheap = different[:MAX_TRIED]
        return cheap if self._have_meaning(cheap) else [one for one in cheap if self._have_meaning([one])]

    def _have_meaning(self, candidates: Sequence[PreconditionCandidate]) -> bool:
        """Can a harness assume these?"""
        texts = tuple(candidate.text for candidate in candidates)
        try:
            write_harness(self.symbol, self.unit.layout, replace(self.options, observed=texts))
        except Unsupported:
            return False
        return True

    # --- the templates

    def _pointers(self) -> Iterator[PreconditionCandidate]:
        for pointer in self.pointers:
            valid = "\\valid_read" if pointer.reads else "\\valid"
            if self.options.null or not pointer.is_parameter:
                known = self.unit.layout.is_complete(pointer.target) and pointer.target != VOID
                text = f"{valid}({pointer.text})" if known else f"{pointer.text} != \\null"
                yield replace(_new(text, _MEMORY, [pointer], pointer.text.count("->")), is_validity=True)
            if pointer.sized and pointer.text.count("->") < 2:
                yield from self._ranges(pointer, valid)

    def _ranges(self, pointer: _Pointer, valid: str) -> Iterator[PreconditionCandidate]:
        start = f"(char *){pointer.text}" if pointer.target == VOID else pointer.text
        for integer in self.integers:
            owner, _, name = integer.text.rpartition("->")
            is_tied = any((pointer.text, integer.text) == (tied, size) for tied, _, size in self.bounded)
            if owner == pointer.text or (integer.type.rank < 3 and not is_tied and not _SIZES.search(name)):
                continue
            cost = 20 + (0 if is_tied else _distance(pointer, integer))
            text = f"{valid}({start} + (0 .. {integer.text} - 1))"
            yield _new(text, _MEMORY, [pointer, integer], cost)
            if (pointer.text, integer.text) in self.subscripts and not _IS_SIZE.fullmatch(name):
                text = f"{valid}({pointer.text} + (0 .. {integer.text}))"
                yield _new(text, _MEMORY, [pointer, integer], cost - 10)
        for constant in sorted(self.constants):
            if constant > 1:
                yield _new(f"{valid}({start} + (0 .. {constant - 1}))", _MEMORY, [pointer], 50)
            if (pointer.text, str(constant)) in self.subscripts:
                yield _new(f"{valid}({pointer.text} + (0 .. {constant}))", _MEMORY, [pointer], 45)

    def _integers(self, kinds: set[CheckKind]) -> Iterator[PreconditionCandidate]:
        indices = {index for _, index in self.subscripts}
        for integer in self.integers:
            if integer.type.signed:
                yield _new(f"{integer.text} >= 0", _ANY, [integer], 28)
            yield _new(f"{integer.text} > 0", _ANY, [integer], 33)
            for length in sorted(self.lengths):
                is_large = integer.type.maximum > length
                if is_large:
                    yield _new(f"{integer.text} <= {length}", _MEMORY, [integer], 30, length > 1)
                    cost = 29 if integer.text in indices else 31
                    yield _new(f"{integer.text} < {length}", _MEMORY, [integer], cost, length > 1)
            if CheckKind.OVERFLOW in kinds and integer.type.signed and integer.type.rank >= 3:
                low, high, kind = integer.type.minimum, integer.type.maximum, frozenset({CheckKind.OVERFLOW})
                yield _new(f"{integer.text} > {low}", kind, [integer], 26)
                yield _new(f"{integer.text} < {high}", kind, [integer], 26)
                yield _new(f"-{high // 2} <= {integer.text} <= {high // 2}", kind, [integer], 60)

    def _relations(self) -> Iterator[PreconditionCandidate]:
        """Between members of one object, or between parameters. Expected is what names suggest, and that a member by
        which an array is indexed is at most the one that it is compared with. (A parameter that is compared may be
        anything: the function looks whether it is an index.)"""
        bounded = {(index, size) for _, index, size in self.bounded if "->" in index}
        for one, other in permutations(self.integers, 2):
            if one.text.rpartition("->")[0] != other.text.rpartition("->")[0]:
                continue
            expected = bool(_LESS.search(one.text)) and bool(_MORE.search(other.text))
            expected = expected and not (_LESS.search(other.text) and _MORE.search(one.text))
            shown = (one.text, other.text) in bounded
            for operator, cost, likely in (("<=", 34, expected or shown), ("<", 35, expected)):
                text, cost = f"{one.text} {operator} {other.text}", cost if likely else 2 * cost
                yield replace(_new(text, _ANY, [one, other], cost, likely), relates=(one.text, other.text))

    def _of_checks(self, violated: Sequence[Check]) -> Iterator[PreconditionCandidate]:
        """That the checked operation is defined, where it is one on what the function is given."""
        for check in violated:
            if check.kind is CheckKind.ASSERTION:
                yield from self._asserted(check)
            node = _parsed(check.text) if check.kind in _ARITHMETIC else None
            if node is None:
                continue
            left, operator, right = _operation(node)
            kind = frozenset({check.kind})
            if operator in ("/", "%") and check.kind is CheckKind.DIVISION and (used := self._given(right)):
                yield _new(_is_not_zero(right), kind, used, 2)
            elif operator in ("<<", ">>") and check.kind is CheckKind.SHIFT:
                width = 64 if any(one.type.width == 64 for one in self._given(left)) else 32
                if used := self._given(right):
                    yield _new(f"0 <= {right} < {width}", kind, used, 2)
                if used := self._given(left):
                    yield _new(f"{left} >= 0", kind, used, 3)
            if operator == "<<" and (used := self._given(right)) and (fits := _shifts_of_constant(left)):
                yield _new(f"0 <= {right} < {fits}", frozenset({CheckKind.SHIFT, CheckKind.OVERFLOW}), used, 1)
            elif check.kind is CheckKind.OVERFLOW and (used := self._given(CGenerator().visit(node))):
                text = f"{left} {operator} {right}" if operator else CGenerator().visit(node)
                yield from _in_range(text, (left, operator, right), used)

    def _given(self, text: str) -> list[_Integer]:
        """The integers that the expression of a text is about, if the function is given all that it is about."""
        known = {integer.text: integer for integer in self.integers}
        used = _operands(_parsed(text))
        return [known[name] for name in sorted(used)] if used <= set(known) else []

    def _asserted(self, check: Check) -> Iterator[PreconditionCandidate]:
        """The condition of an assertion about what the function is given."""
        node = _parsed(check.text)
        arguments = node.args.exprs if isinstance(node, c_ast.FuncCall) and node.args is not None else []
        operands: list[_Pointer | _Integer] = [*self.integers, *self.pointers]
        used = _operands(arguments[0]) - {"NULL"} if arguments else set()
        if used and used <= {operand.text for operand in operands}:
            text = re.sub(r"\bNULL\b", r"\\null", CGenerator().visit(arguments[0]))
            yield _new(text, frozenset({check.kind}), [o for o in operands if o.text in used], 1)


def _shifts_of_constant(text: str) -> int:
    """By how many bits a constant of type int can be shifted to the left, and by one less; 0 if it is none."""
    value = _constant(_parsed(text)) if text.isdigit() else None
    return 0 if not value or value >= 1 << 31 else 32 - value.bit_length()


def _is_not_zero(divisor: str) -> str:
    """That a divisor is not zero: of `x - 1`, that x is not 1."""
    node = _parsed(divisor)
    if isinstance(node, c_ast.BinaryOp) and node.op == "-" and _constant(node.right) is not None:
        left, _, right = _operation(node)
        return f"{left} != {right}"
    return f"{divisor} != 0"


def _in_range(text: str, operation: tuple[str, str, str], used: Sequence[_Integer]) -> Iterator[PreconditionCandidate]:
    """That an operation on these integers does not overflow."""
    left, operator, right = operation
    width = 64 if any(integer.type.width == 64 for integer in used) else 32
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    if operator in ("/", "%"):
        yield _new(f"({left} != {low} || {right} != -1)", frozenset({CheckKind.OVERFLOW}), used, 2)
    else:
        yield _new(f"{low} <= {text} <= {high}", frozenset({CheckKind.OVERFLOW}), used, 2 if len(used) > 1 else 27)


def _new(
    text: str,
    kinds: frozenset[CheckKind],
    operands: Sequence[_Pointer | _Integer],
    cost: int,
    is_expected: bool = True,
) -> PreconditionCandidate:
    names = frozenset(operand.text for operand in operands)
    return PreconditionCandidate(text, frozenset(kinds), names, cost, is_expected)


def _distance(pointer: _Pointer, integer: _Integer) -> int:
    """How unlikely it is that an integer is the number of elements of a pointer, by their names and positions."""
    owner, _, name = integer.text.rpartition("->")
    together = owner == pointer.text.rpartition("->")[0]
    behind = together and integer.position == pointer.position + 1
    return (not together) * 8 + (not _SIZES.search(name)) * 4 + (not behind) * 2 + (not _MORE.search(name))


def _is_object(kind: CType) -> bool:
    return not isinstance(kind, CFunction) and kind != VOID


def _is_const(node: c_ast.Node | None) -> bool:
    """Is it the declaration of a pointer to what is const, or an array of such elements?"""
    declared = getattr(node, "type", None)
    if not isinstance(declared, c_ast.PtrDecl | c_ast.ArrayDecl):
        return False
    return "const" in (getattr(declared.type, "quals", None) or ())


def _constant(node: c_ast.Node | None) -> int | None:
    """The value of a decimal or hexadecimal constant."""
    if not isinstance(node, c_ast.Constant) or not re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*", node.value):
        return None
    digits = node.value.rstrip("uUlL")
    return int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits, 8 if digits[0] == "0" else 10)


def _parsed(text: str) -> c_ast.Node | None:
    """The expression of a text; None if it is none, or names types that only the file declares."""
    try:
        made = CParser().parse(f"int f(void) {{ {text.rstrip(';')}; }}").ext[0]
    except (ParseError, AttributeError, TypeError, IndexError):
        return None
    return made.body.block_items[0] if isinstance(made, c_ast.FuncDef) and made.body.block_items else None


def _operation(node: c_ast.Node) -> tuple[str, str, str]:
    """The operands and the operator of an operation, as texts; the operator "" if it has not two operands."""
    write = CGenerator().visit

    def operand(part: c_ast.Node) -> str:
        return write(part) if isinstance(part, c_ast.ID | c_ast.Constant | c_ast.StructRef) else f"({write(part)})"

    if isinstance(node, c_ast.BinaryOp):
        return operand(node.left), node.op, operand(node.right)
    if isinstance(node, c_ast.Assignment) and node.op != "=":
        return operand(node.lvalue), node.op[:-1], operand(node.rvalue)
    if isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--"):
        return operand(node.expr), node.op[-1], "1"
    return "", "", ""


def _operands(node: c_ast.Node | None) -> set[str]:
    """The variables and members that an expression reads; with a name that no operand has if it does more."""
    found: set[str] = set()
    work = [node] if node is not None else []
    while work:
        part = work.pop()
        if isinstance(part, c_ast.StructRef | c_ast.ID):
            found.add(CGenerator().visit(part))
        elif isinstance(part, c_ast.FuncCall | c_ast.ArrayRef | c_ast.Cast | c_ast.TernaryOp):
            found.add("")
        else:
            work += [child for _, child in part.children()]
    return found
