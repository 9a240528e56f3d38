"""Models as invariants in C syntax, per source line."""

import time
from collections.abc import Mapping

import z3

from chcverify.certificate.model import Model
from chcverify.effort import IMPROVEMENT_S, QUESTION_S
from chcverify.horn.system import Predicate
from chcverify.results.source_facts import LoopVariant, SourceInvariant
from chcverify.terms.core.irredundant import irredundant_cases
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, substitute
from chcverify.terms.printing.negation import negations_inside
from chcverify.terms.printing.quantified import by_cases
from encoders.c.certificates.invariants.formula_printer import c_text, simplified
from encoders.c.certificates.invariants.readable_formulas import Readable, Symbol
from encoders.c.certificates.object_names import ObjectNames
from encoders.c.cfa.ir import RESULT
from encoders.c.encoding.encoder import Encoding
from encoders.c.execution.value_text import without_anonymous
from encoders.c.types.c_types import CInteger, CPointer

_GENERATED = frozenset("#$<")  # in names that no source can have
_MACHINE = frozenset({z3.Z3_BV_SORT, z3.Z3_FLOATING_POINT_SORT})  # their terms are printed without signs and widths


def source_invariants(encoding: Encoding, model: Model, only_loop_heads: bool = False) -> list[SourceInvariant]:
    """The invariants of a model at source locations, or only at loop heads: loop heads first, then by line.

    Locations of inlined instances keep their own invariants; equal texts at one location are given once. Conjuncts that
    follow from the others or from the types are left out, at loop heads and as long as there is time. Locations that
    are no loop heads are left out where there is no time for them.
    """
    begin = time.monotonic()
    until = begin + IMPROVEMENT_S
    objects = ObjectNames(encoding.memory)
    found: dict[tuple[str, int, int, str, str], SourceInvariant] = {}
    for predicate, lvalue in sorted(encoding.locations.items(), key=lambda item: not item[1].location.is_loop_head):
        formula = model.interpretations.get(predicate)
        if formula is None or predicate.origin is None:
            continue
        location, left = lvalue.location, until - time.monotonic()
        if not location.is_loop_head and (only_loop_heads or time.monotonic() > begin + QUESTION_S):
            break
        if location.is_loop_head and left > 0:
            parts = [part for conjunct in conjuncts(formula) for part in by_cases(conjunct, left / 2)]
            left = until - time.monotonic()
            formula = conjunction(irredundant_cases(parts, type_ranges(encoding, predicate), left))
        text = _text(encoding, objects, predicate, formula)
        if text in ("1", ""):
            continue
        origin = predicate.origin
        key = (origin.file, origin.line, origin.column, location.function, text)
        exact = all(sort.kind() not in _MACHINE for sort in predicate.sorts)
        found.setdefault(key, SourceInvariant(origin, location.function, location.is_loop_head, text, exact))
    return sorted(
        found.values(), key=lambda inv: (not inv.is_loop_head, inv.origin.file, inv.origin.line, inv.origin.column)
    )


def source_variants(encoding: Encoding, ranks: Mapping[Predicate, z3.ArithRef]) -> list[LoopVariant]:
    """The variants of loops at source locations. ranks: over the formals of predicates of loop heads.

    Left out are those about what the source has no name for, those with the number of an address (`1000 - p`; `q - p`
    has none), and those of heads with several.
    """
    found: dict[tuple[str, int, int], set[LoopVariant]] = {}
    for predicate, rank in ranks.items():
        lvalue, origin = encoding.locations.get(predicate), predicate.origin
        if lvalue is None or origin is None or not lvalue.location.is_loop_head:
            continue
        names = {formal: symbol.text for formal, symbol in _symbols(encoding, predicate).items() if symbol.text}
        named = all(any(variable.eq(formal) for formal in names) for variable in free_variables(rank))
        if named and not _depends_on_addresses(encoding, predicate, rank):
            variant = LoopVariant(origin, lvalue.location.function, c_text(rank, names))
            found.setdefault((origin.file, origin.line, origin.column), set()).add(variant)
    return [next(iter(variants)) for _, variants in sorted(found.items()) if len(variants) == 1]


def _depends_on_addresses(encoding: Encoding, predicate: Predicate, rank: z3.ArithRef) -> bool:
    """True if a term would be another one if all addresses were larger by one."""
    moved = [
        (formal, formal + 1)
        for formal, argument in zip(predicate.formals, encoding.arguments[predicate], strict=True)
        if isinstance(argument.variable.type, CPointer) and isinstance(formal, z3.ArithRef)
    ]
    difference = z3.simplify(substitute(rank, moved) - rank, som=True)
    return not (z3.is_int_value(difference) and difference.as_long() == 0)


def source_ranks(encoding: Encoding, ranks: Mapping[Predicate, tuple[z3.ArithRef, ...]]) -> list[LoopVariant]:
    """The terms of loop heads of main, and of what is inlined there; none of a loop where one has no text in C."""
    found: list[LoopVariant] = []
    for predicate, terms in ranks.items():
        place, origin = encoding.locations.get(predicate), predicate.origin
        if place is None or origin is None or not place.location.is_loop_head:
            continue
        frame = place.frame
        while frame.parent is not None:
            frame = frame.parent
        named = {formal: symbol.text for formal, symbol in _symbols(encoding, predicate).items() if symbol.text}
        known = all(any(v.eq(formal) for formal in named) for term in terms for v in free_variables(term))
        if known and frame.function.name in ("main", encoding.program.initialise):
            found += [LoopVariant(origin, place.location.function, c_text(term, named)) for term in terms]
    return found


def _text(encoding: "Encoding", objects: ObjectNames, predicate: Predicate, formula: z3.BoolRef) -> str:
    """The formula in C syntax, without what only the encoding has names for; "1" if nothing is left."""
    readable = Readable(objects, _symbols(encoding, predicate))
    return c_text(
        negations_inside(readable.formula(simplified(formula))), readable.names, unsigned_formals(encoding, predicate)
    )


def _symbols(encoding: "Encoding", predicate: Predicate) -> dict[z3.ExprRef, Symbol]:
    """The symbols of a predicate's arguments. Those without a counterpart in the source have no name."""
    symbols = {}
    memory = encoding.memory
    for formal, name, argument in zip(predicate.formals, predicate.names, encoding.arguments[predicate], strict=True):
        variable = argument.variable
        text = without_anonymous(name.replace(RESULT, "\\result"))
        if memory.is_about_addresses(variable) or _GENERATED & set(text):
            text = ""
        symbols[formal] = Symbol.of(text, variable.type, memory.leaf_of(variable), variable.is_array)
    return symbols


def type_ranges(encoding: Encoding, predicate: Predicate) -> list[z3.BoolRef]:
    """The ranges of the arguments' types, as a formula."""
    facts = []
    for formal, argument in zip(predicate.formals, encoding.arguments[predicate], strict=True):
        kind = argument.variable.type
        if isinstance(kind, CInteger) and not argument.variable.is_array:
            facts.append(encoding.theory.in_range(formal, kind))
    return facts


def unsigned_formals(encoding: Encoding, predicate: Predicate) -> list[z3.ExprRef]:
    """The formals whose type is an unsigned integer."""
    pairs = zip(predicate.formals, encoding.arguments[predicate], strict=True)
    kinds = ((formal, argument.variable.type) for formal, argument in pairs)
    return [formal for formal, kind in kinds if isinstance(kind, CInteger) and not kind.signed]
