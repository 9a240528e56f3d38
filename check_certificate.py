"""Checks a certificate of chcverify against its Horn clauses, with z3, and with bitwuzla where it is installed.

    python check_certificate.py CERTIFICATE FILE.smt2

CERTIFICATE is a model (SMT-LIB define-funs) or a derivation (JSON); FILE.smt2 is in the SMT-LIB dialect or in z3's rule
dialect. Prints "accepted" (exit status 0), "rejected: why" (1), or what is wrong with the files (2). It works on the
file's assertions as they stand, knows nothing of how chcverify reads them, and accepts only on a solver's `unsat`.

Model: the definitions take the place of the predicates' declarations, and the negation of every assertion must be
unsatisfiable. Definitions by `define-fun-rec` are of further predicates h1, h2, ..., each written with the ones before
it. They are not taken for granted to be small once they are all written out: see the class Definitions.

Derivation: if, for each step, some assertion A and the facts of its premises entail the step's fact P(v), then by
induction the assertions entail all facts, and `false` at last (which the last step has for P(v)). To show it, A is read
as "for all x, not N(x)": N is the negation normal form of `not A`, its outer existential quantifiers made constants x.
A solver guesses values w of x such that N(w) holds where body atoms are premises and the head atom is P(v). What counts
is only that the instance `not N(w)`, the premises and `not P(v)` are together unsatisfiable, the predicates being
uninterpreted. That is sound for every formula A, Horn or not, and however division by zero is interpreted.

Cycle: facts P(v(n)) for 0 <= n < count, in which all links' assertions are used one after another in each iteration n.
They are entailed by induction over n and the place of the link: the step that the cycle starts with entails the last
link's P(v(-1)), and, for 0 <= n < count, each link's assertion and premises entail its P(v(n)), where one premise is
the fact of the link before it, at n; for the first link, of the last link at n - 1. The values w are terms over n here:
those that the facts determine and those that the certificate gives. N is a combination by "and" and "or" of literals;
each literal of a predicate is replaced by what makes it true, P(s) by s being the arguments of a premise, not P(s) by s
being v(n). The result, which must be valid, implies N(w) if the premises and not P(v(n)) hold. In it a = b of arrays is
read as a[k] = b[k] with a fresh k: if it is valid for all k, then for that where a and b differ, and so as it was.
Steps whose facts have lambdas are shown in the same way.
"""

import json
import re
import sys
from functools import partial
from itertools import islice, product
from pathlib import Path

import z3

Z3 = z3.Z3Exception
TIMEOUT_MS = 20_000
MOST_MATCHINGS = 64
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


def expressions(text):
    """The top-level s-expressions of the text."""
    depth, start, found = 0, 0, []
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
            found.append(text[start : token.end()])
    if depth:
        raise Unusable("( without its )")
    return found


def items(expression):
    """The elements of a list; [] of an atom."""
    return expressions(expression[1:-1]) if expression.startswith("(") else []


def bare(name):
    return name[1:-1] if name.startswith("|") else name


class Horn:
    """A file: lines for z3's parser, predicate name -> its line and arity, names of free constants."""

    def __init__(self, text):
        self.lines, self.predicates, self.constants, self.asserted = [], {}, set(), 0
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

    def command(self, word, command, parts):
        if word in KEPT:
            self.lines.append(command)
        elif word in ("declare-fun", "declare-rel", "declare-const"):
            sorts = "()" if word == "declare-const" else parts[2]
            result = "Bool" if word == "declare-rel" else parts[-1]
            if result == "Bool":
                self.predicates[bare(parts[1])] = (len(self.lines), len(items(sorts)))
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

    def add(self, formula):
        self.lines.append(f"(assert {formula})")
        self.asserted += 1

    def settle(self, certificate):
        """A predicate of which the certificate says nothing is false where an assertion says just that: of several
        queries, exports make one, of such a predicate."""
        for name in {found[1] for line in self.lines if (found := DENIED.fullmatch(line))}:
            line, arity = self.predicates.get(bare(name), (0, 1))
            if arity == 0 and not re.search(rf'[\s"|]{re.escape(bare(name))}[\s"|]', certificate):
                self.lines[line] = f"(define-fun {name} () Bool false)"
                del self.predicates[bare(name)]

    def query(self, goal):
        """The goal; a predicate's bare name stands for any of its facts."""
        line, arity = self.predicates.get(bare(goal), (0, 0))
        if arity == 0:
            return goal
        sorts = items(items(self.lines[line])[2])
        names = [f"query!{i}" for i in range(arity)]
        bound = " ".join(f"({name} {sort})" for name, sort in zip(names, sorts, strict=True))
        return f"(exists ({bound}) ({goal} {' '.join(names)}))"


def parse(lines, expected):
    try:
        formulas = list(z3.parse_smt2_string("\n".join(lines)))
    except z3.Z3Exception as error:
        raise Unusable(f"z3 cannot read it: {error}") from None
    if len(formulas) != expected:
        raise Unusable("z3 skipped a part of it")
    return formulas


def is_unsat(formula):
    """Refuted, by one of three ways to search? The last finds instances of quantifiers by models alone."""
    for make, options in ((z3.SimpleSolver, {}), (z3.Solver, {}), (z3.SimpleSolver, {"smt.ematching": False})):
        solver = make()
        solver.set(timeout=TIMEOUT_MS, **options)
        solver.add(formula)
        answer = solver.check()
        if answer != z3.unknown:
            return answer == z3.unsat
        if make is z3.SimpleSolver and not options and is_unsat_bitwise(solver.to_smt2()):
            return True
    return False


def is_unsat_bitwise(script):
    """Refuted by bitwuzla, if it is there and the script is for it?"""
    try:
        import bitwuzla
    except ImportError:
        return False
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, TIMEOUT_MS)
    try:
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        parser.parse(script, parse_only=True, parse_file=False)
        return parser.bitwuzla().check_sat() == bitwuzla.Result.UNSAT
    except bitwuzla.BitwuzlaException:
        return False


def check_model(horn, text):
    """not A, under the definitions (which come before all variables), is unsatisfiable for every assertion A."""
    defined, kept_names = {}, Definitions(horn)
    for definition in definitions(text):
        parts = items(definition)
        if parts[0] == "define-fun-rec" and bare(parts[1]) not in horn.predicates:
            kept_names.add(parts)
            continue
        if len(parts) != 5 or parts[0] != "define-fun" or parts[3] != "Bool":
            raise Rejected(f"no definition of a predicate: {definition[:60]!r}")
        name = bare(parts[1])
        if name in defined or name not in horn.predicates:
            raise Rejected(f"{name} is " + ("defined twice" if name in defined else "no predicate of the clauses"))
        if len(items(parts[2])) != horn.predicates[name][1]:
            raise Rejected(f"{name} takes {horn.predicates[name][1]} arguments")
        defined[name] = definition
    if missing := horn.predicates.keys() - defined.keys():
        raise Rejected(f"{min(missing)} is not defined")
    declared = {line for line, _ in horn.predicates.values()}
    lines = [line for number, line in enumerate(horn.lines) if number not in declared]
    kept = [line for line in lines if not line.startswith(("(declare-fun ", "(assert "))]
    lines = [*kept, *kept_names.declared, *defined.values(), *(line for line in lines if line not in kept)]
    parsed = parse(lines + kept_names.equivalences, horn.asserted + len(kept_names.equivalences))
    kept_names.read(parsed[horn.asserted :])
    plain = parse(horn.lines, horn.asserted) if kept_names.names else parsed
    for number, (assertion, clause) in enumerate(zip(parsed, plain, strict=False)):
        if number < horn.asserted and not kept_names.is_valid(assertion, clause):
            raise Rejected(f"the model does not satisfy assertion {number}, or that could not be shown")


class Definitions:
    """h1, h2, ...: the equivalence of number i is "for all x, hi(x) = for all v, Bi", Bi with h1, ..., h(i-1) only.

    An assertion that has them in its body is shown with these unfolded once, for some v, and all others uninterpreted:
    it then holds for any predicates. Where they are only in the head, a path is looked for that leads from the negated
    assertion through negated right-hand sides to a part without them that fails. The numbers fall, so it meets each hi
    at most once: it is enough to say under which conditions, with which arguments; new Booleans make it one path. Of
    several h that would have to be false at once, one is looked at: if that is not possible, neither are all.
    """

    def __init__(self, horn):
        self.horn, self.declared, self.equivalences, self.names = horn, [], [], []
        self.numbers, self.formals, self.bound, self.bodies = {}, [], [], []

    def add(self, parts):
        if len(parts) != 5 or parts[3] != "Bool" or bare(parts[1]) in self.names:
            raise Rejected(f"no definition, or a second one: {parts[1]}")
        self.names.append(bare(parts[1]))
        formals = [items(formal) for formal in items(parts[2])]
        self.declared.append(f"(declare-fun {parts[1]} ({' '.join(sort for _, sort in formals)}) Bool)")
        atom = f"({parts[1]} {' '.join(name for name, _ in formals)})" if formals else parts[1]
        equivalence = f"(= {atom} {parts[4]})"
        self.equivalences.append(f"(assert {f'(forall {parts[2]} {equivalence})' if formals else equivalence})")

    def read(self, equivalences):
        for number, formula in enumerate(equivalences):
            formals, equivalence = opened(formula) if z3.is_quantifier(formula) else ([], formula)
            head, body = equivalence.children()
            bound, body = opened(body) if z3.is_quantifier(body) and body.is_forall() else ([], body)
            if any(z3.is_quantifier(node) for node in postorder(body)):
                raise Rejected(f"the definition of {self.names[number]} has quantifiers that are not in front")
            known = {node.get_id() for node in (*formals, *bound)}
            free = [n for n in postorder(body) if is_uninterpreted(n) and n.get_id() not in known]
            if any(self.numbers.get(node.decl(), number) >= number for node in free):
                raise Rejected(f"the definition of {self.names[number]} speaks of more than earlier ones")
            self.numbers[head.decl()] = number
            self.formals.append(formals)
            self.bound.append(bound)
            self.bodies.append(body)

    def has(self, formula):
        return any(is_uninterpreted(node) and node.decl() in self.numbers for node in postorder(formula))

    def is_valid(self, assertion, clause):
        """clause: the assertion before the definitions took the place of its predicates."""
        if not self.has(assertion):
            return is_unsat(z3.Not(assertion))
        negated = Assertion(self.horn, assertion, self.numbers)
        body = [part for part in literals(negated.negation) if self.is_atom(part)]
        if not body:
            return is_unsat(self.path(negated.negation))
        plain = Assertion(self.horn, clause)
        premises = [part for part in literals(plain.negation) if plain.is_atom(part)]
        taken = {node.get_id() for atom in premises for node in postorder(atom)}
        named = zip(negated.names, negated.variables, plain.variables, strict=True)
        others = [(name, variable) for name, variable, same in named if same.get_id() not in taken]
        unfolded = [z3.Implies(atom, z3.And(*self.instances(atom, others))) for atom in body]
        return is_unsat(z3.And(negated.negation, *unfolded))

    def is_atom(self, term):
        return is_uninterpreted(term) and term.decl() in self.numbers

    def instances(self, atom, variables):
        """Of the right-hand side, for variables of the assertion: those of the same name, or all of the same sort."""
        number, choices = self.numbers[atom.decl()], []
        for constant in self.bound[number]:
            name = re.split("!|~~", constant.decl().name())[0]
            same = [(other, variable) for other, variable in variables if variable.sort() == constant.sort()]
            named = [variable for other, variable in same if other == name]
            choices.append(named or [variable for _, variable in same] or [constant])
        in_order = [same[min(i, len(same) - 1)] for i, same in enumerate(choices)]
        for values in (in_order, *islice(product(*choices), MOST_MATCHINGS)):
            pairs = zip((*self.formals[number], *self.bound[number]), (*atom.children(), *values), strict=True)
            yield z3.substitute(self.bodies[number], *pairs)

    def path(self, negation):
        """Satisfiable if the negation of an assertion is."""
        self.calls, self.failures = {}, []
        self.follow(negation, [], [])
        while self.calls:
            number = max(self.calls)
            calls = self.calls.pop(number)
            arguments = calls[-1][1]
            for when, others in calls[-2::-1]:
                arguments = [z3.If(when, a, b) for a, b in zip(others, arguments, strict=True)]
            pairs = list(zip(self.formals[number], arguments, strict=True))
            self.follow(self.denied(self.bodies[number]), [z3.Or([when for when, _ in calls])], pairs)
        return z3.Or(self.failures)

    def follow(self, formula, when, pairs):
        """formula: a combination of literals by "and" and "or" that holds, with the second of each pair for the first,
        where the path is, which is where all of `when` hold."""

        def here(part):
            return z3.substitute(part, *pairs) if pairs else part

        parts = formula.children()
        if not self.has(formula):
            self.failures.append(z3.And(*when, here(formula)))
        elif z3.is_not(formula) and self.is_atom(parts[0]):
            arguments = [here(argument) for argument in parts[0].children()]
            self.calls.setdefault(self.numbers[parts[0].decl()], []).append((z3.And(*when, TRUE), arguments))
        elif z3.is_and(formula):
            with_them = [part for part in parts if self.has(part)]
            self.follow(with_them[0], [*when, *(here(part) for part in parts if not self.has(part))], pairs)
        elif z3.is_or(formula):
            for part in parts:
                choice = z3.FreshBool("path")
                self.follow(part, [*when, choice], pairs)
                when = [*when, z3.Not(choice)]
        else:
            self.failures.append(z3.And(*when, TRUE))

    def denied(self, formula):
        """The negation, taken apart where definitions are used."""
        parts = formula.children()
        if not self.has(formula) or self.is_atom(formula):
            return z3.Not(formula)
        if z3.is_and(formula):
            return z3.Or([self.denied(part) for part in parts])
        if z3.is_or(formula):
            return z3.And([self.denied(part) for part in parts])
        if z3.is_implies(formula):
            return z3.And(parts[0], self.denied(parts[1]))
        if z3.is_app_of(formula, z3.Z3_OP_ITE) and not self.has(parts[0]):
            return z3.Or(z3.And(parts[0], self.denied(parts[1])), z3.And(z3.Not(parts[0]), self.denied(parts[2])))
        return z3.Not(formula)


def opened(quantified):
    """Constants for the variables of the quantifier in front, with their names, and what is below it."""
    count = range(quantified.num_vars())
    constants = [z3.FreshConst(quantified.var_sort(i), quantified.var_name(i)) for i in count]
    return constants, z3.substitute_vars(quantified.body(), *reversed(constants))


def definitions(text):
    for expression in expressions(text):
        if expression.startswith("(define-fun"):
            yield expression
        elif expression.startswith("("):
            yield from (item for item in items(expression) if item != "model")
        elif expression != "sat":
            raise Unusable(f"a model cannot contain {expression[:40]!r}")


def check_derivation(horn, data):
    """Every step's fact is entailed by one assertion and the facts of its premises."""
    steps = data.get("steps")
    if data.get("format") != "chcverify-derivation" or data.get("version") not in (1, 2) or not isinstance(steps, list):
        raise Unusable("not a derivation of version 1 or 2")
    if not steps or any(("links" not in step and step["predicate"] is None) != (step is steps[-1]) for step in steps):
        raise Rejected("the last step, and only it, must be a query's")
    if steps[-1]["arguments"]:
        raise Rejected("a query has no arguments")
    if horn.constants:
        raise Unusable("clauses with free constants are not supported")
    parsed = Parsed(horn, steps, data.get("values", []))
    derived = []
    for number, step in enumerate(steps):
        if "links" in step:
            derived.append(check_cycle(parsed, step, number, derived))
            continue
        body = [derived[index(premise, number)] for premise in step["premises"]]
        head = parsed.facts[number] if step is not steps[-1] else FALSE
        if not is_value(head):
            raise Rejected(f"step {number}: an argument is no value")
        entails = Assertion.entails_for_all if any(map(has_lambda, (head, *body))) else Assertion.entails
        parsed.show(f"step {number}", step, entails, body, head)
        derived.append(head)


def check_cycle(parsed, cycle, number, derived):
    """The last link's fact in the last iteration; Rejected if the cycle's facts do not follow."""
    n, count, links = parsed.variables[number], cycle["count"], cycle["links"]
    if type(count) is not int or count < 1 or not links:
        raise Rejected(f"cycle {number} must have links, and be taken at least once")
    facts = [parsed.facts[number, position] for position in range(len(links))]
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
        parsed.show(f"cycle {number}, link {position}", link, entails, body, fact)
        before = fact
    return z3.substitute(facts[-1], (n, z3.IntVal(count - 1)))


def index(premise, number):
    if type(premise) is not int or not 0 <= premise < number:
        raise Rejected(f"step {number}: a premise does not come before it")
    return premise


class Parsed:
    """Facts of steps by number, of links by number and position, there hints (name, value), too; cycles' variables."""

    def __init__(self, horn, steps, table):
        self.horn, self.table, self.lines, self.found = horn, table, [], []
        self.facts, self.hints, self.variables, self.used = {}, {}, {}, {}
        mark = "n!"
        while any(mark in line for line in (*horn.lines, json.dumps([steps, table]))):
            mark += "!"
        for number, step in enumerate(steps):
            if "links" in step:
                self.cycle(step, number, f"{mark}{number}")
            elif step["predicate"] is not None:
                self.add(self.fact(step), partial(self.facts.__setitem__, number))
        formulas = parse(horn.lines + self.lines, horn.asserted + len(self.found))
        self.assertions = [Assertion(horn, formula) for formula in formulas[: horn.asserted]]
        for formula, put in zip(formulas[horn.asserted :], self.found, strict=True):
            put(formula)

    def add(self, line, put):
        self.lines.append(f"(assert {line})")
        self.found.append(put)

    def cycle(self, cycle, number, name):
        """Its facts, values and variable, which gets the name: a new one, so that no clause can know it."""
        self.lines.append(f"(declare-fun {name} () Int)")
        self.variables[number] = z3.Int(name)

        def renamed(text):
            return TOKEN.sub(lambda token: name if token.group() == cycle["cycle"] else token.group(), text)

        for position, link in enumerate(cycle["links"]):
            place, hints = (number, position), []
            self.add(renamed(self.fact(link)), partial(self.facts.__setitem__, place))
            for variable, _, value in link.get("values", []):
                text = renamed(self.value(value))
                self.add(f"(= {text} {text})", lambda f, v=variable, into=hints: into.append((v, f.arg(0))))
            self.hints[place] = hints

    def value(self, value):
        text = self.table[value] if isinstance(value, int) else value
        if len(expressions(text)) != 1:
            raise Rejected("an argument is not one value")
        return text

    def fact(self, step):
        name, arguments = step["predicate"], list(map(self.value, step["arguments"]))
        if name not in self.horn.predicates or self.horn.predicates[name][1] != len(arguments):
            raise Rejected(f"{name} with {len(arguments)} arguments is no predicate of the clauses")
        symbol = items(self.horn.lines[self.horn.predicates[name][0]])[1]
        return f"({symbol} {' '.join(arguments)})" if arguments else symbol

    def show(self, where, use, entails, body, head):
        """Some assertion and the body entail the head, or Rejected. The clause's number only says what to try first."""
        last = self.used.get(use["clause"])
        for assertion in sorted(self.assertions, key=lambda assertion: assertion is not last):
            if entails(assertion, body, head):
                self.used[use["clause"]] = assertion
                return
        raise Rejected(f"{where} follows from no assertion, or that could not be shown")


def postorder(term):
    seen, stack = set(), [(term, False)]
    while stack:
        node, expanded = stack.pop()
        if expanded:
            yield node
        elif node.get_id() not in seen:
            seen.add(node.get_id())
            stack += [(node, True), *((child, False) for child in node.children())]


def is_uninterpreted(term):
    return z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED


def is_value(term, n=None):
    """Is nothing in the arguments of the fact, or in the term, uninterpreted but n, nor quantified but by lambdas?"""
    for part in term.children() if z3.is_bool(term) and is_uninterpreted(term) else [term]:
        for node in postorder(part):
            if is_uninterpreted(node) and not (n is not None and node.eq(n)):
                return False
            if z3.is_quantifier(node) and not node.is_lambda():
                return False
    return True


def has_lambda(term):
    return any(z3.is_quantifier(node) and node.is_lambda() for node in postorder(term))


def literals(formula):
    """What the formula is a combination of by "and" and "or" alone."""
    seen, stack = set(), [formula]
    while stack:
        node = stack.pop()
        if node.get_id() not in seen:
            seen.add(node.get_id())
            if z3.is_and(node) or z3.is_or(node):
                stack += node.children()
            else:
                yield node


def is_valid(domain, goal):
    """Does the domain imply the goal? Equalities of arrays are taken apart as the docstring of the file says."""
    while arrays := [e for e in literals(goal) if z3.is_eq(e) and e.arg(0).sort().kind() == z3.Z3_ARRAY_SORT]:
        goal = z3.substitute(goal, *((equality, element(*equality.children())) for equality in arrays))
    goal = z3.simplify(goal, blast_select_store=True, expand_select_ite=True)
    return not has_lambda(goal) and is_unsat(z3.And(domain, z3.Not(goal)))


def element(left, right):
    """left[k] = right[k] for a fresh k."""
    sort = left.sort()
    k = [z3.FreshConst(sort.domain_n(i)) for i in range(z3.Z3_get_array_arity(sort.ctx_ref(), sort.ast))]
    return z3.Select(left, *k) == z3.Select(right, *k)


class Assertion:
    """An assertion as "for all variables, not negation", with the atoms of its predicates."""

    def __init__(self, horn, formula, known=()):
        self.names, self.variables, self.normal_forms = [], [], {}
        negation = self.normal(formula, False)
        functions = [n for n in postorder(negation) if is_uninterpreted(n) and n.decl().name() not in horn.predicates]
        functions = [n for n in functions if n.decl() not in known]
        free = [node for node in functions if not any(node.eq(variable) for variable in self.variables)]
        if any(node.num_args() for node in free):
            raise Unusable("an assertion has an uninterpreted function")
        self.negation = z3.substitute(negation, *((c, self.variable(c.decl().name(), c.sort())) for c in free))
        self.atoms = [n for n in postorder(self.negation) if is_uninterpreted(n) and n.decl().name() in horn.predicates]
        self.predicates = {atom.decl() for atom in self.atoms}

    def variable(self, name, sort):
        self.names.append(name)
        self.variables.append(z3.FreshConst(sort))
        return self.variables[-1]

    def normal(self, formula, sign):
        """The negation normal form of the formula, or of its negation, without the existential quantifiers in front."""
        key = (formula.get_id(), sign)
        if key not in self.normal_forms:
            self.normal_forms[key] = formula, self.normalised(formula, sign)
        return self.normal_forms[key][1]

    def normalised(self, formula, sign):
        parts = formula.children()
        if z3.is_quantifier(formula) and formula.is_exists() == sign:
            bound = range(formula.num_vars())
            constants = [self.variable(formula.var_name(i), formula.var_sort(i)) for i in bound]
            return self.normal(z3.substitute_vars(formula.body(), *reversed(constants)), sign)
        if z3.is_not(formula):
            return self.normal(parts[0], not sign)
        if z3.is_and(formula) or z3.is_or(formula) or z3.is_implies(formula):
            signs = [sign != (z3.is_implies(formula) and part is parts[0]) for part in parts]
            parts = [self.normal(part, s) for part, s in zip(parts, signs, strict=True)]
            return z3.And(parts) if z3.is_and(formula) == sign else z3.Or(parts)
        return formula if sign else z3.Not(formula)

    def entails(self, premises, head):
        """Do the assertion and the premises entail the head, shown by one instance of the assertion?"""
        if not {fact.decl() for fact in premises} | ({head.decl()} - {FALSE.decl()}) <= self.predicates:
            return False
        heads = [(z3.Not(a), equal(a, head) if head.decl() == a.decl() else FALSE) for a in self.atoms]
        bodies = [(a, z3.Or([equal(a, fact) for fact in premises if fact.decl() == a.decl()])) for a in self.atoms]
        solver = z3.Solver()
        solver.set("timeout", TIMEOUT_MS)
        solver.add(z3.substitute(z3.substitute(self.negation, *heads), *bodies))
        if solver.check() != z3.sat:
            return False
        model = solver.model()
        values = [(variable, model.eval(variable, model_completion=True)) for variable in self.variables]
        instance = z3.Not(z3.substitute(self.negation, *values) if values else self.negation)
        return is_unsat(z3.And(instance, *premises, z3.Not(head)))

    def entails_for_all(self, premises, head, domain=TRUE, n=None, hints=()):
        """Do they in the whole domain of n, as the docstring of the file says? hints: (name, term)s for variables."""
        if not {fact.decl() for fact in premises} | ({head.decl()} - {FALSE.decl()}) <= self.predicates:
            return False
        parts = list(literals(self.negation))
        negative = [part.arg(0) for part in parts if z3.is_not(part) and self.is_atom(part.arg(0))]
        positive = [part for part in parts if self.is_atom(part)]
        rest = [part for part in parts if not self.is_atom(part.arg(0) if z3.is_not(part) else part)]
        if any(self.is_atom(node) for part in rest for node in postorder(part)):
            raise Unusable("an assertion is no clause")
        truth = [(z3.Not(atom), equal(atom, head) if atom.decl() == head.decl() else FALSE) for atom in negative]
        facts = [[fact for fact in premises if fact.decl() == atom.decl()] or [FALSE] for atom in positive]
        for matched in islice(product(*facts), MOST_MATCHINGS):
            pairs = list(zip(positive, matched, strict=True))
            equations = [(atom, FALSE if fact is FALSE else equal(atom, fact)) for atom, fact in pairs]
            formula = z3.substitute(z3.substitute(self.negation, *truth), *equations)
            pairs += [(atom, head) for atom in negative if atom.decl() == head.decl()]
            if self.holds(formula, pairs, domain, n, hints):
                return True
        return False

    def is_atom(self, term):
        return is_uninterpreted(term) and term.decl() in self.predicates

    def holds(self, formula, pairs, domain, n, hints):
        """Is the formula valid in the domain for some values of the variables, those of (atom, fact) pairs first?"""
        known = [pair for a, fact in pairs for pair in zip(a.children(), fact.children(), strict=fact is not FALSE)]
        named = zip(self.names, self.variables, strict=True)
        known += [(v, value) for name, v in named for hint, value in hints if (hint, value.sort()) == (name, v.sort())]
        values = {argument.get_id(): value for argument, value in reversed(known)}
        chosen = [(v, values[v.get_id()]) for v in self.variables if v.get_id() in values]
        formula = z3.substitute(formula, *chosen) if chosen else formula
        others = [v for v in self.variables if v.get_id() not in values]
        if others:  # any values will do that make it true; for all n they must be the same
            solver = z3.Solver()
            solver.set("timeout", TIMEOUT_MS)
            solver.add(z3.substitute(formula, (n, z3.IntVal(0))) if n is not None else formula)
            if solver.check() != z3.sat:
                return False
            model = solver.model()
            formula = z3.substitute(formula, *((v, model.eval(v, model_completion=True)) for v in others))
        return is_valid(domain, formula)


def equal(atom, fact):
    """The atom's arguments are the fact's."""
    return z3.And([argument == value for argument, value in zip(atom.children(), fact.children(), strict=True)])


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    try:
        certificate, clauses = (Path(path).read_text(encoding="utf-8") for path in arguments)
        horn = Horn(clauses)
        horn.settle(certificate)
        if certificate.lstrip().startswith("{"):
            check_derivation(horn, json.loads(certificate))
        else:
            check_model(horn, certificate)
    except Rejected as reason:
        print(f"rejected: {reason}")
        return 1
    except (Unusable, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, Z3) as error:
        print(f"unusable: {error}")
        return 2
    print("accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
