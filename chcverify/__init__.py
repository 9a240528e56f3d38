"""chcverify: verifies C programs and constrained Horn clauses; every verdict carries a checked certificate."""

__version__ = "0.1.0"
