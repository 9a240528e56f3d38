"""Wrong rules for the encoder, one at a time: each changes the text of one function as its module is loaded.

More than 500 lines, since it is one table with an entry for each rule.
"""

import ast
import importlib.machinery
import importlib.util
import pathlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from types import CodeType, ModuleType

_LIBRARY = "encoders/c/library/"


@dataclass(frozen=True)
class Mutant:
    """In the function of a module (below encoders.c; of a C file below library/), the text `old` becomes `new`.

    old must occur in the function exactly once. function: "" for the whole file.
    """

    name: str
    module: str
    function: str
    old: str
    new: str
    theory: str = "auto"  # in which programs are encoded to notice it: "lia", "bv", or the first that can


# By what they break. Names of modules and functions occur nowhere else.
MUTANTS = (
    # --- types and conversions
    Mutant(
        "short is not promoted to int",
        "lowering.operators.conversions",
        "promoted",
        "kind.width < INT.width or kind.is_bool",
        "kind.is_bool",
    ),
    Mutant(
        "unsigned loses against signed",
        "lowering.operators.conversions",
        "arithmetic_type",
        "return unsigned",
        "return signed",
    ),
    Mutant(
        "long and unsigned give unsigned",
        "lowering.operators.conversions",
        "arithmetic_type",
        "        return signed\n",
        "        return unsigned\n",
    ),
    Mutant(
        "minus does not promote",
        "lowering.operators.conversions",
        "unary",
        "operand = convert(operand, promoted(operand.type))",
        "pass",
    ),
    Mutant(
        "constants convert without wrapping",
        "lowering.operators.conversions",
        "_convert_constant",
        "Constant(kind.wrap(value), kind)",
        "Constant(value, kind)",
    ),
    Mutant(
        "constant quotients are not negative",
        "lowering.operators.conversions",
        "_fold",
        "(1 if (a < 0) == (b < 0) else -1)",
        "1",
    ),
    Mutant("float constants have 23 bits", "lowering.operators.conversions", "_rounded", "32: (24,", "32: (23,"),
    Mutant("conversion to _Bool keeps the low bit", "types.c_types", "wrap", "int(value != 0)", "value & 1"),
    Mutant(
        "char is unsigned",
        "types.c_types",
        "",
        'CHAR = CInteger("char", 8, True, 1)',
        'CHAR = CInteger("char", 8, False, 1)',
    ),
    Mutant(
        "sizeof has a signed type", "types.c_types", "size_type", "long_type(model, signed=False)", "long_type(model)"
    ),
    Mutant(
        "the next enumerator is two more", "lowering.declarations", "_enumerators", "else value + 1", "else value + 2"
    ),
    Mutant(
        "enumerations are signed",
        "lowering.declarations",
        "_enumeration_type",
        "kind.signed == (low < 0) and kind.minimum",
        "kind.signed and kind.minimum",
    ),
    Mutant("octal escapes are decimal", "source.literals", "_units", "int(octal, 8)", "int(octal)"),
    Mutant(
        "character constants are unsigned",
        "source.literals",
        "character_literal",
        "CHAR.wrap(units[0])",
        "units[0] & 255",
    ),
    Mutant("strings do not end with zero", "source.literals", "string_literal", "[*units, 0]", "units"),
    # --- layout
    Mutant(
        "no padding at the end of records",
        "types.record_layout",
        "finished",
        "-(-self.end // self.align) * self.align // 8",
        "-(-self.end // 8)",
    ),
    Mutant("no padding between members", "types.record_layout", "add", "start = -(-start // align) * align", "pass"),
    Mutant("bit-fields cross their unit", "types.record_layout", "add", "if bits and not (", "if False and ("),
    Mutant("bit-fields are unsigned", "types.record_layout", "bit_type", "width, kind.signed,", "width, False,"),
    Mutant(
        "a union's size is its first member's",
        "types.record_layout",
        "add",
        "self.end = max(self.end, self.next)",
        "self.end = self.end or self.next if self.is_union else max(self.end, self.next)",
    ),
    # --- expressions
    Mutant(
        "shifts have the right operand's type",
        "lowering.expressions",
        "operation",
        "left, right, left.type)",
        "left, right, right.type)",
    ),
    Mutant(
        "a conditional has the type of its second operand",
        "lowering.expressions",
        "_common",
        "return arithmetic_type(left, right)",
        "return left",
    ),
    Mutant(
        "the left operand is read late",
        "lowering.expressions",
        "_binary",
        "self.side_effects.has_effects(step.right) and not",
        "False and not",
    ),
    Mutant(
        "subtraction from a pointer adds",
        "lowering.expressions",
        "_pointer_operation",
        'unary("-", index) if operator == "-" else index',
        "index",
    ),
    Mutant("the comma drops effects", "lowering.expressions", "any_operand", "node.exprs[:-1]", "node.exprs[:0]"),
    Mutant(
        "compound assignment is not converted back",
        "lowering.assignments",
        "_compound_assignment",
        "self.expressions.operation(node.op[:-1], self.lvalues.read(lvalue), right, node, assigns=True)",
        "self.expressions.operation(node.op[:-1], self.lvalues.read(lvalue),"
        " self.expressions.converted(right, lvalue.type, node), node, assigns=True)",
    ),
    Mutant(
        "x++ gives the new value",
        "lowering.assignments",
        "step",
        'return old if node.op.startswith("p") else',
        "return",
    ),
    Mutant(
        "what no initialiser mentions is one",
        "encoding.edge_semantics",
        "_zero",
        "self.theory.literal(0, kind)",
        "self.theory.literal(1, kind)",
    ),
    Mutant(
        "globals without initialiser are one",
        "lowering.file_scope.static_initialisers",
        "_initialise",
        "Assign(lvalue, zero_of(lvalue.type))",
        "Assign(lvalue, type(zero_of(lvalue.type))(1, lvalue.type))",
    ),
    Mutant(
        "designators are ignored",
        "lowering.assignments",
        "_fill",
        "position, rest = self._designated(lvalue, items)",
        "_, rest = self._designated(lvalue, items)",
    ),
    Mutant(
        "arguments are not converted",
        "lowering.calls.special_calls",
        "all_values",
        "value = self.expressions.converted(value, expected, argument)",
        "pass",
    ),
    Mutant(
        "arguments are taken as they were",
        "lowering.calls.special_calls",
        "all_values",
        "any(self.side_effects.has_effects(other) for other in arguments[:position])",
        "False",
    ),
    Mutant(
        "indirect calls take arguments in reverse",
        "lowering.calls.function_calls",
        "_indirect",
        "argument_values(node, kind, arguments)",
        "argument_values(node, kind, arguments if len({*kind.parameters}) > 1 else arguments[::-1])",
    ),
    # --- statements
    Mutant(
        "cases do not fall through",
        "lowering.statements",
        "_case",
        "self.context.cfa.fall_into(location, self.context.origin(node))",
        "(self.context.cfa.jump(self.breaks[-1], self.context.origin(node)),"
        " setattr(self.context.cfa, 'current', location))",
    ),
    Mutant(
        "continue in do-while does not test",
        "lowering.statements",
        "_do",
        "self._body(node.stmt, after, condition)",
        "self._body(node.stmt, after, head)",
    ),
    Mutant(
        "continue in for does not step",
        "lowering.statements",
        "_for",
        "self._body(node.stmt, after, step)",
        "self._body(node.stmt, after, head)",
    ),
    Mutant(
        "the end of a case range is excluded",
        "lowering.statements",
        "_dispatch",
        'binary("<=", value, high, INT), INT)',
        'binary("<", value, high, INT), INT)',
    ),
    Mutant(
        "&& evaluates only its left side",
        "lowering.statements",
        "branch",
        "self.branch(node.left, middle, otherwise)",
        "self.branch(node.left, then, otherwise)",
    ),
    Mutant(
        "|| evaluates both sides",
        "lowering.statements",
        "branch",
        "self.branch(node.left, then, middle)",
        "self.branch(node.left, middle, middle)",
    ),
    # --- the theories of integers
    Mutant(
        "bit-vectors: < is signed",
        "encoding.bitvector_integers",
        "compare",
        "a < b if kind.signed else z3.ULT(a, b)",
        "a < b",
        theory="bv",
    ),
    Mutant(
        "bit-vectors: >= is unsigned",
        "encoding.bitvector_integers",
        "compare",
        "a >= b if kind.signed else z3.UGE(a, b)",
        "z3.UGE(a, b)",
        theory="bv",
    ),
    Mutant(
        "bit-vectors: / is signed",
        "encoding.bitvector_integers",
        "binary",
        "a / b if kind.signed else z3.UDiv(a, b)",
        "a / b",
        theory="bv",
    ),
    Mutant(
        "bit-vectors: % has the divisor's sign",
        "encoding.bitvector_integers",
        "binary",
        "z3.SRem(a, b) if",
        "(a % b) if",
        theory="bv",
    ),
    Mutant(
        "bit-vectors: >> is logical",
        "encoding.bitvector_integers",
        "shift",
        "operand >> by if kind.signed else z3.LShR(operand, by)",
        "z3.LShR(operand, by)",
        theory="bv",
    ),
    Mutant(
        "bit-vectors: conversions extend by zeros",
        "encoding.bitvector_integers",
        "_extended",
        "z3.SignExt(by, term) if source.signed else",
        "",
        theory="bv",
    ),
    Mutant(
        "bit-vectors: to _Bool by truncation",
        "encoding.bitvector_integers",
        "cast",
        "target.is_bool and not source.is_bool",
        "False",
        theory="bv",
    ),
    Mutant(
        "bit-vectors: pointers move by cells",
        "encoding.bitvector_integers",
        "advance",
        "address.term + step * scale",
        "address.term + step",
        theory="bv",
    ),
    Mutant(
        "bit-vectors: distances are not scaled",
        "encoding.bitvector_integers",
        "distance",
        "if scale != 1",
        "if False",
        theory="bv",
    ),
    Mutant(
        "bit-vectors: bytes in reverse",
        "encoding.bitvector_integers",
        "joined",
        "reversed(parts)",
        "parts",
        theory="bv",
    ),
    Mutant(
        "integers: sums do not wrap",
        "encoding.linear_integers",
        "_wrapped",
        "if machine_intervals.inside(bounds, (low, high))",
        "if kind.width > 31 or machine_intervals.inside(bounds, (low, high))",
    ),
    Mutant(
        "integers: / floors",
        "encoding.linear_integers",
        "_truncated",
        "return z3.If(x >= 0, x / y, -((-x) / y))",
        "return x / y",
    ),
    Mutant(
        "integers: % is not negative",
        "encoding.linear_integers",
        "_signed_remainder",
        "z3.If(x >= 0, x % divisor, -((-x) % divisor))",
        "x % divisor",
    ),
    Mutant(
        "integers: masks lose their lowest run",
        "encoding.linear_integers",
        "_masked",
        "part % (1 << high))",
        "z3.IntVal(0))",
    ),
    Mutant(
        "integers: | of a constant adds",
        "encoding.linear_integers",
        "_bits",
        "term = left.term + right.constant - term",
        "term = left.term + right.constant",
    ),
    Mutant(
        "intervals: products of two ends only",
        "analysis.machine_intervals",
        "multiply",
        "return",
        "return (a[0] * b[0], a[1] * b[1]) if a[0] * b[0] <= a[1] * b[1] else",
    ),
    # --- floating point
    Mutant(
        "floats: to integers by rounding",
        "encoding.floats",
        "to_integer",
        "z3.fpToSBV(z3.RTZ(), term, bits)",
        "z3.fpToSBV(z3.RNE(), term, bits)",
        theory="bv",
    ),
    Mutant("floats: integers are signed", "encoding.floats", "from_integer", "if kind.signed", "if True", theory="bv"),
    Mutant(
        "floats: == compares bits",
        "encoding.floats",
        "compare",
        'return z3.fpEQ(a, b)\n        case "!="',
        'return a == b\n        case "!="',
        theory="bv",
    ),
    Mutant("floats: narrowing truncates", "encoding.floats", "convert", "z3.RNE()", "z3.RTZ()", theory="bv"),
    # --- memory
    Mutant(
        "bytes: bit-fields are unsigned",
        "encoding.byte_memory",
        "load",
        "theory.cast(theory.cast(word, whole, bits), bits, kind)",
        "theory.cast(word, whole, _unsigned(kind.width))",
    ),
    Mutant(
        "bytes: bit-fields clear their neighbours",
        "encoding.byte_memory",
        "_bytes",
        "whole.maximum ^ (((1 << width) - 1) << shift)",
        "0",
    ),
    Mutant(
        "members of unions do not share",
        "analysis.regions",
        "of_field",
        '"" if is_union else member.name',
        "member.name",
    ),
    Mutant("elements of byte memory have one byte", "analysis.regions", "cells", "count * size", "count"),
    Mutant("pointed-to objects are not merged", "analysis.regions", "unify", "self._unify([(one, two)])", "pass"),
    Mutant(
        "stores through pointers kill",
        "analysis.effects",
        "_write",
        "Effect(mask_of(leaf.variables), False,",
        "Effect(mask_of(leaf.variables), True,",
    ),
    Mutant(
        "records are copied without their last member",
        "analysis.effects",
        "_assign",
        "in self.memory.parts(region, lvalue.type)",
        "in list(self.memory.parts(region, lvalue.type))[1:]",
    ),
    # --- the library
    Mutant("memcpy leaves the last byte", "library/string.c", "void *memcpy", "i < count", "i + 1 < count"),
    Mutant(
        "typed memcpy leaves the last element",
        "library/typed/memory.c",
        "void *memcpy",
        "i < size / sizeof(T)",
        "i + 1 < size / sizeof(T)",
    ),
    Mutant("memmove always goes up", "library/typed/memory.c", "void *memmove", "to < from", "1"),
    Mutant("strlen counts the zero", "library/string.c", "size_t strlen", "return length", "return length + 1"),
    Mutant("strcmp compares signed chars", "library/string.c", "int strcmp", "unsigned char a", "char a"),
    Mutant(
        "labs of negative numbers",
        "library/stdlib.c",
        "",
        "long labs(long value) { return value < 0",
        "long labs(long value) { return value > 0",
    ),
    Mutant("round takes halves down", "library/math.c", "double round", "rest >= 0.5", "rest > 0.5"),
    # --- the interpreter, which confirms traces
    Mutant(
        "interpreter: / floors",
        "execution.c_arithmetic",
        "quotient",
        "abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)",
        "a // b",
    ),
    Mutant(
        "interpreter: floats are doubles",
        "execution.c_arithmetic",
        "rounded",
        'struct.unpack("<f", struct.pack("<f", value))[0]',
        "value",
    ),
)


def mutated(source: str, mutant: Mutant) -> str:
    """The text of a module with the mutant's change. Raises LookupError where it does not fit (any more)."""
    start, end = _extent(source, mutant)
    part = source[start:end]
    if part.count(mutant.old) != 1:
        raise LookupError(f"{mutant.name}: {part.count(mutant.old)} places in {mutant.module}:{mutant.function}")
    return source[:start] + part.replace(mutant.old, mutant.new) + source[end:]


def _extent(source: str, mutant: Mutant) -> tuple[int, int]:
    """Where the function's text begins and ends."""
    if not mutant.function:
        return 0, len(source)
    if mutant.module.endswith(".c"):
        start = source.find(f"\n{mutant.function}(")
        if start < 0:
            raise LookupError(f"{mutant.name}: no function {mutant.function} in {mutant.module}")
        return start, source.index("\n}", start)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name == mutant.function:
            assert node.end_lineno is not None
            return starts[node.lineno - 1], starts[node.end_lineno]
    raise LookupError(f"{mutant.name}: no function {mutant.function} in {mutant.module}")


class _Loader(importlib.machinery.SourceFileLoader):
    mutant: Mutant

    def get_code(self, fullname: str) -> CodeType:
        with open(self.path, encoding="utf-8") as file:
            return compile(mutated(file.read(), self.mutant), self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != f"encoders.c.{self.mutant.module}":
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or spec.origin is None:
            return None
        loader = _Loader(fullname, spec.origin)
        loader.mutant = self.mutant
        return importlib.util.spec_from_loader(fullname, loader)


def apply(mutant: Mutant) -> None:
    """Lets modules (or models of library functions) that this process has not loaded yet be loaded with the change."""
    if not mutant.module.endswith(".c"):
        assert f"encoders.c.{mutant.module}" not in sys.modules
        sys.meta_path.insert(0, _Finder(mutant))
        return
    suffix, read = _LIBRARY + mutant.module.removeprefix("library/"), pathlib.Path.read_text

    def changed(path: pathlib.Path, *arguments: object, **options: object) -> str:
        text = read(path, *arguments, **options)  # type: ignore[arg-type]
        return mutated(text, mutant) if path.as_posix().endswith(suffix) else text

    pathlib.Path.read_text = changed  # type: ignore[method-assign,assignment]
