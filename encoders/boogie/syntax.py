"""The syntax tree of a Boogie program (Leino, "This is Boogie 2", 2008). Every node knows its position."""

from __future__ import annotations

from enum import Enum

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class NamedType:
    """A built-in type (`int`, `bool`, `real`, `bv8`), a declared one, a synonym, or a type variable."""

    name: str
    arguments: tuple[Type, ...] = ()

    def __str__(self) -> str:
        parts = [f"({argument})" if _has_parts(argument) else str(argument) for argument in self.arguments]
        return " ".join([self.name, *parts])


@dataclass(frozen=True)
class MapType:
    """The type of maps from tuples of indices to results; `<a>[a]T` where there are type parameters."""

    indices: tuple[Type, ...]
    result: Type
    type_parameters: tuple[str, ...] = ()

    def __str__(self) -> str:
        parameters = f"<{', '.join(self.type_parameters)}>" if self.type_parameters else ""
        return f"{parameters}[{', '.join(map(str, self.indices))}]{self.result}"


Type = NamedType | MapType


def _has_parts(type: Type) -> bool:
    return isinstance(type, MapType) or bool(type.arguments)


INT, BOOL, REAL = NamedType("int"), NamedType("bool"), NamedType("real")


@dataclass(frozen=True)
class BoogieAttribute:
    """`{:name argument, ...}`"""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Expression:
    """An expression. origin: where it begins."""

    origin: Origin


@dataclass(frozen=True)
class LiteralExpression(Expression):
    """A constant of type bool, int, real or bvN. text: as written; of a string, without its quotes."""

    text: str
    type: NamedType


@dataclass(frozen=True)
class Name(Expression):
    """A variable or constant."""

    name: str


@dataclass(frozen=True)
class FunctionApplication(Expression):
    """A function applied to arguments."""

    function: str
    arguments: tuple[Expression, ...]


class Operator(Enum):
    """The operators of expressions, as they are written."""

    NOT = "!"
    MINUS = "-"
    EQUIVALENT = "<==>"
    IMPLIES = "==>"
    AND = "&&"
    OR = "||"
    EQUAL = "=="
    DIFFERENT = "!="
    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="
    BELOW = "<:"
    CONCAT = "++"
    PLUS = "+"
    TIMES = "*"
    DIV = "div"
    MOD = "mod"
    DIVIDED = "/"
    POWER = "**"


@dataclass(frozen=True)
class Operation(Expression):
    """An operator applied to one or two operands."""

    operator: Operator
    operands: tuple[Expression, ...]


@dataclass(frozen=True)
class Select(Expression):
    """`map[indices]`"""

    map: Expression
    indices: tuple[Expression, ...]


@dataclass(frozen=True)
class Update(Expression):
    """`map[indices := value]`"""

    map: Expression
    indices: tuple[Expression, ...]
    value: Expression


@dataclass(frozen=True)
class Extract(Expression):
    """`vector[high:low]`: the bits from low to high - 1."""

    vector: Expression
    high: int
    low: int


@dataclass(frozen=True)
class Old(Expression):
    """The value of an expression when the procedure began."""

    body: Expression


@dataclass(frozen=True)
class Conversion(Expression):
    """`int(e)` and `real(e)`"""

    to: NamedType
    body: Expression


@dataclass(frozen=True)
class Coercion(Expression):
    """`e: T`, which says the type of e."""

    body: Expression
    type: Type


@dataclass(frozen=True)
class ConditionalExpression(Expression):
    """`if condition then first else second`"""

    condition: Expression
    first: Expression
    second: Expression


@dataclass(frozen=True)
class Let(Expression):
    """`(var names := values; body)`"""

    names: tuple[str, ...]
    values: tuple[Expression, ...]
    body: Expression


@dataclass(frozen=True)
class CodeExpression(Expression):
    """`|{ ... return e; }|`: true if every path of the statements returns true."""

    body: Body


class Binder(Enum):
    """What binds variables, and what it makes of the body."""

    FORALL = "forall"
    EXISTS = "exists"
    LAMBDA = "lambda"


@dataclass(frozen=True)
class Bound:
    """A variable with its type."""

    name: str
    type: Type


@dataclass(frozen=True)
class Quantified(Expression):
    """`(forall<type_parameters> bound :: { patterns } body)`, and with `exists` and `lambda`."""

    binder: Binder
    type_parameters: tuple[str, ...]
    bound: tuple[Bound, ...]
    patterns: tuple[tuple[Expression, ...], ...]
    body: Expression
    attributes: tuple[BoogieAttribute, ...] = ()


@dataclass(frozen=True)
class Statement:
    """A statement. origin: where it begins."""

    origin: Origin


@dataclass(frozen=True)
class Label(Statement):
    """`name:`"""

    name: str


@dataclass(frozen=True)
class AssertStatement(Statement):
    """`assert condition;`"""

    condition: Expression
    attributes: tuple[BoogieAttribute, ...]
    is_invariant: bool = False


@dataclass(frozen=True)
class AssumeStatement(Statement):
    """`assume condition;`"""

    condition: Expression
    attributes: tuple[BoogieAttribute, ...] = ()


@dataclass(frozen=True)
class HavocStatement(Statement):
    """`havoc names;`: any values that their `where` conditions allow."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class AssignmentTarget:
    """`name[indices][indices]`, to be assigned to."""

    name: str
    selections: tuple[tuple[Expression, ...], ...]
    origin: Origin


@dataclass(frozen=True)
class AssignmentStatement(Statement):
    """`targets := values;`, all at once."""

    targets: tuple[AssignmentTarget, ...]
    values: tuple[Expression, ...]


@dataclass(frozen=True)
class CallStatement(Statement):
    """`call results := procedure(arguments);`"""

    procedure: str
    arguments: tuple[Expression, ...]
    results: tuple[str, ...]
    is_free: bool
    attributes: tuple[BoogieAttribute, ...]


@dataclass(frozen=True)
class GotoStatement(Statement):
    """`goto labels;`: any of them."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class ReturnStatement(Statement):
    """`return;`, and in a code expression `return value;`"""

    value: Expression | None


@dataclass(frozen=True)
class BreakStatement(Statement):
    """`break label;`: out of the innermost loop, or out of the statement with that label."""

    label: str | None


@dataclass(frozen=True)
class IfStatement(Statement):
    """`if (condition) first else second`; condition: None for `*`."""

    condition: Expression | None
    first: tuple[Statement, ...]
    second: tuple[Statement, ...]


@dataclass(frozen=True)
class WhileInvariant:
    """A loop invariant. is_free: assumed and not shown."""

    condition: Expression
    is_free: bool
    attributes: tuple[BoogieAttribute, ...]
    origin: Origin


@dataclass(frozen=True)
class WhileStatement(Statement):
    """`while (condition) invariants body`; condition: None for `*`."""

    condition: Expression | None
    invariants: tuple[WhileInvariant, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class DeclaredVariable:
    """A declared variable, constant or parameter. where: what holds of it when it gets any value; None for `true`."""

    name: str
    type: Type
    where: Expression | None
    attributes: tuple[BoogieAttribute, ...]
    origin: Origin
    is_copy: bool = False
    """Does it stand for a variable of an inlined body? Then it gets its values where that begins."""


@dataclass(frozen=True)
class Declaration:
    """A declaration at the top of the file. origin: where it begins."""

    origin: Origin


@dataclass(frozen=True)
class TypeDeclaration(Declaration):
    """`type name parameters;`, or a synonym `type name parameters = definition;`"""

    name: str
    parameters: tuple[str, ...]
    definition: Type | None
    attributes: tuple[BoogieAttribute, ...] = ()


@dataclass(frozen=True)
class ConstantDeclaration(Declaration):
    """`const unique variables;`"""

    variables: tuple[DeclaredVariable, ...]
    is_unique: bool


@dataclass(frozen=True)
class FunctionDeclaration(Declaration):
    """`function name<type_parameters>(parameters): result { body }`; body: None where it is uninterpreted."""

    name: str
    type_parameters: tuple[str, ...]
    parameters: tuple[Bound, ...]
    result: Type
    body: Expression | None
    attributes: tuple[BoogieAttribute, ...]


@dataclass(frozen=True)
class Axiom(Declaration):
    """`axiom condition;`"""

    condition: Expression
    attributes: tuple[BoogieAttribute, ...] = ()


@dataclass(frozen=True)
class GlobalVariables(Declaration):
    """`var variables;`"""

    variables: tuple[DeclaredVariable, ...]


@dataclass(frozen=True)
class ContractCondition:
    """A `requires` or `ensures`. is_free: assumed where others are checked."""

    condition: Expression
    is_free: bool
    origin: Origin
    attributes: tuple[BoogieAttribute, ...] = ()


@dataclass(frozen=True)
class Contract:
    """What a procedure requires, ensures and may change."""

    requires: tuple[ContractCondition, ...]
    ensures: tuple[ContractCondition, ...]
    modifies: tuple[str, ...]


@dataclass(frozen=True)
class Signature:
    """Name, type parameters, parameters and results of a procedure or implementation."""

    name: str
    type_parameters: tuple[str, ...]
    parameters: tuple[DeclaredVariable, ...]
    results: tuple[DeclaredVariable, ...]


@dataclass(frozen=True)
class Body:
    """Local variables and statements."""

    variables: tuple[DeclaredVariable, ...]
    statements: tuple[Statement, ...]
    end: Origin


@dataclass(frozen=True)
class ProcedureDeclaration(Declaration):
    """A procedure with its contract, and its body where it has one here. is_pure: it speaks of no global variable."""

    signature: Signature
    contract: Contract
    body: Body | None
    attributes: tuple[BoogieAttribute, ...]
    is_pure: bool = False


@dataclass(frozen=True)
class ImplementationDeclaration(Declaration):
    """A body of a procedure that is declared elsewhere."""

    signature: Signature
    body: Body
    attributes: tuple[BoogieAttribute, ...]
