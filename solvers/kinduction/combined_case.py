"""Combined-case k-induction: all loops are cut; base and step case are one query about an acyclic system.

Donaldson, Haller, Kroening, Ruemmer: Software verification using k-induction (SAS 2011)
[DonaldsonHallerKroeningRummer2011], algorithm 1.
"""

from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.certificate.model import Model
from chcverify.effort import EQUAL_SHARE, MAX_VISITED, QUESTION_MS
from chcverify.horn.system import Application, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.core.traversal import conjunction
from solvers.engine import Context, Lemma, Requirements
from solvers.kinduction.engine import deepen
from solvers.registry import get
from solvers.unrolling.acyclic_systems import Acyclic
from solvers.unrolling.clause_graph import ClauseGraph, Irreducible, Loop
from solvers.unrolling.k_cut import Cut, Violating, base_name, k_cut
from solvers.unrolling.lemma_selection import strengthen
from solvers.unrolling.model_strengthening import violating
from solvers.unrolling.shared_headers import OUTER, SeparatedHeaders, separate_headers

Depths = Mapping[Predicate, int]  # k for each loop's header


@dataclass(frozen=True, eq=False)
class Cuts:
    """The cuts of all loops of a system, in the order in which they were made."""

    before: HornSystem
    links: Sequence[Cut]

    @property
    def system(self) -> HornSystem:
        """The system after all cuts."""
        return self.links[-1].system if self.links else self.before

    @property
    def havoc(self) -> list[int]:
        """The clauses after which a path is not one of the system before the cuts."""
        return [index for index in range(len(self.system.clauses)) if self._origin(index) is None]

    def _origin(self, index: int | None) -> int | None:
        for link in reversed(self.links):
            if index is not None:
                index = link.clauses[index]
        return index

    def model(self, model: Model, context: Context) -> Model:
        """The model translated back to the system before the cuts.

        Raises TimeoutError if the deadline passes meanwhile: the formulas grow with every link.
        """
        for link in reversed(self.links):
            if context.remaining() <= 0:
                raise TimeoutError
            model = link.model(model)
        return model

    def derivation(self, derivation: Derivation) -> Derivation:
        """The derivation on the system before the cuts, of one that uses no `havoc`."""
        steps = []
        for step in derivation.ground_steps:
            origin = self._origin(step.clause)
            assert origin is not None
            steps.append(Step(origin, step.arguments, step.premises))
        return Derivation(tuple(steps))


def cut_all(
    system: HornSystem, loops: Sequence[Loop], depths: Depths, violates: Violating, context: Context
) -> Cuts | None:
    """Cuts the loops in the given order, inner before outer; None if the result would be too large.

    Raises TimeoutError if the deadline passes meanwhile.
    """
    links: list[Cut] = []
    current = system
    for loop in loops:
        if len(current.clauses) > MAX_VISITED:
            return None
        if context.remaining() <= 0:
            raise TimeoutError
        graph = ClauseGraph(current)
        now = next(found for found in graph.loops() if found.header == loop.header)
        links.append(k_cut(current, now, depths[loop.header], violates))
        current = links[-1].system
    return Cuts(system, links)


class Combined:
    """Engine `combined`. Option `k`: LINE:K[,LINE:K...] fixes k for loops named by their source line."""

    name = "combined"
    description = "combined-case k-induction: every loop cut with its own k (linear systems, reducible clause graph)"
    requires = Requirements(linear=True)

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for anything but the option `k`."""
        check_options(given)

    def solve(self, system: HornSystem, context: Context) -> Result:
        return deepen(CombinedRun(system, context), context)


class CombinedRun:
    """One run on the part of the system that facts reach: as it is, and in turns with its loops separated."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self._context = context
        self.k = 0
        self._graph = ClauseGraph(system)
        self._searches: list[tuple[SeparatedHeaders, CombinedCaseSearch]] = []
        self._reason = self._start()

    def _start(self) -> str:
        """Begins the searches; otherwise the reason why there is none."""
        if not self.system.is_linear:
            return "combined-case k-induction takes linear clauses only"
        try:
            reached = _reached(self.system, self._graph)
            separated = separate_headers(reached)
            variants = [SeparatedHeaders(reached, reached, {}), *([separated] if separated.inner else [])]
            for headers in variants:
                loops = ClauseGraph(headers.system).loops()
                fixed = _fixed(loops, self._context.options.get("k", ""))
                self._searches.append((headers, CombinedCaseSearch(headers, loops, fixed, self._context)))
        except Irreducible as error:
            return f"the clause graph is irreducible: {error}"
        except ValueError as error:
            return str(error)
        return ""

    def advance(self) -> Result | None:
        """The next k for all loops that have none of their own; None while the question is open."""
        lemmas = self._context.bus.poll()
        open_ = False
        for headers, search in list(self._searches):
            search.learn(lemmas)
            result = search.advance()
            self.k = search.k
            if isinstance(result, Safe):
                nothing = {predicate: z3.BoolVal(False) for predicate in self.system.predicates}
                return Safe(Model(nothing).updated(headers.model(result.model).interpretations))
            if isinstance(result, Unsafe):
                return Unsafe(self._derivation(headers.derivation(result.derivation)))
            if isinstance(result, Unknown):
                self._reason = result.reason
            open_ = open_ or result is None
            if search.too_large:
                self._searches.remove((headers, search))
        return None if open_ else Unknown(self._reason)

    def _derivation(self, derivation: Derivation) -> Derivation:
        clauses = enumerate(self.system.clauses)
        kept = [index for index, clause in clauses if _is_reached(clause.body, self._graph)]
        return Derivation(tuple(Step(kept[s.clause], s.arguments, s.premises) for s in derivation.ground_steps))


def _is_reached(body: Sequence[Application], graph: ClauseGraph) -> bool:
    return all(application.predicate in graph.number for application in body)


def _reached(system: HornSystem, graph: ClauseGraph) -> HornSystem:
    """Without the clauses of predicates that no path from a fact reaches."""
    return HornSystem.of((c for c in system.clauses if _is_reached(c.body, graph)), graph.order)


def check_options(given: Mapping[str, str]) -> None:
    """ValueError for what is no option of combined-case k-induction."""
    for name, value in given.items():
        if name != "k":
            raise ValueError(f"combined has no option {name!r}; it has k")
        _chosen(value)


def _chosen(option: str) -> list[tuple[int, int]]:
    """(line, k) of the option `k`; ValueError if it is malformed."""
    chosen = []
    for item in filter(None, option.split(",")):
        line, colon, k = item.partition(":")
        if not (colon and line.strip().isdigit() and k.strip().isdigit()):
            raise ValueError(f"option k: '{item}' is not LINE:K")
        chosen.append((int(line), int(k)))
    return chosen


def _fixed(loops: Sequence[Loop], option: str) -> dict[Predicate, int]:
    """The option `k` by predicates; ValueError if it is malformed or names a line without a loop."""
    fixed: dict[Predicate, int] = {}
    for line, k in _chosen(option):
        headers = [loop.header for loop in loops if _line(loop) == line]
        if not headers:
            lines = ", ".join(sorted({str(_line(loop)) for loop in loops}))
            raise ValueError(f"option k: no loop at line {line}; there are loops at {lines or 'no line'}")
        fixed.update(dict.fromkeys(headers, k))
    return fixed


def _line(loop: Loop) -> int | None:
    return loop.header.origin.line if loop.header.origin else None


class CombinedCaseSearch:
    """Deepens one k for all loops until the proof succeeds, then lowers it loop by loop, inner ones first."""

    def __init__(self, headers: SeparatedHeaders, loops: Sequence[Loop], fixed: Depths, context: Context) -> None:
        self.headers = headers
        self.plain = system = headers.system
        self.system = system  # strengthened by the invariants
        self.invariants: dict[Predicate, z3.BoolRef] = {predicate: z3.BoolVal(True) for predicate in system.predicates}
        self.loops = loops
        self.fixed = fixed
        self.context = context
        self.k = -1
        self.too_large = False  # and will be with every greater k
        self._bad: dict[str, z3.BoolRef | None] = {}

    def advance(self) -> Result | None:
        """Tries the next k."""
        self.k += 1
        depths = {loop.header: self.fixed.get(loop.header, self.k) for loop in self.loops}
        self.context.progress("combined", {"k": self.k})
        answer = self._try(depths)
        if isinstance(answer, Cuts):
            return self._certify(*self._lower(depths, answer))
        if answer is None and len(self.fixed) == len(self.loops):
            return Unknown("the step case fails")
        return answer

    def _try(self, depths: Depths) -> Unsafe | Unknown | Cuts | None:
        """The cuts if they prove the system, a violation without havoc, a reason, or None if the step case fails."""
        most = max(depths.values(), default=0)
        try:
            cuts = cut_all(self.system, self.loops, depths, self._violating, self.context)
            if cuts is None:
                self.too_large = True
                return Unknown(f"more than {MAX_VISITED} clauses with k = {most}")
            question = Acyclic(cuts.system, self.context)
        except TimeoutError:
            return Unknown(f"time limit at k = {most}")
        for without in (cuts.havoc, []):
            answer = question.violation(self.context.remaining(), without)
            if answer == z3.unknown:
                return Unknown(f"k = {most}: {question.solver.reason_unknown()}")
            if answer == z3.sat:
                return Unsafe(cuts.derivation(question.derivation())) if without or not self.loops else None
        return cuts

    def _lower(self, depths: Depths, cuts: Cuts) -> tuple[Cuts, Depths]:
        """The least k for one loop after the other with which the proof still succeeds; in half of the time left."""
        enough = self.context.remaining() / 2
        for loop in self.loops:
            for k in range(depths[loop.header] if loop.header not in self.fixed else 0):
                if self.context.remaining() < enough:
                    return cuts, depths
                fewer = {**depths, loop.header: k}
                answer = self._try(fewer)
                if isinstance(answer, Cuts):
                    cuts, depths = answer, fewer
                    break
        return cuts, depths

    def _certify(self, cuts: Cuts, depths: Depths) -> Result:
        """The model of the acyclic system, computed by Spacer, translated back to the system: see `Cut.model`."""
        self.context.statistics["k"] = {_name(loop): depths[loop.header] for loop in self.loops}
        self.context.statistics["clauses"] = len(cuts.system.clauses)
        limited = self.context.first(EQUAL_SHARE)
        result = get("spacer").solve(cuts.system, Context(limited.deadline, self.context.seed))
        if isinstance(result, Safe):
            try:
                found = cuts.model(result.model, self.context)
            except TimeoutError:
                return Unknown("proved by combined-case k-induction; time limit before its model was carried back")
            model = Model({p: conjunction([formula, found[p]]) for p, formula in self.invariants.items()})
            verdict = check_model(self.plain, model, self.context.deadline)
            if verdict.accepted:
                return Safe(model)
            return Unknown(f"proved by combined-case k-induction, but its model was not confirmed: {verdict.reason}")
        reason = result.reason if isinstance(result, Unknown) else "Spacer disagrees"
        return Unknown(f"proved by combined-case k-induction, but without an inductive model: {reason}")

    def learn(self, lemmas: Sequence[Lemma]) -> None:
        """Auxiliary invariants, which are inductive together; those of a header hold where it was separated, too."""
        for lemma in lemmas:
            for predicate in self.invariants:
                if self.headers.inner.get(predicate, predicate) == lemma.predicate:
                    self.invariants[predicate] = conjunction([self.invariants[predicate], lemma.formula])
        if lemmas:
            self.system = strengthen(self.plain, self.invariants)
            self._bad = {}

    def _violating(self, predicate: Predicate) -> z3.BoolRef | None:
        """The states of the predicate that violate a query; the same for all copies, which keep all queries or none."""
        name = base_name(predicate)
        if name not in self._bad:
            timeout_ms = min(QUESTION_MS, max(1, int(1000 * self.context.remaining())))
            self._bad[name] = violating(self.system, self.system.by_name[name], timeout_ms)
        return self._bad[name]


def _name(loop: Loop) -> str:
    origin = loop.header.origin
    if origin is None:
        return loop.header.name
    return f"line {origin.line}" + (f", {OUTER}" if origin.note == OUTER else "")
