"""From the parser's tree to the syntax of a Boogie program."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from typing import Any

from lark import Token, v_args
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.errors import InputError
from chcverify.horn.origin import Origin
from encoders.boogie import syntax as s

_OPERATORS = {operator.value: operator for operator in s.Operator}
_UNICODE = {"≠": "!=", "≤": "<=", "≥": ">="}


def _listed(items: Iterable[Any] | None) -> tuple[Any, ...]:
    return () if items is None else tuple(items)


def _attributes(children: Iterable[Any]) -> tuple[s.BoogieAttribute, ...]:
    return tuple(child for child in children if isinstance(child, s.BoogieAttribute))


def _operation_rule(text: str) -> Callable[["TreeBuilder", Meta, list[Any]], s.Expression]:
    """The method of a rule whose parts are the operands of one operator."""
    return lambda builder, meta, children: builder._operation(meta, text, children)


@v_args(meta=True)
class TreeBuilder(Transformer_NonRecursive[Token, tuple[s.Declaration, ...]]):
    """Makes syntax of what the grammar's rules recognise: a method for each rule, called from the leaves to the root.

    Each method gets the rule's position and the results for its parts; an optional part that is absent is None.
    """

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file = file

    def _at(self, meta: Meta) -> Origin:
        return Origin(self._file, meta.line, meta.column)

    # Rules that only group their parts.

    def _first(self, meta: Meta, children: list[Any]) -> Any:
        return children[0]

    def _parts(self, meta: Meta, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    def _joined(self, meta: Meta, children: list[Any]) -> tuple[Any, ...]:
        return tuple(chain.from_iterable(children))

    def _words(self, meta: Meta, children: list[Any]) -> tuple[str, ...]:
        return tuple(map(str, children))

    where = statement = else_block = condition = type_atom = parenthesised = trigger = pattern = _first
    fun_params = variables = block = targets = attribute_args = types = exprs = _parts
    start = const_end = params = bound_vars = _joined
    type_params = names = _words

    # Declarations. Each method returns a tuple, since `uses` nests declarations and `type` has several.

    def type_decl(self, meta: Meta, children: list[Any]) -> tuple[s.Declaration, ...]:
        attributes = _attributes(children)
        return tuple(
            replace(child, attributes=attributes) for child in children if isinstance(child, s.TypeDeclaration)
        )

    def type_item(self, meta: Meta, children: list[Any]) -> s.TypeDeclaration:
        name, *parameters, definition = children
        return s.TypeDeclaration(self._at(meta), str(name), tuple(map(str, parameters)), definition)

    def const_decl(self, meta: Meta, children: list[Any]) -> tuple[s.Declaration, ...]:
        *attributes, unique, names, type, _, nested = children  # the order is used by `<:` alone, which is refused
        variables = self._variables(meta, names, type, None, _attributes(attributes))
        return (s.ConstantDeclaration(self._at(meta), variables, unique is not None), *nested)

    def function_decl(self, meta: Meta, children: list[Any]) -> tuple[s.Declaration, ...]:
        *attributes, name, type_parameters, parameters, result, (body, nested) = children
        declared = s.FunctionDeclaration(
            self._at(meta),
            str(name),
            _listed(type_parameters),
            _listed(parameters),
            result,
            body,
            _attributes(attributes),
        )
        return (declared, *nested)

    def fun_result(self, meta: Meta, children: list[Any]) -> s.Type:
        (result,) = children
        found: s.Type = result.type if isinstance(result, s.Bound) else result
        return found

    def named_fun_param(self, meta: Meta, children: list[Any]) -> s.Bound:
        *_, name, type = children
        return s.Bound(str(name), type)

    def unnamed_fun_param(self, meta: Meta, children: list[Any]) -> s.Bound:
        return s.Bound("", children[-1])

    def fun_body(self, meta: Meta, children: list[Any]) -> tuple[s.Expression | None, tuple[s.Declaration, ...]]:
        return (children[0] if children else None), ()

    def fun_uses(self, meta: Meta, children: list[Any]) -> tuple[None, tuple[s.Declaration, ...]]:
        return None, tuple(chain.from_iterable(children))

    def axiom_decl(self, meta: Meta, children: list[Any]) -> tuple[s.Declaration, ...]:
        return (s.Axiom(self._at(meta), children[-1], _attributes(children)),)

    def var_decl(self, meta: Meta, children: list[Any]) -> tuple[s.Declaration, ...]:
        attributes = _attributes(children)
        groups = [child for child in children if not isinstance(child, s.BoogieAttribute)]
        variables = [self._variables(meta, names, type, where, attributes) for names, type, where in groups]
        return (s.GlobalVariables(self._at(meta), tuple(chain.from_iterable(variables))),)

    def _variables(
        self,
        meta: Meta,
        names: Iterable[str],
        type: s.Type,
        where: s.Expression | None,
        attributes: tuple[s.BoogieAttribute, ...],
    ) -> tuple[s.DeclaredVariable, ...]:
        return tuple(s.DeclaredVariable(name, type, where, attributes, self._at(meta)) for name in names)

    def procedure_decl(self, meta: Meta, children: list[Any]) -> tuple[s.Declaration, ...]:
        pure, *attributes, signature, (contract, body) = children
        found = _attributes(attributes)
        return (s.ProcedureDeclaration(self._at(meta), signature, contract, body, found, pure is not None),)

    def without_body(self, meta: Meta, children: list[Any]) -> tuple[s.Contract, None]:
        return _contract(children), None

    def with_body(self, meta: Meta, children: list[Any]) -> tuple[s.Contract, s.Body]:
        *specs, body = children
        return _contract(specs), body

    def implementation_decl(self, meta: Meta, children: list[Any]) -> tuple[s.Declaration, ...]:
        attributes = _attributes(children)
        signature, *bodies = (child for child in children if not isinstance(child, s.BoogieAttribute))
        return tuple(s.ImplementationDeclaration(self._at(meta), signature, body, attributes) for body in bodies)

    def signature(self, meta: Meta, children: list[Any]) -> s.Signature:
        name, type_parameters, parameters, results = children
        return s.Signature(str(name), _listed(type_parameters), _listed(parameters), _listed(results))

    def param(self, meta: Meta, children: list[Any]) -> tuple[s.DeclaredVariable, ...]:
        *attributes, names, type, where = children
        return self._variables(meta, names, type, where, _attributes(attributes))

    def requires(self, meta: Meta, children: list[Any]) -> tuple[str, s.ContractCondition]:
        return "requires", self._condition(meta, children)

    def ensures(self, meta: Meta, children: list[Any]) -> tuple[str, s.ContractCondition]:
        return "ensures", self._condition(meta, children)

    def _condition(self, meta: Meta, children: list[Any]) -> s.ContractCondition:
        return s.ContractCondition(children[-1], children[0] is not None, self._at(meta), _attributes(children))

    def modifies(self, meta: Meta, children: list[Any]) -> tuple[str, tuple[str, ...]]:
        return "modifies", _listed(children[-1])

    def body(self, meta: Meta, children: list[Any]) -> s.Body:
        variables, statements = _block(children)
        end = Origin(self._file, meta.end_line, meta.end_column - 1)
        return s.Body(variables, statements, end)

    # Statements.

    def label(self, meta: Meta, children: list[Any]) -> s.Statement:
        return s.Label(self._at(meta), str(children[0]))

    def assertion(self, meta: Meta, children: list[Any]) -> s.Statement:
        return s.AssertStatement(self._at(meta), children[-1], _attributes(children))

    def assumption(self, meta: Meta, children: list[Any]) -> s.Statement:
        return s.AssumeStatement(self._at(meta), children[-1], _attributes(children))

    def havoc(self, meta: Meta, children: list[Any]) -> s.Statement:
        return s.HavocStatement(self._at(meta), children[0])

    def assignment(self, meta: Meta, children: list[Any]) -> s.Statement:
        return s.AssignmentStatement(self._at(meta), children[0], children[-1])

    def target(self, meta: Meta, children: list[Any]) -> s.AssignmentTarget:
        name, *selections = children
        return s.AssignmentTarget(str(name), tuple(map(_listed, selections)), self._at(meta))

    def call(self, meta: Meta, children: list[Any]) -> s.Statement:
        procedure, arguments, results = children[-1]
        return s.CallStatement(
            self._at(meta), procedure, arguments, results, children[0] is not None, _attributes(children)
        )

    def call_with_results(self, meta: Meta, children: list[Any]) -> tuple[str, tuple[Any, ...], tuple[str, ...]]:
        results, procedure, arguments = children
        return str(procedure), _listed(arguments), results

    def call_plain(self, meta: Meta, children: list[Any]) -> tuple[str, tuple[Any, ...], tuple[str, ...]]:
        procedure, arguments = children
        return str(procedure), _listed(arguments), ()

    def goto(self, meta: Meta, children: list[Any]) -> s.Statement:
        return s.GotoStatement(self._at(meta), children[0])

    def return_(self, meta: Meta, children: list[Any]) -> s.Statement:
        return s.ReturnStatement(self._at(meta), children[0])

    def break_(self, meta: Meta, children: list[Any]) -> s.Statement:
        return s.BreakStatement(self._at(meta), None if children[0] is None else str(children[0]))

    def if_statement(self, meta: Meta, children: list[Any]) -> s.Statement:
        condition, first, second = children
        return s.IfStatement(self._at(meta), condition, first, _listed(second))

    def else_if(self, meta: Meta, children: list[Any]) -> tuple[s.Statement, ...]:
        return (children[0],)

    def any_guard(self, meta: Meta, children: list[Any]) -> None:
        return None

    def invariant(self, meta: Meta, children: list[Any]) -> s.WhileInvariant:
        return s.WhileInvariant(children[-1], children[0] is not None, _attributes(children), self._at(meta))

    def while_(self, meta: Meta, children: list[Any]) -> s.Statement:
        condition, *invariants, body = children
        return s.WhileStatement(self._at(meta), condition, tuple(invariants), body)

    def attribute(self, meta: Meta, children: list[Any]) -> s.BoogieAttribute:
        name, arguments = children
        return s.BoogieAttribute(str(name), _listed(arguments))

    # Types.

    def type_name(self, meta: Meta, children: list[Any]) -> s.Type:
        return children[0] if isinstance(children[0], s.MapType | s.NamedType) else s.NamedType(str(children[0]))

    def type_application(self, meta: Meta, children: list[Any]) -> s.Type:
        name, arguments = children
        return s.NamedType(str(name), arguments)

    def type_args(self, meta: Meta, children: list[Any]) -> tuple[s.Type, ...]:
        return tuple(child for child in children if child is not None)

    def map_type(self, meta: Meta, children: list[Any]) -> s.Type:
        type_parameters, indices, result = children
        return s.MapType(_listed(indices), result, _listed(type_parameters))

    # Expressions.

    def _operation(self, meta: Meta, text: str, operands: Iterable[s.Expression]) -> s.Expression:
        return s.Operation(self._at(meta), _OPERATORS[_UNICODE.get(text, text)], tuple(operands))

    def _infix(self, meta: Meta, children: list[Any]) -> s.Expression:
        return self._operation(meta, str(children[1]), (children[0], children[2]))

    relation = arithmetic = _infix
    equiv = _operation_rule("<==>")
    implies = _operation_rule("==>")
    and_ = _operation_rule("&&")
    or_ = _operation_rule("||")
    less = _operation_rule("<")
    greater = _operation_rule(">")
    concat = _operation_rule("++")
    product = _operation_rule("*")
    power = _operation_rule("**")
    not_ = _operation_rule("!")

    def explies(self, meta: Meta, children: list[Any]) -> s.Expression:
        return self._operation(meta, "==>", reversed(children))

    def signed(self, meta: Meta, children: list[Any]) -> s.Expression:
        if children[0] == "+":
            raise InputError(self._file, meta.line, meta.column, "'+' does not fit here")
        return self._operation(meta, "-", children[1:])

    def select(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Select(self._at(meta), children[0], children[1])

    def select_nothing(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Select(self._at(meta), children[0], ())

    def update(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Update(self._at(meta), children[0], _listed(children[1]), children[2])

    def extract(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Extract(self._at(meta), children[0], *(self._small(meta, bound) for bound in children[1:]))

    def true(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.LiteralExpression(self._at(meta), "true", s.BOOL)

    def false(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.LiteralExpression(self._at(meta), "false", s.BOOL)

    def integer(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.LiteralExpression(self._at(meta), str(children[0]), s.INT)

    def decimal(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.LiteralExpression(self._at(meta), str(children[0]), s.REAL)

    def bitvector(self, meta: Meta, children: list[Any]) -> s.Expression:
        value, _, width = str(children[0]).partition("bv")
        return s.LiteralExpression(self._at(meta), value, s.NamedType(f"bv{self._small(meta, width)}"))

    def _small(self, meta: Meta, text: str) -> int:
        """A number of bits."""
        digits = text.lstrip("0") or "0"
        if len(digits) > MAX_ALTERNATIVES:
            raise InputError(
                self._file, meta.line, meta.column, f"a number of bits has more than {MAX_ALTERNATIVES} digits"
            )
        return int(digits)

    def string(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.LiteralExpression(self._at(meta), str(children[0])[1:-1], s.NamedType("string"))

    def name(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Name(self._at(meta), str(children[0]))

    def application(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.FunctionApplication(self._at(meta), str(children[0]), _listed(children[1]))

    def old(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Old(self._at(meta), children[0])

    def to_int(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Conversion(self._at(meta), s.INT, children[0])

    def to_real(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Conversion(self._at(meta), s.REAL, children[0])

    def coerced(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Coercion(self._at(meta), *children)

    def choice(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.ConditionalExpression(self._at(meta), *children)

    def let(self, meta: Meta, children: list[Any]) -> s.Expression:
        *_, names, values, body = children
        return s.Let(self._at(meta), names, values, body)

    def code_expression(self, meta: Meta, children: list[Any]) -> s.Expression:
        variables, statements = _block(children)
        end = Origin(self._file, meta.end_line, meta.end_column - 1)
        return s.CodeExpression(self._at(meta), s.Body(variables, statements, end))

    def forall(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Quantified(self._at(meta), s.Binder.FORALL, *children[0])

    def exists(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Quantified(self._at(meta), s.Binder.EXISTS, *children[0])

    def lambda_(self, meta: Meta, children: list[Any]) -> s.Expression:
        return s.Quantified(self._at(meta), s.Binder.LAMBDA, *children[0])

    def quantified(self, meta: Meta, children: list[Any]) -> tuple[Any, ...]:
        type_parameters, bound, *triggers, body = children
        patterns = tuple(trigger for trigger in triggers if isinstance(trigger, tuple))
        return _listed(type_parameters), _listed(bound), patterns, body, _attributes(triggers)

    def bound(self, meta: Meta, children: list[Any]) -> tuple[s.Bound, ...]:
        *_, names, type = children
        return tuple(s.Bound(name, type) for name in names)


def _contract(specs: Iterable[tuple[str, Any]]) -> s.Contract:
    listed = list(specs)
    return s.Contract(
        tuple(found for kind, found in listed if kind == "requires"),
        tuple(found for kind, found in listed if kind == "ensures"),
        tuple(chain.from_iterable(found for kind, found in listed if kind == "modifies")),
    )


def _block(children: Iterable[Any]) -> tuple[tuple[s.DeclaredVariable, ...], tuple[s.Statement, ...]]:
    """The variables that a body declares, and its statements."""
    variables: list[s.DeclaredVariable] = []
    statements: list[s.Statement] = []
    for child in children:
        if isinstance(child, tuple):
            variables.extend(chain.from_iterable(group.variables for group in child))
        else:
            statements.append(child)
    return tuple(variables), tuple(statements)
