"""Statements: control flow as edges (C11 6.8), local declarations."""

from contextlib import suppress
from dataclasses import field

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.ir import Assume, Constant, Declare, Expression, Load, Trap, Variable, VariableLValue
from encoders.c.lowering.assignments import AssignmentLowering
from encoders.c.lowering.collaborators import HasExternalDeclarations
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.file_scope.named_constants import NamedConstants
from encoders.c.lowering.file_scope.shared_records import declare_again
from encoders.c.lowering.jumps.labels import Labels
from encoders.c.lowering.operators.conversions import binary, convert, promoted
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.lowering.operators.variable_arrays import declare_array, require_no_initializer
from encoders.c.lowering.symbols import GlobalVariable, InvalidSymbol, LocalVariable, VariableLength
from encoders.c.source.grammar import LOCAL_LABELS
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import INT, LLONG, VOID, CArray, CFunction, CInteger


@dataclass
class SwitchTargets:
    """The cases of the innermost switch as its body is lowered."""

    type: CInteger
    cases: dict[range, int] = field(default_factory=dict)  # values -> location; a case without `...` has one value
    nodes: dict[range, c_ast.Node] = field(default_factory=dict)
    default: int | None = None
    ranges: bool = False  # is one of the cases a range?
    unknown: Unsupported | None = None  # why the value of a label is not known


def _overlap(one: range, other: range) -> bool:
    return bool(one) and bool(other) and one[0] <= other[-1] and other[0] <= one[-1]


@dataclass(eq=False)
class StatementLowering:
    """Statement lowering; `breaks` and `continues` are the jump targets of the enclosing constructs."""

    context: LoweringContext
    side_effects: SideEffects
    types: TypeLowering
    expressions: ExpressionLowering
    assignments: AssignmentLowering
    constants: NamedConstants
    labels: Labels
    lowering: HasExternalDeclarations
    breaks: list[int] = field(default_factory=list, init=False)
    continues: list[int] = field(default_factory=list, init=False)
    switches: list[SwitchTargets] = field(default_factory=list, init=False)

    def statement(self, node: c_ast.Node) -> None:
        """Lowers one statement or declaration at the current location."""
        match node:
            case c_ast.Pragma(string=text) if text.startswith(LOCAL_LABELS):
                self.labels.declare(text.split()[1:])
            case None | c_ast.EmptyStatement() | c_ast.Pragma() | c_ast.AttributeDeclaration():
                pass
            case c_ast.Compound():
                with self.context.block():
                    for item in node.block_items or ():
                        self.statement(item)
            case c_ast.Decl() | c_ast.DeclList() | c_ast.Typedef() | c_ast.StaticAssert():
                self._declare(node)
            case c_ast.If():
                self._if(node)
            case c_ast.While() | c_ast.DoWhile() | c_ast.For():
                self._loop(node)
            case c_ast.Switch():
                self._switch(node)
            case c_ast.Case() | c_ast.Default():
                self._case(node)
            case c_ast.Label():
                self._label(node)
            case c_ast.AttributedStatement():
                self.statement(node.stmt)
            case c_ast.Goto() | c_ast.Break() | c_ast.Continue():
                self._jump(node)
            case c_ast.Return():
                self._return(node)
            case c_ast.FuncDef():
                error = self.context.refuse(node, "nested function")
                self.context.scope.names[node.decl.name] = InvalidSymbol(error)
            case _:
                self._effect(node)

    def _effect(self, node: c_ast.Node) -> None:
        """Evaluates an expression for its effects; a trap if it is not modelled."""
        with self.context.trapped(node, goes_on=True):
            self.expressions.effect(node)

    def _name_type(self, node: c_ast.Typedef) -> None:
        """A type's name; one that is not modelled is an error only where it is used."""
        try:
            self.context.scope.names[node.name] = self.types.type_name(node, self.types.type_of(node))
        except Unsupported as error:
            self.context.scope.names[node.name] = InvalidSymbol(error)

    def _declare(self, node: c_ast.Node) -> None:
        match node:
            case c_ast.Decl():
                self._declared_or_trap(node)
            case c_ast.DeclList():
                for decl in node.decls:
                    self.statement(decl)
            case c_ast.Typedef():
                self._name_type(node)
            case c_ast.StaticAssert():
                with suppress(Unsupported):  # it has no effect
                    self.types.static_assertion(node)

    def _loop(self, node: c_ast.Node) -> None:
        match node:
            case c_ast.While():
                self._while(node)
            case c_ast.DoWhile():
                self._do(node)
            case c_ast.For():
                self._for(node)

    # --- conditions

    def branch(self, node: c_ast.Node, then: int, otherwise: int) -> None:
        """Control goes to `then` if the condition is not zero, else to `otherwise`; short-circuit where it matters."""
        if self.side_effects.has_effects(node):
            if isinstance(node, c_ast.UnaryOp) and node.op == "!":
                self.branch(node.expr, otherwise, then)
                return
            if isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||"):
                middle = self.context.cfa.location()
                if node.op == "&&":
                    self.branch(node.left, middle, otherwise)
                else:
                    self.branch(node.left, then, middle)
                self.context.cfa.current = middle
                self.branch(node.right, then, otherwise)
                return
        with self.context.trapped(node):
            condition = self.expressions.condition(node)
            if isinstance(condition, Constant):
                self.context.cfa.jump(then if condition.value else otherwise, self.context.origin(node))
            else:
                self.expressions.assume(condition, node, then, otherwise)

    def _if(self, node: c_ast.If) -> None:
        origin, after = self.context.origin(node), self.context.cfa.location()
        rest: c_ast.Node | None = node
        while isinstance(rest, c_ast.If):  # else-if chains are as long as the user likes
            then, otherwise = self.context.cfa.location(), self.context.cfa.location()
            self.branch(rest.cond, then, otherwise)
            self.context.cfa.current = then
            with self.context.block():
                self.statement(rest.iftrue)
            self.context.cfa.jump(after, origin)
            self.context.cfa.current = otherwise
            rest = rest.iffalse
        if rest is not None:
            with self.context.block():
                self.statement(rest)
        self.context.cfa.fall_into(after, origin)

    # --- loops

    def _while(self, node: c_ast.While) -> None:
        origin = self.context.origin(node)
        head, body, after = self.context.cfa.location(origin), self.context.cfa.location(), self.context.cfa.location()
        self.context.cfa.fall_into(head, origin)
        self.branch(node.cond, body, after)
        self.context.cfa.current = body
        self._body(node.stmt, after, head)
        self.context.cfa.jump(head, origin)
        self.context.cfa.current = after

    def _do(self, node: c_ast.DoWhile) -> None:
        origin = self.context.origin(node)
        head, condition, after = (
            self.context.cfa.location(origin),
            self.context.cfa.location(),
            self.context.cfa.location(),
        )
        self.context.cfa.fall_into(head, origin)
        self._body(node.stmt, after, condition)
        self.context.cfa.fall_into(condition, origin)
        self.branch(node.cond, head, after)
        self.context.cfa.current = after

    def _for(self, node: c_ast.For) -> None:
        origin = self.context.origin(node)
        with self.context.block():
            if isinstance(node.init, c_ast.DeclList):
                self.statement(node.init)
            elif node.init is not None:
                self._effect(node.init)
            head, body = self.context.cfa.location(origin), self.context.cfa.location()
            step, after = self.context.cfa.location(), self.context.cfa.location()
            self.context.cfa.fall_into(head, origin)
            if node.cond is None:
                self.context.cfa.jump(body, origin)
            else:
                self.branch(node.cond, body, after)
            self.context.cfa.current = body
            self._body(node.stmt, after, step)
            self.context.cfa.fall_into(step, origin)
            if node.next is not None:
                self._effect(node.next)
            self.context.cfa.jump(head, origin)
            self.context.cfa.current = after

    def _body(self, node: c_ast.Node, after: int, again: int) -> None:
        self.breaks.append(after)
        self.continues.append(again)
        with self.context.block():
            self.statement(node)
        self.breaks.pop()
        self.continues.pop()

    # --- switch

    def _switch(self, node: c_ast.Switch) -> None:
        origin, text = self.context.origin(node), self.context.text(node.cond)
        value: Expression = Constant(0, LLONG)  # where what is not modelled decides, no run comes to the cases
        with self.context.trapped(node.cond):
            value = self._switch_value(node)
        assert isinstance(value.type, CInteger)
        source, after = self.context.cfa.location(origin), self.context.cfa.location()
        self.context.cfa.jump(source, origin)
        targets = SwitchTargets(value.type)
        self.switches.append(targets)
        self.breaks.append(after)
        with self.context.block():
            self.statement(node.stmt)
        self.breaks.pop()
        self.switches.pop()
        self.context.cfa.fall_into(after, origin)
        self._dispatch(source, value, targets, after, text)

    def _switch_value(self, node: c_ast.Switch) -> Expression:
        """The value that is compared with the labels, in a variable unless it is constant."""
        value = self.expressions.scalar(node.cond)
        if not isinstance(value.type, CInteger):
            raise self.context.error(node, "switch quantity is not an integer")
        value = convert(value, promoted(value.type))
        if isinstance(value, Constant) or (isinstance(value, Load) and isinstance(value.lvalue, VariableLValue)):
            return value
        return self.context.held(value, node.cond)

    def _dispatch(self, source: int, value: Expression, targets: SwitchTargets, after: int, text: str) -> None:
        """One edge per case, and one where none applies."""
        origin = self.context.cfa.origins[source]
        assert origin is not None
        differs: list[Expression] = []
        for case, location in targets.cases.items():
            low, high = (Constant(bound, targets.type) for bound in (case[0], case[-1]))
            test, differ = binary("==", value, low, INT), binary("!=", value, low, INT)
            label = f"{text} == {case[0]}"
            if len(case) > 1:
                test = binary("&&", binary(">=", value, low, INT), binary("<=", value, high, INT), INT)
                differ = binary("||", binary("<", value, low, INT), binary(">", value, high, INT), INT)
                label = f"{case[0]} <= {text} <= {case[-1]}"
            self.context.cfa.edge(source, location, Assume(test, True), self.context.origin(targets.nodes[case]), label)
            differs.append(differ)
        otherwise = after if targets.default is None else targets.default
        while len(differs) > 1:  # a balanced conjunction: its depth is logarithmic in the number of cases
            pairs = zip(differs[::2], differs[1::2], strict=False)
            odd = differs[-1:] if len(differs) % 2 else []
            differs = [binary("&&", left, right, INT) for left, right in pairs] + odd
        condition = differs[0] if differs else Constant(1, INT)
        if targets.unknown is not None:  # a label that may be this value
            otherwise, error = self.context.cfa.location(), targets.unknown
            self.context.cfa.edge(otherwise, self.context.cfa.location(), Trap(error.construct), error.origin)
        self.context.cfa.edge(source, otherwise, Assume(condition, True), origin, f"{text}: no other case")

    def _case(self, node: c_ast.Case | c_ast.Default) -> None:
        if not self.switches:
            raise self.context.error(node, "case label not within a switch statement")
        targets, location = self.switches[-1], self.context.cfa.location()
        if isinstance(node, c_ast.Default):
            if targets.default is not None:
                raise self.context.error(node, "multiple default labels in one switch")
            targets.default = location
        else:
            case = self._known_case(node, targets)
            if case in targets.cases or (
                (len(case) > 1 or targets.ranges) and any(_overlap(case, other) for other in targets.cases)
            ):
                raise self.context.error(node, "duplicate case value")
            targets.ranges |= len(case) > 1
            if case:
                targets.cases[case], targets.nodes[case] = location, node
        self.context.cfa.fall_into(location, self.context.origin(node))
        for statement in node.stmts or ():
            self.statement(statement)

    def _known_case(self, node: c_ast.Case, targets: SwitchTargets) -> range:
        """The values of a label; none where they are not known, which the targets note."""
        try:
            return self._case_values(node.expr, targets.type)
        except Unsupported as error:
            targets.unknown = error
            return range(0)

    def _case_values(self, node: c_ast.Node, kind: CInteger) -> range:
        """The values of a label `a` or (GNU) `a ... b`; the empty range is allowed."""
        if isinstance(node, c_ast.BinaryOp) and node.op == "...":
            low, high = (kind.wrap(self.types.constant(bound, "case label")) for bound in (node.left, node.right))
            return range(low, high + 1)
        value = kind.wrap(self.types.constant(node, "case label"))
        return range(value, value + 1)

    # --- jumps

    def _label(self, node: c_ast.Label) -> None:
        self.labels.place(node)
        self.statement(node.stmt)

    def _jump(self, node: c_ast.Goto | c_ast.Break | c_ast.Continue) -> None:
        if isinstance(node, c_ast.Goto):
            target = self.labels.target(node)
        else:
            targets = self.breaks if isinstance(node, c_ast.Break) else self.continues
            word = "break" if isinstance(node, c_ast.Break) else "continue"
            if not targets:
                raise self.context.error(
                    node, f"{word} statement not within a loop{' or switch' if word == 'break' else ''}"
                )
            target = targets[-1]
        self.context.cfa.jump(target, self.context.origin(node))

    def _return(self, node: c_ast.Return) -> None:
        origin = self.context.origin(node)
        if node.expr is not None and self.context.result is None:
            self._effect(node.expr)  # of any type: gcc only warns
        elif node.expr is not None and self.context.result is not None:
            lvalue = VariableLValue.of(self.context.result)
            with self.context.trapped(node, goes_on=True):
                self.assignments.assign_from(lvalue, node.expr, node)
        elif self.context.result is not None:
            self.context.cfa.emit(Declare(self.context.result), origin, "return")
        self.context.cfa.jump(self.context.exit, origin)

    # --- GNU statement expressions

    def statement_expression(self, node: c_ast.Compound) -> Expression:
        """The value is the last expression statement's."""
        items = list(node.block_items or ())
        with self.context.block():
            for item in items[:-1]:
                self.statement(item)
            if not items:
                return Constant(0, VOID)
            last = items[-1]
            while isinstance(last, c_ast.Label):
                self.labels.place(last)
                last = last.stmt
            if isinstance(last, _STATEMENTS):
                self.statement(last)
                return Constant(0, VOID)
            value = self.expressions.value(last)
            return value if value.type == VOID else self.context.held_behind_block(value, last)

    # --- local declarations

    def _declared_or_trap(self, node: c_ast.Decl) -> None:
        """Lowers a declaration; a name that cannot be modelled is an error where it is used.

        One with attributes may do more than to go on: `cleanup` calls a function at the end of the block.
        """
        with self.context.trapped(node, goes_on=not self._has_attributes(node)):
            try:
                self.declaration(node)
            except Unsupported as error:
                if node.name is not None and node.name not in self.context.scope.names:
                    self.context.scope.names[node.name] = InvalidSymbol(error)
                if "extern" not in node.storage and not isinstance(node.type, c_ast.FuncDecl):
                    raise

    def _has_attributes(self, node: c_ast.Node) -> bool:
        """True if the node or one inside has attributes."""
        stack = [node]
        while stack:
            inner = stack.pop()
            if self.context.unit.attributes.of(inner):
                return True
            stack.extend(child for _, child in inner.children())
        return False

    def declaration(self, node: c_ast.Decl) -> None:
        """Lowers a declaration in a block: a local variable, a static one, or one with linkage."""
        if node.name is None:  # a tag alone
            if isinstance(node.type, c_ast.Struct | c_ast.Union):
                declare_again(self.context.unit, self.context.scope, node.type)
            self.types.type_of(node.type)
            return
        if "extern" in node.storage or isinstance(node.type, c_ast.FuncDecl):
            self.lowering.external_declarations.declare_external(node)
            return
        if "static" in node.storage:
            self._static_local(node)
            return
        kind = self.types.type_of(node)
        if isinstance(kind, CFunction):
            self.lowering.external_declarations.declare_external(node)
            return
        self._check_new(node)
        if isinstance(kind, VariableLength):
            self._variable_array(node, kind)
            return
        if isinstance(kind, CArray) and kind.length is None and node.init is not None:
            kind = CArray(kind.element, self.assignments.array_length(kind, node.init))
        if not self.context.unit.layout.is_complete(kind):
            self.context.size_of(kind, node)
            raise self.context.error(node, f"variable '{node.name}' has incomplete type '{kind}'")
        variable = Variable(
            self.context.unique(node.name),
            node.name,
            kind,
            self.context.name,
            origin=self.context.origin(node),
            constant=self.types.is_constant_type(node.type),
            atomic=self.types.is_atomic_type(node.type),
        )
        align = self.types.asked_alignment(node) or self.types.named_alignment(node)
        is_volatile = self.types.is_volatile_type(node.type)
        self._add_local(node, LocalVariable(variable, align=align, volatile=is_volatile))
        self.context.cfa.emit(Declare(variable), self.context.origin(node), f"{kind} {node.name}")
        self.constants.declare(node, variable.unique, kind)
        if node.init is not None:
            self.assignments.initialise(VariableLValue(variable, kind), node.init, node.name, node)

    def _variable_array(self, node: c_ast.Decl, kind: VariableLength) -> None:
        require_no_initializer(self.context, node)
        flat = CArray(kind.scalar, None)
        origin = self.context.origin(node)
        variable = Variable(self.context.unique(node.name), node.name, flat, self.context.name, origin=origin)
        self._add_local(node, LocalVariable(variable, kind))
        declare_array(self.context, node, variable, kind)

    def _check_new(self, node: c_ast.Decl) -> None:
        if node.name in self.context.scope.names:
            raise self.context.error(node, f"redeclaration of '{node.name}'")

    def _add_local(self, node: c_ast.Decl, symbol: LocalVariable) -> None:
        self.context.scope.names[node.name] = symbol
        if self.context.evaluated:
            self.context.locals.append(symbol.variable)

    def _static_local(self, node: c_ast.Decl) -> None:
        kind = self.types.plain_type(node)
        self._check_new(node)
        if isinstance(kind, CArray) and kind.length is None and node.init is not None:
            kind = CArray(kind.element, self.assignments.array_length(kind, node.init))
        self.context.size_of(kind, node)
        unique = self.context.unique(node.name)
        self.constants.declare(node, unique, kind)
        self.context.scope.names[node.name] = GlobalVariable(
            unique,
            node.name,
            kind,
            node,
            self.context.scope,
            next(self.context.unit.orders),
            function=self.context.name,
            defined=True,
            initialiser=node.init,
            volatile=self.types.is_volatile_type(node.type),
            constant=self.types.is_constant_type(node.type),
            atomic=self.types.is_atomic_type(node.type),
            align=self.types.asked_alignment(node) or self.types.named_alignment(node),
        )


_STATEMENTS = (
    c_ast.Decl, c_ast.DeclList, c_ast.Typedef, c_ast.StaticAssert, c_ast.If, c_ast.While, c_ast.DoWhile, c_ast.For,
    c_ast.Switch, c_ast.Case, c_ast.Default, c_ast.Label, c_ast.Goto, c_ast.Break, c_ast.Continue, c_ast.Return,
    c_ast.EmptyStatement, c_ast.Pragma, c_ast.AttributeDeclaration, c_ast.AttributedStatement,
)  # fmt: skip
