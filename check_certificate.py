"""Checks a certificate of chcverify against its Horn clauses, with z3, and with bitwuzla where it is installed.

    python check_certificate.py CERTIFICATE FILE.smt2

CERTIFICATE is a model (SMT-LIB define-funs) or a derivation (JSON); FILE.smt2 is in the SMT-LIB dialect or in z3's rule
dialect. Prints "accepted" (exit status 0), "rejected: REASON" (1), or what is wrong with the files (2). It works on the
file's assertions as they stand, shares no code with chcverify, and accepts only on a solver's `unsat`. The proof that
this is sound stands at length in docs/certificates.md. It is one file, long as it is, so that a reviewer can copy it to
another machine and read all that has to be trusted, with no package but z3 beside it.

Model: the definitions replace the declarations of the predicates, and the negation of every assertion must be
unsatisfiable. Definitions by `define-fun-rec` are of further predicates h1, h2, ..., each written with the ones before
it. Written out they may be exponentially large, so they are not written out: see the class Definitions. Those of
numbers are functions over a datatype by structural recursion: see the class Folds.

Derivation: if, for each step, some assertion A and the facts of its premises entail the step's fact P(v), then by
induction the assertions entail all facts, and finally `false` (which the last step has for P(v)). To show it, A is read
as "for all x, not N(x)": N is the negation normal form of `not A`, its outer existential quantifiers made constants x.
A solver proposes values w of x such that N(w) holds where body atoms are premises and the head atom is P(v). The
proposal is not trusted: the instance `not N(w)`, the premises and `not P(v)` must be unsatisfiable together, the
predicates being uninterpreted. That is sound for every formula A, Horn or not, and for every meaning of division by 0.

Cycle: facts P(v(n)) for 0 <= n < count, in which all links' assertions are used one after another in each iteration n.
They are entailed by induction over n and the position of the link: the step that the cycle starts with entails the last
link's P(v(-1)), and, for 0 <= n < count, each link's assertion and premises entail its P(v(n)), where one premise is
the fact of the link before it, at n; for the first link, of the last link at n - 1. The values w are terms over n here:
those that the facts determine and those that the certificate gives. N is a combination by "and" and "or" of literals;
each literal of a predicate is replaced by its condition of truth: P(s) by "s are the arguments of a premise", not P(s)
by "s is v(n)". The result, which must be valid, implies N(w) if the premises and not P(v(n)) hold. In it a = b of
arrays is read as a[k] = b[k] with a fresh k: if it is valid for all k, then for the one where a and b differ, and so as
it was. Steps whose facts have lambdas are shown in the same way.
"""

import json
import re
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import z3

Fields = dict[str, Any]
"""A JSON object of the certificate: a step, a cycle or a link."""
Hints = list[tuple[str, z3.ExprRef]]
"""Values that a link gives: the name of a variable and a term over the cycle's variable."""
Pairs = list[tuple[z3.ExprRef, z3.ExprRef]]
"""An atom of the assertion and the fact that it is matched with; or a variable and its value."""

T = TypeVar("T", bound=z3.ExprRef)

TIMEOUT_MS = 20_000
MAX_MATCHINGS = 64
TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)
TOKEN = re.compile(r'[()]|;[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[^\s()|";]+|(["|])')
DENIED = re.compile(r"\(assert \(forall \(\(unused Bool\)\)\s*\(=> (\S+)\s+false\)\)\)")
SKIPPED = {"set-logic", "set-info", "set-option", "check-sat", "get-model", "get-proof", "get-info", "get-unsat-core"}
SKIPPED |= {"get-option", "get-value", "get-assertions", "get-assignment", "echo"}
KEPT = {"declare-datatype", "declare-datatypes", "declare-sort", "define-sort", "define-fun", "define-const"}


class Unusable(Exception):
    """The files cannot be understood."""


class Rejected(Exception):
    """The certificate is wrong, or could not be confirmed."""


# Reading the clauses --------------------------------------------------------------------------------------------------


def expressions(text: str) -> list[str]:
    """The top-level s-expressions of the text. Unusable if parentheses or quotes are not balanced."""
    depth, start = 0, 0
    result: list[str] = []
    for token in TOKEN.finditer(text):
        word = token.group()
        if word.startswith(";"):
            continue
        if token.group(1):
            raise Unusable(f"{word} without its end")
        if depth == 0:
            start = token.start()
        depth += (word == "(") - (word == ")")
        if depth < 0:
            raise Unusable("unexpected )")
        if depth == 0:
            result.append(text[start : token.end()])
    if depth:
        raise Unusable("( without its )")
    return result


def items(expression: str) -> list[str]:
    """The elements of a list; [] of an atom."""
    return expressions(expression[1:-1]) if expression.startswith("(") else []


def bare(name: str) -> str:
    """The name without the bars of a quoted symbol."""
    return name[1:-1] if name.startswith("|") else name


class Declaration(NamedTuple):
    """The declaration of a predicate: its index in `Horn.lines` and the number of arguments."""

    line: int
    arity: int


class Horn:
    """A file of clauses.

    lines: commands for z3's parser. predicates: by name. constants: names of free constants. asserted: how many of the
    lines are assertions.
    """

    def __init__(self, text: str) -> None:
        self.lines: list[str] = []
        self.predicates: dict[str, Declaration] = {}
        self.constants: set[str] = set()
        self.asserted = 0
        for command in expressions(text):
            parts = items(command)
            word = parts[0] if parts else command
            if word == "exit":
                break
            try:
                if word not in SKIPPED:
                    self.command(word, command, parts)
            except IndexError:
                raise Unusable(f"incomplete command {command[:60]!r}") from None

    def command(self, word: str, command: str, parts: Sequence[str]) -> None:
        """Adds one command; Unusable if it is not supported."""
        if word in KEPT:
            self.lines.append(command)
        elif word in ("declare-fun", "declare-rel", "declare-const"):
            sorts = "()" if word == "declare-const" else parts[2]
            result = "Bool" if word == "declare-rel" else parts[-1]
            if result == "Bool":
                self.predicates[bare(parts[1])] = Declaration(len(self.lines), len(items(sorts)))
            else:
                self.constants.add(bare(parts[1]))
            self.lines.append(f"(declare-fun {parts[1]} {sorts} {result})")
        elif word == "declare-var":
            self.lines.append(f"(declare-fun {parts[1]} () {parts[2]})")
        elif word in ("assert", "rule"):
            self.add(parts[1])
        elif word == "query":
            self.add(f"(not {self.query(parts[1])})")
        else:
            raise Unusable(f"{word} is not supported")

    def add(self, formula: str) -> None:
        """Adds an assertion."""
        self.lines.append(f"(assert {formula})")
        self.asserted += 1

    def define_denied_predicates(self, certificate: str) -> None:
        """Defines as false each nullary predicate P that an assertion denies and the certificate does not mention.

        The export of a system with several queries has one such predicate, which stands for all of them.
        """
        for name in {match[1] for line in self.lines if (match := DENIED.fullmatch(line))}:
            line, arity = self.predicates.get(bare(name), (0, 1))
            if arity == 0 and not re.search(rf'[\s"|]{re.escape(bare(name))}[\s"|]', certificate):
                self.lines[line] = f"(define-fun {name} () Bool false)"
                del self.predicates[bare(name)]

    def query(self, goal: str) -> str:
        """The goal; a predicate's bare name stands for any of its facts."""
        line, arity = self.predicates.get(bare(goal), (0, 0))
        if arity == 0:
            return goal
        sorts = items(items(self.lines[line])[2])
        names = [f"query!{i}" for i in range(arity)]
        bound = " ".join(f"({name} {sort})" for name, sort in zip(names, sorts, strict=True))
        return f"(exists ({bound}) ({goal} {' '.join(names)}))"


def parse(lines: Sequence[str], expected: int) -> list[z3.BoolRef]:
    """The assertions of the lines; Unusable if z3 cannot read them or if they are not as many as expected."""
    try:
        formulas = list(z3.parse_smt2_string("\n".join(lines)))
    except z3.Z3Exception as error:
        raise Unusable(f"z3 cannot read it: {error}") from None
    if len(formulas) != expected:
        raise Unusable("z3 skipped a part of it")
    return formulas


def is_unsat(formula: z3.BoolRef) -> bool:
    """True if z3 refutes the formula in one of three configurations, or bitwuzla after the first of them.

    Each has TIMEOUT_MS milliseconds. The last instantiates quantifiers by models alone.
    """
    for make, options in ((z3.SimpleSolver, {}), (z3.Solver, {}), (z3.SimpleSolver, {"smt.ematching": False})):
        solver = make()
        solver.set(timeout=TIMEOUT_MS, **options)
        # exists free variables. formula
        solver.add(formula)
        answer = solver.check()
        if answer != z3.unknown:
            return answer == z3.unsat
        if make is z3.SimpleSolver and not options and is_unsat_bitwise(solver.to_smt2()):
            return True
    return False


def is_unsat_bitwise(script: str) -> bool:
    """True if bitwuzla is installed, can read the script, and refutes it within TIMEOUT_MS milliseconds."""
    try:
        bitwuzla: Any = import_module("bitwuzla")
    except ImportError:
        return False
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, TIMEOUT_MS)
    try:
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        parser.parse(script, parse_only=True, parse_file=False)
        return bool(parser.bitwuzla().check_sat() == bitwuzla.Result.UNSAT)
    except bitwuzla.BitwuzlaException:
        return False


# Models ---------------------------------------------------------------------------------------------------------------


def check_model(horn: Horn, text: str) -> None:
    """Accepts if `not A` under the definitions is unsatisfiable for every assertion A; else Rejected.

    The definitions come before all variables, so that they cannot depend on these.
    """
    further, folds = Definitions(horn), Folds(horn)
    defined = definitions_by_predicate(horn, text, further, folds)
    if further.names and folds.names:
        raise Rejected("predicates and functions over datatypes cannot be defined in one model")
    declared = {declaration.line for declaration in horn.predicates.values()}
    lines = [line for number, line in enumerate(horn.lines) if number not in declared]
    kept = [line for line in lines if not line.startswith(("(declare-fun ", "(assert "))]
    declared_functions = [*further.declared, *folds.declared]
    lines = [*kept, *declared_functions, *defined.values(), *(line for line in lines if line not in kept)]
    equivalences = [*further.equivalences, *folds.equations]
    parsed = parse(lines + equivalences, horn.asserted + len(equivalences))
    assertions = parsed[: horn.asserted]
    (folds if folds.names else further).read(parsed[horn.asserted :])
    clauses = parse(horn.lines, horn.asserted) if further.names else assertions
    for number, (assertion, clause) in enumerate(zip(assertions, clauses, strict=True)):
        if not (folds.is_valid(assertion) if folds.names else further.is_valid(assertion, clause)):
            raise Rejected(f"the model does not satisfy assertion {number}, or that could not be shown")


def definitions_by_predicate(horn: Horn, text: str, further: "Definitions", folds: "Folds") -> dict[str, str]:
    """The definition of every predicate by its name; Rejected if they are not exactly one for each.

    Those by `define-fun-rec` are added to `further` if they are of other predicates, to `folds` if they are of numbers.
    """
    defined: dict[str, str] = {}
    for definition in definitions(text):
        parts = items(definition)
        if len(parts) == 5 and parts[0] == "define-fun-rec" and bare(parts[1]) not in horn.predicates:
            (further if parts[3] == "Bool" else folds).add(parts)
            continue
        if len(parts) != 5 or parts[0] != "define-fun" or parts[3] != "Bool":
            raise Rejected(f"no definition of a predicate: {definition[:60]!r}")
        name = bare(parts[1])
        if name in defined:
            raise Rejected(f"{name} is defined twice")
        if name not in horn.predicates:
            raise Rejected(f"{name} is no predicate of the clauses")
        if len(items(parts[2])) != horn.predicates[name].arity:
            raise Rejected(f"{name} takes {horn.predicates[name].arity} arguments")
        defined[name] = definition
    if missing := horn.predicates.keys() - defined.keys():
        raise Rejected(f"{min(missing)} is not defined")
    return defined


def definitions(text: str) -> Iterator[str]:
    """The definitions of a model, with or without `(model ...)` around them; Unusable if there is anything else."""
    for expression in expressions(text):
        if expression.startswith("(define-fun"):
            yield expression
        elif expression.startswith("("):
            yield from (item for item in items(expression) if item != "model")
        elif expression != "sat":
            raise Unusable(f"a model cannot contain {expression[:40]!r}")


class Definitions:
    """Further predicates h1, h2, ... of a model: hi(x) is defined as "for all v, Bi", Bi with h1, ..., h(i-1) only.

    An assertion that has them in its body is shown with these unfolded once, for some v, and all others uninterpreted:
    it then holds for any predicates. Where they are only in the head, a path is looked for that leads from the negated
    assertion through negated right-hand sides to a part without them that fails. The numbers fall, so it meets each hi
    at most once: it is enough to say under which conditions, with which arguments; new Booleans make it one path. Of
    several h that would have to be false at once, one is looked at: if that is not possible, neither are all.

    declared: their declarations. equivalences: the assertions "for all x, hi(x) = for all v, Bi". names: of h1, h2, ...
    """

    def __init__(self, horn: Horn) -> None:
        self.declared: list[str] = []
        self.equivalences: list[str] = []
        self.names: list[str] = []
        self._horn = horn
        self._used_names = {bare(token.group()) for line in horn.lines for token in TOKEN.finditer(line)}
        self._numbers: dict[z3.FuncDeclRef, int] = {}
        self._formals: list[list[z3.ExprRef]] = []
        self._bound: list[list[z3.ExprRef]] = []
        self._bodies: list[z3.BoolRef] = []

    def add(self, parts: Sequence[str]) -> None:
        """Adds a definition, given as the five elements of its command; Rejected if it is none or its name is in use.

        The name must not occur in the clauses at all: z3 overloads names, so that its declaration could otherwise take
        the place of a function that the clauses use.
        """
        if parts[3] != "Bool" or bare(parts[1]) in self.names:
            raise Rejected(f"no definition, or a second one: {parts[1]}")
        if bare(parts[1]) in self._used_names:
            raise Rejected(f"{bare(parts[1])} is defined, but it occurs in the clauses")
        self.names.append(bare(parts[1]))
        formals = [items(formal) for formal in items(parts[2])]
        self.declared.append(f"(declare-fun {parts[1]} ({' '.join(sort for _, sort in formals)}) Bool)")
        atom = f"({parts[1]} {' '.join(name for name, _ in formals)})" if formals else parts[1]
        equivalence = f"(= {atom} {parts[4]})"
        self.equivalences.append(f"(assert {f'(forall {parts[2]} {equivalence})' if formals else equivalence})")

    def read(self, equivalences: Sequence[z3.BoolRef]) -> None:
        """Takes the parsed equivalences; Rejected if one uses more than its arguments and the definitions before it."""
        for number, formula in enumerate(equivalences):
            formals, equivalence = opened(formula) if z3.is_quantifier(formula) else ([], formula)
            head, body = equivalence.children()
            bound, body = opened(body) if z3.is_quantifier(body) and body.is_forall() else ([], body)
            if any(z3.is_quantifier(node) for node in postorder(body)):
                raise Rejected(f"the definition of {self.names[number]} has quantifiers that are not in front")
            known = {node.get_id() for node in (*formals, *bound)}
            free = [n for n in postorder(body) if is_uninterpreted(n) and n.get_id() not in known]
            if any(self._numbers.get(node.decl(), number) >= number for node in free):
                raise Rejected(f"the definition of {self.names[number]} uses more than its arguments and earlier ones")
            self._numbers[head.decl()] = number
            self._formals.append(formals)
            self._bound.append(bound)
            self._bodies.append(body)

    def is_valid(self, assertion: z3.BoolRef, clause: z3.BoolRef) -> bool:
        """True if the assertion is shown to hold; clause: the same before the model replaced its predicates."""
        if not applies(self._numbers, assertion):
            return is_unsat(z3.Not(assertion))
        negated = Assertion(self._horn, assertion, self._numbers)
        body = [part for part in literals(negated.negation) if is_application(self._numbers, part)]
        if not body:
            return is_unsat(self._path(negated.negation))
        # Only which instances are tried depends on the clause, not whether they are sound.
        plain = Assertion(self._horn, clause)
        premises = [part for part in literals(plain.negation) if plain.is_atom(part)]
        taken = {node.get_id() for atom in premises for node in postorder(atom)}
        named = zip(negated.names, negated.variables, plain.variables, strict=True)
        others = [(name, variable) for name, variable, same in named if same.get_id() not in taken]
        # exists variables. negation & for all atoms hi(t) of the body, hi(t) => Bi(t, v) for some choices of v
        unfolded = [z3.Implies(atom, z3.And(*self._instances(atom, others))) for atom in body]
        return is_unsat(z3.And(negated.negation, *unfolded))

    def _instances(self, atom: z3.BoolRef, variables: Hints) -> Iterator[z3.BoolRef]:
        """Instances of the atom's right-hand side.

        v are variables of the assertion: those of the same name, else all of the same sort.
        """
        number = self._numbers[atom.decl()]
        choices: list[list[z3.ExprRef]] = []
        for constant in self._bound[number]:
            name = re.split("!|~~", constant.decl().name())[0]
            same = [(other, variable) for other, variable in variables if variable.sort() == constant.sort()]
            named = [variable for other, variable in same if other == name]
            choices.append(named or [variable for _, variable in same] or [constant])
        in_order = tuple(same[min(i, len(same) - 1)] for i, same in enumerate(choices))
        for values in (in_order, *islice(product(*choices), MAX_MATCHINGS)):
            pairs = zip((*self._formals[number], *self._bound[number]), (*atom.children(), *values), strict=True)
            yield z3.substitute(self._bodies[number], *pairs)

    def _path(self, negation: z3.BoolRef) -> z3.BoolRef:
        """A formula without definitions, satisfiable if the negation of an assertion is."""
        path = FailingPath(self._numbers)
        path.follow(negation, [], [])
        while path.calls:
            number = max(path.calls)
            calls = path.calls.pop(number)
            arguments = calls[-1].arguments
            for when, others in calls[-2::-1]:
                arguments = [z3.If(when, a, b) for a, b in zip(others, arguments, strict=True)]
            pairs: Pairs = list(zip(self._formals[number], arguments, strict=True))
            path.follow(self._denied(self._bodies[number]), [z3.Or([when for when, _ in calls])], pairs)
        return z3.Or(path.failures)

    def _denied(self, formula: z3.BoolRef) -> z3.BoolRef:
        """The negation, taken apart where definitions are used."""
        parts = formula.children()
        if not applies(self._numbers, formula) or is_application(self._numbers, formula):
            return z3.Not(formula)
        if z3.is_and(formula):
            return z3.Or([self._denied(part) for part in parts])
        if z3.is_or(formula):
            return z3.And([self._denied(part) for part in parts])
        if z3.is_implies(formula):
            return z3.And(parts[0], self._denied(parts[1]))
        if z3.is_app_of(formula, z3.Z3_OP_ITE) and not applies(self._numbers, parts[0]):
            yes, no = self._denied(parts[1]), self._denied(parts[2])
            return z3.Or(z3.And(parts[0], yes), z3.And(z3.Not(parts[0]), no))
        return z3.Not(formula)


class Folds:
    """Functions f(p, x) of a model by structural recursion: one case for each constructor of the sort of x.

    The body is a chain of choices by x's constructor, in the order of the constructors, the last one without a test.
    The case of constructor C is a term over p and C's accessors of x, in which functions of this class occur only as
    g(q, a(x)) with q among p and an accessor a of C. As a(x) is a proper part of x, exactly one function satisfies each
    equation f(p, x) = body for all finite terms x. The assertions are shown with these functions uninterpreted and with
    instances of their equations for the terms of the negated assertion: that these are true is all that matters.

    Others are sums over the cells of an array: see CellSum.

    declared: their declarations. equations: the assertions "for all p and x, f(p, x) = body". names: of the functions.
    """

    def __init__(self, horn: Horn) -> None:
        self.declared: list[str] = []
        self.equations: list[str] = []
        self.names: list[str] = []
        self._horn = horn
        self._used_names = {bare(token.group()) for line in horn.lines for token in TOKEN.finditer(line)}
        self._formals: dict[z3.FuncDeclRef, list[z3.ExprRef]] = {}
        self._bodies: dict[z3.FuncDeclRef, z3.ExprRef] = {}
        self._sums: list[CellSum] = []

    def add(self, parts: Sequence[str]) -> None:
        """Adds a definition, given as the five elements of its command; Rejected if its name is in use."""
        name = bare(parts[1])
        if name in self.names or name in self._used_names:
            raise Rejected(f"{name} is defined, but it occurs in the clauses, or is defined twice")
        formals = [items(formal) for formal in items(parts[2])]
        if not formals or any(len(formal) != 2 for formal in formals) or parts[3] not in ("Int", "Real"):
            raise Rejected(f"{name} is no function with arguments and numbers as values")
        self.names.append(name)
        self.declared.append(f"(declare-fun {parts[1]} ({' '.join(sort for _, sort in formals)}) {parts[3]})")
        application = f"({parts[1]} {' '.join(formal for formal, _ in formals)})"
        self.equations.append(f"(assert (forall {parts[2]} (= {application} {parts[4]})))")

    def read(self, equations: Sequence[z3.BoolRef]) -> None:
        """Takes the parsed equations; Rejected if one is not structurally recursive."""
        bodies = []
        for name, formula in zip(self.names, equations, strict=True):
            if not z3.is_quantifier(formula) or not formula.is_forall():
                raise Rejected(f"{name} is not defined by an equation")
            formals, equation = opened(formula)
            function = equation.arg(0).decl()
            if function.name() != name or any(n.decl().arity() for n in formals):
                raise Rejected(f"{name} is not defined by an equation")
            self._formals[function], self._bodies[function] = formals, equation.arg(1)
            bodies.append(function)
        for function in bodies:
            formals = self._formals[function]
            if len(formals) > 1 and z3.is_array(formals[-2]):
                self._sums.append(CellSum(function, formals, self._bodies.pop(function)))
            else:
                self._check(function)

    def _check(self, function: z3.FuncDeclRef) -> None:
        """Rejected unless the function has a case for each constructor, over its parts."""
        *parameters, x = self._formals[function]
        sort, case = x.sort(), self._bodies[function]
        if not isinstance(sort, z3.DatatypeSortRef):
            raise Rejected(f"{function.name()} is not over a datatype")
        for number in range(sort.num_constructors()):
            rest = case
            if number + 1 < sort.num_constructors():
                if not z3.is_app_of(case, z3.Z3_OP_ITE) or not case.arg(0).eq(sort.recognizer(number)(x)):
                    raise Rejected(f"{function.name()} has not a case for each constructor, in their order")
                case, rest = case.arg(1), case.arg(2)
            accessors = [sort.accessor(number, i) for i in range(sort.constructor(number).arity())]
            self._check_case(function, case, parameters, [accessor(x) for accessor in accessors])
            case = rest

    def _check_case(
        self, function: z3.FuncDeclRef, case: z3.ExprRef, parameters: Sequence[z3.ExprRef], parts: Sequence[z3.ExprRef]
    ) -> None:
        """Rejected unless the case is a term over the parameters, the parts, and functions of parts."""
        allowed = {term.get_id() for term in (*parameters, *parts)}
        seen: set[int] = set()
        stack = [case]
        while stack:
            node = stack.pop()
            if node.get_id() in allowed or node.get_id() in seen:
                continue
            seen.add(node.get_id())
            if not z3.is_app(node) or node.decl().kind() == z3.Z3_OP_RECURSIVE:
                raise Rejected(f"a case of {function.name()} has a quantifier or a recursive function")
            if is_uninterpreted(node):
                *given, last = node.children() or [node]
                if node.decl() not in self._formals or not any(last.eq(part) for part in parts):
                    raise Rejected(f"a case of {function.name()} is not structurally recursive")
                if not all(any(value.eq(parameter) for parameter in parameters) for value in given):
                    raise Rejected(f"a case of {function.name()} changes a parameter")
            else:
                stack += node.children()

    def is_valid(self, assertion: z3.BoolRef) -> bool:
        """True if the assertion is shown to hold, with the equations of all functions for the terms in it."""
        negation = Assertion(self._horn, assertion, self._formals).negation
        # exists variables. negation & for all terms t in it, for all p, f(p, t) = body
        return is_unsat(z3.And(negation, *self._instances(negation)))

    def _instances(self, formula: z3.BoolRef) -> Iterator[z3.BoolRef]:
        dependent: set[int] = set()  # terms with variables of quantifiers within the formula
        closed = []
        for term in postorder(formula):
            if z3.is_var(term) or any(child.get_id() in dependent for child in term.children()):
                dependent.add(term.get_id())
                continue
            closed.append(term)
            for function, body in self._bodies.items():
                *parameters, x = self._formals[function]
                if term.sort() == x.sort():
                    instance = z3.substitute(body, (x, term))
                    application = function(*parameters, term)
                    equation = application == instance
                    yield z3.ForAll(parameters, equation, patterns=[application]) if parameters else equation
        for total in self._sums:
            yield from total.instances(closed)


class CellSum:
    """A function f(p, a, i) = (ite (<= i 0) 0 (+ (f p a (- i 1)) e)), e a term over p, a[i - 1] and i - 1 only.

    By recursion over i exactly one function satisfies this for all p, a, i: the sum of e(p, a[j], j) over 0 <= j < i.
    By induction over i, for all j and v (K(v): the array whose cells are all v; the last only where e has no i - 1)

        f(p, store(a, j, v), i) = f(p, a, i) + (ite 0 <= j < i, e(p, v, j) - e(p, a[j], j), 0)
        f(p, K(v), i) = (ite (<= i 0) 0 (* i e(p, v)))

    since both sides are 0 for i <= 0, and from i to i + 1 > 0 they grow by e of the same cell, but for j = i in the
    first law: there both get e(p, v, j) in place of e(p, a[j], j).
    """

    def __init__(self, function: z3.FuncDeclRef, formals: Sequence[z3.ExprRef], body: z3.ExprRef) -> None:
        """Rejected if the body or the formals are not of this form."""
        self.function, self.formals, self.body = function, formals, body
        *self.parameters, array, bound = formals
        integers = z3.IntSort()
        if array.sort().domain() != integers or bound.sort() != integers or function.range() != integers:
            raise Rejected(f"{function.name()} is not over an array with integers as indices and values")
        self.array_sort = array.sort()
        self._cell, self._place = z3.FreshConst(array.sort().range(), "cell"), z3.FreshInt("place")
        last = body.arg(2).arg(1) if z3.is_app_of(body, z3.Z3_OP_ITE) and z3.is_add(body.arg(2)) else body
        before = function(*self.parameters, array, bound - 1)
        if not body.eq(z3.If(bound <= 0, z3.IntVal(0), before + last)):
            raise Rejected(f"{function.name()} is no sum over the cells of an array")
        summand = z3.substitute(last, (z3.Select(array, bound - 1), self._cell))
        self._summand = z3.substitute(summand, (bound - 1, self._place))
        allowed = {term.get_id() for term in (*self.parameters, self._cell, self._place)}
        for term in postorder(self._summand):
            is_function = z3.is_app(term) and term.decl().kind() not in (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_RECURSIVE)
            if term.get_id() not in allowed and not is_function:
                raise Rejected(f"{function.name()} adds more than terms over its parameters, a cell and its place")
        self._has_place = any(term.eq(self._place) for term in postorder(self._summand))

    def instances(self, closed: Sequence[z3.ExprRef]) -> Iterator[z3.BoolRef]:
        """Equations for the arrays and bounds among terms without bound variables."""
        uses = [term for term in closed if z3.is_app(term) and term.decl().eq(self.function)]
        arrays = [term for term in closed if term.sort() == self.array_sort]
        ends = {}
        for use in uses:
            *given, _, bound = use.children()
            for end in (bound, bound + 1):
                ends[tuple(term.get_id() for term in (*given, end))] = given, end
        for given, end in ends.values():
            for array in arrays:
                yield from self._equations(given, array, end)

    def _equations(self, given: Sequence[z3.ExprRef], array: z3.ExprRef, end: z3.ExprRef) -> Iterator[z3.BoolRef]:
        value = self.function(*given, array, end)
        yield value == z3.substitute(self.body, *zip(self.formals, (*given, array, end), strict=True))
        if z3.is_app_of(array, z3.Z3_OP_STORE):
            base, place, cell = array.children()
            growth = self._at(given, cell, place) - self._at(given, z3.Select(base, place), place)
            changed = z3.If(z3.And(place >= 0, place < end), growth, z3.IntVal(0))
            yield value == self.function(*given, base, end) + changed
        if z3.is_app_of(array, z3.Z3_OP_CONST_ARRAY) and not self._has_place:
            yield value == z3.If(end <= 0, z3.IntVal(0), end * self._at(given, array.arg(0), self._place))

    def _at(self, given: Sequence[z3.ExprRef], cell: z3.ExprRef, place: z3.ExprRef) -> z3.ExprRef:
        pairs = [*zip(self.parameters, given, strict=True), (self._cell, cell), (self._place, place)]
        return z3.substitute(self._summand, *pairs)


class Call(NamedTuple):
    """That the path leads through "not hi(arguments)" where `when` holds."""

    when: z3.BoolRef
    arguments: list[z3.ExprRef]


class FailingPath:
    """The path that `Definitions` describes, as far as it was followed.

    calls: by the number i of hi, those still to be followed. failures: conditions for the path to end; one of them
    holds if the path exists.
    """

    def __init__(self, numbers: Mapping[z3.FuncDeclRef, int]) -> None:
        self.calls: dict[int, list[Call]] = {}
        self.failures: list[z3.BoolRef] = []
        self._numbers = numbers

    def follow(self, formula: z3.BoolRef, when: Sequence[z3.BoolRef], pairs: Pairs) -> None:
        """Follows the path into a formula that holds, with the second of each pair for the first, where the path is.

        That is where all of `when` hold. Whatever is not understood counts as a failure.
        """

        def here(part: T) -> T:
            return z3.substitute(part, *pairs) if pairs else part

        parts = formula.children()
        if not applies(self._numbers, formula):
            self.failures.append(z3.And(*when, here(formula)))
        elif z3.is_not(formula) and is_application(self._numbers, parts[0]):
            arguments = [here(argument) for argument in parts[0].children()]
            self.calls.setdefault(self._numbers[parts[0].decl()], []).append(Call(z3.And(*when, TRUE), arguments))
        elif z3.is_and(formula):
            plain = [here(part) for part in parts if not applies(self._numbers, part)]
            self.follow(next(part for part in parts if applies(self._numbers, part)), [*when, *plain], pairs)
        elif z3.is_or(formula):
            for part in parts:
                choice = z3.FreshConst(z3.BoolSort(), "path")
                self.follow(part, [*when, choice], pairs)
                when = [*when, z3.Not(choice)]
        else:
            self.failures.append(z3.And(*when, TRUE))


def is_application(numbers: Mapping[z3.FuncDeclRef, int], term: z3.ExprRef) -> bool:
    """True if the term is hi(arguments) for some hi of the numbers."""
    return is_uninterpreted(term) and term.decl() in numbers


def applies(numbers: Mapping[z3.FuncDeclRef, int], formula: z3.ExprRef) -> bool:
    """True if some hi of the numbers occurs in the formula."""
    return any(is_application(numbers, node) for node in postorder(formula))


def opened(quantified: z3.QuantifierRef) -> tuple[list[z3.ExprRef], z3.BoolRef]:
    """Constants for the variables of the quantifier in front, with their names, and what is below it."""
    count = range(quantified.num_vars())
    constants = [z3.FreshConst(quantified.var_sort(i), quantified.var_name(i)) for i in count]
    return constants, z3.substitute_vars(quantified.body(), *reversed(constants))


# Derivations ----------------------------------------------------------------------------------------------------------


def check_derivation(horn: Horn, data: Fields) -> None:
    """Accepts if every step's fact is entailed by one assertion and the facts of its premises; else Rejected."""
    steps = derivation_steps(data)
    if horn.constants:
        raise Unusable("clauses with free constants are not supported")
    parsed = Parsed(horn, steps, written_values(data.get("values", []), data["version"]))
    derived: list[z3.BoolRef] = []
    plain: list[bool] = []
    known: dict[int, z3.ExprRef] = {}
    for number, step in enumerate(steps):
        if "links" in step:
            derived.append(check_cycle(parsed, step, number, derived))
            plain.append(not has_lambda(derived[-1]))
            continue
        premises = [index(premise, number) for premise in step["premises"]]
        body = [derived[premise] for premise in premises]
        head = parsed.facts[number] if step is not steps[-1] else FALSE
        plain.append(is_plain(head, known))
        if not plain[-1] and not is_value(head):
            raise Rejected(f"step {number}: an argument is no value")
        is_ground = plain[-1] and all(plain[premise] for premise in premises)
        entails: Entails = Assertion.entails if is_ground else Assertion.entails_for_all
        parsed.require_entailed(f"step {number}", step, entails, body, head)
        derived.append(head)


def derivation_steps(data: Fields) -> list[Fields]:
    """The steps of a derivation in the right format, of which the last and no other is a query's."""
    steps = data.get("steps")
    known = data.get("format") == "chcverify-derivation" and data.get("version") in (1, 2, 5)
    if not known or not isinstance(steps, list):
        raise Unusable("not a derivation of version 1, 2 or 5")
    queries = ["links" not in step and step["predicate"] is None for step in steps]
    if not steps or queries != [step is steps[-1] for step in steps]:
        raise Rejected("the last step, and only it, must be a query's")
    if steps[-1]["arguments"]:
        raise Rejected("a query has no arguments")
    return steps


def written_values(table: Sequence[Any], version: int) -> list[str]:
    """The values as texts; arrays that are written as stores into earlier values (version 5) are written out."""
    texts: list[str] = []
    for value in table:
        if isinstance(value, dict):
            if version != 5:
                raise Unusable(f"a derivation of version {version} has no stores among its values")
            text = _text(value["of"], texts)
            for place, held in value["stores"]:
                text = f"(store {text} {_text(place, texts)} {_text(held, texts)})"
            value = text
        texts.append(value)
    return texts


def _text(value: str | int, texts: Sequence[str]) -> str:
    """A value that is a text, or the number of an earlier one."""
    return value if isinstance(value, str) else texts[value]


def check_cycle(parsed: "Parsed", cycle: Fields, number: int, derived: Sequence[z3.BoolRef]) -> z3.BoolRef:
    """The last link's fact in the last iteration; Rejected if the cycle's facts do not follow."""
    n, count, links = parsed.variables[number], cycle["count"], cycle["links"]
    if type(count) is not int or count < 1 or not links:
        raise Rejected(f"cycle {number} must have links, and be taken at least once")
    facts = [parsed.link_facts[number, position] for position in range(len(links))]
    start = derived[index(cycle["start"], number)]
    first = z3.substitute(facts[-1], (n, z3.IntVal(-1)))
    if start.decl() != first.decl() or not is_valid(TRUE, equal(first, start)):
        raise Rejected(f"cycle {number} does not begin with the fact of step {cycle['start']}")
    before, domain = z3.substitute(facts[-1], (n, n - 1)), z3.And(n >= 0, n < count)
    for position, (link, fact) in enumerate(zip(links, facts, strict=True)):
        premises, hints = link["premises"], parsed.hints[number, position]
        if premises.count(None) != 1:
            raise Rejected(f"cycle {number}, link {position}: not one premise is the fact before it")
        if not all(is_value(term, n) for term in (fact, *(value for _, value in hints))):
            raise Rejected(f"cycle {number}, link {position}: an argument or value is no value over n")
        body = [before if premise is None else derived[index(premise, number)] for premise in premises]
        entails = partial(Assertion.entails_for_all, domain=domain, n=n, hints=hints)
        parsed.require_entailed(f"cycle {number}, link {position}", link, entails, body, fact)
        before = fact
    return z3.substitute(facts[-1], (n, z3.IntVal(count - 1)))


def index(premise: object, number: int) -> int:
    """The premise as the number of a step before step `number`; Rejected if it is none."""
    if type(premise) is not int or not 0 <= premise < number:
        raise Rejected(f"step {number}: a premise does not come before it")
    return premise


class Parsed:
    """The terms of a derivation, all read in one call of z3's parser.

    facts: of steps by number. link_facts, hints: of links by (number of the cycle, position). variables: of cycles by
    number. assertions: those of the clauses.
    """

    def __init__(self, horn: Horn, steps: Sequence[Fields], table: Sequence[str]) -> None:
        self.horn, self.table = horn, table
        self.facts: dict[int, z3.BoolRef] = {}
        self.link_facts: dict[tuple[int, int], z3.BoolRef] = {}
        self.hints: dict[tuple[int, int], Hints] = {}
        self.variables: dict[int, z3.ArithRef] = {}
        self._lines: list[str] = []
        self._receivers: list[Callable[[z3.BoolRef], None]] = []  # of the formulas, in the order of the lines
        self._last_used: dict[object, Assertion] = {}  # by the clause that the certificate names
        prefix = "n!"
        while any(prefix in line for line in (*horn.lines, json.dumps([steps, table]))):
            prefix += "!"
        for number, step in enumerate(steps):
            if "links" in step:
                self._read_cycle(step, number, f"{prefix}{number}")
            elif step["predicate"] is not None:
                self._read(self._fact(step), partial(self.facts.__setitem__, number))
        formulas = parse(horn.lines + self._lines, horn.asserted + len(self._receivers))
        self.assertions = [Assertion(horn, formula) for formula in formulas[: horn.asserted]]
        for formula, receive in zip(formulas[horn.asserted :], self._receivers, strict=True):
            receive(formula)

    def _read(self, formula: str, receive: Callable[[z3.BoolRef], None]) -> None:
        self._lines.append(f"(assert {formula})")
        self._receivers.append(receive)

    def _read_cycle(self, cycle: Fields, number: int, name: str) -> None:
        """Reads facts and values of a cycle over the variable `name`, which is new, so that no clause contains it."""
        self._lines.append(f"(declare-fun {name} () Int)")
        self.variables[number] = z3.Int(name)

        def renamed(text: str) -> str:
            return TOKEN.sub(lambda token: name if token.group() == cycle["cycle"] else token.group(), text)

        for position, link in enumerate(cycle["links"]):
            key, hints = (number, position), Hints()
            self._read(renamed(self._fact(link)), partial(self.link_facts.__setitem__, key))
            for variable, _, value in link.get("values", []):
                text = renamed(self._value(value))
                self._read(f"(= {text} {text})", partial(_append_hint, hints, variable))
            self.hints[key] = hints

    def _value(self, value: Any) -> str:
        text = self.table[value] if isinstance(value, int) else value
        if len(expressions(text)) != 1:
            raise Rejected("an argument is not one value")
        return str(text)

    def _fact(self, step: Fields) -> str:
        name, arguments = step["predicate"], list(map(self._value, step["arguments"]))
        if name not in self.horn.predicates or self.horn.predicates[name].arity != len(arguments):
            raise Rejected(f"{name} with {len(arguments)} arguments is no predicate of the clauses")
        symbol = items(self.horn.lines[self.horn.predicates[name].line])[1]
        return f"({symbol} {' '.join(arguments)})" if arguments else symbol

    def require_entailed(
        self, where: str, use: Fields, entails: "Entails", body: Sequence[z3.BoolRef], head: z3.BoolRef
    ) -> None:
        """Rejected unless some assertion and the body entail the head.

        All assertions are tried; the clause that the certificate names only decides which is tried first.
        """
        last = self._last_used.get(use["clause"])
        for assertion in sorted(self.assertions, key=lambda assertion: assertion is not last):
            if entails(assertion, body, head):
                self._last_used[use["clause"]] = assertion
                return
        raise Rejected(f"{where} follows from no assertion, or that could not be shown")


def _append_hint(hints: Hints, variable: str, equation: z3.BoolRef) -> None:
    hints.append((variable, equation.arg(0)))


# Terms ----------------------------------------------------------------------------------------------------------------


def postorder(term: z3.ExprRef) -> Iterator[z3.ExprRef]:
    """The subterms, each once, children first; the body of a quantifier is its child."""
    seen: set[int] = set()
    stack = [(term, False)]
    while stack:
        node, expanded = stack.pop()
        if expanded:
            yield node
        elif node.get_id() not in seen:
            seen.add(node.get_id())
            stack += [(node, True), *((child, False) for child in node.children())]


def is_uninterpreted(term: z3.ExprRef) -> bool:
    """True if the term is an application of an uninterpreted function, constant or predicate."""
    return z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED


def is_value(term: z3.ExprRef, n: z3.ExprRef | None = None) -> bool:
    """True if the term, or each argument of the fact, has no uninterpreted symbol but n, no quantifier but lambda."""
    for part in term.children() if z3.is_bool(term) and is_uninterpreted(term) else [term]:
        for node in postorder(part):
            if is_uninterpreted(node) and not (n is not None and node.eq(n)):
                return False
            if z3.is_quantifier(node) and not node.is_lambda():
                return False
    return True


def is_plain(fact: z3.BoolRef, known: dict[int, z3.ExprRef]) -> bool:
    """True if the arguments of the fact have no uninterpreted symbols and no quantifiers.

    known: terms of which that is known, by their ids; those of the fact are added. So what facts share is walked once.
    """
    own: dict[int, z3.ExprRef] = {}
    stack = fact.children()
    while stack:
        node = stack.pop()
        key = node.get_id()
        if key in known or key in own:
            continue
        if z3.is_quantifier(node) or is_uninterpreted(node):
            return False
        own[key] = node
        stack += node.children()
    known.update(own)
    return True


def has_lambda(term: z3.ExprRef) -> bool:
    """True if a lambda occurs in the term."""
    return any(z3.is_quantifier(node) and node.is_lambda() for node in postorder(term))


def literals(formula: z3.BoolRef) -> Iterator[z3.BoolRef]:
    """The formulas of which the formula is a combination by "and" and "or" alone, each once."""
    seen: set[int] = set()
    stack = [formula]
    while stack:
        node = stack.pop()
        if node.get_id() not in seen:
            seen.add(node.get_id())
            if z3.is_and(node) or z3.is_or(node):
                stack += node.children()
            else:
                yield node


def is_valid(domain: z3.BoolRef, goal: z3.BoolRef) -> bool:
    """True if the domain is shown to imply the goal; equalities of arrays are read as the module's docstring says."""
    while arrays := [e for e in literals(goal) if z3.is_eq(e) and e.arg(0).sort().kind() == z3.Z3_ARRAY_SORT]:
        goal = z3.substitute(goal, *((equality, element_equality(*equality.children())) for equality in arrays))
    goal = z3.simplify(goal, blast_select_store=True, expand_select_ite=True)
    return not has_lambda(goal) and is_unsat(z3.And(domain, z3.Not(goal)))


def element_equality(left: z3.ExprRef, right: z3.ExprRef) -> z3.BoolRef:
    """left[k] = right[k] for a fresh k."""
    sort = left.sort()
    k = [z3.FreshConst(sort.domain_n(i)) for i in range(z3.Z3_get_array_arity(sort.ctx_ref(), sort.ast))]
    equality: z3.BoolRef = z3.Select(left, *k) == z3.Select(right, *k)
    return equality


def equal(atom: z3.ExprRef, fact: z3.ExprRef) -> z3.BoolRef:
    """The atom's arguments are the fact's."""
    return z3.And([argument == value for argument, value in zip(atom.children(), fact.children(), strict=True)])


# Assertions -----------------------------------------------------------------------------------------------------------


class Assertion:
    """An assertion as "for all variables, not negation", with the atoms of its predicates.

    known: functions that are neither predicates of the clauses nor variables.
    """

    def __init__(self, horn: Horn, formula: z3.BoolRef, known: Container[z3.FuncDeclRef] = ()) -> None:
        self.names: list[str] = []
        self.variables: list[z3.ExprRef] = []
        self._normal_forms: dict[tuple[int, bool], tuple[z3.BoolRef, z3.BoolRef]] = {}  # keeps the keys' terms alive
        negation = self._normal(formula, False)
        functions = [n for n in postorder(negation) if is_uninterpreted(n) and n.decl().name() not in horn.predicates]
        functions = [node for node in functions if node.decl() not in known]
        free = [node for node in functions if not any(node.eq(variable) for variable in self.variables)]
        if any(node.num_args() for node in free):
            raise Unusable("an assertion has an uninterpreted function")
        self.negation = z3.substitute(negation, *((c, self._variable(c.decl().name(), c.sort())) for c in free))
        self.atoms = [n for n in postorder(self.negation) if is_uninterpreted(n) and n.decl().name() in horn.predicates]
        self.predicates = {atom.decl() for atom in self.atoms}

    def _variable(self, name: str, sort: z3.SortRef) -> z3.ExprRef:
        self.names.append(name)
        self.variables.append(z3.FreshConst(sort))
        return self.variables[-1]

    def _normal(self, formula: z3.BoolRef, sign: bool) -> z3.BoolRef:
        """The negation normal form of the formula, or of its negation, without the existential quantifiers in front."""
        key = (formula.get_id(), sign)
        if key not in self._normal_forms:
            self._normal_forms[key] = formula, self._normalised(formula, sign)
        return self._normal_forms[key][1]

    def _normalised(self, formula: z3.BoolRef, sign: bool) -> z3.BoolRef:
        parts = formula.children()
        if z3.is_quantifier(formula) and formula.is_exists() == sign:
            bound = range(formula.num_vars())
            constants = [self._variable(formula.var_name(i), formula.var_sort(i)) for i in bound]
            return self._normal(z3.substitute_vars(formula.body(), *reversed(constants)), sign)
        if z3.is_not(formula):
            return self._normal(parts[0], not sign)
        if z3.is_and(formula) or z3.is_or(formula) or z3.is_implies(formula):
            signs = [sign != (z3.is_implies(formula) and part is parts[0]) for part in parts]
            parts = [self._normal(part, s) for part, s in zip(parts, signs, strict=True)]
            return z3.And(parts) if z3.is_and(formula) == sign else z3.Or(parts)
        return formula if sign else z3.Not(formula)

    def _has_predicates(self, premises: Sequence[z3.BoolRef], head: z3.BoolRef) -> bool:
        """True if the assertion has all predicates of the premises and the head."""
        return {fact.decl() for fact in premises} | ({head.decl()} - {FALSE.decl()}) <= self.predicates

    def entails(self, premises: Sequence[z3.BoolRef], head: z3.BoolRef) -> bool:
        """True if one instance of the assertion shows that it and the premises entail the head."""
        if not self._has_predicates(premises, head):
            return False
        heads = [(z3.Not(a), equal(a, head) if head.decl() == a.decl() else FALSE) for a in self.atoms]
        bodies = [(a, z3.Or([equal(a, fact) for fact in premises if fact.decl() == a.decl()])) for a in self.atoms]
        # exists variables. negation[not P(s) := s = the head's arguments, P(s) := s = some premise's arguments]
        solver = z3.Solver()
        solver.set("timeout", TIMEOUT_MS)
        solver.add(z3.substitute(z3.substitute(self.negation, *heads), *bodies))
        if solver.check() != z3.sat:
            return False
        model = solver.model()
        values = [(variable, model.eval(variable, model_completion=True)) for variable in self.variables]
        instance = z3.Not(z3.substitute(self.negation, *values) if values else self.negation)
        return is_unsat(z3.And(instance, *premises, z3.Not(head)))

    def entails_for_all(
        self,
        premises: Sequence[z3.BoolRef],
        head: z3.BoolRef,
        domain: z3.BoolRef = TRUE,
        n: z3.ExprRef | None = None,
        hints: Sequence[tuple[str, z3.ExprRef]] = (),
    ) -> bool:
        """True if the assertion and the premises entail the head for every n in the domain, as the module says.

        hints: the name of a variable of the assertion and its value, a term over n. Unusable if the assertion is no
        clause.
        """
        if not self._has_predicates(premises, head):
            return False
        negative, positive = self._predicate_literals()
        truth = [(z3.Not(atom), equal(atom, head) if atom.decl() == head.decl() else FALSE) for atom in negative]
        heads: Pairs = [(atom, head) for atom in negative if atom.decl() == head.decl()]
        facts = [[fact for fact in premises if fact.decl() == atom.decl()] or [FALSE] for atom in positive]
        for matched in islice(product(*facts), MAX_MATCHINGS):
            pairs: Pairs = list(zip(positive, matched, strict=True))
            equations = [(atom, FALSE if fact is FALSE else equal(atom, fact)) for atom, fact in pairs]
            formula = z3.substitute(z3.substitute(self.negation, *truth), *equations)
            values = self._values(pairs + heads, hints)
            if self._is_valid_for(formula, values, domain, n):
                return True
        return False

    def _predicate_literals(self) -> tuple[list[z3.BoolRef], list[z3.BoolRef]]:
        """The atoms of the negative and of the positive literals of predicates; Unusable if one occurs elsewhere."""
        negative: list[z3.BoolRef] = []
        positive: list[z3.BoolRef] = []
        for part in literals(self.negation):
            if z3.is_not(part) and self.is_atom(part.arg(0)):
                negative.append(part.arg(0))
            elif self.is_atom(part):
                positive.append(part)
            elif any(self.is_atom(node) for node in postorder(part)):
                raise Unusable("an assertion is no clause")
        return negative, positive

    def is_atom(self, term: z3.ExprRef) -> bool:
        """True if the term is a predicate of the assertion, applied."""
        return is_uninterpreted(term) and term.decl() in self.predicates

    def _values(self, pairs: Pairs, hints: Sequence[tuple[str, z3.ExprRef]]) -> Pairs:
        """Variables with their values: first by the (atom, fact) pairs, then by the hints."""
        proposed = [
            pair for atom, fact in pairs for pair in zip(atom.children(), fact.children(), strict=fact is not FALSE)
        ]
        for name, variable in zip(self.names, self.variables, strict=True):
            proposed += [(variable, value) for hint, value in hints if (hint, value.sort()) == (name, variable.sort())]
        values = {argument.get_id(): value for argument, value in reversed(proposed)}
        return [(variable, values[variable.get_id()]) for variable in self.variables if variable.get_id() in values]

    def _is_valid_for(self, formula: z3.BoolRef, values: Pairs, domain: z3.BoolRef, n: z3.ExprRef | None) -> bool:
        """True if the formula is valid in the domain for these values of variables and some of the others.

        For the others any values do that make it true; they are the same for all n.
        """
        formula = z3.substitute(formula, *values) if values else formula
        chosen = {variable.get_id() for variable, _ in values}
        others = [variable for variable in self.variables if variable.get_id() not in chosen]
        if others:
            # exists others. formula[n := 0]
            solver = z3.Solver()
            solver.set("timeout", TIMEOUT_MS)
            solver.add(z3.substitute(formula, (n, z3.IntVal(0))) if n is not None else formula)
            if solver.check() != z3.sat:
                return False
            model = solver.model()
            formula = z3.substitute(formula, *((v, model.eval(v, model_completion=True)) for v in others))
        return is_valid(domain, formula)


Entails = Callable[[Assertion, Sequence[z3.BoolRef], z3.BoolRef], bool]


def main(arguments: Sequence[str]) -> int:
    """Checks the two files, prints the result, and returns the exit status."""
    return exit_status(arguments, __doc__ or "", _check)


def _check(horn: Horn, certificate: str) -> None:
    if certificate.lstrip().startswith("{"):
        check_derivation(horn, json.loads(certificate))
    else:
        check_model(horn, certificate)


def exit_status(arguments: Sequence[str], usage: str, check: Callable[[Horn, str], None]) -> int:
    """Of a check of two files, whose result it prints; 2 with the second paragraph of the usage if they are not two."""
    if len(arguments) != 2:
        print(usage.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    try:
        certificate, clauses = (Path(path).read_text(encoding="utf-8") for path in arguments)
        horn = Horn(clauses)
        horn.define_denied_predicates(certificate)
        check(horn, certificate)
    except Rejected as reason:
        print(f"rejected: {reason}")
        return 1
    except (
        Unusable, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, z3.Z3Exception
    ) as error:  # fmt: skip
        print(f"unusable: {error}")
        return 2
    print("accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
