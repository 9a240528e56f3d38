"""chcverify: verifies C programs and constrained Horn clauses; every verdict carries a checked certificate.

`verify` decides a program or a file, `solve` a HornSystem. Names are loaded when they are used: `import chcverify`
costs nothing, and the command's own process does without a solver.
"""

from importlib import import_module

TYPE_CHECKING = False  # True to type checkers; `typing` takes a tenth of the start of the process that asks cvc5

if TYPE_CHECKING:
    from typing import Any

    from chcverify.api import Event as Event
    from chcverify.api import check as check
    from chcverify.api import load as load
    from chcverify.api import reduce as reduce
    from chcverify.api import solve as solve
    from chcverify.api import verify as verify
    from chcverify.certificate.derivation import Cycle as Cycle
    from chcverify.certificate.derivation import Derivation as Derivation
    from chcverify.certificate.derivation import Link as Link
    from chcverify.certificate.derivation import Step as Step
    from chcverify.certificate.files.certificate_text import derivation_from_text as derivation_from_text
    from chcverify.certificate.files.certificate_text import derivation_to_text as derivation_to_text
    from chcverify.certificate.files.certificate_text import model_from_text as model_from_text
    from chcverify.certificate.files.certificate_text import model_to_text as model_to_text
    from chcverify.certificate.model import Model as Model
    from chcverify.errors import InputError as InputError
    from chcverify.horn.io.clausify import NotHorn as NotHorn
    from chcverify.horn.io.reader import read_horn_text as read_horn_text
    from chcverify.horn.io.writer import to_prolog as to_prolog
    from chcverify.horn.io.writer import to_rules as to_rules
    from chcverify.horn.io.writer import to_smtlib as to_smtlib
    from chcverify.horn.io.z3_formulas import from_formulas as from_formulas
    from chcverify.horn.system import Application as Application
    from chcverify.horn.system import Clause as Clause
    from chcverify.horn.system import HornSystem as HornSystem
    from chcverify.horn.system import Origin as Origin
    from chcverify.horn.system import Predicate as Predicate
    from chcverify.problems.protocol import Refused as Refused
    from chcverify.results.outcome import Outcome as Outcome
    from chcverify.results.result import Result as Result
    from chcverify.results.result import Safe as Safe
    from chcverify.results.result import Unknown as Unknown
    from chcverify.results.result import Unsafe as Unsafe
    from chcverify.results.source_facts import SourceInvariant as SourceInvariant
    from chcverify.results.source_facts import TraceStep as TraceStep
    from chcverify.transforms.base import BackTranslator as BackTranslator
    from chcverify.transforms.base import Transform as Transform
    from solvers.engine import Context as Context
    from solvers.engine import Engine as Engine
    from solvers.engine import Lemma as Lemma
    from solvers.engine import Requirements as Requirements

__version__ = "0.1.0"

_HOMES = {
    "chcverify.api": ("Event", "check", "load", "reduce", "solve", "verify"),
    "chcverify.certificate.derivation": ("Cycle", "Derivation", "Link", "Step"),
    "chcverify.certificate.files.certificate_text": (
        "derivation_from_text", "derivation_to_text", "model_from_text", "model_to_text",
    ),
    "chcverify.certificate.model": ("Model",),
    "chcverify.errors": ("InputError",),
    "chcverify.horn.io.clausify": ("NotHorn",),
    "chcverify.horn.io.z3_formulas": ("from_formulas",),
    "chcverify.horn.io.reader": ("read_horn_text",),
    "chcverify.horn.system": ("Application", "Clause", "HornSystem", "Origin", "Predicate"),
    "chcverify.horn.io.writer": ("to_prolog", "to_rules", "to_smtlib"),
    "chcverify.results.outcome": ("Outcome",),
    "chcverify.problems.c_problem": ("Refused",),
    "chcverify.results.result": ("Result", "Safe", "Unknown", "Unsafe"),
    "chcverify.results.source_facts": ("SourceInvariant", "TraceStep"),
    "chcverify.transforms.base": ("BackTranslator", "Transform"),
    "solvers.engine": ("Context", "Engine", "Lemma", "Requirements"),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> "Any":
    if name not in _HOME:
        raise AttributeError(f"module 'chcverify' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
