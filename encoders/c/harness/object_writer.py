"""C statements that give objects arbitrary contents: scalars any value, pointers null or new objects."""

from collections.abc import Callable
from dataclasses import field

from chcverify.quick_dataclass import dataclass
from encoders.c.lowering.operators.complex_numbers import part_type
from encoders.c.types.c_types import (
    CHAR,
    CArray,
    CFloat,
    CFunction,
    CInteger,
    CPointer,
    CRecord,
    CType,
    DataModel,
)
from encoders.c.types.record_layout import LARGEST_OBJECT, RecordLayouts, is_unnamed

OBJECT = "chcverify_object"
CALLBACK = "chcverify_callback"
CALLBACKS = "callbacks are functions outside the program, which call none of its functions"
_NONDETERMINISTIC = {
    "_Bool": "bool",
    "char": "char",
    "signed char": "schar",
    "unsigned char": "uchar",
    "short": "short",
    "unsigned short": "ushort",
    "int": "int",
    "unsigned int": "uint",
    "long": "long",
    "unsigned long": "ulong",
    "long long": "longlong",
    "unsigned long long": "ulonglong",
    "__int128": "int128",
    "unsigned __int128": "uint128",
    "float": "float",
    "double": "double",
}


def is_nondeterministic(kind: CType) -> bool:
    """Is there a function that gives any value of the scalar type?"""
    return isinstance(kind, CInteger | CFloat) and kind.name.partition(":")[0] in _NONDETERMINISTIC


class TooManyObjects(Exception):
    """The assumed depth leads to more objects than a harness may have."""


@dataclass
class ObjectWriter:
    """Writes the statements of one harness."""

    layouts: RecordLayouts
    most_objects: int
    """The most objects in one harness."""
    strings: bool = False
    """Do new arrays of char end with a zero?"""
    named: frozenset[str] = frozenset()
    """Pointers, by their lvalues, that lead to objects on whatever level they are."""
    statements: list[str] = field(default_factory=list)
    globals: list[str] = field(default_factory=list)
    """Declarations of file scope so far: every object has a variable with external linkage, since the caller knows its
    objects, and functions outside the program may change them."""
    notes: dict[str, None] = field(default_factory=dict)
    """What is assumed of values besides the options."""
    functions: dict[str, str] = field(default_factory=dict)
    """The types of the nondeterministic functions that are called, by name."""
    counts: dict[str, str] = field(default_factory=dict)
    """The numbers of elements behind pointers, by the lvalue of the pointer."""
    records: dict[str, CRecord] = field(default_factory=dict)
    """The records whose members are named, by tag."""
    objects: int = 0
    callbacks: int = 0
    _indent: int = 1
    _paths: dict[str, str] = field(default_factory=dict)
    """Pointers to the variables that lead to objects, by variable."""
    _loops: list[tuple[str, int]] = field(default_factory=list)
    """The index and the number of iterations of each loop around the statement, from the outermost."""

    def line(self, text: str) -> None:
        """Adds a statement; braces at its ends change the indentation."""
        self._indent -= text.startswith("}")
        self.statements.append("  " * self._indent + text)
        self._indent += text.endswith("{")

    def apart(self, write: Callable[[], None]) -> list[str]:
        """The statements that a call writes, for the body of another function. Raises TooManyObjects; statements,
        declarations and objects are then as before."""
        statements, indent, declared, objects = self.statements, self._indent, len(self.globals), self.objects
        self.statements, self._indent = [], 1
        try:
            write()
            return self.statements
        except TooManyObjects:
            del self.globals[declared:]
            self.objects = objects
            raise
        finally:
            self.statements, self._indent = statements, indent

    def any(self, kind: str, name: str) -> str:
        """The call that gives any value of a type. kind: the type in C; name: behind `__VERIFIER_nondet_`."""
        self.functions[name] = kind
        return f"__VERIFIER_nondet_{name}()"

    def choice(self) -> str:
        """The call that gives a condition that may hold or not."""
        return self.any("_Bool", "bool")

    # --- values

    def fill(self, kind: CType, lvalue: str, level: int, fresh: bool) -> None:
        """Statements after which the lvalue has any value of its type.

        level: of objects behind pointers that may still be made. fresh: scalars of it have any value already.
        """
        match kind:
            case CPointer(target=CFunction()):
                self._callback(lvalue)
            case CPointer():
                self._maybe(kind, lvalue, level)
            case CRecord(is_union=True) if self.holds_pointers(kind):
                self.notes["pointers in unions lead to no object"] = None
            case CRecord() | CArray() if fresh and not self.holds_pointers(kind):
                pass
            case CRecord():
                self._members(kind, lvalue, level, fresh)
            case CArray():
                self._elements(kind, lvalue, level, fresh)
            case CInteger() | CFloat() if not fresh:
                self._scalar(kind, lvalue)

    def _scalar(self, kind: CInteger | CFloat, lvalue: str) -> None:
        spelled = kind.name.partition(":")[0]
        if spelled in _NONDETERMINISTIC:
            self.line(f"{lvalue} = {self.any(spelled, _NONDETERMINISTIC[spelled])};")
        else:
            self.notes[f"objects of type {kind} keep their values"] = None

    def _members(self, kind: CRecord, lvalue: str, level: int, fresh: bool) -> None:
        layout = self.layouts.records.get(kind.tag)
        self.records[kind.tag] = kind
        for member in layout.fields if layout is not None else ():
            if part_type(kind) is not None:
                if not fresh and isinstance(member.type, CFloat):
                    self._scalar(member.type, f"__{member.name}__ {lvalue}")
                continue
            if is_unnamed(member.name):  # C names the members of an anonymous record as if they were its own
                if isinstance(member.type, CRecord) and not member.type.is_union:
                    self._members(member.type, lvalue, level, fresh)
                elif self.holds_pointers(member.type):
                    self.notes["pointers in unions lead to no object"] = None
                continue
            self.fill(member.type, _member(lvalue, member.name), level, fresh)

    def _elements(self, kind: CArray, lvalue: str, level: int, fresh: bool) -> None:
        """A loop over the elements; a flexible array has none."""
        if not kind.length:
            return
        index = f"i{len(self._loops) + 1}"
        self.line(f"for (unsigned long {index} = 0; {index} < {kind.length}; {index}++) {{")
        self._loops.append((index, kind.length))
        self.fill(kind.element, f"{lvalue}[{index}]", level, fresh)
        self._loops.pop()
        self.line("}")

    def holds_pointers(self, kind: CType) -> bool:
        """Is a pointer in an object of the type?"""
        return self.layouts.holds_pointers(kind)

    # --- pointers

    def _maybe(self, kind: CPointer, lvalue: str, level: int) -> None:
        """A pointer in an object: null, or to a new object as long as the depth allows."""
        self.line(f"{lvalue} = 0;")
        level = max(level, int(self._path(lvalue) in self.named))
        if level == 0:
            self.counts[self._path(lvalue)] = "0"
        elif self._loops:
            self._maybe_in_loop(kind, lvalue, level)
        else:
            self._maybe_once(kind, lvalue, level)

    def _maybe_once(self, kind: CPointer, lvalue: str, level: int) -> None:
        """The object is made in any case, so that its address depends on no choice; the pointer may lead to it."""
        self.objects += 1
        name, elements = f"{OBJECT}_{self.objects}", f"elements_{self.objects}"
        self.globals.append(f"__typeof__({lvalue}) {name};")
        self._paths[name] = self._path(lvalue)
        self.new_object(kind, name, level - 1, elements)
        count = self.counts[self._path(lvalue)]
        self.line(f"if ({self.choice()}) {{")
        self.line(f"{lvalue} = {name};")
        if count == elements:
            self.line("} else {")
            self.line(f"{elements} = 0;")
        self.line("}")

    def _maybe_in_loop(self, kind: CPointer, lvalue: str, level: int) -> None:
        self.counts[self._path(lvalue)] = "0"
        self.line(f"if ({self.choice()}) {{")
        self.objects += 1
        name = f"{OBJECT}_{self.objects}"
        self.new_object(kind, lvalue, level - 1, f"elements_{self.objects}")
        dimensions = "".join(f"[{length}]" for _, length in self._loops)
        indices = "".join(f"[{index}]" for index, _ in self._loops)
        self.globals.append(f"__typeof__({self._outside(lvalue)}) {name}{dimensions};")
        self.line(f"{name}{indices} = {lvalue};")
        self.line("}")

    def _path(self, lvalue: str) -> str:
        """The lvalue as the function reaches it: by the pointer that may lead to the object."""
        pointer, arrow, rest = lvalue.partition("->")
        return self._paths.get(pointer, pointer) + arrow + rest

    def new_object(self, kind: CPointer, lvalue: str, level: int, count: str, least: int = 1, most: int = 0) -> None:
        """The pointer gets a new object: of any number of elements where these hold no pointers, else one.

        count: the variable for the number of elements, which is at least `least`; they have not more than `most`
        bytes, if it is given. Raises TooManyObjects.
        """
        if self.objects > self.most_objects:
            raise TooManyObjects
        target = kind.target
        complete = self.layouts.is_complete(target)
        size = max(1, self.layouts.size(target)) if complete else 1
        if self.holds_pointers(target):
            self.notes["objects that hold pointers are one element long"] = None
            self.counts[self._path(lvalue)] = "1"
            self.line(f"{lvalue} = __builtin_malloc({size});")
        else:
            most = (most or _most_bytes(self.layouts.model)) // size
            self.globals.append(f"static unsigned long {count};")
            self.counts[self._path(lvalue)] = count
            self.line(f"{count} = {self.any('unsigned long', 'ulong')};")
            self.line(f"__VERIFIER_assume({count} >= {least} && {count} <= {most}UL);")
            self.line(f"{lvalue} = __builtin_malloc({count} * {size}UL);")
            if self.strings and target == CHAR:
                self.notes["pointers to char lead to strings that end in their objects"] = None
                self.line(f"((char *){lvalue})[{count} - 1] = 0;")
        if complete:
            self.fill(target, f"(*{lvalue})", level, fresh=True)
        else:
            self.notes["objects of unknown type hold no pointers"] = None

    def _callback(self, lvalue: str) -> None:
        """A pointer to a function outside the program."""
        self.callbacks += 1
        self.notes[CALLBACKS] = None
        name = f"{CALLBACK}_{self.callbacks}"
        self.globals.append(f"extern __typeof__(*{self._outside(lvalue)}) {name};")
        self.line(f"{lvalue} = {name};")

    def _outside(self, lvalue: str) -> str:
        """The lvalue as an expression of the same type at file scope, where there is no index of a loop."""
        for index, _ in self._loops:
            lvalue = lvalue.replace(f"[{index}]", "[0]")
        return lvalue


def _member(lvalue: str, name: str) -> str:
    """The member of an lvalue; those in parentheses are `(*pointer)`."""
    return f"{lvalue[2:-1]}->{name}" if lvalue.endswith(")") else f"{lvalue}.{name}"


def _most_bytes(model: DataModel) -> int:
    """The bytes of the largest object that a harness makes."""
    return LARGEST_OBJECT if model.pointer == 8 else (1 << (8 * model.pointer - 1)) - 1
