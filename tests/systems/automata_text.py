"""Text of control-flow automata, one edge a line."""

from encoders.c.cfa.ir import (
    AddressOf,
    Allocate,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Binary,
    Call,
    Cast,
    CheckAccess,
    CheckBlocks,
    CheckWritten,
    Clear,
    Conditional,
    Constant,
    CreateThread,
    CurrentThread,
    Declare,
    Dereference,
    ElementLValue,
    EndLifetimes,
    ExitThread,
    Expression,
    FieldLValue,
    Forget,
    FunctionAddress,
    FunctionCfa,
    Havoc,
    JoinThread,
    Load,
    LValue,
    MemoryCheck,
    Nondet,
    OpenCheck,
    Operation,
    PointerAdd,
    PointerDifference,
    Program,
    ReachError,
    Release,
    ThreadOperation,
    Trap,
    Unary,
    Variable,
    VariableLValue,
)


def program_text(program: Program) -> str:
    """The text of all functions, one edge a line: `3 -> 4: x = (x + 1)   // line 7: x++`."""
    lines = [f"program {program.file} ({program.data_model.name})"]
    lines += [f"global {_declared(variable)}" for variable in program.globals]
    lines += [function_text(function) for function in program.functions.values()]
    return "\n".join(lines) + "\n"


def function_text(function: FunctionCfa) -> str:
    """The text of a function: parameters, locals, loop heads and edges."""
    parameters = ", ".join(_declared(variable) for variable in function.parameters)
    lines = [f"function {function.name}({parameters}): entry {function.entry}, exit {function.exit}"]
    lines += [f"  local {_declared(variable)}" for variable in function.locals]
    heads = [f"{head.number} (line {head.origin.line})" for head in function.locations if head.is_loop_head]
    if heads:
        lines.append(f"  loop heads {', '.join(heads)}")
    for edge in function.edges:
        where = f"   // line {edge.origin.line}: {edge.text}"
        lines.append(f"  {edge.source} -> {edge.target}: {operation_text(edge.operation)}{where}")
    return "\n".join(lines)


def _declared(variable: Variable) -> str:
    return f"{variable.unique}: {variable.type}{' (in memory)' if variable.address_taken else ''}"


def operation_text(operation: Operation) -> str:
    """The text of an edge's operation."""
    match operation:
        case Assign(lvalue, value):
            return f"{term_text(lvalue)} = {term_text(value)}"
        case Assume(condition, holds):
            return f"assume {'' if holds else 'not '}{term_text(condition)}"
        case Nondet(lvalue, source):
            return f"{term_text(lvalue)} = nondet {source}"
        case Declare(variable, length):
            return f"declare {variable.unique}" + ("" if length is None else f"[{term_text(length)}]")
        case Clear(lvalue):
            return f"clear {term_text(lvalue)}"
        case Allocate(lvalue, size, cleared):
            return f"{term_text(lvalue)} = allocate{' cleared' if cleared else ''} {term_text(size)}"
        case Call(lvalue, function, arguments):
            result = "" if lvalue is None else f"{term_text(lvalue)} = "
            return f"{result}{function}({', '.join(map(term_text, arguments))})"
        case Havoc(function, arguments):
            return f"havoc {function}({', '.join(map(term_text, arguments))})"
        case Forget(pointer):
            return f"forget *{term_text(pointer)}"
        case ReachError(what):
            return f"error {what}"
        case CheckAccess() | CheckWritten() | Release() | EndLifetimes() | CheckBlocks():
            return _check_text(operation)
        case Trap(what):
            return f"trap {what}"
        case OpenCheck(what):
            return f"open check {what}"
        case CreateThread() | JoinThread() | ExitThread() | AtomicBegin() | AtomicEnd() | CurrentThread():
            return _thread_text(operation)
    return "skip"


def _thread_text(operation: ThreadOperation) -> str:
    """The text of an operation of threads."""
    match operation:
        case CreateThread(lvalue, function, arguments):
            return f"{term_text(lvalue)} = thread {function}({', '.join(map(term_text, arguments))})"
        case JoinThread(thread, lvalue):
            return f"{'' if lvalue is None else term_text(lvalue) + ' = '}join {term_text(thread)}"
        case ExitThread(value):
            return f"exit thread {term_text(value)}"
        case AtomicBegin(condition):
            return "begin atomic" + ("" if condition is None else f" when {term_text(condition)}")
        case AtomicEnd():
            return "end atomic"
        case CurrentThread(lvalue):
            return f"{term_text(lvalue)} = current thread"


def _check_text(operation: MemoryCheck) -> str:
    """The text of a check of memory."""
    match operation:
        case CheckAccess(lvalue, size):
            return f"check access {term_text(lvalue)}" + ("" if size is None else f", {term_text(size)} bytes")
        case CheckWritten(lvalue):
            return f"check written {term_text(lvalue)}"
        case Release(pointer):
            return f"release {term_text(pointer)}"
        case EndLifetimes(variables):
            return f"end {', '.join(variable.unique for variable in variables)}"
        case CheckBlocks():
            return "check blocks"


def term_text(term: Expression | LValue) -> str:
    """The text of an lvalue or expression; conversions are written as casts.

    Complexity over 15: one case for each kind of node.
    """
    match term:
        case Constant(value, kind):
            return f"{value}" if str(kind) == "int" else f"{value}:{kind}"
        case Load(lvalue, _):
            return term_text(lvalue)
        case AddressOf(lvalue, _):
            return f"&{term_text(lvalue)}"
        case FunctionAddress(function, _):
            return f"&{function}"
        case Unary(operator, operand, _):
            return f"{operator}{term_text(operand)}"
        case Binary(operator, left, right, _):
            return f"({term_text(left)} {operator} {term_text(right)})"
        case PointerAdd(pointer, index, _):
            return f"({term_text(pointer)} +p {term_text(index)})"
        case PointerDifference(left, right, _):
            return f"({term_text(left)} -p {term_text(right)})"
        case Cast(operand, kind):
            return f"({kind}){term_text(operand)}"
        case Conditional(condition, then, otherwise, _):
            return f"({term_text(condition)} ? {term_text(then)} : {term_text(otherwise)})"
        case VariableLValue(variable, _):
            return variable.unique
        case Dereference(pointer, _):
            return f"*{term_text(pointer)}"
        case FieldLValue(base, member, _):
            return f"{term_text(base)}.{member.name}"
        case ElementLValue(base, index, _):
            return f"{term_text(base)}[{term_text(index)}]"
