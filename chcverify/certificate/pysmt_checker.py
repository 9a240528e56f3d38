"""A further opinion on a certificate by any solver that pysmt finds: MathSAT, Yices, Boolector and others.

It does not decide what the kernel accepts: users ask for it with `chcverify check --also-by NAME` where they want one
more solver, written by others. The obligations are those of the kernel, as SMT-LIB text that pysmt's own reader reads.
pysmt (extra `pysmt`) knows no `mod` and `div`, which become variables here, and no data types: what it cannot read
stays open, and is said.
"""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import Any

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.certificate_obligations import Obligation, derivation_obligations, model_obligations
from chcverify.certificate.kernel.checkers.cvc5_checker import script
from chcverify.certificate.kernel.checkers.z3_checker import HOLDS, CheckFinding, Verdict, check
from chcverify.certificate.model import Model
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem
from chcverify.terms.core.traversal import conjunction, fold, subterms


def solver_names() -> tuple[str, ...]:
    """The solvers that pysmt finds, sorted; none without pysmt."""
    if find_spec("pysmt") is None:
        return ()
    factory = import_module("pysmt.factory").Factory(import_module("pysmt.environment").Environment())
    return tuple(sorted(factory.all_solvers()))


def check_also_by(solver: str, system: HornSystem, certificate: Model | Derivation, deadline: float) -> Verdict:
    """The opinion of a solver that pysmt knows by this name.

    deadline: time.monotonic() for the making of obligations; pysmt has no limit of time, so call this in a process that
    can be ended. Raises InputError if pysmt does not find the solver.
    """
    if solver not in (found := solver_names()):
        known = f"pysmt finds {', '.join(found)}" if found else "install pysmt: pip install 'chcverify[pysmt]'"
        raise InputError("--also-by", 0, 0, f"no solver {solver}; {known}")

    def obligations() -> list[Obligation]:
        if isinstance(certificate, Model):
            return list(model_obligations(system, certificate))
        return list(derivation_obligations(system, certificate, deadline))

    def discharge(asked: Sequence[Obligation], end: float) -> list[CheckFinding]:
        return [_refuted(solver, obligation) for obligation in asked]

    return check(obligations, discharge, f"{solver} by pysmt", deadline)


def _refuted(solver: str, obligation: Obligation) -> CheckFinding:
    """In an environment of its own: symbols of several obligations may have one name and different types."""
    environment: Any = import_module("pysmt.environment").Environment()
    try:
        formula, variables = _without_divisions(obligation.negated())
        # exists variables. body & constraint & ~head
        text = script(formula, [*obligation.variables, *variables])
        reader = import_module("pysmt.smtlib.parser").SmtLibParser(environment)
        query = reader.get_script(StringIO(text.replace("(set-logic ALL)", ""))).get_last_formula()
        is_unsatisfiable = environment.factory.is_unsat(query, solver_name=solver)
    except Exception as error:  # pysmt's errors have no common class; whatever it cannot do is no refutation
        return CheckFinding("unknown", f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
    return HOLDS if is_unsatisfiable else CheckFinding("fails", "it does not hold")


def _without_divisions(formula: z3.BoolRef) -> tuple[z3.BoolRef, list[z3.ExprRef]]:
    """The formula, with variables q and r for t div n and t mod n, and these: n q + r = t, 0 <= r < n.

    It is satisfiable just if the formula is, where n is a positive number; other divisions stay, and so do all below
    quantifiers.
    """
    variables: list[z3.ExprRef] = []
    meanings: list[z3.BoolRef] = []
    known: dict[tuple[int, int], tuple[z3.ArithRef, z3.ArithRef]] = {}

    def rebuilt(term: z3.ExprRef, parts: list[z3.ExprRef]) -> z3.ExprRef:
        kind = term.decl().kind() if z3.is_app(term) else None
        if kind not in (z3.Z3_OP_IDIV, z3.Z3_OP_MOD) or not z3.is_int_value(parts[1]) or parts[1].as_long() <= 0:
            return term.update(*parts) if parts else term
        dividend, divisor = parts
        assert isinstance(dividend, z3.ArithRef) and isinstance(divisor, z3.IntNumRef)
        key = (dividend.get_id(), divisor.as_long())
        if key not in known:
            quotient, remainder = z3.FreshInt("quotient"), z3.FreshInt("remainder")
            known[key] = (quotient, remainder)
            variables.extend(known[key])
            meanings.append(z3.And(divisor * quotient + remainder == dividend, remainder >= 0, remainder < divisor))
        return known[key][kind == z3.Z3_OP_MOD]

    if any(map(z3.is_quantifier, subterms(formula))):
        return formula, []
    changed = fold(formula, rebuilt)
    assert isinstance(changed, z3.BoolRef)
    return conjunction([changed, *meanings]), variables
