"""The question for ranks as SMT-LIB, for other solvers: are there invariants and ranks by which every run ends?"""

import z3

from chcverify.certificate.kernel.runs import clause_components, ends, is_step
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from solvers.termination.searched_paths import cut_points_of


def ranking_problem(system: HornSystem) -> str:
    """A text whose satisfiability shows that every run ends: the predicates and one rank for each are unknown.

    Each clause of a cycle leads to no larger rank, and to a smaller one, from at least 0, where it leads to a cut
    point: of these each cycle has one. Without a solution there may be a proof with several ranks, compared one after
    another.
    """
    steps = [index for index, clause in enumerate(system.clauses) if is_step(clause)]
    inside = [index for component in clause_components(system, steps) for index in sorted(component)]
    cut_points = cut_points_of(system)
    solver = z3.Solver()
    # the clauses & the ranks do not grow in cycles, and decrease into cut points from at least 0
    solver.add([_closed(clause, _atom(clause.head)) for clause in system.clauses])
    for index in inside:
        clause = system.clauses[index]
        assert clause.head is not None
        before, after = _rank(clause.body[0]), _rank(clause.head)
        is_cut = ends(clause)[1] in cut_points
        solver.add(_closed(clause, z3.And(before >= 0, before > after) if is_cut else before >= after))
    comments = (
        "; The predicates are invariants, and rank.P is an integer for each fact of P that a run comes to.",
        "; A model shows that every run ends. Ranks that are compared one after another are not asked for.",
    )
    text = "\n".join(line for line in solver.to_smt2().splitlines() if not line.startswith((";", "(set-info")))
    return "\n".join([*comments, "(set-logic ALL)", text, ""])


def _closed(clause: Clause, head: z3.BoolRef) -> z3.BoolRef:
    """The clause with another head, for all values of its variables."""
    body = z3.And(*(_atom(atom) for atom in clause.body), clause.constraint)
    formula = z3.Implies(body, head)
    closed: z3.BoolRef = z3.ForAll(list(clause.variables), formula) if clause.variables else formula
    return closed


def _atom(atom: Application | None) -> z3.BoolRef:
    if atom is None:
        return z3.BoolVal(False)
    holds: z3.BoolRef = _function(atom.predicate, atom.predicate.name, z3.BoolSort())(*atom.arguments)
    return holds


def _rank(atom: Application) -> z3.ArithRef:
    rank: z3.ArithRef = _function(atom.predicate, f"rank.{atom.predicate.name}", z3.IntSort())(*atom.arguments)
    return rank


def _function(predicate: Predicate, name: str, result: z3.SortRef) -> z3.FuncDeclRef:
    return z3.Function(name, *predicate.sorts, result)
