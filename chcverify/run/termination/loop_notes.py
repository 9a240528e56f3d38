"""Certificates of termination in words: what decreases at the loop heads, or the state that recurs."""

import z3

from chcverify.certificate.termination import Lasso, NonTermination, RankingNode, RankingProof, RecurrenceSet
from chcverify.display_limits import IN_A_LIST
from chcverify.horn.system import HornSystem, Predicate
from chcverify.results.source_facts import LoopNote
from chcverify.terms.core.traversal import applications_of, is_variable, name_of, substitute
from chcverify.terms.printing.infix import infix_text


def ranking_notes(proof: RankingProof) -> tuple[LoopNote, ...]:
    """For each loop head the terms that decrease, in the order in which they are compared."""
    terms: dict[Predicate, list[str]] = {}
    pending: list[RankingNode] = list(reversed(proof.nodes))
    while pending:
        node = pending.pop()
        for predicate, rank in node.ranks.items():
            simple = z3.simplify(rank)
            text = _named(predicate, simple)
            if not z3.is_int_value(simple) and text not in terms.setdefault(predicate, []):
                terms[predicate].append(text)
        pending += reversed(node.children)
    found = sorted((item for item in terms.items() if item[1]), key=lambda item: _position(item[0]))
    return tuple(_note(predicate, _sentence(ranks)) for predicate, ranks in found)


def _sentence(ranks: list[str]) -> str:
    if len(ranks) == 1:
        return f"{ranks[0]} decreases and stays ≥ 0"
    return f"({', '.join(ranks)}) decreases, compared from left to right; what decreases is ≥ 0"


def lasso_notes(system: HornSystem, lasso: Lasso) -> tuple[LoopNote, ...]:
    """The state that recurs."""
    head = system.clauses[lasso.steps[lasso.begin].clause].head
    assert head is not None
    names = head.predicate.names or tuple(f"${i}" for i in range(head.predicate.arity))
    values = [
        f"{name} = {infix_text(value)}"
        for name, value in zip(names, lasso.steps[lasso.begin].arguments, strict=True)
        if not z3.is_array(value)
    ]
    more = f", and {len(values) - IN_A_LIST} more" if len(values) > IN_A_LIST else ""
    state = f" with {', '.join(values[:IN_A_LIST])}{more}" if values else ""
    return (_note(head.predicate, f"the run comes back to this state{state}: it never ends"),)


def non_termination_notes(system: HornSystem, certificate: NonTermination) -> tuple[LoopNote, ...]:
    """Why a run does not end."""
    if isinstance(certificate, Lasso):
        return lasso_notes(system, certificate)
    return recurrence_notes(certificate)


def recurrence_notes(recurrence: RecurrenceSet) -> tuple[LoopNote, ...]:
    """What holds again and again at the loop heads of a closed recurrence set."""
    heads = [predicate for predicate in recurrence.facts if predicate.origin and predicate.origin.is_loop_head]
    shown = sorted(heads or list(recurrence.facts)[:1], key=_position)
    return tuple(
        _note(predicate, f"the run comes back again and again, with {_named(predicate, formula)}: it never ends")
        for predicate, formula in ((predicate, recurrence.facts[predicate]) for predicate in shown)
    )


def _named(predicate: Predicate, rank: z3.ExprRef) -> str:
    if len(predicate.names) != predicate.arity:
        return infix_text(rank)
    names = [z3.Const(name, sort) for name, sort in zip(predicate.names, predicate.sorts, strict=True)]
    named: z3.ExprRef = z3.simplify(substitute(rank, zip(predicate.formals, names, strict=True)))
    cells = [(cell, _cell_name(cell)) for cell in applications_of(named, z3.Z3_OP_SELECT)]
    return infix_text(substitute(named, [(cell, z3.Const(name, cell.sort())) for cell, name in cells if name]))


def _cell_name(cell: z3.ExprRef) -> str:
    """What C calls a cell of memory at a pointer: `*p`, `p->member`; "" for other cells.

    An array of cells has the name of a pointer that leads to them, with `*` before it and a member behind it.
    """
    memory, pointer = cell.children()
    if not (is_variable(memory) and is_variable(pointer) and name_of(memory).startswith("*")):
        return ""
    led_to, name = name_of(memory)[1:], name_of(pointer)
    if led_to == name or "." not in led_to:
        return f"*{name}"
    return f"{name}->{led_to.removeprefix(f'{name}.')}" if led_to.startswith(f"{name}.") else ""


def _position(predicate: Predicate) -> tuple[object, ...]:
    origin = predicate.origin
    return (origin.file, origin.line, origin.column) if origin else ("", 0, 0, predicate.name)


def _note(predicate: Predicate, text: str) -> LoopNote:
    origin = predicate.origin
    if origin is None:
        return LoopNote(None, predicate.name, text)
    in_model = origin.file.startswith("<")  # of a library function, whose lines are none of the program
    return LoopNote(origin, f"{origin.file}:{origin.line}" if in_model else f"line {origin.line}", text)
