"""Modules that are loaded before a process is forked for a run."""

from importlib import import_module

PRELOADED = (
    "z3",
    "chcverify.run.driver",
    "chcverify.cli.commands.verify",
    "chcverify.horn.io.reader",
    "encoders.c.certificates.invariants.source_invariants",
    "encoders.c.certificates.run_to_derivation",
    "encoders.c.certificates.derivation_replay",
    "encoders.c.certificates.traps",
    "encoders.c.certificates.vacuity",
    "encoders.c.encoding.encoder",
    "encoders.c.execution.beyond_loss",
    "encoders.c.execution.interpreter",
    "encoders.c.execution.testing.random_runs",
    "encoders.c.frontend",
    "encoders.c.lowering.composition",
)
"""The modules that most runs import. A run imports any other module itself, at its first use."""
ENGINES = (
    "solvers.bounded.engine",
    "solvers.explicit.engine",
    "solvers.spacer.engine",
    "solvers.abstract_interpretation.engine",
    "solvers.pdr.engine",
)
"""The engines that most runs import which need any. They take 0.15 s of the processor, a fifth of all modules."""


def import_engines() -> None:
    """Imports the engines, so that no process that is forked later need do so."""
    for engine in ENGINES:
        import_module(engine)
