"""What collaborators of the lowering need of those that are built after them.

Expressions contain calls and, in GNU C, statements; types contain expressions: these needs are mutual. A collaborator
gets those it needs through its constructor where these are built first, and the rest through an object with the
properties that a protocol here names; `composition.Lowering` has all of them.
"""

from typing import Protocol

from pycparser import c_ast

from encoders.c.cfa.ir import Expression, LValue
from encoders.c.lowering.symbols import VlaPart


class Operands(Protocol):
    """Values of expressions and the objects that lvalues designate."""

    def any_operand(self, node: c_ast.Node) -> LValue | Expression | VlaPart:
        """As `operand`; parts of arrays of variable length as they are."""

    def operand(self, node: c_ast.Node) -> LValue | Expression:
        """The lvalue that an expression is, or the value of an rvalue; arrays do not decay here."""

    def value(self, node: c_ast.Node) -> Expression:
        """The value of an expression; arrays and functions decay to pointers."""

    def scalar(self, node: c_ast.Node) -> Expression:
        """The value of an expression that must be scalar."""

    def length(self, node: c_ast.Node) -> Expression:
        """The value of an expression that is the length of an array."""


class Assignments(Protocol):
    """Expressions that change an object or make one."""

    def assignment(self, node: c_ast.Assignment, wanted: bool) -> Expression:
        """Assigns; the value of the left side afterwards. wanted: is the value used?"""

    def step(self, node: c_ast.UnaryOp, wanted: bool) -> Expression:
        """Increments or decrements; the value before or afterwards. wanted: is the value used?"""

    def compound_literal(self, node: c_ast.CompoundLiteral) -> LValue:
        """The new object."""


class Calls(Protocol):
    """Function calls."""

    def call(self, node: c_ast.FuncCall, wanted: bool, into: LValue | None = None) -> Expression:
        """Calls; the result. wanted: is the result used? into: an lvalue that may take the result."""

    def call_into(self, node: c_ast.FuncCall, lvalue: LValue) -> Expression:
        """Calls; the result, which the lvalue may have taken."""


class CallFamily(Protocol):
    """Calls of some functions that have a meaning by their names."""

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The result of a call, void where there is none; None for other functions."""


class FollowsCalls(Protocol):
    """What comes behind each call of a function with a body."""

    def after_call(self, node: c_ast.Node) -> None:
        """Adds it behind a call."""


class ControlFlow(Protocol):
    """Conditions and statements inside expressions."""

    def branch(self, node: c_ast.Node, then: int, otherwise: int) -> None:
        """Leads to one of two locations by a condition."""

    def statement_expression(self, node: c_ast.Compound) -> Expression:
        """Lowers the statements; the value of the last one."""


class LinkedDeclarations(Protocol):
    """Declarations with linkage."""

    def declare_external(self, node: c_ast.Decl) -> None:
        """Enters a function or variable with linkage into the scopes."""


class ConstantCalls(Protocol):
    """Built-in functions whose value is known without running the program."""

    def is_constant_call(self, node: c_ast.FuncCall) -> bool:
        """Is the call's value a constant, so that nothing is evaluated?"""


class HasExpressions(Protocol):
    """Of an object that has the collaborator for expressions."""

    @property
    def expressions(self) -> Operands:
        """Expressions."""


class HasAssignments(Protocol):
    """Of an object that has the collaborator for assignments."""

    @property
    def assignments(self) -> Assignments:
        """Assignments."""


class HasCalls(Protocol):
    """Of an object that has the collaborator for calls."""

    @property
    def calls(self) -> Calls:
        """Calls."""


class HasStatements(Protocol):
    """Of an object that has the collaborator for statements."""

    @property
    def statements(self) -> ControlFlow:
        """Statements."""


class LabelValues(Protocol):
    """Addresses of labels."""

    def address(self, node: c_ast.UnaryOp) -> Expression:
        """The value of `&&label`."""


class HasLabels(Protocol):
    """Of an object that has the collaborator for labels."""

    @property
    def labels(self) -> LabelValues:
        """Labels."""


class HasExternalDeclarations(Protocol):
    """Of an object that has the collaborator for declarations with linkage."""

    @property
    def external_declarations(self) -> LinkedDeclarations:
        """Declarations with linkage."""


class HasBuiltins(Protocol):
    """Of an object that has the collaborator for built-in functions."""

    @property
    def builtins(self) -> ConstantCalls:
        """Built-in functions."""


class NeedsOfExpressions(HasAssignments, HasCalls, HasLabels, HasStatements, Protocol):
    """What expressions need of collaborators that are built after them."""
