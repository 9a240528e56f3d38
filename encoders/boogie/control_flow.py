"""Bodies of procedures as blocks of commands with jumps between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from chcverify.horn.origin import LOOP_HEAD, Origin
from chcverify.quick_dataclass import dataclass
from encoders.boogie import syntax as s
from encoders.boogie.resolved_declarations import wrong

EXIT = "return"
"""The name of the block in which every body ends."""


@dataclass(frozen=True)
class Block:
    """Commands without jumps, and the blocks that may follow.

    Blocks that are made for conditions begin with an assumption of the condition, or of its negation.
    """

    name: str
    commands: tuple[s.Statement, ...]
    successors: tuple[str, ...]
    is_branch: bool
    """At most one successor begins with an assumption that holds."""
    origin: Origin
    call: s.CallStatement | None = None
    """The call behind its commands that leads into the called body, and back to the only successor."""


@dataclass(frozen=True)
class BlockGraph:
    """The blocks of a body by name, in the order of the text. entry: where it begins."""

    blocks: Mapping[str, Block]
    entry: str


@dataclass(frozen=True)
class _Exits:
    """Where `break` leads to: out of the innermost loop, and out of statements with labels."""

    innermost: str | None
    labelled: Mapping[str, str]


class _BlockBuilder:
    """Makes blocks in the order of the statements; one block is open at a time."""

    def __init__(self, body: s.Body, returns_value: bool) -> None:
        self._returns_value = returns_value
        self.blocks: dict[str, Block] = {}
        self._commands: list[s.Statement] = []
        self._name: str | None = None
        self._origin = body.end
        self._labels = _labels(body.statements)
        self._count = 0
        self._end = body.end

    def build(self, body: s.Body) -> BlockGraph:
        """The blocks of the body."""
        entry = self._fresh("start")
        self._open(entry, body.statements[0].origin if body.statements else body.end)
        self._statements(body.statements, _Exits(None, {}))
        self._close((EXIT,))
        self.blocks[EXIT] = Block(EXIT, (), (), False, self._end)
        return BlockGraph(self.blocks, entry)

    def _fresh(self, purpose: str) -> str:
        """A name that no label has: labels have no blanks."""
        self._count += 1
        return f"{purpose} {self._count}"

    def _open(self, name: str, origin: Origin) -> None:
        self._name, self._commands, self._origin = name, [], origin

    def _close(self, successors: Sequence[str], is_branch: bool = False) -> None:
        """Ends the open block, if there is one; code behind a jump belongs to none."""
        if self._name is not None:
            commands = tuple(self._commands)
            self.blocks[self._name] = Block(self._name, commands, tuple(successors), is_branch, self._origin)
        self._name = None

    def _statements(self, statements: Sequence[s.Statement], exits: _Exits) -> None:
        for number, statement in enumerate(statements):
            if isinstance(statement, s.Label):
                self._close((statement.name,))
                self._open(statement.name, statement.origin)
                following = statements[number + 1] if number + 1 < len(statements) else None
                if isinstance(following, s.IfStatement | s.WhileStatement):
                    after = self._fresh("after " + statement.name)
                    inner = _Exits(exits.innermost, {**exits.labelled, statement.name: after})
                    self._statement(following, inner, after)
                continue
            labelled = number > 0 and isinstance(statements[number - 1], s.Label)
            if labelled and isinstance(statement, s.IfStatement | s.WhileStatement):
                continue  # done with its label
            self._statement(statement, exits)

    def _statement(self, statement: s.Statement, exits: _Exits, after: str | None = None) -> None:
        if self._name is None:
            self._open(self._fresh("unreachable"), statement.origin)
        if isinstance(statement, s.IfStatement):
            self._if(statement, exits, after or self._fresh("after if"))
        elif isinstance(statement, s.WhileStatement):
            self._while(statement, exits, after or self._fresh("after while"))
        elif isinstance(statement, s.GotoStatement):
            for label in statement.labels:
                if label not in self._labels:
                    raise wrong(statement.origin, f"goto an undeclared label: {label}")
            self._close(tuple(dict.fromkeys(statement.labels)))
        elif isinstance(statement, s.ReturnStatement):
            if (statement.value is not None) != self._returns_value:
                what = "a code expression returns a value"
                raise wrong(statement.origin, what if self._returns_value else "a procedure returns no expression")
            if statement.value is not None:
                self._commands.append(statement)
            self._close((EXIT,))
        elif isinstance(statement, s.BreakStatement):
            self._close((_target_of(statement, exits),))
        else:
            self._commands.append(statement)

    def _if(self, statement: s.IfStatement, exits: _Exits, after: str) -> None:
        first, second = self._fresh("then"), self._fresh("else")
        self._close((first, second), statement.condition is not None)
        branches = ((first, statement.first, False), (second, statement.second, True))
        for name, statements, is_negated in branches:
            self._open(name, statement.origin)
            self._assume(statement.condition, is_negated)
            self._statements(statements, exits)
            self._close((after,))
        self._open(after, statement.origin)

    def _while(self, statement: s.WhileStatement, exits: _Exits, after: str) -> None:
        head, body, end = self._fresh("while"), self._fresh("body"), self._fresh("end")
        self._close((head,))
        self._open(head, Origin(statement.origin.file, statement.origin.line, statement.origin.column, LOOP_HEAD))
        for invariant in statement.invariants:
            self._commands.append(_invariant_command(invariant))
        self._close((body, end), statement.condition is not None)
        self._open(body, statement.origin)
        self._assume(statement.condition, False)
        self._statements(statement.body, _Exits(after, exits.labelled))
        self._close((head,))
        self._open(end, statement.origin)
        self._assume(statement.condition, True)
        self._close((after,))
        self._open(after, statement.origin)

    def _assume(self, condition: s.Expression | None, is_negated: bool) -> None:
        if condition is None:
            return
        if is_negated:
            condition = s.Operation(condition.origin, s.Operator.NOT, (condition,))
        self._commands.append(s.AssumeStatement(condition.origin, condition))


def _invariant_command(invariant: s.WhileInvariant) -> s.Statement:
    if invariant.is_free:
        return s.AssumeStatement(invariant.origin, invariant.condition)
    return s.AssertStatement(invariant.origin, invariant.condition, invariant.attributes, is_invariant=True)


def _target_of(statement: s.BreakStatement, exits: _Exits) -> str:
    if statement.label is None:
        if exits.innermost is None:
            raise wrong(statement.origin, "break stands in no loop")
        return exits.innermost
    if statement.label not in exits.labelled:
        raise wrong(statement.origin, f"break out of a statement that does not enclose it: {statement.label}")
    return exits.labelled[statement.label]


def _labels(statements: Sequence[s.Statement]) -> frozenset[str]:
    """All labels of a body; InputError where two are the same."""
    found: set[str] = set()
    rest = list(statements)[::-1]
    while rest:
        statement = rest.pop()
        if isinstance(statement, s.Label):
            if statement.name in found:
                raise wrong(statement.origin, f"more than one declaration of the label {statement.name}")
            found.add(statement.name)
        elif isinstance(statement, s.IfStatement):
            rest += [*statement.second[::-1], *statement.first[::-1]]
        elif isinstance(statement, s.WhileStatement):
            rest += statement.body[::-1]
    return frozenset(found)


def control_flow_of(body: s.Body, returns_value: bool = False) -> BlockGraph:
    """The blocks of a body; InputError for jumps to nowhere. returns_value: it is that of a code expression, where
    `return e` is the last command of a block."""
    return _BlockBuilder(body, returns_value).build(body)


def with_calls_apart(flow: BlockGraph, is_apart: Callable[[s.CallStatement], bool]) -> BlockGraph:
    """The blocks, of which those with such calls are divided: each of these calls ends a block."""
    found: dict[str, Block] = {}
    for block in flow.blocks.values():
        rest = block
        for number, command in enumerate(block.commands):
            if not isinstance(command, s.CallStatement) or not is_apart(command):
                continue
            done = len(block.commands) - len(rest.commands)
            behind = f"{block.name} behind {number}"  # no label has a blank
            first = rest.commands[: number - done]
            found[rest.name] = replace(rest, commands=first, successors=(behind,), is_branch=False, call=command)
            following = block.commands[number + 1 :]
            rest = replace(block, name=behind, commands=following, origin=command.origin)
        found[rest.name] = rest
    return BlockGraph(found, flow.entry)


def loop_heads(flow: BlockGraph) -> frozenset[str]:
    """The blocks to which a depth-first search from the entry finds an edge from a block below: without them the
    blocks have no cycle."""
    heads: set[str] = set()
    state: dict[str, bool] = {flow.entry: True}  # True: on the path of the search
    path = [(flow.entry, iter(flow.blocks[flow.entry].successors))]
    while path:
        name, successors = path[-1]
        following = next(successors, None)
        if following is None:
            state[name] = False
            path.pop()
        elif following not in state:
            state[following] = True
            path.append((following, iter(flow.blocks[following].successors)))
        elif state[following]:
            heads.add(following)
    return frozenset(heads)


def blocks_of_loop(flow: BlockGraph, head: str) -> frozenset[str]:
    """The blocks on cycles through a loop head."""
    before: dict[str, list[str]] = {}
    for name, block in flow.blocks.items():
        for successor in block.successors:
            before.setdefault(successor, []).append(name)
    after = {name: block.successors for name, block in flow.blocks.items()}
    return _reached(head, after) & _reached(head, before)


def _reached(start: str, edges: Mapping[str, Sequence[str]]) -> frozenset[str]:
    found, waiting = {start}, [start]
    while waiting:
        for name in edges.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(found)
