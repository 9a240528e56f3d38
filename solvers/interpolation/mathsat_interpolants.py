"""Interpolants from MathSAT through pysmt, where the user has installed it (it is on no package registry)."""

from importlib.util import find_spec
from io import StringIO
from typing import Any

import z3

from solvers.interpolation.smtlib_interpolants import through_text


class MathSatInterpolator:
    """Linear arithmetic, bit-vectors, arrays; no proposal without MathSAT or for what pysmt cannot read (mod, div)."""

    name = "mathsat"

    def available(self) -> bool:
        """True if MathSAT is installed."""
        return find_spec("mathsat") is not None

    def propose(self, a: z3.BoolRef, b: z3.BoolRef, timeout_ms: int) -> z3.BoolRef | None:
        """An interpolant, or None. timeout_ms is not used: pysmt's interface has no time limit."""
        return through_text(a, b, self._solve) if self.available() else None

    def _solve(self, script: str) -> str | None:
        # Only here, since importing pysmt takes longer than most interpolants.
        from pysmt.environment import Environment
        from pysmt.exceptions import PysmtException
        from pysmt.smtlib.parser import SmtLibParser
        from pysmt.smtlib.printers import SmtDagPrinter

        environment, out = Environment(), StringIO()
        try:
            commands = SmtLibParser(environment).get_script(StringIO(script))
            first, second = (command.args[0] for command in commands.filter_by_command_name("assert"))
            found = self.interpolant(environment, first, second)
        except (PysmtException, NotImplementedError):
            return None
        if found is None:
            return None
        SmtDagPrinter(out).printer(found)
        return out.getvalue()

    def interpolant(self, environment: Any, a: Any, b: Any) -> Any:
        """An interpolant of two of pysmt's formulas, as one; None if they are satisfiable together."""
        from pysmt.solvers.msat import MSatInterpolator

        with MSatInterpolator(environment) as solver:
            return solver.binary_interpolant(a, b)
