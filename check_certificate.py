"""Checks a certificate of chcverify against its Horn clauses, with z3 and nothing else.

    python check_certificate.py CERTIFICATE FILE.smt2

CERTIFICATE is a model (SMT-LIB define-funs) or a derivation (JSON); FILE.smt2 is in the SMT-LIB dialect or in z3's rule
dialect. Prints "accepted" (exit status 0), "rejected: why" (1), or what is wrong with the files (2). It works on the
file's assertions as they stand, knows nothing of how chcverify reads them, and accepts only on z3's `unsat`.

Model: the definitions take the place of the predicates' declarations, and the negation of every assertion must be
unsatisfiable.

Derivation: if, for each step, some assertion A and the facts of its premises entail the step's fact P(v), then by
induction the assertions entail all facts, and `false` at last (which the last step has for P(v)). To show it, A is read
as "for all x, not N(x)": N is the negation normal form of `not A`, its outer existential quantifiers made constants x.
A solver guesses values w of x such that N(w) holds where body atoms are premises and the head atom is P(v). What counts
is only that the instance `not N(w)`, the premises and `not P(v)` are together unsatisfiable, the predicates being
uninterpreted. That is sound for every formula A, Horn or not, and however division by zero is interpreted.
"""

import json
import re
import sys
from pathlib import Path

import z3

TIMEOUT_MS = 20_000
FALSE = z3.BoolVal(False)
TOKEN = re.compile(r'[()]|;[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[^\s()|";]+|(["|])')
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
    return False


def check_model(horn, text):
    """not A, under the definitions (which come before all variables), is unsatisfiable for every assertion A."""
    defined = {}
    for definition in definitions(text):
        parts = items(definition)
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
    lines = [*kept, *defined.values(), *(line for line in lines if line not in kept)]
    for number, assertion in enumerate(parse(lines, horn.asserted)):
        if not is_unsat(z3.Not(assertion)):
            raise Rejected(f"the model does not satisfy assertion {number}, or that could not be shown")


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
    if data.get("format") != "chcverify-derivation" or data.get("version") != 1 or not isinstance(steps, list):
        raise Unusable("not a derivation of version 1")
    if not steps or any((step["predicate"] is None) != (step is steps[-1]) for step in steps):
        raise Rejected("the last step, and only it, must be a query's")
    if steps[-1]["arguments"]:
        raise Rejected("a query has no arguments")
    if horn.constants:
        raise Unusable("clauses with free constants are not supported")
    lines = [fact_line(horn, step, data.get("values", [])) for step in steps[:-1]]
    formulas = parse(horn.lines + lines, horn.asserted + len(lines))
    assertions = [Assertion(horn, formula) for formula in formulas[: horn.asserted]]
    facts = formulas[horn.asserted :]
    hints = {}
    for number, step in enumerate(steps):
        premises = step["premises"]
        if not all(type(premise) is int and 0 <= premise < number for premise in premises):
            raise Rejected(f"step {number}: a premise does not come before it")
        head = facts[number] if number < len(facts) else FALSE
        if not all(z3.is_app(node) and not is_uninterpreted(node) for v in head.children() for node in postorder(v)):
            raise Rejected(f"step {number}: an argument is no value")
        body = [facts[premise] for premise in premises]
        for assertion in sorted(assertions, key=lambda assertion: assertion is not hints.get(step["clause"])):
            if assertion.entails(body, head):
                hints[step["clause"]] = assertion
                break
        else:
            raise Rejected(f"step {number} follows from no assertion, or that could not be shown")


def fact_line(horn, step, table):
    name, arguments = step["predicate"], [table[a] if isinstance(a, int) else a for a in step["arguments"]]
    if name not in horn.predicates or horn.predicates[name][1] != len(arguments):
        raise Rejected(f"{name} with {len(arguments)} arguments is no predicate of the clauses")
    if any(len(expressions(argument)) != 1 for argument in arguments):
        raise Rejected("an argument is not one value")
    symbol = items(horn.lines[horn.predicates[name][0]])[1]
    return f"(assert ({symbol} {' '.join(arguments)}))" if arguments else f"(assert {symbol})"


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


class Assertion:
    """An assertion as "for all variables, not negation", with the atoms of its predicates."""

    def __init__(self, horn, formula):
        predicates = horn.predicates.keys()
        negation = z3.Tactic("nnf")(z3.Not(formula)).as_expr()
        functions = [node for node in postorder(negation) if is_uninterpreted(node)]
        constants = [node for node in functions if node.decl().name() not in predicates]
        if any(node.num_args() for node in constants):
            raise Unusable("an assertion has an existential quantifier below a universal one")
        # Fresh constants, because z3 leaves those that Skolemisation made out of its models.
        self.variables = [z3.FreshConst(constant.sort()) for constant in constants]
        self.negation = z3.substitute(negation, *zip(constants, self.variables, strict=True))
        self.atoms = [n for n in postorder(self.negation) if is_uninterpreted(n) and n.decl().name() in predicates]
        self.predicates = {atom.decl() for atom in self.atoms}

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
        if certificate.lstrip().startswith("{"):
            check_derivation(horn, json.loads(certificate))
        else:
            check_model(horn, certificate)
    except Rejected as reason:
        print(f"rejected: {reason}")
        return 1
    except (Unusable, OSError, ValueError, LookupError, TypeError, AttributeError, z3.Z3Exception) as error:
        print(f"unusable: {error}")
        return 2
    print("accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
