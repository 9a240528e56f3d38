"""The harness of a function: C text that calls it once, as the options assume."""

import copy
import re
from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from chcverify.effort import MAX_COMPARED
from chcverify.horn.system import Origin
from chcverify.options import HarnessOptions, observed_name
from chcverify.quick_dataclass import dataclass
from chcverify.results.precondition import owners_of
from encoders.c.contracts.acsl_expressions import RESULT, Range, Translation, without_cast
from encoders.c.contracts.annotations import clause_condition
from encoders.c.contracts.behaviours import BEHAVIOURS, ContractClause
from encoders.c.contracts.quantifier_loops import QuantifierUse
from encoders.c.harness.external_results import ExternalFunction, ExternalResultWriter
from encoders.c.harness.leading_assertions import leading_assertions
from encoders.c.harness.object_writer import ObjectWriter, TooManyObjects
from encoders.c.harness.tied_sizes import tied_by_use
from encoders.c.harness.used_types import used_types
from encoders.c.lowering.calls.annotation_calls import VALID_CALL
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable
from encoders.c.source.literals import escaped
from encoders.c.source.source_errors import Unsupported
from encoders.c.source.syntax_trees import parameters_of
from encoders.c.types.c_types import VOID, CFloat, CFunction, CInteger, CPointer, CRecord, CType
from encoders.c.types.record_layout import RecordLayouts

HARNESS = "chcverify_harness"
KEPT = "chcverify_kept"
_SIZE_NAME = re.compile(r"(len|size|count|num|bytes|capacity|^n$|_n$|^sz$|_sz$|nmemb)", re.IGNORECASE)
_END_NAME = re.compile(r"(^|_)(end|limit|stop|last|lim|e)$", re.IGNORECASE)
_PATH = re.compile(r"[A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)+")
_VALID = re.compile(r"\\valid(?:_read)?\(\s*(?:\([^()]*\)\s*)?([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*)")


@dataclass(frozen=True)
class Harness:
    """text: declarations and functions. assumed: what it assumes of the call, as a phrase. records: those whose members
    the text names."""

    text: str
    assumed: str
    records: tuple[CRecord, ...] = ()
    defined: frozenset[str] = frozenset()
    """The functions that the text defines: HARNESS, and those without a body that return new objects."""


def write_harness(
    symbol: FunctionSymbol,
    layouts: RecordLayouts,
    options: HarnessOptions,
    variables: Sequence[GlobalVariable] = (),
    contract: Sequence[ContractClause] = (),
    arrays: frozenset[str] = frozenset(),
    external: Sequence[ExternalFunction] = (),
) -> Harness:
    """The harness of a function with a body.

    variables: those that get arbitrary values first. contract: of the function: what it requires is assumed, what it
    ensures is checked. arrays: names of types that are arrays, as va_list is. external: functions without a body that
    return new objects. Fewer levels of objects are assumed than
    the options ask for where there would be too many objects, more behind pointers that predicates call valid. Raises
    Unsupported for parameters that no declaration can repeat.
    """
    for depth in range(options.depth, -1, -1):
        try:
            return HarnessWriter(
                symbol, layouts, replace(options, depth=depth), MAX_COMPARED, variables, contract, arrays
            ).harness(external)
        except TooManyObjects:
            continue
    least = replace(options, depth=0)
    return HarnessWriter(symbol, layouts, least, 1 << 20, variables, contract, arrays).harness(external)


class HarnessWriter:
    """Writes one harness."""

    def __init__(
        self,
        symbol: FunctionSymbol,
        layouts: RecordLayouts,
        options: HarnessOptions,
        most_objects: int,
        variables: Sequence[GlobalVariable],
        contract: Sequence[ContractClause],
        arrays: frozenset[str],
    ) -> None:
        assert symbol.definition is not None
        self.symbol, self.options, self.variables, self.contract = symbol, options, variables, contract
        self.arrays = arrays
        self.declared = symbol.definition.decl
        predicates = [*(clause.text for clause in contract if clause.kind == "requires"), *options.observed]
        named = frozenset(f"chcverify_{path}" for text in predicates for path in _VALID.findall(text))
        self.writer = ObjectWriter(layouts, most_objects, options.strings, named)
        self.declarations: list[str] = []
        self.pointers: list[tuple[CPointer, str]] = []  # those that have been given an object: type, variable
        self.used = used_types(symbol, layouts)

    def harness(self, external: Sequence[ExternalFunction] = ()) -> Harness:
        """The whole text. external: functions without a body that return new objects."""
        parameters = self.parameters()
        arguments = [self._argument(*parameter) for parameter in parameters]
        for before, (kind, node, name) in zip([None, *parameters], parameters, strict=False):
            self.require_length(kind, node, name)
            if before is not None and self.options.sizes:
                self._end_at(kind, name, before[2])
            if before is not None and self.options.sizes:
                self._require_size(kind, name, before[2])
        if self.options.sizes and self.symbol.definition is not None:
            self._require_used_sizes(self.symbol.definition, [(kind, name) for kind, _, name in parameters])
        for variable in self.variables:
            self.writer.fill(variable.type, variable.name, self.options.depth, fresh=False)
        self.call(arguments)
        results = ExternalResultWriter(self.writer, self.options, self._declaration).definitions(external)
        needed = [f"extern {kind} __VERIFIER_nondet_{name}(void);" for name, kind in self.writer.functions.items()]
        head = [*needed, "extern void __VERIFIER_assume(int);", *self.declarations, *self.writer.globals]
        body = ["", *results.values(), f"void {HARNESS}(void)", "{", *self.writer.statements, "}", ""]
        records, defined = tuple(self.writer.records.values()), frozenset({HARNESS, *results})
        return Harness("\n".join([*head, *body]), self.assumed(), records, defined)

    def call(self, arguments: list[str]) -> None:
        """The call, between what the contract requires and what it ensures."""
        write, call = self.writer, f"{self.declared.name}({', '.join(arguments)})"
        gives = self.symbol.type.result != VOID
        keeps = gives and write.holds_pointers(self.symbol.type.result)
        if keeps:  # what it leads to is not lost
            write.line(f"static __typeof__({call}) {KEPT};")
        assertions = self.leading_assertions()
        if not (self.contract or self.options.observed or self.options.refuted or assertions):
            write.line(f"{KEPT} = {call};" if keeps else f"{call};")
            return
        conditions = self.assume_required(arguments, Translation(self.valid, gives))
        for condition in assertions:
            write.line(f"__VERIFIER_assume({condition});")
        self.observe()
        if self.options.refuted:
            write.line('__CPROVER_assert(0, "there is no such call");')
        write.line(f"__typeof__({call}) {RESULT} = {call};" if gives else f"{call};")
        if keeps:
            write.line(f"{KEPT} = {RESULT};")
        for clause, condition in conditions:
            if clause.kind == "ensures":
                write.line(f'__CPROVER_assert({condition}, "ensures {escaped(clause.text)}");')
        self.declarations.append("extern void __CPROVER_assert(int, const char *);")

    def leading_assertions(self) -> list[str]:
        """The assertions that hold of the call, if options say so."""
        if not self.options.asserts or self.symbol.definition is None:
            return []
        found = leading_assertions(self.symbol.definition, [name for _, _, name in self.parameters()])
        if found:
            self.writer.notes["the assertions that it begins with hold"] = None
        return found

    def assume_required(self, arguments: Sequence[str], translation: Translation) -> list[tuple[ContractClause, str]]:
        """The clauses in C; names the parameters, assumes what is required, keeps the old values that clauses name."""
        write = self.writer
        for argument in arguments:
            if argument.startswith("chcverify_"):  # clauses name the parameter
                name = argument.removeprefix("chcverify_")
                kind = "void *" if name in self.used else f"__typeof__({argument}) "
                write.line(f"{kind}{name} = {argument};")
        conditions = [(clause, self.translated(translation, clause)) for clause in self.contract]
        for clause, condition in conditions:
            if clause.kind == "requires":
                write.line(f"__VERIFIER_assume({condition});")
        for clause, condition in conditions:
            if clause.kind in BEHAVIOURS:
                self.check_behaviours(clause, condition)
        for text, number in translation.old.items():
            write.line(f"__typeof__({text}) chcverify_old_{number} = {text};")
        return conditions

    def observe(self) -> None:
        """Writes the variables that have the values of the predicates to be observed; true where a predicate is about
        members of an object that there is none of."""
        for number, text in enumerate(self.options.observed):
            clause = ContractClause("requires", text, frozenset(), self.origin())
            condition = self.translated(Translation(), clause)
            owners = dict.fromkeys(owner for path in _PATH.findall(text) for owner in owners_of(path))
            known = [f"{owner} == 0 || " for owner in owners if self._is_inside(owner)]
            self.writer.line(f"_Bool {observed_name(number)} = {''.join(known)}{condition};")

    def check_behaviours(self, clause: ContractClause, condition: str) -> None:
        """Writes the check that behaviours are complete or disjoint where the contract allows a call."""
        self.writer.line(f'__CPROVER_assert({condition}, "{clause.kind}");')

    def translated(self, translation: Translation, clause: ContractClause) -> str:
        """A clause as C; "" for `assigns`, which is not checked. Raises Unsupported."""
        if clause.kind == "assigns":
            write_note = "the clause assigns is not checked"
            self.writer.notes[write_note] = None
            return ""
        is_required = clause.kind == "requires"
        translation.valid = self.valid if is_required else self._checked_valid
        translation.checks_validity = not is_required
        translation.separated = self.separated if is_required else lambda one, two: None
        translation.quantifiers = QuantifierUse.ASSUME if is_required else QuantifierUse.CHECK
        condition = clause_condition(clause, translation)
        if translation.uses_any:
            self.writer.any("__int128", "int128")
        return condition

    def valid(self, name: str, count: str) -> str | None:
        """The condition that a pointer leads to so many elements: those of its new object."""
        known = next((kind for kind, variable in self.pointers if variable == name), None)
        if known is None:
            counted = self.writer.counts.get(f"chcverify_{name}") if self._is_inside(name) else None
        else:
            counted = "1" if self.writer.holds_pointers(known.target) else f"{name}_elements"
            counted = self._in_units(name, known, counted)
        if counted is None:
            return None
        return f"(({count}) <= 0 || ({name} != 0 && ({count}) <= (__int128){counted}))"

    def separated(self, one: Range, two: Range) -> str | None:
        """The condition that two pointers lead to different objects: true of a harness, if they may not share."""
        known = all(self._is_inside(name) for name, _ in (one, two))
        return "1" if known and not self.options.alias and one[0] != two[0] else None

    def _is_inside(self, name: str) -> bool:
        """Is it a pointer argument, or one in the object behind it?"""
        return any(re.fullmatch(rf"{re.escape(variable)}(->\w+(\.\w+)*)*", name) for _, variable in self.pointers)

    def _checked_valid(self, name: str, count: str) -> str | None:
        """A check, where memory is checked, that so many elements behind a pointer can be accessed."""
        if not self._is_inside(without_cast(name)[1]):
            return None
        return f"(({count}) <= 0 || (({count}) < (__int128)1 << 60 && {VALID_CALL}({name}, (unsigned long)({count}))))"

    def parameters(self) -> list[tuple[CType, c_ast.Node | None, str]]:
        """The type, declaration and name of each parameter."""
        definition = self.symbol.definition
        assert definition is not None
        nodes = [node for node in parameters_of(self.declared) if not isinstance(node, c_ast.EllipsisParam)]
        if definition.param_decls:
            old = {node.name: node for node in definition.param_decls}
            nodes = [old.get(node.name, node) if isinstance(node, c_ast.ID) else node for node in nodes]
        taken: set[str] = {self.declared.name}
        found = []
        for number, kind in enumerate(self.symbol.type.parameters):
            node = nodes[number] if number < len(nodes) else None
            name = getattr(node, "name", None) or f"parameter_{number + 1}"
            while name in taken:
                name += "_"
            taken.add(name)
            found.append((kind, node, name))
        return found

    def _argument(self, kind: CType, node: c_ast.Node | None, name: str) -> str:
        """Declares a variable for an argument, and writes what gives it a value; its name."""
        if isinstance(kind, CInteger | CFloat):
            self.writer.line(f"{self._declaration(node, name)};")
            self.writer.fill(kind, name, 0, fresh=False)
            return name
        variable = f"chcverify_{name}"
        if name in self.used:
            kind, node = self.used[name].type, self.used[name].declaration
            self.writer.notes["pointers to void lead to objects of the types that the function converts them to"] = None
        self.declarations.append(f"{self._declaration(node, variable)};")
        if not isinstance(kind, CPointer) or isinstance(kind.target, CFunction):
            self.writer.fill(kind, variable, self.options.depth, fresh=False)
            return variable
        self.pointer(kind, name)
        return variable

    def require_length(self, kind: CType, node: c_ast.Node | None, name: str) -> None:
        """Assumes the length of an array parameter: with `static` always (C11 6.7.6.3), else by an option.

        Objects that hold pointers have one element, whatever is declared: no call would be left.
        """
        declared = getattr(node, "type", None)
        elements = self._elements(name)
        if not isinstance(declared, c_ast.ArrayDecl) or declared.dim is None or elements is None:
            return
        if not isinstance(kind, CPointer) or self.writer.holds_pointers(kind.target) or _is_star(declared.dim):
            return
        if self.options.sizes or "static" in declared.dim_quals:
            length = CGenerator().visit(declared.dim)
            self.writer.notes["array parameters have the elements that they are declared with"] = None
            self.writer.line(f"__VERIFIER_assume({elements} >= {length});")

    def _require_size(self, kind: CType, name: str, pointer: str) -> None:
        """Assumes that an integer named like a size is at most the number of elements of the pointer before it."""
        elements = self._elements(pointer)
        if elements is None or not isinstance(kind, CInteger) or not _SIZE_NAME.search(name):
            return
        self.writer.notes["sizes are at most the number of elements of the pointer before them"] = None
        self.writer.line(f"__VERIFIER_assume({name} <= 0 || (unsigned long){name} <= {elements});")

    def _require_used_sizes(self, definition: c_ast.FuncDef, parameters: Sequence[tuple[CType, str]]) -> None:
        """Assumes that integers which the function compares with indices of a pointer are at most the number of
        elements there: of two parameters, or of two members of the object behind one."""
        integers = {name for kind, name in parameters if isinstance(kind, CInteger)}
        for pointer, size in sorted(tied_by_use(definition)):
            owner, _, member = pointer.partition("->")
            elements, condition = self._elements(pointer), ""
            if member and size.startswith(f"{owner}->"):
                elements = self.writer.counts.get(f"chcverify_{pointer}")
                condition, size = _unless_null(f"chcverify_{size}"), f"chcverify_{size}"
            elif size not in integers:
                continue
            if elements is not None:
                self.writer.notes["sizes by which indices are bounded are at most the number of elements there"] = None
                limit = f"{size} <= 0 || (unsigned long){size} <= {elements}"
                self.writer.line(f"__VERIFIER_assume({condition}{limit});")

    def _end_at(self, kind: CType, name: str, pointer: str) -> None:
        """Makes a pointer that is named like an end the end of the object of the one before it, of the same type."""
        known = next((kind for kind, variable in self.pointers if variable == pointer), None)
        if known is None or kind != known or not _END_NAME.search(name) or self.writer.holds_pointers(known.target):
            return
        self.writer.notes["ends are those of the pointers before them"] = None
        self.writer.line(f"chcverify_{name} = chcverify_{pointer} + {pointer}_elements;")
        self.writer.line(f"{name}_elements = 0;")

    def _elements(self, pointer: str) -> str | None:
        """The number of elements that a pointer argument leads to; None if it is no pointer to an object."""
        known = next((kind for kind, variable in self.pointers if variable == pointer), None)
        if known is None:
            return None
        holds_pointers = self.writer.holds_pointers(known.target)
        return self._in_units(
            pointer, known, f"(chcverify_{pointer} != 0)" if holds_pointers else f"{pointer}_elements"
        )

    def _in_units(self, name: str, kind: CPointer, count: str) -> str:
        """A number of elements, of a parameter of type `void *` that of their bytes. kind: of the pointer to them."""
        return f"{count} * {self.writer.layouts.size(kind.target)}" if name in self.used else count

    def pointer(self, kind: CPointer, variable: str) -> None:
        """A pointer argument: to a new object; where the options allow it, null or into the object of another one."""
        write = self.writer
        conditions = 0
        if self.options.null:
            write.line(f"if ({write.choice()}) {{")
            write.line(f"chcverify_{variable} = 0;")
            write.line("} else {")
            conditions += 1
        for other, known in self.pointers if self.options.alias else ():
            if other.target == kind.target:
                write.line(f"if ({write.choice()}) {{")
                self._share(kind, variable, known)
                write.line("} else {")
                conditions += 1
        write.new_object(kind, f"chcverify_{variable}", self.options.depth, f"{variable}_elements")
        for _ in range(conditions):
            write.line("}")
        self.pointers.append((kind, variable))

    def _share(self, kind: CPointer, variable: str, known: str) -> None:
        """The pointer leads into the object of another argument, to any of its elements."""
        write = self.writer
        if write.holds_pointers(kind.target):  # it has one element
            write.line(f"chcverify_{variable} = chcverify_{known};")
            return
        write.line(f"unsigned long position = {write.any('unsigned long', 'ulong')};")
        write.line(f"__VERIFIER_assume(position < {known}_elements);")
        write.line(f"chcverify_{variable} = chcverify_{known} + position;")
        write.line(f"{variable}_elements = {known}_elements - position;")

    def _declaration(self, node: c_ast.Node | None, name: str) -> str:
        """The declaration of a variable of a parameter's type, without qualifiers that would forbid assignments."""
        if node is None:
            return f"int {name}"
        if not isinstance(node, c_ast.Decl | c_ast.Typename):
            return f"int {name}"  # of a list of identifiers, without a declaration
        kind = copy.deepcopy(node.type)
        named = getattr(getattr(kind, "type", None), "names", [])
        if isinstance(kind, c_ast.TypeDecl) and named and named[0] in self.arrays:
            return f"__typeof__(&(*({named[0]} *)0)[0]) {name}"
        if isinstance(kind, c_ast.ArrayDecl):
            kind = c_ast.PtrDecl([], kind.type)
        elif isinstance(kind, c_ast.FuncDecl):
            kind = c_ast.PtrDecl([], kind)
        part: c_ast.Node = kind
        while not isinstance(part, c_ast.TypeDecl):
            assert isinstance(part, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl)
            if isinstance(part, c_ast.PtrDecl):
                part.quals = [word for word in part.quals or () if word == "volatile"]
            part = part.type
        part.quals = [word for word in part.quals or () if word == "volatile"]
        part.declname = name
        if isinstance(part.type, c_ast.Struct | c_ast.Union | c_ast.Enum) and part.type.name is None:
            raise Unsupported(self.origin(), f"a parameter of a type without a name, in --entry {self.declared.name}")
        return str(CGenerator().visit(c_ast.Decl(name, [], [], [], [], kind, None, None)))

    def origin(self) -> Origin:
        coord = self.declared.coord
        return Origin(coord.file, coord.line, coord.column or 1)

    # --- what is assumed

    def assumed(self) -> str:
        """Everything that the harness does not leave open, as one phrase."""
        kinds = self.symbol.type.parameters
        parts = ["is called once"]
        if kinds:
            parts[0] += ", with any arguments"
        if any(clause.kind == "requires" for clause in self.contract):
            parts[0] += " that its contract allows"
        if self.pointers:
            apart = "pointers lead to new objects of up to 2^46 bytes"
            apart += ", apart from each other" if len(self.pointers) > 1 and not self.options.alias else ""
            apart += (
                ", or into one object where their types are the same"
                if len(self.pointers) > 1 and self.options.alias
                else ""
            )
            parts.append(apart + (", or are null" if self.options.null else ", and are not null"))
        if self.writer.objects or any(self._holds(kind) for kind, _ in self.pointers):
            parts.append(_behind(self.options.depth))
        parts += self.writer.notes
        values = {"initial": "variables have their initial values", "arbitrary": "variables have any values"}
        return "; ".join([*parts, values[self.options.globals]])

    def _holds(self, kind: CPointer) -> bool:
        return self.writer.holds_pointers(kind.target)


def _is_star(dimension: c_ast.Node) -> bool:
    """Is it `[*]`, an unspecified length?"""
    return isinstance(dimension, c_ast.ID) and dimension.name == "*"


def _unless_null(path: str) -> str:
    """The start of a condition that also holds where a pointer on the way to a member, `a->b->n`, is null."""
    return "".join(f"{owner} == 0 || " for owner in owners_of(path))


def _behind(depth: int) -> str:
    if depth == 0:
        return "pointers in objects are null"
    return f"pointers in objects are null or lead to new objects, {depth} level{'s' * (depth > 1)} deep"
