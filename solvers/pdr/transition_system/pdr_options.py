"""The options of the PDR engine."""

from collections.abc import Mapping
from dataclasses import fields

from chcverify.effort import LONG_QUESTION_RESOURCES, MAX_ALTERNATIVES
from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class PdrOptions:
    """Set by `--engine-option NAME=VALUE`; yes/no values take true/false, on/off, yes/no, 1/0."""

    values: bool = True
    """Write x = 1 & x = y in cubes as x = 1 & y = 1."""
    enumerations: bool = True
    """Keep x = 1 whole where x is never compared by order."""
    shrink: bool = True
    """Ask again for the literals of a core alone, until it stays as it is."""
    inductive: bool = True
    """Drop literals while the lemma stays inductive."""
    order: bool = True
    """Drop those literals first that few lemmas have."""
    weaken: bool = True
    """Move bounds and forget one side of equalities."""
    relate: bool = True
    """x = y for x = 1 & y = 1 in lemmas, where that is enough."""
    interpolation: bool = True
    """Sum the cube's literals with the Farkas coefficients of the proof."""
    globalise: bool = True
    """Global guidance over clusters of similar lemmas."""
    chains: bool = True
    """Global guidance over clusters of similar obligations."""
    gas: int = 20
    """How many steps a conjecture of global guidance may take."""
    minimise: bool = True
    """Leave out of the model what the proof does not need."""
    drop_failures: int = MAX_ALTERNATIVES
    """How many literals may fail to drop before inductive generalisation gives up."""
    rlimit: int = 4 * LONG_QUESTION_RESOURCES
    """z3's resource limit of one check."""
    trace: str = ""
    """A file for JSON lines."""

    @classmethod
    def parse(cls, values: Mapping[str, str]) -> "PdrOptions":
        """The options from the texts of the command line; ValueError names the first wrong one."""
        known = {field.name: field for field in fields(cls)}
        parsed: dict[str, bool | int | str] = {}
        for name, text in values.items():
            if name not in known:
                raise ValueError(f"pdr has no option {name!r}; it has {', '.join(known)}")
            parsed[name] = _value(name, text, type(known[name].default))
        return cls(**parsed)  # type: ignore[arg-type]


def _value(name: str, text: str, kind: type) -> bool | int | str:
    if kind is bool:
        word = text.lower()
        if word not in ("true", "on", "yes", "1", "false", "off", "no", "0"):
            raise ValueError(f"pdr option {name} is on or off, not {text!r}")
        return word in ("true", "on", "yes", "1")
    if kind is int and not text.isdigit():
        raise ValueError(f"pdr option {name} is a number, not {text!r}")
    return int(text) if kind is int else text
