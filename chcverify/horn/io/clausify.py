"""From a closed formula over predicates to Horn clauses: a sequent calculus over its Boolean structure.

A sequent `left => right` stands for the clause "and of left implies or of right". Rules take a formula that contains a
predicate apart; a formula without predicates goes whole into the constraint. Terms are handles with de Bruijn indices
and are instantiated once, when a clause is finished. Universal quantifiers on the right and existential ones on the
left become clause variables; the others would need Skolem functions and are refused where they bind a predicate.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import z3

from chcverify.effort import MAX_VISITED
from chcverify.horn.system import Application, Clause, Origin, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle

_CONNECTIVES = {z3.Z3_OP_NOT, z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_IMPLIES}
_BINARY = {z3.Z3_OP_EQ, z3.Z3_OP_XOR, z3.Z3_OP_DISTINCT, z3.Z3_OP_IFF}


class NotHorn(Exception):
    """The formula is not a set of Horn clauses; the message is the reason."""


@dataclass(frozen=True)
class Symbols:
    """The roles of uninterpreted functions: predicates by the handle of their declaration; the set of the nodes that
    contain one. All nodes must stay alive as long as this object is used."""

    context: z3.Context
    predicates: Mapping[int, Predicate]
    predicate_nodes: frozenset[Handle] | set[Handle]
    reserved: frozenset[str]


@dataclass
class _Environment:
    """Values of the free de Bruijn variables; index 0 is the innermost. `array` has their handles."""

    values: list[z3.ExprRef]
    array: Any


@dataclass
class _Sequent:
    """todo: formulas to take apart, each with its side (True: right) and environment; split: those that branch."""

    todo: list[tuple[Handle, bool, _Environment]]
    split: list[tuple[Handle, bool, _Environment]] = field(default_factory=list)
    body: dict[tuple[Handle, int], tuple[Handle, _Environment]] = field(default_factory=dict)
    head: tuple[Handle, _Environment] | None = None
    constraint: dict[tuple[Handle, bool, int], tuple[Handle, bool, _Environment]] = field(default_factory=dict)

    def branch(self, *formulas: tuple[Handle, bool, _Environment]) -> "_Sequent":
        return _Sequent(list(formulas), list(self.split), dict(self.body), self.head, dict(self.constraint))


class Clausifier:
    """Takes the formulas of one file apart. Clauses of one formula have the origin and name given with it."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._ctx: int = symbols.context.ref().value
        self._constants: dict[tuple[str, int], z3.ExprRef] = {}
        self._used: set[str] = set()

    def clauses(self, formula: Handle, origin: Origin | None, name: str = "") -> list[Clause]:
        """The clauses whose conjunction is equivalent to the formula (a closed one). NotHorn if there are none."""
        self._used = set()
        out: list[Clause] = []
        open_sequents = [_Sequent([(formula, True, _Environment([], capi.array([])))])]
        while open_sequents:
            sequent = open_sequents.pop()
            if self._saturate(sequent):
                continue
            if sequent.split:
                open_sequents.extend(reversed(self._branches(sequent, *sequent.split.pop(0))))
            else:
                out.append(self._clause(sequent, origin, name))
            if len(out) + len(open_sequents) > MAX_VISITED:
                raise NotHorn(f"this formula needs more than {MAX_VISITED} clauses")
        return out

    def _saturate(self, sequent: _Sequent) -> bool:
        """Applies the rules that do not branch; True if the sequent holds trivially (false on the left)."""
        while sequent.todo:
            term, right, env = sequent.todo.pop()
            kind = self._kind(term)
            if kind == z3.Z3_OP_TRUE or kind == z3.Z3_OP_FALSE:
                if right == (kind == z3.Z3_OP_TRUE):
                    return True
            elif kind == z3.Z3_OP_NOT:
                sequent.todo.append((capi.get_app_arg(self._ctx, term, 0), not right, env))
            elif kind == (z3.Z3_OP_OR if right else z3.Z3_OP_AND):
                sequent.todo.extend((part, right, env) for part in reversed(handles.children(self._ctx, term)))
            elif kind == z3.Z3_OP_IMPLIES and right:
                *premises, conclusion = handles.children(self._ctx, term)
                sequent.todo.append((conclusion, True, env))
                sequent.todo.extend((part, False, env) for part in reversed(premises))
            elif self._opens(term, right):
                sequent.todo.append((capi.get_quantifier_body(self._ctx, term), right, self._extend(term, env)))
            elif term not in self._symbols.predicate_nodes:
                sequent.constraint[(term, right, id(env))] = (term, right, env)
            elif kind == handles.UNINTERPRETED:
                self._atom(sequent, term, right, env)
            else:
                self._require_boolean(term, kind)
                sequent.split.append((term, right, env))
        return False

    def _branches(self, sequent: _Sequent, term: Handle, right: bool, env: _Environment) -> list[_Sequent]:
        """The premises of the branching rules, for a formula that contains a predicate."""
        kind = self._kind(term)
        parts = handles.children(self._ctx, term)
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):  # and on the right, or on the left
            return [sequent.branch((part, right, env)) for part in parts]
        if kind == z3.Z3_OP_IMPLIES:  # on the left
            *premises, conclusion = parts
            refuted = [sequent.branch((premise, True, env)) for premise in premises]
            return [*refuted, sequent.branch((conclusion, False, env))]
        if kind == z3.Z3_OP_ITE:
            test, then, other = parts
            return [
                sequent.branch((test, False, env), (then, right, env)),
                sequent.branch((test, True, env), (other, right, env)),
            ]
        first, second = parts
        if right == (kind in (z3.Z3_OP_EQ, z3.Z3_OP_IFF)):  # equivalence on the right, exclusive or on the left
            return [
                sequent.branch((first, False, env), (second, True, env)),
                sequent.branch((second, False, env), (first, True, env)),
            ]
        return [
            sequent.branch((first, False, env), (second, False, env)),
            sequent.branch((first, True, env), (second, True, env)),
        ]

    def _kind(self, term: Handle) -> int:
        """The kind of an application's function; -1 for anything else."""
        if capi.get_ast_kind(self._ctx, term) != handles.APP:
            return -1
        return int(capi.get_decl_kind(self._ctx, capi.get_app_decl(self._ctx, term)))

    def _opens(self, term: Handle, right: bool) -> bool:
        """True if the term is a quantifier whose variables are universal for the clause."""
        if capi.get_ast_kind(self._ctx, term) != handles.QUANTIFIER:
            return False
        return bool(capi.is_quantifier_forall(self._ctx, term) if right else capi.is_quantifier_exists(self._ctx, term))

    def _require_boolean(self, term: Handle, kind: int) -> None:
        """NotHorn unless the term, which contains a predicate, is a connective with a branching rule."""
        if kind in _CONNECTIVES or kind == z3.Z3_OP_ITE:
            return
        if kind in _BINARY and capi.get_app_num_args(self._ctx, term) == 2:
            return
        if kind == -1:
            raise NotHorn("a predicate stands under a quantifier that would need a Skolem function: not a Horn clause")
        function = handles.declaration(term, self._symbols.context).name()
        raise NotHorn(f"a predicate stands below '{function}': not a Horn clause")

    def _atom(self, sequent: _Sequent, term: Handle, right: bool, env: _Environment) -> None:
        for argument in handles.children(self._ctx, term):
            if argument in self._symbols.predicate_nodes:
                outer = self._predicate(term).name
                raise NotHorn(f"a predicate stands in an argument of '{outer}': not a Horn clause")
        if not right:
            sequent.body[(term, id(env))] = (term, env)
        elif sequent.head is None or sequent.head == (term, env):
            sequent.head = (term, env)
        else:
            names = f"'{self._predicate(sequent.head[0]).name}' and '{self._predicate(term).name}'"
            raise NotHorn(f"two predicates occur positively, {names}: not a Horn clause")

    def _predicate(self, atom: Handle) -> Predicate:
        return self._symbols.predicates[capi.get_app_decl(self._ctx, atom)]

    def _extend(self, quantifier: Handle, env: _Environment) -> _Environment:
        names = handles.bound(self._ctx, quantifier)
        fresh = [self._variable(symbol, sort) for symbol, sort in names]
        values = [*reversed(fresh), *env.values]
        return _Environment(values, capi.array([handles.handle(value) for value in values]))

    def _variable(self, symbol: int, sort: int) -> z3.ExprRef:
        """A constant of the sort whose name is new in the formula; it resembles the symbol."""
        context = self._symbols.context
        base = handles.symbol_text(symbol, context)
        base = f"v{base}" if base.startswith("$") else base  # $0, $1, ... are the formal arguments of predicates
        name, count = base, 0
        while name in self._used or name in self._symbols.reserved:
            count += 1
            name = f"{base}_{count}"
        self._used.add(name)
        key = (name, sort)
        if key not in self._constants:
            self._constants[key] = z3.Const(name, handles.sort(sort, context))
        return self._constants[key]

    def _clause(self, sequent: _Sequent, origin: Origin | None, name: str) -> Clause:
        head = None if sequent.head is None else self._application(*sequent.head)
        body = tuple(self._application(*atom) for atom in sequent.body.values())
        return Clause(head, body, self._constraint(sequent), origin, name)

    def _application(self, atom: Handle, env: _Environment) -> Application:
        arguments = handles.children(self._ctx, atom)
        return Application(self._predicate(atom), tuple(self._term(argument, env) for argument in arguments))

    def _term(self, term: Handle, env: _Environment) -> z3.ExprRef:
        if capi.get_ast_kind(self._ctx, term) == handles.VAR:
            return env.values[capi.get_index_value(self._ctx, term)]
        instance: z3.ExprRef = handles.instance([(term, False)], env.array, self._symbols.context)
        return instance

    def _constraint(self, sequent: _Sequent) -> z3.BoolRef:
        """The conjunction of the formulas without predicates: one substitution for each environment."""
        groups: dict[int, tuple[_Environment, list[tuple[Handle, bool]]]] = {}
        for term, negated, env in sequent.constraint.values():
            groups.setdefault(id(env), (env, []))[1].append((term, negated))
        context = self._symbols.context
        parts = [handles.instance(items, env.array, context) for env, items in groups.values()]
        if not parts:
            return z3.BoolVal(True)
        return parts[0] if len(parts) == 1 else z3.And(parts)
