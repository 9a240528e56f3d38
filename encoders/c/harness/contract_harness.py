"""The harness that proves a contract for all calls that it allows: arguments and variables have any values, pointers
lead to objects of any size, also none, that are apart from each other; what may not change is compared afterwards.

Every call that passes the checks of `contract_body.py` is one of this harness's, as far as the function can observe:
what a contract does not say to be accessible may have no bytes, so that the checks of memory forbid its use.
"""

from collections.abc import Sequence
from itertools import combinations

from pycparser import c_ast

from chcverify.horn.system import Origin
from encoders.c.contracts.acsl_expressions import RESULT, NoMeaning, Range, Translation, split_at, tokens_of
from encoders.c.contracts.assigned_locations import AssignedPart, Indices, Leaf, MemberStep, assigned_locations, leaves
from encoders.c.contracts.behaviours import ContractClause
from encoders.c.harness.contract_body import largest_object, line_marker, require_settable
from encoders.c.harness.harness_text import HarnessWriter
from encoders.c.lowering.calls.annotation_calls import CONTRACT_CALL
from encoders.c.lowering.symbols import GlobalVariable
from encoders.c.source.literals import escaped
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import VOID, CFloat, CInteger, CPointer, CType

ASSUMED = "is called once, with any arguments that its contract allows; variables have any values"


class ContractHarness(HarnessWriter):
    """Writes one harness."""

    visible: Sequence[GlobalVariable] = ()
    """The variables that the function, and what it calls, mention."""
    called: str = ""
    """The name that the function's body has in the harness."""
    checks_memory: bool = False
    """Are accesses checked?"""

    def call(self, arguments: list[str]) -> None:
        """The call, between what the contract requires, and what it ensures and leaves as it was."""
        write, gives = self.writer, self.symbol.type.result != VOID
        self._require_meaning()
        translation = Translation(self.valid, gives, separated=lambda one, two: "1")
        conditions = self.assume_required(arguments, translation)
        unchanged = self._remembered(assigned_locations(self.contract))
        call = f"{self.called}({', '.join(arguments)})"
        write.line(f"__typeof__({call}) {RESULT} = {call};" if gives else f"{call};")
        for clause, condition in conditions:
            if clause.kind == "ensures":
                shown = escaped(f"{self.declared.name} ensures {clause.text}")
                self._at(clause.origin)
                write.line(f'{CONTRACT_CALL}({condition}, "{shown}");')
        self._at(next(clause.origin for clause in self.contract if clause.kind == "assigns"))
        for check in unchanged:
            write.line(check)

    def check_behaviours(self, clause: ContractClause, condition: str) -> None:
        """Writes the check that behaviours are complete or disjoint where the contract allows a call."""
        self._at(clause.origin)
        self.writer.line(f'{CONTRACT_CALL}({condition}, "{escaped(self.declared.name)} {clause.kind}");')

    def _at(self, origin: Origin) -> None:
        """A line marker: what follows is at a position, until the next one."""
        self.writer.statements.append(line_marker(origin))

    def pointer(self, kind: CPointer, variable: str) -> None:
        """A pointer argument: null, or to a new object that may be empty."""
        write = self.writer
        write.line(f"if ({write.choice()}) {{")
        write.line(f"chcverify_{variable} = 0;")
        write.line(f"{variable}_elements = 0;")
        write.line("} else {")
        write.new_object(
            kind, f"chcverify_{variable}", 0, f"{variable}_elements", 0, largest_object(write.layouts.model)
        )
        write.line("}")
        self.pointers.append((kind, variable))

    def require_length(self, kind: CType, node: c_ast.Node | None, name: str) -> None:
        """Assumes nothing: calls are not checked for it."""

    def assumed(self) -> str:
        """What the harness does not leave open."""
        return ASSUMED

    def translated(self, translation: Translation, clause: object) -> str:
        """A clause as C; "" for `assigns`."""
        return "" if getattr(clause, "kind", "") == "assigns" else super().translated(translation, clause)  # type: ignore[arg-type]

    # --- what is refused

    def _require_meaning(self) -> None:
        """Raises Unsupported where a contract cannot be proved for all calls."""
        name, kinds = self.declared.name, [kind for kind, _, _ in self.parameters()]
        pointers = [kind for kind in kinds if isinstance(kind, CPointer)]
        if not any(clause.kind == "assigns" for clause in self.contract):
            raise Unsupported(self.origin(), f"the contract of {name}, which has no clause assigns")
        for kind in kinds:
            self._require_plain(kind.target if isinstance(kind, CPointer) else kind, f"a parameter of {name}")
        self._require_plain(self.symbol.type.result, f"the result of {name}")
        for variable in self.visible:
            if not variable.constant:
                self._require_plain(variable.type, f"the variable {variable.name}")
            if variable.volatile:
                raise Unsupported(self.origin(), f"a proof of a contract: the variable {variable.name} is volatile")
        if self.symbol.type.variadic:
            raise Unsupported(self.origin(), f"a proof of the contract of {name}, which is variadic")
        if pointers and not self.checks_memory:
            what = "checks of memory (--property undefined-behaviour, or bounds,null,lifetime with others)"
            raise Unsupported(
                self.origin(), f"a proof of the contract of {name}, which is given pointers, without {what}"
            )
        names = {name for _, _, name in self.parameters()}
        for variable in self.visible:
            if variable.name in names:
                raise Unsupported(self.origin(), f"a parameter and a variable that are both called {variable.name}")
        self._require_separated()

    def _require_plain(self, kind: CType, what: str) -> None:
        """Raises Unsupported for a type that holds pointers, or is incomplete."""
        if kind == VOID and what.startswith("the result"):
            return
        if self.writer.holds_pointers(kind) or not self.writer.layouts.is_complete(kind):
            raise Unsupported(
                self.origin(), f"a proof of a contract: {what} has a type with pointers, or an incomplete one"
            )
        try:
            require_settable(kind, self.writer.layouts)
        except NoMeaning as error:
            raise Unsupported(self.origin(), f"a proof of a contract: {what} has {error}") from None

    def _require_separated(self) -> None:
        """Raises Unsupported for two pointers that the contract does not separate."""
        names = [name for kind, _, name in self.parameters() if isinstance(kind, CPointer)]
        pairs = {frozenset(pair) for pair in combinations(names, 2)}
        found: set[frozenset[str]] = set()

        def separated(one: Range, two: Range) -> str:
            found.add(frozenset((one[0], two[0])))
            return "1"

        for clause in self.contract:
            if clause.kind == "requires" and not clause.assumes:
                for part in _conjuncts(tokens_of(clause.text)):
                    if part[:1] == ["\\separated"]:
                        Translation(separated=separated).predicate(" ".join(part))
        if pairs - found:
            one, two = sorted(next(iter(pairs - found)))
            what = (
                f"the pointers {one} and {two}, which may lead to the same object: requires \\separated({one}, {two})"
            )
            raise Unsupported(self.origin(), f"a proof of a contract with {what}")

    # --- what stays as it was

    def _remembered(self, locations: Sequence[AssignedPart]) -> list[str]:
        """Statements that keep the values of all that the function may reach; the checks for behind the call."""
        write = self.writer
        for number, location in enumerate(locations):
            for position, step in enumerate(location.steps):
                if isinstance(step, Indices):
                    write.line(f"long chcverify_low_{number}_{position} = {step.low};")
                    write.line(f"long chcverify_high_{number}_{position} = {step.high};")
        roots: list[tuple[str, CType]] = [(name, kind) for kind, name in self.pointers]
        roots += [(variable.name, variable.type) for variable in self.visible if not variable.constant]
        checks: list[str] = []
        for root, kind in roots:
            try:
                parts = leaves(kind, write.layouts)
            except NoMeaning as error:
                raise Unsupported(self.origin(), f"a proof of a contract with {error}") from None
            for leaf in parts:
                checks += self._remember(root, leaf, locations, len(checks))
        return checks

    def _remember(self, root: str, leaf: Leaf, locations: Sequence[AssignedPart], number: int) -> list[str]:
        """Keeps any one of the scalars that a leaf stands for; the check that it is as it was or may change."""
        write = self.writer
        indices: list[str] = []
        inside: list[str] = []
        steps: list[str] = []
        for position, step in enumerate(leaf.steps):
            if isinstance(step, str):
                steps.append(f".{step}")
                continue
            index = f"chcverify_k_{number}_{position}"
            count = f"{root}_elements" if step is None else f"{step}UL"
            write.line(f"unsigned long {index} = {write.any('unsigned long', 'ulong')};")
            inside.append(f"{index} < {count}")
            steps.append(f"[{index}]")
            indices.append(index)
        allowed = [_covers(location, n, root, leaf, number) for n, location in enumerate(locations)]
        conditions = [condition for condition in allowed if condition is not None]
        if "1" in conditions:
            return []
        lvalue, saved = root + "".join(steps), f"chcverify_was_{number}"
        write.line(f"{_spelled(leaf.type)} {saved} = 0;")
        guard = " && ".join(inside) or "1"
        write.line(f"if ({guard}) {saved} = {lvalue};")
        same = _same(leaf.type, lvalue, saved)
        shown = escaped(f"{self.declared.name} assigns only what its contract names: {root}")
        return [f'if ({guard}) {CONTRACT_CALL}({" || ".join([same, *conditions])}, "{shown}");']


def _covers(location: AssignedPart, number: int, root: str, leaf: Leaf, of_leaf: int) -> str | None:
    """The condition that a location contains the scalar of a leaf; "1" if always, None if never."""
    if location.root != root or len(location.steps) > len(leaf.steps):
        return None
    conditions = []
    for position, (step, own) in enumerate(zip(location.steps, leaf.steps, strict=False)):
        if isinstance(step, MemberStep) != isinstance(own, str) or (isinstance(step, MemberStep) and step.name != own):
            return None
        if isinstance(step, Indices):
            index = f"(long)chcverify_k_{of_leaf}_{position}"
            bounds = f"chcverify_low_{number}_{position}", f"chcverify_high_{number}_{position}"
            conditions.append(f"({bounds[0]} <= {index} && {index} <= {bounds[1]})")
    return f"({' && '.join(conditions)})" if conditions else "1"


def _spelled(kind: CType) -> str:
    assert isinstance(kind, CInteger | CFloat)
    return kind.name.partition(":")[0]


def _same(kind: CType, one: str, two: str) -> str:
    """The condition that two scalars have the same value; zeros differ by their signs."""
    if not isinstance(kind, CFloat):
        return f"{one} == {two}"
    signs = f"__builtin_signbit({one}) == __builtin_signbit({two})"
    return f"({one} == {two} && {signs}) || ({one} != {one} && {two} != {two})"


def _conjuncts(tokens: Sequence[str]) -> list[list[str]]:
    """The parts of a conjunction at the top; others as they are."""
    whole = {"||", "==>", "<==>", "?", "\\forall", "\\exists"} & set(tokens)
    return [list(tokens)] if whole else split_at(tokens, "&&")
