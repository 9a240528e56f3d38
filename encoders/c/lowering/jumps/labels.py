"""Labels of a function, also those of a block (GNU `__label__`), and their addresses.

`&&label` is the address of an object that nobody accesses; `goto *pointer` compares the pointer with these.
"""

from pycparser import c_ast

from encoders.c.cfa.ir import AddressOf, Assume, Binary, Constant, Expression, Skip, Trap, VariableLValue
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.file_scope.static_objects import StaticObjects
from encoders.c.lowering.symbols import GlobalVariable
from encoders.c.source.grammar import COMPUTED_GOTO, LABEL_ADDRESS
from encoders.c.types.c_types import CHAR, INT, VOID, CPointer


class Labels:
    """The labels of one function."""

    def __init__(
        self, context: LoweringContext, static_objects: StaticObjects, expressions: ExpressionLowering
    ) -> None:
        self.context = context
        self.expressions = expressions
        self.static_objects = static_objects
        self._locations: dict[str, int] = {}
        self._placed: set[str] = set()
        self._jumps: dict[str, c_ast.Node] = {}
        self._addressed: tuple[str, ...] = ()  # those whose address the function takes

    def begin_body(self, body: c_ast.Node) -> None:
        """Looks for the labels of a function's body whose address is taken."""
        found, stack = dict[str, None](), [body]
        while stack:
            node = stack.pop()
            if isinstance(node, c_ast.UnaryOp) and node.op == LABEL_ADDRESS:
                found[_addressed_label(node)] = None
            stack.extend(child for _, child in node.children())
        self._addressed = tuple(found)

    def declare(self, names: list[str]) -> None:
        """Labels of the innermost block alone."""
        self.context.scope.labels.update({name: self.context.unique(name, always_numbered=True) for name in names})

    def _location(self, name: str) -> int:
        if name not in self._locations:
            self._locations[name] = self.context.cfa.location()
        return self._locations[name]

    def place(self, node: c_ast.Label) -> None:
        """A label stands at the current location."""
        name = self.context.scope.label(node.name)
        if name in self._placed:
            raise self.context.error(node, f"duplicate label '{node.name}'")
        self._placed.add(name)
        origin = self.context.origin(node)
        self.context.cfa.fall_into(self._location(name), origin)
        self.context.cfa.emit(Skip(), origin)  # in the label's block: what is labelled may be a block of its own

    def target(self, node: c_ast.Goto) -> int:
        """The location of the label that a jump names."""
        name = self.context.scope.label(node.name)
        self._jumps.setdefault(name, node)
        return self._location(name)

    def address(self, node: c_ast.UnaryOp) -> Expression:
        """The value of `&&label`."""
        label = _addressed_label(node)
        if self.context.scope.label(label) != label:
            raise self.context.refuse(node, "address of a label that is declared in a block")
        return self._address(label, node)

    def _address(self, label: str, node: c_ast.Node) -> Expression:
        scope, key = self.context.scope.of_function, f"{LABEL_ADDRESS}{label}"  # no name of C
        found = scope.names.get(key)
        if not isinstance(found, GlobalVariable):
            order = next(self.context.unit.orders)
            found = GlobalVariable(f"{key}#{order}", key, CHAR, node, scope, order, defined=True)
            scope.names[key] = found
        return AddressOf(VariableLValue(self.static_objects.global_variable(found), CHAR), CPointer(VOID))

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """`goto *pointer`, as the parser writes it; None for calls."""
        if name != COMPUTED_GOTO:
            return None
        self._go_to(self.context.held(self.expressions.value(arguments[0]), node), node)
        return Constant(0, VOID)

    def _go_to(self, pointer: Expression, node: c_ast.Node) -> None:
        """Edges from the current location to each label to which a pointer may lead."""
        cfa, origin, text = self.context.cfa, self.context.origin(node), self.context.text(node)
        here = cfa.current
        for label in self._addressed:
            self._jumps.setdefault(label, node)
            leads = Binary("==", pointer, self._address(label, node), INT)
            after = cfa.location()
            cfa.edge(here, self._location(label), Assume(leads, True), origin, f"{text}: to {label}")
            cfa.edge(here, after, Assume(leads, False), origin, f"{text}: not to {label}")
            here = after
        cfa.edge(here, cfa.location(), Trap("goto to no label of the function"), origin, text)
        cfa.current = cfa.location()

    def check(self) -> None:
        """Raises SourceError for a label that is used but not defined."""
        for name, node in self._jumps.items():
            if name not in self._placed:
                raise self.context.error(node, f"label '{name}' used but not defined")


def _addressed_label(node: c_ast.UnaryOp) -> str:
    """The name of the label in `&&label`."""
    operand = node.expr
    assert isinstance(operand, c_ast.Constant)
    return operand.value
