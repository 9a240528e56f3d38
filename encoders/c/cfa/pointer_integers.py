"""Integers that only carry pointers: variables, parameters and results that get converted pointers, and that are only
converted back, copied, or compared with zero. They become pointers, which is the same where the widths are."""

from dataclasses import replace

from chcverify.results.checks import CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, Rewriting, children, postorder, roots
from encoders.c.types.c_types import CFunction, CInteger, CPointer, CType, CVoid

_POINTER = CPointer(CVoid())


def with_pointers(program: ir.Program) -> ir.Program:
    """Returns the program in which such integers are pointers; the same one where no integer becomes a pointer."""
    width = 8 * program.data_model.pointer
    edges = [edge for function in program.functions.values() for edge in function.edges]
    terms = postorder(*(root for edge in edges for root in roots(edge.operation)))
    if not any(_is_conversion_back(term) for term in terms):
        return program
    carriers = _Carriers(program, width)
    found = carriers.found()
    if not found:
        return program
    change = _Change(program, found, width)
    functions = {name: change.function(function) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def _is_data(kind: CType) -> bool:
    return isinstance(kind, CPointer) and not isinstance(kind.target, CFunction)


def _is_conversion_back(term: Node) -> bool:
    return (
        isinstance(term, ir.Cast)
        and isinstance(term.type, CPointer)
        and isinstance(term.operand.type, CInteger)
        and not isinstance(term.operand, ir.Constant)
    )


def _is_wide(kind: CType, width: int) -> bool:
    return isinstance(kind, CInteger) and kind.width == width and not kind.is_bool


def _stripped(value: ir.Expression, width: int) -> ir.Expression:
    """Without conversions between integers as wide as pointers."""
    while isinstance(value, ir.Cast) and _is_wide(value.type, width) and _is_wide(value.operand.type, width):
        value = value.operand
    return value


def _is_zero(value: ir.Expression) -> bool:
    return isinstance(value, ir.Constant) and value.value == 0


class _Carriers:
    """Which variables only carry pointers. Variables between which values are copied are one class: all or none."""

    def __init__(self, program: ir.Program, width: int) -> None:
        self.program, self.width = program, width
        self.parent: dict[str, str] = {}
        self.refused: set[str] = set()
        self.given: set[str] = set()  # a pointer is converted and stored there
        self.back: set[str] = set()  # converted to a pointer
        for function in program.functions.values():
            for edge in function.edges:
                self._operation(edge.operation)
            for claim in function.claims:
                self._uses(claim.condition)

    def found(self) -> frozenset[str]:
        """The variables by their unique names."""
        refused, given, back = ({self._root(name) for name in names} for names in (self.refused, self.given, self.back))
        return frozenset(name for name in self.parent if self._root(name) in (given & back) - refused)

    def _root(self, name: str) -> str:
        self.parent.setdefault(name, name)
        while self.parent[name] != name:
            name = self.parent[name]
        return name

    def _candidate(self, lvalue: ir.LValue | None) -> str | None:
        """The variable that an lvalue is, by name, if it may carry pointers."""
        if not isinstance(lvalue, ir.VariableLValue) or lvalue.type != lvalue.variable.type:
            return None
        return self._own(lvalue.variable)

    def _own(self, variable: ir.Variable | None) -> str | None:
        """The variable by name if it may carry pointers. Where lost blocks are looked for, no variable of the source
        may: the end of its block is not marked, as that of a pointer is."""
        if variable is None or variable.function is None or variable.address_taken or variable.volatile:
            return None
        if CheckKind.LEAK in self.program.checks and not variable.temporary:
            return None
        return variable.unique if _is_wide(variable.type, self.width) else None

    def _operation(self, operation: ir.Operation) -> None:
        match operation:
            case ir.Assign(lvalue=lvalue, value=value) if (into := self._candidate(lvalue)) is not None:
                self._flow(into, value)
            case ir.Call(lvalue=lvalue, function=name, arguments=arguments):
                callee = self.program.functions[name]
                for parameter, argument in zip(callee.parameters, arguments, strict=False):
                    into = self._own(parameter)
                    if into is None:
                        self._uses(argument)
                    else:
                        self._flow(into, argument)
                self._uses(*arguments[len(callee.parameters) :])
                self._result(callee.result, lvalue)
            case ir.Assume(condition=condition) if (tested := self._tested(condition)) is not None:
                self._root(tested)
            case ir.CheckWritten(lvalue=lvalue) if self._candidate(lvalue) is not None:
                pass
            case _:
                self._uses(*roots(operation))

    def _result(self, result: ir.Variable | None, lvalue: ir.LValue | None) -> None:
        own, into = self._own(result), self._candidate(lvalue)
        if own is not None and into is not None:
            self.parent[self._root(own)] = self._root(into)
        elif lvalue is not None:
            self.refused |= {name for name in (own, into) if name is not None}
            self._uses(lvalue)

    def _tested(self, condition: ir.Expression) -> str | None:
        """The variable that a condition compares with zero; None for other conditions."""
        while isinstance(condition, ir.Unary) and condition.operator == "!":
            condition = condition.operand
        if isinstance(condition, ir.Binary) and condition.operator in ("==", "!=") and _is_zero(condition.right):
            condition = _stripped(condition.left, self.width)
        return self._candidate(condition.lvalue) if isinstance(condition, ir.Load) else None

    def _flow(self, into: str, value: ir.Expression) -> None:
        """A value is stored in a variable."""
        value = _stripped(value, self.width)
        if isinstance(value, ir.Load) and (source := self._candidate(value.lvalue)) is not None:
            self.parent[self._root(source)] = self._root(into)
        elif isinstance(value, ir.Cast) and _is_data(value.operand.type):
            self.given.add(into)
            self._uses(value.operand)
        elif not _is_zero(value):
            self.refused.add(into)
            self._uses(value)

    def _uses(self, *nodes: Node) -> None:
        """Refuses the variables that terms read otherwise than to convert them to pointers."""
        work, seen = list(nodes), set[int]()
        while work:
            node = work.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, ir.Cast) and _is_data(node.type) and _is_wide(node.operand.type, self.width):
                inner = _stripped(node.operand, self.width)
                source = self._candidate(inner.lvalue) if isinstance(inner, ir.Load) else None
                if source is not None:
                    self.back.add(source)
                    continue
            if isinstance(node, ir.VariableLValue) and (name := self._own(node.variable)) is not None:
                self.refused.add(name)
            work.extend(children(node))


class _Change:
    """Replaces variables and their uses; terms without any stay as they are."""

    def __init__(self, program: ir.Program, names: frozenset[str], width: int) -> None:
        self.program, self.names, self.width = program, names, width
        self._rewriting = Rewriting(self._changed, self.variable)

    def function(self, function: ir.FunctionCfa) -> ir.FunctionCfa:
        """The function over the new variables."""
        return replace(
            function,
            parameters=tuple(map(self.variable, function.parameters)),
            locals=tuple(map(self.variable, function.locals)),
            result=None if function.result is None else self.variable(function.result),
            edges=tuple(self._edge(edge) for edge in function.edges),
        )

    def variable(self, variable: ir.Variable) -> ir.Variable:
        """The variable, a pointer if it carries some."""
        return replace(variable, type=_POINTER) if variable.unique in self.names else variable

    def _edge(self, edge: ir.Edge) -> ir.Edge:
        operation = edge.operation
        match operation:
            case ir.Assign(lvalue=ir.VariableLValue(variable=variable)) if variable.unique in self.names:
                operation = replace(operation, value=self._carried(operation.value))
            case ir.Call(function=name, arguments=arguments):
                given = list(arguments)
                for number, parameter in enumerate(self.program.functions[name].parameters[: len(given)]):
                    if parameter.unique in self.names:
                        given[number] = self._carried(given[number])
                operation = replace(operation, arguments=tuple(given))
            case _:
                pass
        changed = self._rewriting.operation(operation)
        return edge if changed == edge.operation else replace(edge, operation=changed)

    def _carried(self, value: ir.Expression) -> ir.Expression:
        """The pointer that an integer carries which is stored in a carrier."""
        value = _stripped(value, self.width)
        if isinstance(value, ir.Cast):
            return ir.Cast(value.operand, _POINTER)
        return ir.Constant(0, _POINTER) if _is_zero(value) else value

    def _changed(self, term: Node, made: Node) -> Node:
        """A node over changed parts. term: as it was."""
        if isinstance(term, ir.VariableLValue):
            is_one = term.variable.unique in self.names
            return ir.VariableLValue(self.variable(term.variable), _POINTER) if is_one else term
        if made is term:
            return term
        match made:
            case ir.Load(lvalue=ir.VariableLValue(variable=variable)) if variable.unique in self.names:
                return ir.Load(made.lvalue, _POINTER)
            case ir.Cast(operand=operand) if isinstance(operand.type, CPointer) and _is_wide(made.type, self.width):
                return operand if isinstance(_old(term).type, CInteger) else made
            case ir.Binary(left=left, right=right) if isinstance(left.type, CPointer) and _is_number(right):
                return replace(made, right=ir.Constant(0, _POINTER))
            case _:
                return made


def _old(term: Node) -> ir.Expression:
    """The operand of a conversion."""
    assert isinstance(term, ir.Cast)
    return term.operand


def _is_number(value: ir.Expression) -> bool:
    return _is_zero(value) and isinstance(value.type, CInteger)
