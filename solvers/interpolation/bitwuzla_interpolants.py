"""Interpolants for bit-vectors from bitwuzla, where the optional package `bitwuzla` is installed."""

from importlib import import_module
from importlib.util import find_spec

import z3

from solvers.interpolation.smtlib_interpolants import through_text


class BitwuzlaInterpolator:
    """Bit-vectors, Booleans and arrays of them; no proposal for other sorts or without the package."""

    name = "bitwuzla"

    @staticmethod
    def available() -> bool:
        """True if the package `bitwuzla` is installed."""
        return find_spec("bitwuzla") is not None

    def propose(self, a: z3.BoolRef, b: z3.BoolRef, timeout_ms: int) -> z3.BoolRef | None:
        if not self.available():
            return None
        return through_text(a, b, lambda script: _solve(script, timeout_ms))


def _solve(script: str, timeout_ms: int) -> str | None:
    bitwuzla = import_module("bitwuzla")
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_INTERPOLANTS, True)
    options.set(bitwuzla.Option.INTERPOLANTS_SUBST, True)
    options.set(bitwuzla.Option.TIME_LIMIT_PER, timeout_ms)
    try:
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        parser.parse(script, parse_only=True, parse_file=False)
        solver = parser.bitwuzla()
        assertions = solver.get_assertions()  # before the check, whose preprocessing replaces them
        # A & B
        if solver.check_sat() != bitwuzla.Result.UNSAT:
            return None
        return str(solver.get_interpolant(assertions[:1]))
    except bitwuzla.BitwuzlaException:  # a sort or operator that it does not know
        return None
