"""The waypoints of an error trace in the format of witnesses: inputs, branches, calls and the violation."""

import re
from collections.abc import Sequence

from chcverify.effort import MAX_FORMULAS
from chcverify.results.source_facts import CYCLE, WITH_INPUTS, TraceStep
from encoders.c.source_map.source_map import SourceMap
from encoders.c.witnesses.witness_documents import ConstraintDocument, LocationDocument, WaypointDocument

_INTEGER = re.compile(r"-?\d+")
_LVALUE = re.compile(r"([A-Za-z_]\w*)(?:(?:\.|->)[A-Za-z_]\w*|\[\d+\])*")
_EFFECTS = {"=", "+=", "-=", "*=", "/=", "%=", "++", "--"}
_HEADED = ("if", "while", "for")


def waypoints(
    layout: SourceMap, steps: Sequence[TraceStep], file: str, has_any_end: bool = False
) -> list[WaypointDocument]:
    """The waypoints of a trace in the order of the run, the target last; none if the target's position is unknown. Of a
    run that does not end the last ones are those of the cycle.

    All are to be followed, except for iterations that were left out because they have the same inputs as those around
    them: other values are then to be avoided up to the next waypoint. has_any_end: where the violation is in no
    statement, as that of a block at the end of the program, the target is the last statement of the run.
    """
    return _Waypoints(layout, steps, file).waypoint_list(has_any_end)


class _Waypoints:
    """Translates the steps of a trace; positions are computed once."""

    def __init__(self, layout: SourceMap, steps: Sequence[TraceStep], file: str) -> None:
        self.layout, self.steps, self.file = layout, steps, file
        self._tokens: dict[object, int | None] = {}
        self._statements: dict[object, int | None] = {}
        self._recursive = {f.name: layout.recursive(f) for f in layout.functions}
        self._functions = {f.name for f in layout.functions}
        self._path = [(step.origin, step.kind, step.text, step.value * (step.kind == "input")) for step in steps]
        self._same = dict(map(self._around, (i for i, step in enumerate(steps) if step.kind == "repeated")))

    def waypoint_list(self, has_any_end: bool) -> list[WaypointDocument]:
        ends = [index for index, step in enumerate(self.steps) if step.kind == CYCLE]
        if len(ends) == 2:
            return self._lasso(*ends)
        violation = next((step for step in reversed(self.steps) if step.kind == "violation"), None)
        target = self.target(violation) if violation else None
        if target is None and has_any_end and violation is not None:
            target = next((found for step in reversed(self.steps) if (found := self.statement(step)) is not None), None)
        if target is None:
            return []
        out, avoided = self._passed(0, len(self.steps))
        last = self.waypoint("target", target)
        return [*out, *_without_conflicts(avoided, last), last]

    def _lasso(self, begin: int, end: int) -> list[WaypointDocument]:
        """The waypoints up to the cycle, and those of the cycle; none if the cycle has none."""
        stem, _ = self._passed(0, begin)
        cycle, _ = self._passed(begin, end)
        if not any(point["action"] == "follow" for point in cycle):
            place = self._inside(begin)
            always: ConstraintDocument = {"value": "1", "format": "c_expression"}
            cycle = [] if place is None else [self.waypoint("assumption", place, always)]
        for point in cycle:
            if point["action"] == "follow":
                point["action"] = "cycle"
        return [*stem, *cycle] if cycle else []

    def _inside(self, begin: int) -> int | None:
        """A statement that is executed each time around the cycle, at the step that begins it: for loops the first one
        of the body. None if that is not certain."""
        start = self.statement(self.steps[begin])
        if start is None or self.layout.text(start) not in ("while", "for"):
            return start
        body = self.layout.close(start + 1) + 1
        while self.layout.text(body) == "{":
            body += 1
        return body if body in self.layout.ends else None

    def _passed(self, index: int, end: int) -> tuple[list[WaypointDocument], list[WaypointDocument]]:
        """The waypoints of the steps from one number up to another, and those that are to be avoided behind them."""
        out: list[WaypointDocument] = []
        avoided: list[WaypointDocument] = []
        while index < end:
            step = self.steps[index]
            if index in self._same:
                index, others = self._same[index]
                avoided += others
                continue
            handle = {"input": self.input, "condition": self.branch, "call": self.call, "return": self.result}
            index, waypoint = handle.get(step.kind, self.nothing)(index)
            if waypoint is not None and not step.function.startswith("<"):
                out += [*_without_conflicts(avoided, waypoint), waypoint]
                avoided = []
        return out, avoided

    def _around(self, index: int) -> tuple[int, tuple[int, list[WaypointDocument]]]:
        """The iterations around a step that stands for others: (first step, (step after the last, waypoints to avoid)).

        The first step is -1 if they are not known.
        """
        steps, path = self.steps, self._path
        nothing = -1, (index, list[WaypointDocument]())
        if steps[index].text.endswith(WITH_INPUTS):
            return nothing
        for period in range(1, min(index // 2, len(steps) - index - 1, MAX_FORMULAS) + 1):
            one = path[index + 1 : index + 1 + period]
            if path[index - period : index] == one == path[index - 2 * period : index - period]:
                chosen = [step for step in steps[index + 1 : index + 1 + period] if step.kind == "input"]
                others = [self._others(step) for step in chosen]
                known = [other for other in others if other is not None]
                return (index - 2 * period, (index + 1 + period, known)) if len(known) == len(others) else nothing
        return nothing

    def _others(self, step: TraceStep) -> WaypointDocument | None:
        """A waypoint that avoids all other values of an input; None if there is none."""
        call = self._called(step)
        if call is None or not step.text.endswith("()") or (waypoint := self._returned(call, step.value)) is None:
            return None
        constraint: ConstraintDocument = {"value": f"\\result != {step.value}", "format": "acsl_expression"}
        return {**waypoint, "action": "avoid", "constraint": constraint}

    def nothing(self, index: int) -> tuple[int, None]:
        return index + 1, None

    # --- positions --------------------------------------------------------------------------------------------------

    def token(self, step: TraceStep) -> int | None:
        if step.origin not in self._tokens:
            origin = step.origin
            self._tokens[origin] = self.layout.find(origin.file, origin.line, origin.column)
        return self._tokens[step.origin]

    def statement(self, step: TraceStep) -> int | None:
        """The statement that a step belongs to, by its line if columns are unreliable; None if that is not certain."""
        if step.origin not in self._statements:
            index = self.token(step)
            if index is not None:
                start = self.layout.statement_at(index)
            else:
                line = self.layout.on_line(step.origin.file, step.origin.line)
                starts = [i for i in line if i in self.layout.ends and self.layout.text(i) != "{"]
                start = starts[0] if self.layout.tokens.expanded and len(starts) == 1 else None
            self._statements[step.origin] = start
        return self._statements[step.origin]

    def target(self, step: TraceStep) -> int | None:
        """The statement that violates the property; else the only call of reach_error; None if there is none."""
        start = self.statement(step)
        if start is not None:
            return start
        near = self.layout.on_line(step.origin.file, step.origin.line)
        calls = [i for i in near if self.layout.text(i) == "reach_error"] or [
            i for i in range(len(self.layout.tokens.items)) if self.layout.text(i) == "reach_error"
        ]
        inside = [i for i in calls if self.layout.function_at(i)]
        return self.layout.statement_at(inside[0]) if len(inside) == 1 and "reach_error" in step.text else None

    def waypoint(self, kind: str, index: int, constraint: ConstraintDocument | None = None) -> WaypointDocument:
        token, function = self.layout.token(index), self.layout.function_at(index)
        location: LocationDocument = {"file_name": self.file, "line": token.line, "column": token.column}
        if function:
            location["function"] = function.name
        waypoint: WaypointDocument = {"type": kind, "action": "follow", "location": location}
        if constraint is not None:
            waypoint["constraint"] = constraint
        return waypoint

    # --- kinds of waypoints -----------------------------------------------------------------------------------------

    def input(self, index: int) -> tuple[int, WaypointDocument | None]:
        """The waypoint of an input: the result of an undefined function's call, or a value before the next statement.

        Returns also the number of the step to go on with; None if no waypoint describes the input.
        """
        step = self.steps[index]
        call = self._called(step)
        if call is not None and step.text.endswith("()"):  # other calls may give values through their arguments
            return index + 1, self._returned(call, step.value)
        start = self.statement(step)
        following, changes = index, dict[str, str]()
        while following < len(self.steps) and self._belongs(self.steps[following], start, step.function):
            changes.update(self.steps[following].changes)
            following += 1
        after = self._after(start) if start is not None else None
        if after is None or self._calls_in(following, start):
            return index + 1, None
        return following, self._assumption(changes, after)

    def _calls_in(self, index: int, start: int | None) -> bool:
        """True if the step of this number is a call in the statement."""
        return (
            index < len(self.steps) and self.steps[index].kind == "call" and self.statement(self.steps[index]) == start
        )

    def _assumption(self, changes: dict[str, str], after: int) -> WaypointDocument | None:
        """The waypoint that gives integers their values before a statement. changes: lvalues with their new values."""
        integers = {n: value for n, value in changes.items() if self._is_integer_of_variable(n, value, after)}
        values = [f"{name} == {c_number(value)}" for name, value in integers.items()]
        if not values or (len(changes) > 1 and not all(name.isidentifier() for name in changes)):
            return None
        return self.waypoint("assumption", after, {"value": " && ".join(values), "format": "c_expression"})

    def _belongs(self, step: TraceStep, start: int | None, function: str) -> bool:
        return step.kind in ("input", "statement") and step.function == function and self.statement(step) == start

    def _is_integer_of_variable(self, name: str, value: str, index: int) -> bool:
        """True if the value is an integer and the name is that of an lvalue in scope at a token."""
        match = _LVALUE.fullmatch(name)
        return bool(match and _INTEGER.fullmatch(value) and self.layout.visible(match[1], index))

    def _after(self, start: int) -> int | None:
        """The statement after this one in execution, None if that is not certain."""
        layout = self.layout
        after = layout.ends[start] + 1
        headed = layout.text(start) in (*_HEADED, "switch", "do", "return", "goto")
        straight = layout.text(start - 1) in ("{", "}", ";", ":") and after in layout.ends
        return after if straight and not headed and layout.text(after) not in ("{", ";", "case", "default") else None

    def branch(self, index: int) -> tuple[int, WaypointDocument | None]:
        """The waypoint of a branch: the truth of an if's or a loop's condition, None if that is not known.

        Returns also the number of the step to go on with.
        """
        step = self.steps[index]
        token, start = self.token(step), self.statement(step)
        if token is None or start is None or token not in (condition := self._condition(start)):
            return index + 1, None
        following, holds = index + 1, step.holds
        if holds is None or not self._is_whole(step, condition):
            while following < len(self.steps) and self._is_part(self.steps[following], condition, step.function):
                following += 1
            holds = self._branch_taken_after(step, start, following, condition)
        value = None if holds is None else "true" if holds else "false"
        return following, self.waypoint("branching", start, {"value": value}) if value else None

    def _is_whole(self, step: TraceStep, condition: range) -> bool:
        """True if the step's text is the whole condition, and not an operand of its && and || (or of a negation)."""
        texts = [self.layout.text(index) for index in condition]
        return sorted(c for c in step.text if c not in "() ") == sorted(c for c in "".join(texts) if c not in "() ")

    def _branch_taken_after(self, step: TraceStep, start: int, following: int, condition: range) -> bool | None:
        """The truth of the condition as far as the step after it shows; None if it does not."""
        if self._recursive.get(step.function, True):
            return None
        if following == len(self.steps) or self.steps[following].function != step.function:
            return None
        there = self.token(self.steps[following])
        return None if there is None or there in condition else self._branch_taken(start, there)

    def _is_part(self, step: TraceStep, condition: range, function: str) -> bool:
        token = self.token(step)
        return step.kind == "condition" and step.function == function and token is not None and token in condition

    def _condition(self, start: int) -> range:
        """The tokens of the condition of an if or a loop; none for other statements."""
        layout = self.layout
        if layout.text(start) not in _HEADED:
            return range(0)
        first, last = start + 2, layout.close(start + 1)
        if layout.text(start) == "for":
            semicolons = [i for i in range(first, last) if layout.text(i) == ";"]
            return range(semicolons[0] + 1, semicolons[1]) if len(semicolons) == 2 else range(0)
        return range(first, last)

    def _branch_taken(self, start: int, there: int) -> bool | None:
        """The truth of the condition as far as a step at token `there` shows; None if it does not."""
        layout = self.layout
        body = layout.close(start + 1) + 1
        if body not in layout.ends or self._is_entered(start, layout.ends[start]):
            return None
        end = layout.ends[body]
        condition = self._condition(start)
        if body <= there <= end or condition.stop <= there < body:  # the last: the step of a for
            return True
        if end < there <= layout.ends[start]:
            return False
        return False if layout.ends[start] == end and self._shows(body) else None

    def _is_entered(self, start: int, end: int) -> bool:
        """True if there is a label that control may reach from elsewhere."""
        return any(self.layout.is_label(index) for index in self.layout.ends if start < index <= end)

    def _shows(self, body: int) -> bool:
        """True if the statement begins with something that leaves a step in the trace."""
        while self.layout.text(body) == "{":
            body += 1
        if body not in self.layout.ends or not self.layout.text(body).isidentifier():
            return False
        words = [self.layout.text(index) for index in range(body, self.layout.ends[body])]
        return (words[0] == "return" and len(words) > 1) or (
            words[0] not in (*_HEADED, "do", "switch", "return") and words[1] in _EFFECTS
        )

    def call(self, index: int) -> tuple[int, WaypointDocument | None]:
        call = self._called(self.steps[index])
        defined = call is not None and self.layout.text(call) in self._functions
        return index + 1, self.waypoint("function_enter", self.layout.close(call + 1)) if call and defined else None

    def result(self, index: int) -> tuple[int, WaypointDocument | None]:
        """The waypoint of a function's result; the value is the one before any conversion."""
        step = self.steps[index]
        call = self._called(step)
        return index + 1, None if call is None else self._returned(call, step.value)

    def _returned(self, call: int, value: str) -> WaypointDocument | None:
        if not _INTEGER.fullmatch(value) or abs(int(value)) >= 2**63:
            return None
        constraint: ConstraintDocument = {"value": f"\\result == {value}", "format": "acsl_expression"}
        return self.waypoint("function_return", self.layout.close(call + 1), constraint)

    def _called(self, step: TraceStep) -> int | None:
        """The name of the function that a step calls."""
        token, layout = self.token(step), self.layout
        named = token is not None and layout.text(token).isidentifier() and layout.text(token + 1) == "("
        return token if named and step.text.startswith(f"{layout.text(token or 0)}(") else None


def _without_conflicts(avoided: list[WaypointDocument], followed: WaypointDocument) -> list[WaypointDocument]:
    """Those that contradict neither each other nor what is to be followed."""
    out: list[WaypointDocument] = []
    for one in avoided:
        here = [other for other in (*avoided, followed) if other["location"] == one["location"]]
        if all(other == one for other in here) and one not in out:
            out.append(one)
    return out


def c_number(text: str) -> str:
    """A decimal number as C reads it: 2^63 is no number behind a minus, and from there on numbers are unsigned."""
    value = int(text)
    if value == -(2**63):
        return f"({value + 1} - 1)"
    return f"{value}ULL" if value >= 2**63 else str(value)
