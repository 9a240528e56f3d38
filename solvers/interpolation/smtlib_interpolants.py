"""Interpolants from solvers with an SMT-LIB interface. Names are replaced by plain ones and restored in the result."""

from collections.abc import Callable

import z3

from chcverify.terms.core.traversal import conjunction, free_variables, substitute

# From a script with two assertions, A and B, to the text of a term over its constants; None if there is none.
TextSolver = Callable[[str], str | None]


def through_text(a: z3.BoolRef, b: z3.BoolRef, solve: TextSolver) -> z3.BoolRef | None:
    """The interpolant that `solve` gives for the script of A and B."""
    variables = free_variables(z3.And(a, b))
    plain = [z3.Const(f"v{i}", variable.sort()) for i, variable in enumerate(variables)]
    script = z3.Solver()
    script.add([substitute(formula, zip(variables, plain, strict=True)) for formula in (a, b)])
    text = solve(script.to_smt2().replace("(check-sat)", ""))
    if text is None:
        return None
    try:
        parsed = z3.parse_smt2_string(f"(assert {text})", decls={str(name): name for name in plain})
    except z3.Z3Exception:
        return None
    return substitute(conjunction(parsed), zip(plain, variables, strict=True))
