"""Certificates of termination as JSON: written, and read for a system. What is read is still to be checked."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.files.certificate_text import model_from_text, model_to_text
from chcverify.certificate.files.derivation_json import derivation_from_text, derivation_to_text
from chcverify.certificate.files.text_parsing import parse
from chcverify.certificate.termination import (
    Certificate,
    Lasso,
    Move,
    NonTermination,
    RankingNode,
    RankingProof,
    RecurrenceSet,
)
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.printing.smtlib import Malformed, declarations, expressions, term_text

FORMAT = "chcverify-ranking"
VERSION = 1
ESTIMATES = "estimates"
VERSION_OF_LASSOS = 3  # of the format of derivations
VERSION_OF_RECURRENCE_SETS = 4


def ranking_to_text(system: HornSystem, proof: RankingProof, has_estimates: bool = False) -> str:
    """The proof as JSON: {"format", "version", "model": text, "cut_points": [name, ...], "nodes": [node, ...]}.

    node: {"clauses": [index, ...], "ranks": {name: term over $0, $1, ...}, "strict": [index, ...], "children": [...]}.
    has_estimates: the clauses are those of a program with estimates; said by "integers": "estimates".
    """
    document = {
        "format": FORMAT,
        "version": VERSION,
        **({"integers": ESTIMATES} if has_estimates else {}),
        "cut_points": sorted(predicate.name for predicate in proof.cut_points),
        "nodes": [_node(node) for node in proof.nodes],
        "model": model_to_text(system, proof.model),
    }
    return json.dumps(document, indent=1) + "\n"


def _node(node: RankingNode) -> dict[str, Any]:
    return {
        "clauses": sorted(node.clauses),
        "ranks": {predicate.name: _text(rank) for predicate, rank in node.ranks.items()},
        "strict": sorted(node.strict),
        "children": [_node(child) for child in node.children],
    }


def is_ranking(text: str) -> bool:
    """True if the text claims to be a proof that every run ends."""
    return f'"format": "{FORMAT}"' in text  # strings inside have their quotes escaped


def names_estimates(text: str) -> bool:
    """True if the text is a proof for the clauses of a program with estimates."""
    return is_ranking(text) and f'"integers": "{ESTIMATES}"' in text


def is_lasso(text: str) -> bool:
    """True if the text claims to be a run that does not end."""
    return '"endless":' in text


def ranking_from_text(system: HornSystem, text: str, file: str = "certificate") -> RankingProof:
    """The proof of a text that `ranking_to_text` wrote; InputError if it is none for this system."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT or data["version"] != VERSION:
            raise InputError(file, 0, 0, f"not a {FORMAT} of version {VERSION}")
        cut_points = frozenset(_named(system, data["cut_points"]))
        nodes = tuple(_read_node(system, fields, file) for fields in data["nodes"])
        model = data["model"]
        if not isinstance(model, str):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(file, 0, 0, f"not a {FORMAT}: {type(error).__name__}: {error}") from None
    return RankingProof(model_from_text(system, model, file), cut_points, nodes)


def _named(system: HornSystem, names: Iterable[str]) -> list[Predicate]:
    return [system.by_name[name] for name in names]


def _read_node(system: HornSystem, fields: Mapping[str, Any], file: str) -> RankingNode:
    ranks = {system.by_name[name]: _term(system.by_name[name], text, file) for name, text in fields["ranks"].items()}
    children = tuple(_read_node(system, child, file) for child in fields["children"])
    return RankingNode(_indices(fields["clauses"]), ranks, _indices(fields["strict"]), children)


def _indices(items: Iterable[Any]) -> frozenset[int]:
    indices = list(items)
    if not all(isinstance(index, int) and not isinstance(index, bool) and index >= 0 for index in indices):
        raise ValueError("clauses are indices from 0")
    return frozenset(indices)


def _term(predicate: Predicate, text: str, file: str) -> z3.ArithRef:
    """The integer term over the formals of a predicate that a text stands for."""
    rank = _term_of_sort(predicate, text, z3.IntSort(), file)
    assert isinstance(rank, z3.ArithRef)
    return rank


def _term_of_sort(predicate: Predicate, text: str, sort: z3.SortRef, file: str) -> z3.ExprRef:
    """The term of a sort over the formals of a predicate that a text stands for."""
    try:
        if len(list(expressions(text))) != 1:
            raise ValueError(f"not one term: {text[:80]!r}")
    except Malformed as error:
        raise ValueError(str(error)) from None
    names = {str(formal): formal.decl() for formal in predicate.formals}
    names["term!"] = z3.Function("term!", sort, z3.BoolSort())
    (assertion,) = parse(declarations([*predicate.sorts, sort]), f"(assert (term! {text}))", names, file)
    term: z3.ExprRef = assertion.arg(0)
    return term


def lasso_to_text(system: HornSystem, lasso: Lasso) -> str:
    """The run as a derivation (derivation_json.py) with "endless": the step of the fact at which the cycle begins."""
    return derivation_to_text(system, Derivation(lasso.steps), VERSION_OF_LASSOS, {"endless": lasso.begin})


def lasso_from_text(system: HornSystem, text: str, file: str = "certificate") -> Lasso:
    """The run of a text that `lasso_to_text` wrote; InputError if it is none of this system."""
    try:
        data = json.loads(text)
        begin = data["endless"]
        if data["version"] != VERSION_OF_LASSOS or not isinstance(begin, int) or isinstance(begin, bool):
            raise ValueError('"endless" must be the index of a step')
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(file, 0, 0, f"no run that does not end: {error}") from None
    derivation = derivation_from_text(system, json.dumps({**data, "version": 1}), file)
    return Lasso(derivation.ground_steps, begin)


def non_termination_to_text(system: HornSystem, certificate: NonTermination) -> str:
    """The certificate of a run that does not end, of either kind."""
    if isinstance(certificate, Lasso):
        return lasso_to_text(system, certificate)
    return recurrence_to_text(system, certificate)


def recurrence_to_text(system: HornSystem, recurrence: RecurrenceSet) -> str:
    """The derivation (derivation_json.py) with "recurrence": {"facts": {predicate: formula}, "moves": [move, ...]}.

    move: {"clause": index, "arguments": [term, ...], "values": [[name of a variable, sort, term], ...]}. Formulas and
    terms are over $0, $1, ..., the arguments of the predicate, for moves of that of the clause's body atom.
    """
    moves = [
        {
            "clause": move.clause,
            "arguments": [_text(term) for term in move.arguments],
            "values": [[str(v.decl().name()), v.sort().sexpr(), _text(term)] for v, term in move.values],
        }
        for move in recurrence.moves
    ]
    facts = {predicate.name: _text(formula) for predicate, formula in recurrence.facts.items()}
    more = {"recurrence": {"facts": facts, "moves": moves}}
    return derivation_to_text(system, Derivation(recurrence.steps), VERSION_OF_RECURRENCE_SETS, more)


def _text(term: z3.ExprRef) -> str:
    return " ".join(term_text(term).split())


def is_recurrence(text: str) -> bool:
    """True if the text claims to be a closed recurrence set."""
    return '"recurrence":' in text


def recurrence_from_text(system: HornSystem, text: str, file: str = "certificate") -> RecurrenceSet:
    """The set of a text that `recurrence_to_text` wrote; InputError if it is none of this system."""
    try:
        data = json.loads(text)
        if data["version"] != VERSION_OF_RECURRENCE_SETS:
            raise ValueError(f"version {data['version']} is unknown")
        given = data["recurrence"]
        facts: dict[Predicate, z3.BoolRef] = {}
        for name, formula in given["facts"].items():
            read = _term_of_sort(system.by_name[name], formula, z3.BoolSort(), file)
            assert isinstance(read, z3.BoolRef)
            facts[system.by_name[name]] = read
        moves = tuple(_read_move(system, fields, file) for fields in given["moves"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(file, 0, 0, f"no closed recurrence set: {type(error).__name__}: {error}") from None
    derivation = derivation_from_text(system, json.dumps({**data, "version": 1}), file)
    return RecurrenceSet(derivation.ground_steps, facts, moves)


def _read_move(system: HornSystem, fields: Mapping[str, Any], file: str) -> Move:
    (index,) = _indices([fields["clause"]])
    clause = system.clauses[index]
    if clause.head is None or not clause.body:
        raise ValueError(f"clause {index} leads nowhere")
    source = clause.body[0].predicate
    sorts = clause.head.predicate.sorts
    arguments = tuple(
        _term_of_sort(source, text, sort, file) for text, sort in zip(fields["arguments"], sorts, strict=True)
    )
    variables = {(str(v.decl().name()), v.sort().sexpr()): v for v in clause.variables}
    values = tuple(
        (variables[name, sort], _term_of_sort(source, text, variables[name, sort].sort(), file))
        for name, sort, text in fields["values"]
    )
    return Move(index, arguments, values)


def certificate_from_text(system: HornSystem, text: str, file: str = "certificate") -> Certificate:
    """The certificate of any kind that a text describes; InputError if it is none of this system."""
    if not text.lstrip().startswith("{"):
        return model_from_text(system, text, file)
    if is_ranking(text):
        return ranking_from_text(system, text, file)
    if is_recurrence(text):
        return recurrence_from_text(system, text, file)
    return lasso_from_text(system, text, file) if is_lasso(text) else derivation_from_text(system, text, file)
