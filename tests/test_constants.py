"""Numeric constants of modules: each one is a definition that is listed here, or a tuning constant that is described.

A tuning constant could have another value, and the product would only be slower or decide less. Its docstring says what
it bounds and in which unit, and what it was measured on or that it was chosen by hand. A definition follows from a
format, a type or a convention. Constants that are computed from others, and sequences of numbers, do not count.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE_ROOTS = ("chcverify", "encoders", "solvers")
MAX_TUNING_CONSTANTS = 149
CHOSEN_OR_MEASURED = re.compile(r"by hand|[Mm]easured|\d")


class Kind(Enum):
    """Why a number is no tuning constant."""

    FORMAT = "the version of a format, or a number that another program or a convention prescribes"
    WIDTH = "the size of a representation, in bits, bytes, values or entries"
    IDENTIFIER = "a number that stands for a thing: any other number that nothing else has would do"
    LIMIT = "the limit of a type, of an address space or of all numbers that occur"
    DRAWING = "a length in a drawing"


# By the end of the module's name, which must be that of one module.
DEFINITIONS: dict[str, dict[str, Kind]] = {
    "cache.clause_hash": {"_BYTES": Kind.WIDTH},
    "campaign.benchexec_tool": {"_USAGE_ERROR": Kind.FORMAT},
    "campaign.store": {"FORMAT": Kind.FORMAT},
    "tuning.schedule_model": {"PENALTY_FACTOR": Kind.FORMAT},  # of PAR2
    "files.derivation_json": {
        "VERSION": Kind.FORMAT,
        "VERSION_WITH_CYCLES": Kind.FORMAT,
        "VERSION_WITH_STORES": Kind.FORMAT,
    },
    "files.termination_json": {
        "VERSION": Kind.FORMAT,
        "VERSION_OF_LASSOS": Kind.FORMAT,
        "VERSION_OF_RECURRENCE_SETS": Kind.FORMAT,
    },
    "kernel.second_process": {"_TICKET": Kind.WIDTH},
    "invariants.renamed_proofs": {"OLD_SIMPLEX": Kind.FORMAT},  # of z3's options
    "cache.store": {"VERSION": Kind.FORMAT},
    "report.graph_layout": {"_GAP_X": Kind.DRAWING, "_GAP_Y": Kind.DRAWING},
    "report.svg": {"_CHARACTER": Kind.DRAWING, "_LINE": Kind.DRAWING, "_PADDING": Kind.DRAWING},
    "report.timeline": {"_ROW": Kind.DRAWING, "_LABEL": Kind.DRAWING, "_WIDTH": Kind.DRAWING},
    "cfa.graph": {"_MAX_LINE_CHARACTERS": Kind.DRAWING},
    "report.trace_html": {"GLOBALS": Kind.IDENTIFIER},
    "chcverify.options": {"MEGABYTE": Kind.WIDTH, "DEFAULT_TIMEOUT": Kind.FORMAT},  # the timeout of SV-COMP
    "chcverify.process_lifetime": {"_SET_PDEATHSIG": Kind.FORMAT, "_SET_CHILD_SUBREAPER": Kind.FORMAT},
    "portfolio.tuned": {"FORMAT": Kind.FORMAT},
    "native.raw": {"_PARAMETER_SYMBOL": Kind.FORMAT, "_PARAMETER_RATIONAL": Kind.FORMAT},
    "printing.infix": {"_ATOM": Kind.IDENTIFIER},
    "abstractions.affine_cells": {"_SMALLEST_WORD_MODULUS": Kind.LIMIT},
    "abstractions.cell_morphing": {"_WORD": Kind.WIDTH},
    "memory.written_cells": {"ALL_BITS": Kind.WIDTH},
    "analysis.storage": {"OBJECT_STRIDE": Kind.LIMIT},
    "certificates.object_choices": {"FIRST_GAP": Kind.LIMIT},
    "cfa.clearing_loops": {"_LOCATIONS": Kind.WIDTH},
    "concurrency.control_states": {"NOT_CREATED": Kind.IDENTIFIER},
    "concurrency.flat_threads": {"MAX_CREATED": Kind.LIMIT},
    "concurrency.reduced_product": {"MAIN": Kind.IDENTIFIER},
    "encoding.bitvector_integers": {"ADDRESS_BITS": Kind.WIDTH},
    "memory.byte_memory": {"_BYTES": Kind.WIDTH, "_PARTS": Kind.WIDTH, "_FUNCTIONS": Kind.WIDTH},
    "memory.link_terms": {"UNLINKED": Kind.IDENTIFIER},
    "execution.c_arithmetic": {"_ROOT_BITS": Kind.WIDTH},
    "native.violation_test": {"_STRING_LINE": Kind.FORMAT},
    "execution.objects": {
        "WHOLE_BYTES": Kind.IDENTIFIER,
        "ANY_BITS": Kind.IDENTIFIER,
        "WIDEST_CELL_BITS": Kind.WIDTH,
    },
    "testing.coverage_guided_runs": {"HALF_RANGE": Kind.LIMIT},
    "testing.recorded_comparisons": {"_LEAST_CHAR": Kind.LIMIT, "_LARGEST_CHAR": Kind.LIMIT},
    "threads.schedules": {"MAIN": Kind.IDENTIFIER},
    "formats.formatted_input": {"_END_OF_TEXT": Kind.IDENTIFIER, "_SET_BITS": Kind.WIDTH},
    "calls.variadic_arguments": {
        "_REAL": Kind.IDENTIFIER,
        "_POINTER": Kind.IDENTIFIER,
        "_FIRST_RECORD": Kind.IDENTIFIER,
    },
    "checks.lifetimes": {"OUTSIDE": Kind.IDENTIFIER},
    "lowering.declarations": {"UNKNOWN_ALIGNMENT": Kind.IDENTIFIER},
    "operators.conversions": {"PAGE_BYTES": Kind.LIMIT},
    "types.record_layout": {"LARGEST_OBJECT": Kind.LIMIT},
    "witnesses.witness_reader": {"LAST_COLUMN": Kind.LIMIT},
    "acceleration.parametric_values": {"UNBOUNDED_ITERATIONS": Kind.LIMIT},
    "transition_system.transitions": {"INFINITY": Kind.LIMIT},
    "termination.linear_cubes": {"CONSTANT": Kind.IDENTIFIER},
    "value_analysis.analysis": {"MAX_THRESHOLD": Kind.LIMIT},
    "value_analysis.clause_code": {
        "INTEGER": Kind.IDENTIFIER,
        "BOOLEAN": Kind.IDENTIFIER,
        "ARRAY": Kind.IDENTIFIER,
        "OTHER": Kind.IDENTIFIER,
    },
    "value_analysis.value_sets": {"FAR": Kind.LIMIT, "STRIDE": Kind.LIMIT},
}


@dataclass(frozen=True)
class NumericConstant:
    """A name in capitals that a module binds to a number."""

    module: str
    name: str
    description: str
    """Its docstring; where the docstring of the module says that all of its numbers were chosen by hand, both."""

    @property
    def kind(self) -> Kind | None:
        """Why it is a definition; None for a tuning constant."""
        parts = self.module.split(".")
        return DEFINITIONS.get(".".join(parts[-2:]), {}).get(self.name)


def numeric_constants(module: str, source: str) -> Iterator[NumericConstant]:
    """Those of a module."""
    tree = ast.parse(source)
    of_module = ast.get_docstring(tree) or ""
    shared = of_module if "chosen by hand" in of_module else ""
    for statement, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        text = " ".join(_docstring(following).split())
        for name in _numeric_names(statement):
            yield NumericConstant(module, name, f"{text}\n{shared}" if text else "")


def _numeric_names(statement: ast.stmt) -> Iterator[str]:
    """The names in capitals that the statement binds to numbers."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            pairs = list(zip(names, values, strict=True))
        case ast.Assign(targets=names, value=value):
            pairs = [(name, value) for name in names]
        case ast.AnnAssign(target=name, value=ast.expr() as value):
            pairs = [(name, value)]
        case _:
            return
    for name, value in pairs:
        if isinstance(name, ast.Name) and name.id.isupper() and _is_number(value):
            yield name.id


def _is_number(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
    return False


def _docstring(statement: ast.stmt | None) -> str:
    match statement:
        case ast.Expr(value=ast.Constant(value=str() as text)):
            return text
    return ""


def _of_the_product() -> list[NumericConstant]:
    found = list[NumericConstant]()
    for top in PACKAGE_ROOTS:
        for path in sorted((ROOT / top).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found += numeric_constants(module, path.read_text(encoding="utf-8"))
    return found


def test_tuning_constants_are_few_and_described() -> None:
    tuning = [constant for constant in _of_the_product() if constant.kind is None]
    bare = [
        f"{constant.module}.{constant.name}"
        for constant in tuning
        if not CHOSEN_OR_MEASURED.search(constant.description)
    ]
    assert not bare, "a docstring below says what it bounds, and what it was measured on or that it was chosen by hand"
    assert len(tuning) <= MAX_TUNING_CONSTANTS, f"{len(tuning)}: use one of chcverify/effort.py, or drop one"


def test_listed_definitions_exist_once() -> None:
    found = [f"{'.'.join(c.module.split('.')[-2:])}.{c.name}" for c in _of_the_product() if c.kind is not None]
    assert sorted(found) == sorted(f"{module}.{name}" for module, names in DEFINITIONS.items() for name in names)


def test_what_counts() -> None:
    source = '''
"""A module."""
LIMIT = 3
"""Steps. Chosen by hand."""
LEAST, MOST = -1, 2**8
TWICE = 2 * LIMIT
NAMES = ("a", "b")
IS_ON = True
lower = 4
'''
    found = {constant.name: constant.description for constant in numeric_constants("a.module", source)}
    assert set(found) == {"LIMIT", "LEAST", "MOST"}
    assert CHOSEN_OR_MEASURED.search(found["LIMIT"])
    assert not found["MOST"]
