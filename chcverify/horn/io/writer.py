"""Writers of Horn systems as text: SMT-LIB 2 as CHC-COMP defines it, z3's rule dialect, and Prolog-style clauses.

CHC-COMP's format (chc-comp.github.io): arguments of predicates are variables, those of a head are distinct, there is
exactly one query, and every assertion is one universally quantified implication.
"""

import re
from collections.abc import Iterable

import z3

from chcverify.horn.datatypes import datatypes, declarations, sorts_of
from chcverify.horn.io.prolog import to_prolog
from chcverify.horn.names import Fresh, plain, quoted, writable
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, conjuncts, is_variable, substitute, subterms

__all__ = ["single_query", "term_text", "to_prolog", "to_rules", "to_smtlib"]

_INTERNAL = re.compile(r"\((bv(?:sdiv|udiv|srem|urem|smod))_i ")


def to_smtlib(system: HornSystem) -> str:
    """The system as CHC-COMP defines it. ValueError for an instance of a parametric datatype."""
    whole, taken = _prepared(system)
    lines = ["(set-logic HORN)", *declarations(datatypes(sorts_of(whole)))]
    for predicate in whole.predicates:
        lines.append(f"(declare-fun {quoted(predicate.name)} ({_sorts(predicate)}) Bool)")
    for clause in whole.clauses:
        lines.append(_assertion(_readable(flat(clause), Fresh(taken))))
    return "\n".join([*lines, "(check-sat)", "(exit)", ""])


def to_rules(system: HornSystem) -> str:
    """The system in z3's rule dialect. ValueError for an instance of a parametric datatype."""
    whole, taken = _prepared(system)
    target = Predicate(Fresh(taken)("unsafe"), ())
    taken.add(target.name)
    sorts: dict[str, z3.SortRef] = {}
    rules = []
    for clause in whole.clauses:
        shown = _readable(clause, Fresh(taken), sorts)
        rules.append(f"(rule (=> {_body(shown)}\n  {_atom(shown.head or target())}))")
    relations = [f"(declare-rel {quoted(p.name)} ({_sorts(p)}))" for p in (*whole.predicates, target)]
    variables = [f"(declare-var {quoted(name)} {sort.sexpr()})" for name, sort in sorts.items()]
    return "\n".join(
        [
            *declarations(datatypes(sorts_of(whole))),
            *relations,
            *variables,
            *rules,
            f"(query {quoted(target.name)})",
            "",
        ]
    )


def _prepared(system: HornSystem) -> tuple[HornSystem, set[str]]:
    """The system with one query and with names of predicates that can be written, and all names it uses."""
    whole = single_query(system)
    taken = _interpreted_names(whole)
    fresh = Fresh(taken)
    table = {
        predicate.name: Predicate(fresh(writable(predicate.name)), predicate.sorts) for predicate in whole.predicates
    }
    taken |= {predicate.name for predicate in table.values()}
    if all(name == predicate.name for name, predicate in table.items()):
        return whole, taken

    def renamed(application: Application) -> Application:
        return table[application.predicate.name](*application.arguments)

    clauses = [
        Clause(clause.head and renamed(clause.head), tuple(map(renamed, clause.body)), clause.constraint)
        for clause in whole.clauses
    ]
    return HornSystem(tuple(table.values()), tuple(clauses)), taken


def _interpreted_names(system: HornSystem) -> set[str]:
    """The names of all functions in the clauses and of the constructors of their datatypes."""
    roots: list[z3.ExprRef] = [clause.constraint for clause in system.clauses]
    roots += [a for clause in system.clauses for application in clause.applications for a in application.arguments]
    names = {str(t.decl().name()) for t in subterms(*roots) if z3.is_app(t) and not is_variable(t)}
    for sort in datatypes(sorts_of(system)):
        names |= {str(sort.constructor(i).name()) for i in range(sort.num_constructors())}
    return names


def single_query(system: HornSystem) -> HornSystem:
    """The system if it has exactly one query; else each query derives a new predicate, which one query excludes."""
    if len(system.queries) == 1:
        return system
    error = Predicate(Fresh(system.by_name)("error"), ())
    clauses = [
        Clause(error(), clause.body, clause.constraint, clause.origin, clause.name) if clause.is_query else clause
        for clause in system.clauses
    ]
    query = Clause(None, (error(),), z3.BoolVal(True))
    return HornSystem((*system.predicates, error), (*clauses, query))


def flat(clause: Clause) -> Clause:
    """The clause with variables as arguments of its atoms, distinct ones in the head; equations hold the rest."""
    fresh = Fresh(str(variable.decl().name()) for variable in clause.variables)
    equations: list[z3.BoolRef] = []

    def variables(application: Application, distinct: bool) -> Application:
        used: set[int] = set()
        arguments = []
        for argument in application.arguments:
            if not is_variable(argument) or (distinct and argument.get_id() in used):
                variable = z3.Const(fresh("v"), argument.sort())
                equations.append(variable == argument)
                argument = variable
            used.add(argument.get_id())
            arguments.append(argument)
        return application.predicate(*arguments)

    body = tuple(variables(atom, False) for atom in clause.body)
    head = None if clause.head is None else variables(clause.head, True)
    constraint = conjunction([*conjuncts(clause.constraint), *equations])
    return Clause(head, body, constraint, clause.origin, clause.name)


def _readable(clause: Clause, fresh: Fresh, sorts: dict[str, z3.SortRef] | None = None) -> Clause:
    """The clause with plain names for its variables. `sorts`: each name has one sort in all clauses, noted there."""
    old, new = [], []
    for variable in clause.variables:
        own = str(variable.decl().name())
        base = plain(own)
        name = fresh(base)
        while sorts is not None and sorts.setdefault(name, variable.sort()) != variable.sort():
            name = fresh(base)
        if name != own:
            old.append(variable)
            new.append(z3.Const(name, variable.sort()))
    if not old:
        return clause
    table = {before.get_id(): after for before, after in zip(old, new, strict=True)}

    def term(argument: z3.ExprRef) -> z3.ExprRef:
        return (
            table.get(argument.get_id(), argument)
            if is_variable(argument)
            else substitute(argument, zip(old, new, strict=True))
        )

    def renamed(application: Application) -> Application:
        return application.predicate(*map(term, application.arguments))

    head = None if clause.head is None else renamed(clause.head)
    body = tuple(map(renamed, clause.body))
    return Clause(head, body, substitute(clause.constraint, zip(old, new, strict=True)), clause.origin, clause.name)


def term_text(term: z3.ExprRef) -> str:
    """The term in SMT-LIB, shared subterms by `let`; z3's own names of bit-vector divisions are replaced."""
    if is_variable(term):
        return quoted(str(term.decl().name()))
    return _INTERNAL.sub(r"(\1 ", term.sexpr())


def _sorts(predicate: Predicate) -> str:
    return " ".join(sort.sexpr() for sort in predicate.sorts)


def _atom(application: Application) -> str:
    if not application.arguments:
        return quoted(application.predicate.name)
    return f"({quoted(application.predicate.name)} {' '.join(map(term_text, application.arguments))})"


def _body(clause: Clause) -> str:
    """(and atom ... conjunct ...), each on a line."""
    parts = [_atom(atom) for atom in clause.body]
    parts += [] if z3.is_true(clause.constraint) else [term_text(clause.constraint)]
    return _conjunction(parts)


def _conjunction(parts: Iterable[str]) -> str:
    items = list(parts) or ["true"]
    return items[0] if len(items) == 1 else "(and " + "\n    ".join(items) + ")"


def _assertion(clause: Clause) -> str:
    bound = [f"({quoted(str(v.decl().name()))} {v.sort().sexpr()})" for v in clause.variables] or ["(unused Bool)"]
    head = "false" if clause.head is None else _atom(clause.head)
    return f"(assert (forall ({' '.join(bound)})\n  (=> {_body(clause)}\n    {head})))"
