"""A contract as the body of its function: what it requires is checked, what it assigns gets any values, what it ensures
is assumed."""

from collections.abc import Sequence
from dataclasses import field

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.contracts.acsl_expressions import RESULT, NoMeaning, Range, Translation, without_cast
from encoders.c.contracts.annotations import clause_condition
from encoders.c.contracts.assigned_locations import AssignedPart, Indices, assigned_locations, leaves_of_value, type_at
from encoders.c.contracts.behaviours import ContractClause
from encoders.c.contracts.quantifier_loops import QuantifierUse
from encoders.c.harness.object_writer import ObjectWriter, is_nondeterministic
from encoders.c.lowering.calls.annotation_calls import BEYOND_CALL, CONTRACT_CALL, VALID_CALL
from encoders.c.source.literals import escaped
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import VOID, CFunction, CPointer, CType, DataModel
from encoders.c.types.record_layout import RecordLayouts

BODY = "chcverify_contract"


@dataclass
class ContractBody:
    """Writes the body for one function."""

    name: str
    type: CFunction
    parameters: Sequence[tuple[str, CType]]
    """Their names and types."""
    variables: dict[str, CType]
    """The types of variables that the contract may name."""
    contract: Sequence[ContractClause]
    layouts: RecordLayouts
    checks_memory: bool
    r"""Are accesses checked, so that `\valid` has a meaning?"""
    writer: ObjectWriter = field(init=False)
    pairs: int = 0  # of pointers that are separated

    def __post_init__(self) -> None:
        self.writer = ObjectWriter(self.layouts, 0)

    def text(self, origin: Origin) -> str:
        """Declarations and the function BODY, whose lines have the positions of their clauses. Raises Unsupported."""
        if not any(clause.kind == "assigns" for clause in self.contract):
            raise Unsupported(origin, f"the contract of {self.name} without a clause assigns in place of its body")
        write, gives = self.writer, self.type.result != VOID
        self._at(origin)
        translation = Translation(self._valid, gives, separated=self._separated, checks_validity=True)
        conditions = [(clause, self._translated(translation, clause)) for clause in self.contract]
        for clause, condition in conditions:
            if clause.kind == "requires":
                self._at(clause.origin)
                shown = escaped(f"{self.name} requires {clause.text}")
                write.line(f'{CONTRACT_CALL}({condition}, "{shown}");')
        self._at(origin)
        for text, number in translation.old.items():
            write.line(f"__typeof__({text}) chcverify_old_{number} = {text};")
        self._havoc(assigned_locations(self.contract))
        if gives:
            self._result()
        for clause, condition in conditions:
            if clause.kind == "ensures":
                self._at(clause.origin)
                write.line(f"__VERIFIER_assume({condition});")
        if gives:
            write.line(f"return {RESULT};")
        return "\n".join([*declarations_of(write), f"void {BODY}(void)", "{", *write.statements, "}", ""])

    def _at(self, origin: Origin) -> None:
        """A line marker: what follows is at a position."""
        self.writer.statements.append(line_marker(origin))

    def _translated(self, translation: Translation, clause: ContractClause) -> str:
        if clause.kind == "assigns":
            return ""
        is_required = clause.kind == "requires"
        translation.valid = self._valid if is_required else self._still_valid
        translation.quantifiers = QuantifierUse.CHECK if is_required else QuantifierUse.ASSUME
        condition = clause_condition(clause, translation)
        if translation.uses_any:
            self.writer.any("__int128", "int128")
        return condition

    def _valid(self, name: str, count: str) -> str | None:
        """A check of the accesses to the elements, whose value is true."""
        element, pointer = without_cast(name)
        target = self._target(pointer)
        if target is None:
            return None
        if not self.checks_memory:
            raise NoMeaning(
                "\\valid, without checks of memory (--property undefined-behaviour, or bounds,null,lifetime)"
            )
        size = self.layouts.size(target) if self.layouts.is_complete(target) else 1
        largest = largest_object(self.layouts.model)
        most = f"(__int128){largest} / sizeof({element})" if element else f"(__int128){largest // max(1, size)}"
        check = f"(({count}) <= {most} || {BEYOND_CALL}(0, 0)) && {VALID_CALL}({name}, (unsigned long)({count}))"
        return f"(({count}) <= 0 || ({check}))"

    def _target(self, pointer: str) -> CType | None:
        """The type that a pointer parameter leads to; None if it is none."""
        return next((k.target for known, k in self.parameters if known == pointer and isinstance(k, CPointer)), None)

    def _still_valid(self, name: str, count: str) -> str | None:
        """After the call: nothing is assumed."""
        return None if self._target(without_cast(name)[1]) is None else "1"

    def _separated(self, one: Range, two: Range) -> str | None:
        """A check that no byte of the elements behind one pointer is one behind the other, and that they differ.

        It is about any pair of bytes: their numbers are undetermined.
        """
        targets = {name: kind.target for name, kind in self.parameters if isinstance(kind, CPointer)}
        if one[0] not in targets or two[0] not in targets:
            return None
        self.pairs += 1
        parts = [f"({one[0]} == 0 || (void *){one[0]} != (void *){two[0]})"]
        places = []
        for letter, (name, count) in zip("st", (one, two), strict=True):
            size = self.layouts.size(targets[name]) if self.layouts.is_complete(targets[name]) else 1
            index = f"chcverify_{letter}_{self.pairs}"
            self.writer.line(f"unsigned long {index} = {self.writer.any('unsigned long', 'ulong')};")
            places.append((f"(__int128){index} < ({count}) * (__int128){size}", f"(char *){name} + {index}"))
        (inside, first), (within, second) = places
        parts.append(f"!({inside} && {within} && {first} == {second})")
        return f"({' && '.join(parts)})"

    def _result(self) -> None:
        """Declares the result, of any value."""
        names = ", ".join(name for name, _ in self.parameters)
        if self.writer.holds_pointers(self.type.result):
            raise Unsupported(
                self.contract[0].origin, f"the contract of {self.name}, which returns pointers, in place of its body"
            )
        try:
            require_settable(self.type.result, self.layouts)
        except NoMeaning as error:
            raise Unsupported(self.contract[0].origin, f"{error} as the result of {self.name}") from None
        self.writer.line(f"__typeof__({self.name}({names})) {RESULT};")
        self.writer.fill(self.type.result, RESULT, 0, fresh=False)

    def _havoc(self, locations: Sequence[AssignedPart]) -> None:
        """Any values in all locations, whose indices are evaluated before."""
        write = self.writer
        bounds: list[list[tuple[str, str] | str]] = []
        for number, location in enumerate(locations):
            bounds.append([])
            for position, step in enumerate(location.steps):
                if isinstance(step, Indices):
                    low, high = f"chcverify_low_{number}_{position}", f"chcverify_high_{number}_{position}"
                    write.line(f"long {low} = {step.low};")
                    write.line(f"long {high} = {step.high};")
                    bounds[-1].append((low, high))
                else:
                    bounds[-1].append(f".{step.name}")
        for number, location in enumerate(locations):
            kind = self._type(location)
            lvalue, loops = location.root, 0
            for position, (bound, step) in enumerate(zip(bounds[number], location.steps, strict=True)):
                if isinstance(bound, str):
                    lvalue += bound
                    continue
                low, high = bound
                assert isinstance(step, Indices)
                if step.low == step.high:
                    lvalue += f"[{low}]"
                    continue
                index = f"chcverify_i_{number}_{position}"
                write.line(f"for (long {index} = {low}; {index} <= {high}; {index}++) {{")
                lvalue += f"[{index}]"
                loops += 1
            write.fill(kind, lvalue, 0, fresh=False)
            for _ in range(loops):
                write.line("}")

    def _type(self, location: AssignedPart) -> CType:
        """The type of a location; it is one that can get any value. Raises Unsupported."""
        origin = next(clause.origin for clause in self.contract if clause.kind == "assigns")
        known = {**self.variables, **dict(self.parameters)}
        if location.root not in known:
            raise Unsupported(origin, f"'assigns {location.root}', which is neither a parameter nor a variable")
        if not location.steps and location.root in dict(self.parameters):
            raise Unsupported(origin, f"'assigns {location.root}', which is a parameter")
        try:
            kind = type_at(known[location.root], location.steps, self.layouts)
            require_settable(kind, self.layouts)
        except NoMeaning as error:
            raise Unsupported(origin, f"{error} in 'assigns'") from None
        if self.writer.holds_pointers(kind):
            raise Unsupported(origin, "an object with pointers in 'assigns'")
        return kind


def line_marker(origin: Origin) -> str:
    """The directive by which the next line of generated code has a position in the program."""
    quoted = origin.file.replace("\\", "\\\\").replace('"', "_")
    return f'# {origin.line} "{quoted}"'


def require_settable(kind: CType, layouts: RecordLayouts) -> None:
    """Raises NoMeaning for a type whose objects generated code cannot give any value: one with unions, for example."""
    for leaf in leaves_of_value(kind, layouts):
        if not isinstance(leaf.type, CPointer) and not is_nondeterministic(leaf.type):
            raise NoMeaning(f"an object of the type {leaf.type}")


def largest_object(model: DataModel) -> int:
    """The bytes of the largest object for which contracts are proved; calls with larger ones are not modelled.

    Far below the distance of objects in the clauses, and more than programs have.
    """
    return 1 << (8 * model.pointer - 24) if model.pointer == 8 else (1 << 31) - 1


def declarations_of(writer: ObjectWriter) -> list[str]:
    """The declarations of what the statements of a writer call."""
    needed = [f"extern {kind} __VERIFIER_nondet_{name}(void);" for name, kind in writer.functions.items()]
    return [*needed, "extern void __VERIFIER_assume(int);", *writer.globals]
