"""What a property asks of clauses, who decides it, and its words."""

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind

CHECKS_DECIDER = "chcverify.run.driver"


@dataclass(frozen=True)
class Property:
    """A property of C programs, or of clauses.

    Code that needs to know something about a property asks this object instead of comparing names.
    """

    name: str
    """As options and task definitions call it."""
    formulas: tuple[str, ...] = ()
    """The temporal formulas of property files that stand for it, or for a part of it, without blanks."""
    kinds: frozenset[CheckKind] = frozenset()
    """The checks that are queries of the clauses. A model of the clauses shows that no run violates one of them."""
    ends: frozenset[CheckKind] = frozenset()
    """Those of the checks whose violation ends a run that nothing is said about."""
    ends_of_functions: frozenset[CheckKind] = frozenset()
    """Such checks of a function by itself, with any arguments, beside `ends`."""
    decider: str = CHECKS_DECIDER
    """The module whose `run(task, options, started, listener)` decides a program; "" where nothing does."""
    violation: str = ""
    """A sentence for people about a program that violates it; "" for the property's name."""
    is_about_ends: bool = False
    """It says that runs end: no clause may leave a run out that is cut short, as by a failed assumption."""

    is_joined: bool = False
    """It can be decided together with sets of checks: its proof has a model of all clauses."""

    @property
    def is_set_of_checks(self) -> bool:
        """True if a model of clauses without violated queries is the whole proof; such properties can be joined."""
        return bool(self.kinds) and self.decider == CHECKS_DECIDER

    @property
    def sentence(self) -> str:
        """What is wrong with a program that violates the property."""
        return self.violation or self.name
