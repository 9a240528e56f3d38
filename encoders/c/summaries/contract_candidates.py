"""Candidates for the clauses of contracts: what a model says of the entries and exits of summarised functions, and what
the automata say of the locations that functions access. Nothing of this is trusted: each clause is to be proved.
"""

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import cast

import z3

from chcverify.certificate.model import Model
from chcverify.effort import IMPROVEMENT_S, MAX_ALTERNATIVES
from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.results.source_facts import ContractCandidate
from chcverify.terms.core.irredundant import irredundant_cases
from chcverify.terms.core.traversal import conjuncts, fold
from chcverify.terms.printing.negation import negations_inside
from chcverify.terms.printing.quantified import by_cases
from encoders.c.analysis.regions import Region, find
from encoders.c.analysis.storage import StateVariable
from encoders.c.certificates.invariants.formula_printer import c_text, simplified
from encoders.c.certificates.invariants.readable_formulas import Readable, Symbol
from encoders.c.certificates.invariants.source_invariants import type_ranges, unsigned_formals
from encoders.c.certificates.object_names import ObjectNames
from encoders.c.cfa.inlining import FlatFunction
from encoders.c.cfa.ir import RESULT, FunctionCfa, Program
from encoders.c.contracts.acsl_expressions import NoMeaning, Translation
from encoders.c.encoding.clause_origins import Argument, ClauseKind
from encoders.c.encoding.encoder import Encoding
from encoders.c.summaries.accessed_locations import (
    Accesses,
    AnyIndex,
    FixedIndex,
    MemberName,
    NamedLocation,
    accesses_of,
    callees_of,
    is_static_local,
)
from encoders.c.types.c_types import VOID, CFloat, CInteger, CPointer

_GENERATED = frozenset("#$<^")  # in names that no source has
_SIZES = ("n", "len", "length", "size", "count", "num", "cap", "capacity")


def contract_candidates(encoding: Encoding, model: Model | None, names: Sequence[str]) -> list[ContractCandidate]:
    """The candidates for functions of the program. model: of the encoding, in which they are summaries; None if there
    is none."""
    program = encoding.program
    accesses, callees = accesses_of(program), callees_of(program)
    found = []
    for name in names:
        if name not in program.functions:
            continue  # nothing calls it
        flat = encoding.flat.functions.get(name)
        said = _Summary(encoding, model, flat) if flat is not None and model is not None else None
        found.append(_candidate(program, name, accesses[name], said, tuple(sorted(callees[name]))))
    return found


def _candidate(
    program: Program, name: str, accesses: Accesses, said: "_Summary | None", calls: tuple[str, ...]
) -> ContractCandidate:
    function = program.functions[name]
    pointers = _Pointers(function, accesses)
    reason = accesses.unnamed or pointers.unknown
    if said is not None and said.is_never_called:
        reason = "no run calls it"
    if reason:
        return ContractCandidate(name, (), (), (), calls, reason)
    requires = [*pointers.valid(), *pointers.separated(), *(said.requires() if said is not None else ())]
    ensures = said.ensures() if said is not None else []
    ensures = [text for text in ensures if not (_is_before(text, function) and _now(text) in requires)]
    ensures += pointers.values(ensures)
    assigns = [pointers.text(place, ranges=True) for place in accesses.written]
    return ContractCandidate(
        name,
        tuple(dict.fromkeys(_meaningful(requires, False))),
        tuple(dict.fromkeys(assigns)) or ("\\nothing",),
        tuple(dict.fromkeys(_meaningful(ensures, function.type.result != VOID))),
        calls,
        has_pointers=bool(pointers.pointers),
    )


_OLD = re.compile(r"\\old\(([^()]*)\)")


def _is_before(text: str, function: FunctionCfa) -> bool:
    """Is the predicate about the state before the call only? Parameters keep their values in clauses."""
    rest = _OLD.sub("", text)
    return "*" not in rest and {p.name for p in function.parameters}.issuperset(re.findall(r"[A-Za-z_]\w*", rest))


def _now(text: str) -> str:
    """The predicate about the state before the call as one about the present state."""
    return _OLD.sub(r"\1", text)


def _meaningful(texts: Iterable[str], has_result: bool) -> Iterator[str]:
    """The predicates that ACSL as it is read here has."""
    for text in texts:
        translation = Translation(lambda name, count: "1", has_result, separated=lambda one, two: "1")
        translation.keeps_old = True
        try:
            translation.predicate(text)
        except NoMeaning:
            continue
        yield text


def _variables(program: Program) -> set[str]:
    """The names of variables of files."""
    return {variable.name for variable in program.globals if not is_static_local(variable)}


# --- what a model says


class _Summary:
    """What a model says of one summarised function."""

    def __init__(self, encoding: Encoding, model: Model, flat: FlatFunction) -> None:
        self.encoding, self.model, self.flat = encoding, model, flat
        self.function = flat.root.function
        self.entry = self._entry()
        self.exit = next(p for p, location in encoding.locations.items() if location.number == flat.exit)

    def _entry(self) -> Predicate:
        start = next(p for p, location in self.encoding.locations.items() if location.number == self.flat.entry)
        for clause, info in zip(self.encoding.system.clauses, self.encoding.infos, strict=True):
            if info.kind is ClauseKind.ENTRY and clause.head is not None and clause.head.predicate is start:
                return clause.body[0].predicate
        return start

    @property
    def is_never_called(self) -> bool:
        """Does the model say that no run enters the function?"""
        return z3.is_false(z3.simplify(self.model.interpretations.get(self.entry, z3.BoolVal(True))))

    def requires(self) -> list[str]:
        """What holds at all calls."""
        return self._texts(self.entry, at_exit=False)

    def ensures(self) -> list[str]:
        """What holds when the function has returned."""
        return self._texts(self.exit, at_exit=True)

    def _texts(self, predicate: Predicate, at_exit: bool) -> list[str]:
        formula = self.model.interpretations.get(predicate)
        if formula is None:
            return []
        symbols = self._symbols(predicate, at_exit)
        objects = ObjectNames(self.encoding.memory)
        unsigned = unsigned_formals(self.encoding, predicate)
        texts = []
        for part in self._parts(predicate, formula):
            readable = Readable(objects, symbols)
            text = c_text(negations_inside(readable.formula(part)), readable.names, unsigned)
            text = re.sub(r"(^|\()\((\*\w+)\)", r"\1\2", text)
            texts += [text] if text not in ("0", "1", "") and self._is_known(text) else []
        return texts[:MAX_ALTERNATIVES]

    def _parts(self, predicate: Predicate, formula: z3.BoolRef) -> list[z3.BoolRef]:
        """The conjuncts of a formula, without what follows from the others and from the types."""
        until = time.monotonic() + IMPROVEMENT_S
        ranges = type_ranges(self.encoding, predicate)
        plain = simplified(_without_conditionals(formula))
        parts = [part for conjunct in conjuncts(plain) for part in by_cases(conjunct, IMPROVEMENT_S / 2)]
        kept = irredundant_cases(parts, ranges, max(0.05, until - time.monotonic()))
        return [conjunct for part in kept for conjunct in conjuncts(part)]

    def _is_known(self, text: str) -> bool:
        """Are all names in the text those of parameters and global variables? Members follow a point."""
        known = {p.name for p in self.function.parameters} | _variables(self.encoding.program)
        names = re.findall(r"(?<![\\.\w])[A-Za-z_]\w*", text)
        return bool(names or "\\result" in text) and known.issuperset(names)

    def _symbols(self, predicate: Predicate, at_exit: bool) -> dict[z3.ExprRef, Symbol]:
        """The names that the arguments have in a clause; those without one have none."""
        memory = self.encoding.memory
        symbols = {}
        for formal, argument in zip(predicate.formals, self.encoding.arguments[predicate], strict=True):
            variable = argument.variable
            text = self._name(predicate, argument, at_exit)
            symbols[formal] = Symbol.of(text, variable.type, memory.leaf_of(variable), variable.is_array)
        return symbols

    def _name(self, predicate: Predicate, argument: Argument, at_exit: bool) -> str:
        memory, variable = self.encoding.memory, argument.variable
        label = variable.label
        if memory.is_about_addresses(variable):
            return ""
        if label == RESULT:
            return "\\result" if at_exit else ""
        if label in {parameter.name for parameter in self.function.parameters}:
            return label if variable.owner is not None else ""
        base = label.replace("[", ".").partition(".")[0]
        known = _variables(self.encoding.program)
        text = label if base in known else self._behind(predicate, variable)
        if not text or _GENERATED & set(text):
            return ""
        return f"\\old({text})" if at_exit and argument.at_entry else text

    def _behind(self, predicate: Predicate, variable: StateVariable) -> str:
        """The cell as what a parameter points to, if nothing else is there; "" otherwise."""
        leaf = self.encoding.memory.leaf_of(variable)
        if leaf is None or variable.is_array or len(leaf.cells) != 1:
            return ""
        found = [name for name, region in self._targets(predicate) if region is find(leaf.region)]
        return f"(*{found[0]})" if len(found) == 1 else ""

    def _targets(self, predicate: Predicate) -> Iterator[tuple[str, Region]]:
        for argument in self.encoding.arguments[predicate]:
            variable = argument.variable
            if isinstance(variable.type, CPointer) and variable.owner is not None:
                leaf = self.encoding.memory.leaf_of(variable)
                pointee = leaf.region.pointee if leaf is not None else None
                if pointee is not None:
                    yield variable.label, find(pointee)


def _without_conditionals(formula: z3.BoolRef) -> z3.BoolRef:
    """The same with cases in place of conditional terms, for which ACSL as it is read here has no form."""
    goal = z3.Goal()
    goal.add(formula)
    try:
        # ite(c, s, t) < u becomes ite(c, s < u, t < u)
        plain = z3.Then("simplify", "blast-term-ite", "simplify")(goal)
    except z3.Z3Exception:
        return formula
    return cast(z3.BoolRef, fold(plain[0].as_expr(), _with_implications)) if len(plain) == 1 else formula


def _with_implications(term: z3.ExprRef, children: list[z3.ExprRef]) -> z3.ExprRef:
    """ite(c, a, b) of truth values becomes (c => a) & (~c => b)."""
    if z3.is_bool(term) and z3.is_app_of(term, z3.Z3_OP_ITE):
        condition, yes, no = children
        return z3.And(z3.Or(z3.Not(condition), yes), z3.Or(condition, no))
    return term.update(*children) if children and not z3.is_quantifier(term) else term


# --- what the automata say of pointers


@dataclass(frozen=True)
class _Extent:
    """How many elements are accessed behind a pointer: up to `last`, or as many as the parameter `count` says."""

    last: int
    count: str = ""

    @property
    def range(self) -> str:
        """The range of the indices; "" for one element."""
        if self.count:
            return f"0 .. {self.count} - 1"
        return f"0 .. {self.last}" if self.last else ""


class _Pointers:
    """The pointers that a function is given. unknown: what has no name in a contract."""

    def __init__(self, function: FunctionCfa, accesses: Accesses) -> None:
        self.function, self.accesses = function, accesses
        self.unknown = ""
        self.extents: dict[str, _Extent] = {}
        pointers = [p.name for p in function.parameters if isinstance(p.type, CPointer)]
        for name in pointers:
            steps = [
                place.steps[0]
                for place in (*accesses.written, *accesses.read)
                if place.is_parameter and place.root == name
            ]
            last = max((step.last for step in steps if isinstance(step, FixedIndex)), default=-1)
            count = ""
            if any(isinstance(step, AnyIndex) for step in steps):
                count = self._count(name)
                if not count:
                    self.unknown = f"how many elements {name} leads to has no name"
            if steps:
                self.extents[name] = _Extent(last, count)
        self.pointers = pointers

    def _count(self, pointer: str) -> str:
        """The parameter that is likely to be the number of elements; "" if there is none."""
        names = [p.name for p in self.function.parameters]
        numbers = [p.name for p in self.function.parameters if isinstance(p.type, CInteger)]
        behind = [name for name in numbers if names.index(name) > names.index(pointer)]
        sized = [name for name in (*behind, *numbers) if name.lower().endswith(_SIZES)]
        return next(iter((*sized, *behind, *numbers)), "")

    def valid(self) -> Iterator[str]:
        """What must be accessible."""
        for name, extent in self.extents.items():
            yield f"\\valid({name} + ({extent.range}))" if extent.range else f"\\valid({name})"

    def separated(self) -> Iterator[str]:
        """Pairs of pointers to different objects."""
        for one, two in combinations(self.pointers, 2):
            parts = [
                f"{name} + ({self.extents[name].range})" if name in self.extents and self.extents[name].range else name
                for name in (one, two)
            ]
            yield f"\\separated({parts[0]}, {parts[1]})"

    def text(self, place: NamedLocation, ranges: bool = False) -> str:
        """The location as ACSL writes it. ranges: with all elements where any may be meant; "" otherwise for those."""
        steps = list(place.steps)
        text = place.root
        if place.is_parameter:
            first = steps.pop(0)
            if isinstance(first, AnyIndex):
                text += f"[0 .. {self.extents[place.root].count} - 1]" if ranges else "[]"
            elif first == FixedIndex(0, 0) and steps and isinstance(steps[0], MemberName):
                member = steps.pop(0)
                assert isinstance(member, MemberName)
                text += f"->{member.name}"
            elif first == FixedIndex(0, 0) and not steps:
                text = f"*{text}"
            elif isinstance(first, FixedIndex):
                text += _index(first)
        for step in steps:
            text += f".{step.name}" if isinstance(step, MemberName) else _index(step)
        return text

    def values(self, known: Sequence[str]) -> Iterator[str]:
        """Equations for the scalars that are written behind pointers, where the clauses so far do not mention them."""
        behind = [place for place in self.accesses.written if self._is_scalar(place)]
        seen = [place for place in (*self.accesses.written, *self.accesses.read) if self._is_scalar(place)]
        numbers = [p.name for p in self.function.parameters if isinstance(p.type, CInteger | CFloat)]
        for place in behind:
            text = self.text(place)
            if any(text in clause.replace(f"\\old({text})", "") for clause in known):
                continue
            others = [f"\\old({self.text(other)})" for other in dict.fromkeys(seen)]
            own = f"\\old({text})"
            yield from (f"{text} == {other}" for other in (*numbers, *others, *map(str, self.accesses.constants)))
            yield from (f"{text} == {own} + {number}" for number in ("1", "(-1)", *numbers))

    @staticmethod
    def _is_scalar(place: NamedLocation) -> bool:
        """Is it one location behind a pointer?"""
        fixed = all(isinstance(step, MemberName) or _is_one(step) for step in place.steps)
        return place.is_parameter and fixed


def _is_one(step: object) -> bool:
    return isinstance(step, FixedIndex) and step.first == step.last


def _index(step: object) -> str:
    assert isinstance(step, FixedIndex)
    return f"[{step.first}]" if step.first == step.last else f"[{step.first} .. {step.last}]"
