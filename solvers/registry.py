"""The engines by name: those of this project with their aliases, and the entry points of plug-ins.

Modules load on demand.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from chcverify.quick_dataclass import dataclass
from solvers.engine import Engine

if TYPE_CHECKING:  # it is imported only where plug-ins are looked for: that takes a while
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "chcverify.engines"

EXTERNAL = "external:"

_DATA_FLOW_PRESETS = (
    "df-boxes",
    "df-boxes-eq",
    "df-boxes-eq-mod2",
    "df",
    "df-orders",
    "df-poly",
    "df-refined",
    "df-segments",
    "df-sums",
)
_TABLE = {
    "pdr": "solvers.pdr.engine:Pdr",
    "ctigar": "solvers.ctigar.engine:Ctigar",
    "spacer": "solvers.spacer.engine:Spacer",
    "spacer-global": "solvers.spacer.engine:SpacerGlobal",
    "explicit": "solvers.explicit.engine:Explicit",
    "explicit-large": "solvers.explicit.engine:explicit_large",
    "explicit-refined": "solvers.explicit.refined_engine:ExplicitRefined",
    "acceleration": "solvers.acceleration.engine:Acceleration",
    "finite-models": "solvers.finite_models.engine:FiniteModels",
    "saturation": "solvers.saturation.engine:Saturation",
    "tabling": "solvers.saturation.engine:Tabling",
    "bmc": "solvers.bmc.engine:Bmc",
    "bounded": "solvers.bounded.engine:Bounded",
    "kind": "solvers.kinduction.engine:KInduction",
    "combined": "solvers.kinduction.combined_case:Combined",
    "combined+df": "solvers.kinduction.invariant_seeding:combined_df",
    "kipdr": "solvers.kinduction.kipdr:KiPdr",
    "kind+kipdr": "solvers.kinduction.invariant_seeding:kind_kipdr",
    "kind+df": "solvers.kinduction.invariant_seeding:kind_df",
    "kind+df;kipdr": "solvers.kinduction.invariant_seeding:kind_df_kipdr",
    "houdini": "solvers.invariants.houdini_engine:Houdini",
    "conjuncts": "solvers.invariants.clause_conjuncts_engine:ClauseConjuncts",
    "cell-goals": "solvers.invariants.cell_goals_engine:CellGoals",
    "cell-pairs": "solvers.invariants.cell_pairs_engine:CellPairs",
    "links": "solvers.invariants.links.engine:Links",
    "old-models": "solvers.invariants.old_models_engine:OldModels",
    "given-invariants": "solvers.invariants.given_invariants_engine:GivenInvariants",
    "congruences": "solvers.invariants.congruences.engine:CongruenceEngine",
    **dict.fromkeys(_DATA_FLOW_PRESETS, "solvers.abstract_interpretation.engine:DataFlow"),
}


ALIASES = {
    "ic3": "pdr",
    "gspacer": "spacer-global",
    "explicit-state": "explicit",
    "bounded-model-checking": "bmc",
    "k-induction": "kind",
    "k-induction-combined-case": "combined",
    "k-induction+ai": "kind+df",
    "abstract-interpretation": "df",
    "ai": "df",
    "array-segmentation": "df-segments",
    "polynomial-congruences": "congruences",
}
"""Standard names that may be typed instead of an engine's own; outputs show the latter."""


@dataclass(frozen=True)
class EngineEntry:
    """An engine that can be loaded."""

    name: str
    target: str
    """The module and the class, with a colon between them, as in an entry point."""
    source: str = "chcverify"
    """The distribution that contains the engine."""
    preset: str | None = None
    """The argument of the class, if it takes one."""

    def load(self) -> Engine:
        """An instance; ImportError or AttributeError if the target is not there."""
        module, _, attribute = self.target.partition(":")
        made = getattr(import_module(module), attribute)
        engine: Engine = made() if self.preset is None else made(self.preset)
        return engine


def is_own(name: str) -> bool:
    """True for the name or alias of an engine of this project. Looks for no plug-ins."""
    return canonical(name) in _TABLE


def canonical(name: str) -> str:
    """The engine's own name for one of its aliases; any other name as it is."""
    return ALIASES.get(name, name)


def engines() -> dict[str, EngineEntry]:
    """All engines by name; a plug-in cannot replace an engine of the project."""
    from importlib.metadata import entry_points

    found = {point.name: _plug_in(point) for point in entry_points(group=ENTRY_POINT_GROUP)}
    return {**found, **{name: _own(name) for name in _TABLE}}


def get(name: str) -> Engine:
    """The engine of that name or alias, or for `external:COMMAND` another solver.

    Raises KeyError with all names for any other name.
    """
    if name.startswith(EXTERNAL):
        from solvers.external import External

        return External(name.removeprefix(EXTERNAL))
    if is_own(name):
        return _own(canonical(name)).load()
    known = engines()
    if name not in known:
        raise KeyError(f"there is no engine '{name}'; known are {', '.join(sorted(known))}")
    return known[name].load()


def refusal(name: str, option: str, value: str) -> str:
    """The reason why the engine does not take the option with this value; "" if it does.

    Raises KeyError, with all names, if there is no such engine.
    """
    engine = get(name)
    check = getattr(engine, "check_options", None)
    if check is None:
        return f"{name} has no options" if is_own(name) or name.startswith(EXTERNAL) else ""
    try:
        check({option: value})
    except ValueError as error:
        return str(error)
    return ""


def _own(name: str) -> EngineEntry:
    return EngineEntry(name, _TABLE[name], preset=name if name in _DATA_FLOW_PRESETS else None)


def _plug_in(point: "EntryPoint") -> EngineEntry:
    source = point.dist.name if point.dist is not None else "a plug-in"
    return EngineEntry(point.name, point.value, source)
