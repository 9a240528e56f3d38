"""What every part of the lowering shares: the translation unit, the function being built, coordinates and errors."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field

from pycparser import c_ast

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.assumption import Assumption
from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa.builder import CfaBuilder
from encoders.c.cfa.expression_walk import postorder
from encoders.c.cfa.ir import (
    TEMPORARY,
    AddressOf,
    Assign,
    Constant,
    Dereference,
    ElementLValue,
    Expression,
    FieldLValue,
    Load,
    LValue,
    Operation,
    Trap,
    Variable,
    VariableLValue,
)
from encoders.c.library.model_files import HARNESS, MODELS
from encoders.c.library.table_reader import may_lack_memory
from encoders.c.lowering.environment import Allocations, Surroundings, VolatileReads
from encoders.c.lowering.file_scope.program_files import ProgramFile, ProgramFiles
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, Scope
from encoders.c.source.attributes import Attributes
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.source.syntax_trees import source_text
from encoders.c.types.c_types import CFunction, CType, DataModel
from encoders.c.types.record_layout import IncompleteType, RecordLayouts


@dataclass(frozen=True)
class IndirectCall:
    """A call through a pointer, to be resolved when all functions whose address is taken are known."""

    source: int
    target: int
    pointer: Expression
    lvalue: LValue | None
    arguments: tuple[Expression, ...]
    type: CFunction
    origin: Origin
    text: str
    may_count: bool = False  # is there an argument, beyond the parameters, through which %n may write?


@dataclass
class Unit:
    """The program: its translation units' symbols, and what the functions lowered so far have asked for.

    file, scope: of the first translation unit; the others are in `files`.
    """

    file: str
    layout: RecordLayouts
    attributes: Attributes
    declare: Callable[[Unit, Scope, c_ast.FileAST], None]  # enters the declarations of a library model into its scope
    scope: Scope = field(default_factory=Scope)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    orders: Iterator[int] = field(default_factory=itertools.count)
    tags: dict[str, int] = field(default_factory=dict)
    records: dict[int, CType] = field(default_factory=dict)  # by the identity of the specifier's node
    poisoned: dict[str, Unsupported] = field(default_factory=dict)  # records that cannot be laid out
    used_globals: dict[str, GlobalVariable] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)  # of constexpr scalars, by the unique names
    strings: dict[tuple[str, tuple[int, ...]], dict[str, GlobalVariable]] = field(default_factory=dict)
    """The arrays of string literals, by the type and the values of their elements, and by the file."""
    wanted: dict[str, FunctionSymbol] = field(default_factory=dict)  # functions to lower, in order of first use
    address_taken: dict[str, FunctionSymbol] = field(default_factory=dict)
    unknown_callees: dict[tuple[str, int], FunctionSymbol] = field(default_factory=dict)  # by function and location
    files: ProgramFiles = field(default_factory=ProgramFiles)
    first: ProgramFile = field(init=False)
    libraries: dict[str, Scope] = field(default_factory=dict)  # file scopes of library models
    transparent_unions: set[str] = field(default_factory=set)  # tags
    early_enumerations: set[str] = field(default_factory=set)  # tags named before their definition, taken for unsigned
    aligned_names: set[CType] = field(default_factory=set)  # types of typedefs with alignments of their own
    variadic_records: dict[str, int] = field(default_factory=dict)  # numbers of the types that `...` passes, by tag
    recast: set[str] = field(default_factory=set)  # functions whose address has been converted to another type
    recast_types: set[CFunction] = field(default_factory=set)  # types of pointers to functions that have been converted
    has_threads: bool = False  # calls that start threads are operations, not traps
    has_interrupts: bool = False  # are there interrupt handlers?
    reads_errno: bool = False
    has_exit_handlers: bool = False  # is atexit mentioned?
    has_thread_keys: bool = False  # is pthread_key_create or tss_create mentioned?
    has_jumps: bool = False  # is setjmp, longjmp or their like mentioned?
    sets_rounding: bool = False  # may floating-point operations round in another way than to nearest?
    closes_streams: bool = False  # is fclose, or its like, mentioned?
    uses_complex: bool = False  # are there complex numbers?
    streams_in_memory: bool = False  # is fmemopen, or its like, mentioned?
    replaces_streams: bool = False  # beside that, is a standard stream assigned to?
    checks: frozenset[CheckKind] = frozenset({CheckKind.ASSERTION})  # the kinds of violations
    assumptions_block: bool = False  # a run in which an assumption fails waits for ever, instead of being no run
    unchecked: frozenset[str] = frozenset()  # functions whose own accesses to memory are valid, as a harness's are
    arbitrary: set[str] | None = None  # of variables with any values at first: those that the harness sets; None: none
    surroundings: Surroundings = field(default_factory=Surroundings)  # decided when the program has been parsed
    assumptions: dict[tuple[str, str], Assumption] = field(default_factory=dict)  # by kind and subject

    @property
    def checks_assertions(self) -> bool:
        """Is a call of reach_error, or a failed assertion, a violation?"""
        return CheckKind.ASSERTION in self.checks

    @property
    def checks_overflow(self) -> bool:
        """Is a signed operation whose result does not fit a violation?"""
        return CheckKind.OVERFLOW in self.checks

    def __post_init__(self) -> None:
        self.first = ProgramFile(self.file, self.scope)

    def scopes(self) -> list[Scope]:
        """The file scopes of the program, those of library models excepted."""
        return [self.scope, *(file.scope for file in self.files.others)]

    def file_of(self, scope: Scope) -> ProgramFile | None:
        """The translation unit of a file scope, None for that of a library model."""
        if scope is self.scope:
            return self.first
        return next((file for file in self.files.others if file.scope is scope), None)

    def has_definition(self, name: str) -> bool:
        """Does the program define a function of this name?"""
        known = self.files.linked.get(name) or next(
            (file.own[name] for file in (self.first, *self.files.others) if name in file.own), None
        )
        return isinstance(known, FunctionSymbol) and known.definition is not None

    @property
    def checks_arithmetic(self) -> bool:
        """Are some arithmetic operations or conversions violations?"""
        kinds = {CheckKind.OVERFLOW, CheckKind.DIVISION, CheckKind.SHIFT, CheckKind.CONVERSION}
        return bool(self.checks & kinds)

    @property
    def counts_volatile(self) -> bool:
        """Does it matter through which pointers volatile objects are accessed?"""
        return self.has_interrupts or self.surroundings.volatile == VolatileReads.FRESH

    @property
    def model(self) -> DataModel:
        """The sizes of the basic types."""
        return self.layout.model

    def unique_tag(self, tag: str | None) -> str:
        """A tag that is unique in the program: `list`, `list#2`, `<anonymous>#3`."""
        name = tag or "<anonymous>"
        count = self.tags[name] = self.tags.get(name, 0) + 1
        return name if count == 1 and tag else f"{name}#{count}"

    def assume(self, kind: str, subject: str, effect: str, origin: Origin) -> None:
        """Records what the program's meaning rests on, at its first use."""
        found = Assumption(kind, subject, effect, origin.file, origin.line, origin.column)
        self.assumptions.setdefault((kind, subject), found)


class LoweringContext:
    """The state of lowering one function, with coordinates, errors and temporaries; all collaborators share it.

    is_file_scope: are the declarations and initialisers of a file lowered, and no function's body?
    """

    def __init__(self, unit: Unit, name: str, scope: Scope, is_file_scope: bool = False) -> None:
        self.unit = unit
        self.name = name
        self.scope = scope
        self.is_file_scope = is_file_scope
        self.cfa = CfaBuilder(name, unit.numbers)
        self.cfa.current = self.entry = self.cfa.location()
        self.exit = self.cfa.location()
        self.parameters: list[Variable] = []
        self.result: Variable | None = None
        self.locals: list[Variable] = []
        self.indirect: list[IndirectCall] = []
        self.evaluated = True
        self.latest: c_ast.Node | None = None  # the expression that was begun last
        self._uniques: dict[str, int] = {}
        self._assigned_once: set[str] = set()  # unique names of temporaries

    # --- coordinates, text and errors

    def origin(self, node: c_ast.Node) -> Origin:
        """The coordinates of a node, or of its first part that has any."""
        coord = node.coord
        if coord is None:
            for _, child in node.children():
                return self.origin(child)
            return Origin(self.unit.file, 1)
        return Origin(coord.file or self.unit.file, coord.line, coord.column or 1)

    def text(self, node: c_ast.Node) -> str:
        """The source text of a node; empty where nothing is evaluated."""
        return source_text(node) if self.evaluated else ""

    def emit(self, operation: Operation, node: c_ast.Node) -> None:
        """Adds an edge with the operation, at the coordinates of the node and with its text."""
        self.cfa.emit(operation, self.origin(node), self.text(node))

    def is_in_library(self, node: c_ast.Node) -> bool:
        """Does the node belong to a model of a library function, not to the program?"""
        return self.origin(node).file.startswith(MODELS)

    def is_generated(self, node: c_ast.Node) -> bool:
        """Does the node belong to a model of a library function, or to a harness?"""
        return self.is_in_library(node) or self.origin(node).file.startswith(HARNESS)

    def assume_success(self, name: str, node: c_ast.Node) -> None:
        """Records that a function never fails to allocate, if it is one that may and the program says so first here."""
        if self.unit.surroundings.allocations is not Allocations.MAY_FAIL and may_lack_memory(name):
            self.unit.assume("success", name, "never fails", self.origin(node))

    def error(self, node: c_ast.Node, message: str) -> SourceError:
        """An error of the program at a node."""
        return SourceError(self.origin(node), message)

    def refuse(self, node: c_ast.Node, construct: str) -> Unsupported:
        """The error that a construct is not modelled, at a node."""
        return Unsupported(self.origin(node), construct)

    def size_of(self, kind: CType, node: c_ast.Node) -> int:
        """The size of a type in bytes. Raises SourceError for an incomplete type, Unsupported for one not modelled."""
        try:
            return self.unit.layout.size(kind)
        except IncompleteType as incomplete:
            if incomplete.tag in self.unit.poisoned:
                raise self.unit.poisoned[incomplete.tag] from None
            raise self.error(node, f"incomplete type '{kind}'") from None

    # --- variables and edges

    def temporary(self, kind: CType, name: str | None = None, constant: bool = False) -> VariableLValue:
        """A variable of the lowering; without a name, one that is assigned only once."""
        unique = self.unique(TEMPORARY if name is None else name, always_numbered=name is None)
        variable = Variable(unique, name or TEMPORARY, kind, self.name, temporary=True, constant=constant)
        if name is None:
            self._assigned_once.add(unique)
        if self.evaluated:
            self.locals.append(variable)
        return VariableLValue(variable, kind)

    def _is_temporary(self, lvalue: LValue) -> bool:
        return isinstance(lvalue, VariableLValue) and lvalue.variable.unique in self._assigned_once

    def unique(self, name: str, always_numbered: bool = False) -> str:
        """A name that no other variable of the program has: `main::i`, `main::i#2`."""
        count = self._uniques[name] = self._uniques.get(name, 0) + 1
        return f"{self.name}::{name}#{count}" if count > 1 or always_numbered else f"{self.name}::{name}"

    @property
    def reads_are_checked(self) -> bool:
        """Are accesses checked, and is the code at hand evaluated?"""
        return bool(self.unit.checks & DEREFERENCES) and self.evaluated

    def blocks_at(self, assumption: c_ast.Node) -> bool:
        """Does a run wait for ever where the assumption fails? Not in models of the library and in harnesses, which
        say by assumptions what there is."""
        is_generated = self.origin(assumption).file.startswith("<")
        return self.unit.assumptions_block and not is_generated

    def held(self, expression: Expression, node: c_ast.Node) -> Expression:
        """The expression's value now, whatever is assigned later. (Temporaries are assigned only once.)"""
        if (isinstance(expression, Load) and self._is_temporary(expression.lvalue)) or not reads_memory(expression):
            return expression
        return self.held_always(expression, node)

    def held_always(self, expression: Expression, node: c_ast.Node) -> Expression:
        """As `held`, also where the expression has the same value later: it may then be used often."""
        lvalue = self.temporary(expression.type)
        self.cfa.emit(Assign(lvalue, expression), self.origin(node), self.text(node))
        return Load(lvalue, expression.type)

    def held_behind_block(self, expression: Expression, node: c_ast.Node) -> Expression:
        """As `held`, for use behind the innermost block: an address is that of the object that ends with the block."""
        has_address = any(isinstance(part, AddressOf) for part in postorder(expression))
        return self.held_always(expression, node) if has_address else self.held(expression, node)

    def held_lvalue(self, lvalue: LValue, node: c_ast.Node) -> LValue:
        """The lvalue that is designated now, whatever is assigned later to what its address is computed from."""
        match lvalue:
            case VariableLValue():
                return lvalue
            case Dereference(pointer, kind):
                return Dereference(self.held(pointer, node), kind)
            case FieldLValue(base, member, kind):
                return FieldLValue(self.held_lvalue(base, node), member, kind)
            case ElementLValue(base, index, kind):
                return ElementLValue(self.held_lvalue(base, node), self.held(index, node), kind)

    @contextmanager
    def unevaluated(self) -> Iterator[None]:
        """Lowering inside is for types alone: nothing that it emits remains."""
        cfa, evaluated, indirect = self.cfa, self.evaluated, self.indirect
        self.cfa = CfaBuilder(self.name)
        self.cfa.current = self.cfa.location()
        self.evaluated, self.indirect = False, []
        try:
            yield
        finally:
            self.cfa, self.evaluated, self.indirect = cfa, evaluated, indirect

    @contextmanager
    def trapped(self, node: c_ast.Node, goes_on: bool = False) -> Iterator[None]:
        """What is lowered inside becomes a trap if some of it is not modelled: no run goes on from its beginning.

        goes_on: real runs go on where lowering does, unless functions are called inside.

        What was emitted of it is undone, since branches inside may have been left without an end.
        """
        cfa, mark, indirect = self.cfa, self.cfa.mark(), len(self.indirect)
        try:
            yield
        except Unsupported as error:
            cfa.rollback(mark)
            del self.indirect[indirect:]
            self.trap(error.construct, node, error.origin, goes_on and has_no_control(node))

    def trap(self, what: str, node: c_ast.Node, origin: Origin | None = None, goes_on: bool = False) -> None:
        """Adds an edge that is not modelled; lowering continues at a location that nothing reaches.

        goes_on: real runs go on there, and call no function of the program before.
        """
        behind, after = self.cfa.location(), self.cfa.location()
        trap = Trap(what, (after,) if goes_on else None)
        self.cfa.edge(self.cfa.current, behind, trap, origin or self.origin(node), self.text(node))
        self.cfa.current = after

    @contextmanager
    def block(self) -> Iterator[None]:
        """A new innermost scope."""
        outer, cfa = self.scope, self.cfa
        self.scope = Scope(outer)
        outer_block = cfa.enter_block()
        try:
            yield
        finally:
            self.scope = outer
            cfa.block = outer_block


_CONTROL = (
    c_ast.FuncCall, c_ast.Goto, c_ast.Label, c_ast.Break, c_ast.Continue, c_ast.Return, c_ast.Case, c_ast.Default,
    c_ast.Compound,
)  # fmt: skip


def has_no_control(node: c_ast.Node) -> bool:
    """True if nothing inside calls a function or leaves the node elsewhere than at its end."""
    stack = [child for _, child in node.children()]
    if isinstance(node, _CONTROL) and not isinstance(node, c_ast.Return):
        return False
    while stack:
        inner = stack.pop()
        if isinstance(inner, _CONTROL):
            return False
        stack.extend(child for _, child in inner.children())
    return True


def reads_memory(expression: Expression) -> bool:
    """Could a later assignment change the expression's value?"""
    return any(isinstance(node, Load) for node in postorder(expression))
