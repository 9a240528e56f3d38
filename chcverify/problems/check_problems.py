"""The problems of groups of checks of one C program."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from chcverify.horn.system import HornSystem, Predicate
from chcverify.problems.c_problem import CProblem, c_words, problem_of, translated_errors
from chcverify.problems.protocol import Problem
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.terms.core.graphs import components

if TYPE_CHECKING:
    from encoders.c.certificates.traps import TrapsBefore
    from encoders.c.cfa.ir import Program
    from encoders.c.cfa.trap_continuations import Positions
    from encoders.c.encoding.encoder import Encoding


@dataclass(frozen=True, eq=False)
class CheckProblems:
    """The problems of groups of checks of one program, which share its clauses. encoding: of all checks; None where
    lost blocks are looked for, which changes the clauses of a group."""

    program: "Program"
    property: str
    encoding: "Encoding | None"
    positions: "Positions | None" = None

    @classmethod
    def of(cls, program: "Program", property: str) -> "CheckProblems":
        """The problems of a program whose automata were made for a property. Errors as of `load`."""
        from encoders.c.cfa.program_checks import selectable
        from encoders.c.cfa.trap_continuations import Positions
        from encoders.c.encoding.encoder import encode

        program = selectable(program)
        if not program.ends_at_violations:
            return cls(program, property, None)
        with translated_errors():
            encoding = encode(program, property)
        return cls(encoding.program, property, encoding, Positions(encoding.flat.program))

    @cached_property
    def has_loops(self) -> bool:
        """False if no location is the head of a loop."""
        locations = () if self.encoding is None else self.encoding.locations.values()
        return self.encoding is None or any(each.location.is_loop_head for each in locations)

    def of_checks(self, assumed: frozenset[Check]) -> Problem:
        """The problem of the checks that are not assumed, without traps behind which no run comes to one of these; of
        all checks with all traps, where none is assumed. Errors as of `load`."""
        from encoders.c.certificates.traps import of_checks
        from encoders.c.cfa.program_checks import assuming

        own = assuming(self.program, assumed)
        if self.encoding is None or self.positions is None:
            return problem_of(own, self.property)
        encoding = of_checks(self.encoding, own, self.positions, keeps_traps=not assumed)
        return CProblem(encoding.system, c_words(self.property), encoding)

    def without_later_traps(self) -> Problem | None:
        """The problem of all checks without traps behind which no run comes to a check; None where that is no other."""
        from encoders.c.certificates.traps import of_checks

        if self.encoding is None or self.positions is None:
            return None
        encoding = of_checks(self.encoding, self.program, self.positions)
        if len(encoding.infos) == len(self.encoding.infos):
            return None
        return CProblem(encoding.system, c_words(self.property), encoding)

    def of_group(self, assumed: frozenset[Check], leaves_traps: bool) -> Problem:
        """As `of_checks`; leaves_traps: as `without_later_traps`, where that is another problem."""
        without = self.without_later_traps() if leaves_traps else None
        return self.of_checks(assumed) if without is None else without

    def left_out(self, problem: Problem) -> str:
        """The first trap that a problem of checks leaves out, with its position; "" if it has all."""
        from encoders.c.certificates.traps import left_out

        if self.encoding is None or not isinstance(problem, CProblem):
            return ""
        return left_out(self.encoding, problem.encoding)

    def traps(self) -> Problem | None:
        """The problem of coming to any trap at all without a violation; None where the clauses are not shared."""
        from encoders.c.certificates.traps import of_checks
        from encoders.c.cfa.program_checks import assuming, checks_of

        if self.encoding is None or self.positions is None:
            return None
        own = assuming(self.program, frozenset(checks_of(self.program)))
        encoding = of_checks(self.encoding, own, self.positions, keeps_traps=True)
        return CProblem(encoding.system, c_words(self.property), encoding)

    @cached_property
    def cone_sizes(self) -> dict[Check, int]:
        """For each check the number of predicates that its violations depend on; empty where no clauses are shared."""
        sizes: dict[Check, int] = {}
        if self.encoding is None:
            return sizes
        system = self.encoding.system
        asked = [(check, index) for index in system.queries if (check := self.encoding.infos[index].check) is not None]
        known = sizes_of_cones(system, [atom.predicate for _, index in asked for atom in system.clauses[index].body])
        for check, index in asked:
            for atom in system.clauses[index].body:
                sizes[check] = max(sizes.get(check, 0), known[atom.predicate])
        return sizes

    @cached_property
    def traps_before(self) -> "TrapsBefore | None":
        """The first trap before each check; None where the clauses are not shared."""
        from encoders.c.certificates.traps import TrapsBefore

        if self.encoding is None or self.positions is None:
            return None
        return TrapsBefore(self.encoding, self.positions)

    def without_trap_before(self, checks: Sequence[Check], excluded: Collection[int] = ()) -> tuple[Check, ...]:
        """Those of the checks to which no run comes behind a trap. excluded: as of TrapsBefore."""
        from encoders.c.certificates.traps import TrapsBefore

        if self.encoding is None or self.positions is None or self.traps_before is None:
            return ()
        before = TrapsBefore(self.encoding, self.positions, excluded) if excluded else self.traps_before
        return before.without(checks)

    def first_trap_before(self, check: Check) -> str:
        """The first trap behind which a run may come to the check, with its position; "" if there is none."""
        return "" if self.traps_before is None else self.traps_before.description(check)


def sizes_of_cones(system: HornSystem, roots: Iterable[Predicate]) -> dict[Predicate, int]:
    """For each root, and each predicate before it, from how many predicates clauses lead to it, itself included."""

    def before(predicate: Predicate) -> Iterator[Predicate]:
        return (atom.predicate for index in system.defining[predicate] for atom in system.clauses[index].body)

    cones: dict[Predicate, int] = {}  # sets of predicates, each a bit
    for component in components(roots, before):
        cone = ((1 << len(component)) - 1) << len(cones)
        for predicate in component:
            for earlier in before(predicate):
                cone |= cones.get(earlier, 0)
        cones.update(dict.fromkeys(component, cone))
    return {predicate: cone.bit_count() for predicate, cone in cones.items()}
