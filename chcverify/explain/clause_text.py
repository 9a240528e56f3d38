"""Clauses, their graph, models and derivations as plain texts for people."""

from collections.abc import Sequence

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Step, derived
from chcverify.certificate.model import Model
from chcverify.display_limits import FORMULA_CHARACTERS, IN_A_PAGE, IN_A_PICTURE
from chcverify.horn.system import Application, HornSystem, Origin, Predicate
from chcverify.results.report_data import (
    ClauseText,
    CycleText,
    DerivationLine,
    Graph,
    GraphEdge,
    GraphNode,
    Interpretation,
    ReportData,
)
from chcverify.terms.core.traversal import conjuncts
from chcverify.terms.printing.infix import infix_text

TRUTH, FALSITY = "true", "false"  # keys in the graph; predicates have "p0", "p1", ...


def report_data(system: HornSystem, certificate: Model | Derivation | None, graphs: Sequence[Graph] = ()) -> ReportData:
    """All that there is to show; `graphs` come before the clause graph."""
    omitted = []
    clauses = [clause_text(system, index) for index in range(min(IN_A_PAGE, len(system.clauses)))]
    if len(system.clauses) > IN_A_PAGE:
        omitted.append(f"Only the first {IN_A_PAGE} of {len(system.clauses)} clauses are listed.")
    drawn = list(graphs)
    if len(system.predicates) <= IN_A_PICTURE and len(system.clauses) <= 3 * IN_A_PICTURE:
        drawn.append(clause_graph(system))
    else:
        omitted.append(f"The graph of {len(system.predicates)} predicates is too large to be drawn.")
    model: tuple[Interpretation, ...] = ()
    steps: tuple[DerivationLine, ...] = ()
    if isinstance(certificate, Model):
        model = interpretations(system, certificate)
        if len(model) < len(system.predicates):
            omitted.append(f"Only {len(model)} of {len(system.predicates)} interpretations are listed.")
    elif isinstance(certificate, Derivation):
        steps = derivation_lines(system, certificate)
        if len(steps) < len(certificate.steps):
            omitted.append(f"Only the last {len(steps)} of {len(certificate.steps)} derivation steps are listed.")
    return ReportData(tuple(drawn), tuple(clauses), model, steps, tuple(omitted))


def clause_text(system: HornSystem, index: int) -> ClauseText:
    """`P(x) ∧ x ≥ 0 ⇒ Q(x)`."""
    clause = system.clauses[index]
    parts = [_atom(application) for application in clause.body]
    parts += [_conjunct(part) for part in conjuncts(clause.constraint)]
    head = "false" if clause.head is None else _atom(clause.head)
    return ClauseText(index, clause.name, _position(clause.origin), _cut(f"{' ∧ '.join(parts) or 'true'} ⇒ {head}"))


def interpretations(system: HornSystem, model: Model) -> tuple[Interpretation, ...]:
    """In the order of the system, the arguments by the names that people know where there are any."""
    out = []
    for predicate in system.predicates[:IN_A_PAGE]:
        if predicate in model.interpretations:
            formals = _formals(predicate)
            formula = infix_text(model.instantiate(predicate(*formals)))
            out.append(
                Interpretation(predicate.name, _atom(predicate(*formals)), _position(predicate.origin), _cut(formula))
            )
    return tuple(out)


def derivation_lines(system: HornSystem, derivation: Derivation) -> tuple[DerivationLine, ...]:
    """The last steps, which are those that derive false, in the order of the derivation."""
    first = max(0, len(derivation.steps) - IN_A_PAGE)
    lines = []
    for number, step in enumerate(derivation.steps[first:], first):
        predicate, arguments = derived(system, step)
        fact = "false" if predicate is None else _atom(Application(predicate, tuple(arguments)))
        if isinstance(step, Step):
            lines.append(DerivationLine(number, step.clause, _cut(fact), step.premises))
            continue
        others = (premise for link in step.links for premise in link.premises if premise is not None)
        premises = (step.start, *dict.fromkeys(others))
        lines.append(DerivationLine(number, step.links[-1].clause, _cut(fact), premises, _cycle(system, step)))
    return tuple(lines)


def _cycle(system: HornSystem, cycle: Cycle) -> CycleText:
    links = []
    for link in cycle.links:
        head = system.clauses[link.clause].head
        arguments = tuple(z3.substitute(argument, (cycle.variable, z3.Int("n"))) for argument in link.arguments)
        links.append((link.clause, _cut(_atom(Application(head.predicate, arguments)) if head else "false")))
    return CycleText(cycle.count, tuple(links))


def clause_graph(system: HornSystem) -> Graph:
    """Predicates as nodes, clauses as arrows; a clause with several body atoms has a junction of its own."""
    keys = {predicate.name: f"p{number}" for number, predicate in enumerate(system.predicates)}
    nodes = [
        GraphNode(keys[p.name], (_short(p.name),), "loop" if _is_loop(p) else "", (p.origin.line,) if p.origin else ())
        for p in system.predicates
    ]
    ends: dict[str, GraphNode] = {}
    arrows: list[GraphEdge] = []
    for index, clause in enumerate(system.clauses):
        link = f"clause-{index}"
        if clause.head is None:
            ends[FALSITY] = GraphNode(FALSITY, ("false",), "error")
        target = FALSITY if clause.head is None else keys[clause.head.predicate.name]
        sources = [keys[application.predicate.name] for application in clause.body]
        if not sources:
            ends[TRUTH] = GraphNode(TRUTH, ("true",), "entry")
            sources = [TRUTH]
        if len(sources) > 1:
            junction = f"j{index}"
            nodes.append(GraphNode(junction, (str(index),), "junction", link=link))
            arrows += [GraphEdge(source, junction) for source in sources]
            arrows.append(GraphEdge(junction, target))
        else:
            arrows.append(GraphEdge(sources[0], target, str(index), link))
    top = [ends[TRUTH]] if TRUTH in ends else []
    bottom = [ends[FALSITY]] if FALSITY in ends else []
    return Graph("Clauses", (*top, *nodes, *bottom), tuple(arrows))


def _is_loop(predicate: Predicate) -> bool:
    return predicate.origin is not None and predicate.origin.is_loop_head


def _formals(predicate: Predicate) -> tuple[z3.ExprRef, ...]:
    """Constants with the names that people know; those without one, or with one that is taken, keep their position."""
    names = predicate.names if len(predicate.names) == predicate.arity else ("",) * predicate.arity
    out, taken = [], set()
    for formal, name in zip(predicate.formals, names, strict=True):
        fits = name and name not in taken
        taken.add(name)
        out.append(z3.Const(name, formal.sort()) if fits else formal)
    return tuple(out)


def _atom(application: Application) -> str:
    arguments = ", ".join(map(infix_text, application.arguments))
    return f"{application.predicate.name}({arguments})" if arguments else application.predicate.name


def _conjunct(part: z3.BoolRef) -> str:
    text = infix_text(part)
    return f"({text})" if z3.is_or(part) or z3.is_implies(part) or z3.is_quantifier(part) else text


def _position(origin: Origin | None) -> str:
    return f"{origin.file}:{origin.line}" if origin else ""


def _cut(text: str) -> str:
    return text if len(text) <= FORMULA_CHARACTERS else text[: FORMULA_CHARACTERS - 1] + "…"


def _short(name: str) -> str:
    return name if len(name) <= 28 else name[:13] + "…" + name[-14:]
