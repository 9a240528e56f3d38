"""Contracts in place of bodies: calls of some functions do what their contracts say.

A proof of every contract, in which the contracts of called functions stand for their bodies, is sound for partial
correctness: of a run that violates a check, take the first violation. All calls that returned before it kept their
contracts, and the call that is executed then was allowed by its own; so the proof of that function's contract has a run
with the same violation. Recursion needs no other argument.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from pycparser import c_ast

from chcverify.horn.system import Origin
from chcverify.options import HarnessOptions
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES
from encoders.c.cfa.ir import HarnessCode, Havoc, Program, Release
from encoders.c.contracts.acsl_expressions import tokens_of
from encoders.c.contracts.behaviours import ContractClause
from encoders.c.harness.contract_body import BODY, ContractBody
from encoders.c.harness.contract_harness import ASSUMED, ContractHarness
from encoders.c.harness.declared_harness import arrays_of, declare_text
from encoders.c.harness.entry_functions import defined_functions, is_pointer_in, mentioned, mentioned_names
from encoders.c.harness.harness_text import HARNESS
from encoders.c.library.model_files import is_literal
from encoders.c.lowering.context import Unit
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, Scope
from encoders.c.source.source_errors import LinkError, Unsupported
from encoders.c.source.syntax_trees import parameters_of
from encoders.c.types.c_types import CArray, CPointer, CRecord

_OPTIONS = HarnessOptions(null=True, depth=0, globals="arbitrary", contracts=True)
REAL = "chcverify_body"  # the name in a harness of a function's own body, where calls of it do what its contract says


def contract_of(symbol: FunctionSymbol, clauses: Sequence[ContractClause]) -> list[ContractClause]:
    """The clauses about a function: those in the file of its definition, or else those at its declarations."""
    node = symbol.definition or symbol.declaration
    found = [clause for clause in clauses if _name(symbol) in clause.functions]
    own = [clause for clause in found if node.coord is not None and clause.origin.file == node.coord.file]
    return own or found


def _name(symbol: FunctionSymbol) -> str:
    return str(symbol.declaration.name if symbol.definition is None else symbol.definition.decl.name)


def usable_contracts(unit: Unit, clauses: Sequence[ContractClause]) -> dict[str, Origin]:
    """The functions whose contracts can stand for their bodies, which are those with a clause assigns; with the
    positions of these contracts."""
    found = {}
    for name, (symbol, _) in defined_functions(unit).items():
        contract = contract_of(symbol, clauses)
        if name != "main" and any(clause.kind == "assigns" for clause in contract):
            found[name] = contract[0].origin
    return found


def note_unchecked_contracts(
    unit: Unit, lowered: Container[str], checked: Container[str], clauses: Sequence[ContractClause]
) -> None:
    """Records which functions have contracts that the program's checks do not compare with their bodies.

    lowered: the functions that runs may enter. checked: those whose contracts are assumed, or proved.
    """
    if not clauses:
        return
    for name, (symbol, _) in defined_functions(unit).items():
        contract = contract_of(symbol, clauses) if name in lowered and name not in checked else ()
        if contract:
            kinds = ", ".join(dict.fromkeys(clause.kind for clause in contract))
            effect = f"is not checked ({kinds}): --entry {name} does that"
            unit.assume("annotation", f"the contract of {name}", effect, contract[0].origin)


def use_contracts(unit: Unit, names: Iterable[str], clauses: Sequence[ContractClause]) -> None:
    """Gives the functions the bodies that their contracts are, which is recorded as an assumption.

    Raises LinkError for a function that is not known, Unsupported for one without a usable contract.
    """
    wanted = tuple(names)
    known = _functions(unit) if wanted else {}  # that looks at all declarations
    for name in wanted:
        if name not in known:
            raise LinkError(Origin(unit.file, 1), f"no function '{name}'")
        symbol, scope = known[name]
        contract = contract_of(symbol, clauses)
        origin = _origin(symbol)
        if not contract:
            raise Unsupported(origin, f"a contract of {name} in place of its body: it has none")
        body = _body(unit, symbol, scope, contract)
        decl = symbol.declaration if symbol.definition is None else symbol.definition.decl
        parameters = None if symbol.definition is None else symbol.definition.param_decls
        symbol.definition = c_ast.FuncDef(decl, parameters, body, decl.coord)
        symbol.scope = scope
        unit.assume("contract", name, "does what its contract says", contract[0].origin)


def _functions(unit: Unit) -> dict[str, tuple[FunctionSymbol, Scope]]:
    """The functions of the program that are defined or declared, with the scope of their file."""
    found = defined_functions(unit)
    for scope in unit.scopes():
        for symbol in scope.names.values():
            if isinstance(symbol, FunctionSymbol) and symbol.definition is None:
                found.setdefault(symbol.name, (symbol, scope))
    return found


def _body(unit: Unit, symbol: FunctionSymbol, scope: Scope, contract: Sequence[ContractClause]) -> c_ast.Compound:
    """The syntax tree of the contract as a body, with the positions of its clauses."""
    origin = _origin(symbol)
    decl = symbol.declaration if symbol.definition is None else symbol.definition.decl
    if not isinstance(decl.type, c_ast.FuncDecl):
        raise Unsupported(origin, f"a contract of {symbol.name}, which a typedef declares")
    names = [getattr(node, "name", None) or "0" for node in parameters_of(decl)]
    variables = {name: v.type for name, v in scope.names.items() if isinstance(v, GlobalVariable)}
    writer = ContractBody(
        symbol.name,
        symbol.type,
        list(zip(names, symbol.type.parameters, strict=False)),
        variables,
        contract,
        unit.layout,
        unit.checks >= DEREFERENCES,
    )
    writer.name = str(decl.name)
    tree = declare_text(unit, scope, writer.text(origin), f"<contract of {symbol.name}>", origin, own=BODY)
    assert tree is not None
    body: c_ast.Compound = tree.body
    columns = {(clause.origin.file, clause.origin.line): clause.origin.column for clause in contract}
    stack: list[c_ast.Node] = [body]
    while stack:
        node = stack.pop()
        if node.coord is not None and (node.coord.file, node.coord.line) in columns:
            node.coord.column = columns[node.coord.file, node.coord.line]
        elif node.coord is not None:
            node.coord.line, node.coord.column = origin.line, origin.column
        stack.extend(child for _, child in node.children())
    return body


def _origin(symbol: FunctionSymbol) -> Origin:
    coord = (symbol.definition or symbol.declaration).coord
    return Origin(coord.file, coord.line, coord.column or 1)


# --- the proof of a contract


@dataclass(frozen=True)
class ContractProof:
    """The harness that proves a contract. known: the variables that it compares, or that belong to it."""

    begin: FunctionSymbol
    code: HarnessCode
    known: frozenset[str]

    def require_complete(self, unit: Unit, program: Program) -> None:
        """Raises Unsupported where the program does what the harness does not cover."""
        for name, variable in unit.used_globals.items():
            if name in self.known or variable.constant or is_literal(variable.unique):
                continue
            if variable.function is not None and not is_pointer_in(variable.type, unit):
                continue  # a static variable of a function: it has any value
            raise Unsupported(
                _origin_of(unit, self.code), f"a proof of the contract of {self.code.entry}, which uses {variable.name}"
            )
        for function in program.functions.values():
            for edge in function.edges:
                if isinstance(edge.operation, Havoc | Release):
                    what = "frees memory" if isinstance(edge.operation, Release) else "calls functions without a body"
                    raise Unsupported(edge.origin, f"a proof of the contract of {self.code.entry}, which {what}")


def _origin_of(unit: Unit, code: HarnessCode) -> Origin:
    symbol, _ = defined_functions(unit)[code.entry]
    return _origin(symbol)


def declare_proof(unit: Unit, name: str, uses: Sequence[str], clauses: Sequence[ContractClause]) -> ContractProof:
    """The harness for the contract of a function, declared behind its file; contracts stand for the bodies of `uses`.

    Raises LinkError if there is no such function, Unsupported for a contract that cannot be proved for all calls.
    """
    known = defined_functions(unit)
    if name not in known:
        raise LinkError(Origin(unit.file, 1), f"no function '{name}'")
    symbol, scope = known[name]
    contract = contract_of(symbol, clauses)
    if not contract:
        raise Unsupported(_origin(symbol), f"a proof of the contract of {name}: it has none")
    taken = _addresses_taken(unit)
    use_contracts(unit, [other for other in uses if other != name], clauses)
    called = str(symbol.declaration.name)
    if _mentions(symbol, scope, symbol) and name in uses:
        real = replace(symbol, name=f"{name} (body)")
        use_contracts(unit, [name], clauses)
        scope.names[REAL] = real
        called, symbol = REAL, real
    words = dict.fromkeys(token for clause in contract for token in tokens_of(clause.text))
    named = [scope.names.get(word) for word in words]
    found = {id(v): v for v in (*mentioned(symbol, scope), *named) if isinstance(v, GlobalVariable)}
    variables = list(found.values())
    hidden = [v for v in variables if scope.names.get(v.name) is not v and v.function is None and not v.constant]
    if hidden:
        raise Unsupported(
            _origin(symbol), f"a proof of the contract of {name}, which uses {hidden[0].name} of another file"
        )
    visible = [v for v in variables if scope.names.get(v.name) is v]
    _require_apart(symbol, visible, taken)
    unit.arbitrary = set()
    before = set(scope.names)
    harness = _harness(unit, symbol, scope, contract, visible, called)
    origin = _origin(symbol)
    declare_text(unit, scope, harness, f"<harness of {name}>", origin)
    unit.assume("entry", name, ASSUMED, origin)
    made = scope.names[HARNESS]
    file = unit.file_of(scope)
    assert isinstance(made, FunctionSymbol)
    assert file is not None
    own = {v.unique for key, v in scope.names.items() if key not in before and isinstance(v, GlobalVariable)}
    code = HarnessCode(harness, file.file, HARNESS, name)
    return ContractProof(made, code, frozenset(own | {v.unique for v in visible}))


def _harness(
    unit: Unit,
    symbol: FunctionSymbol,
    scope: Scope,
    contract: Sequence[ContractClause],
    visible: Sequence[GlobalVariable],
    called: str,
) -> str:
    writer = ContractHarness(symbol, unit.layout, _OPTIONS, 1 << 20, (), contract, arrays_of(scope))
    writer.visible, writer.called, writer.checks_memory = visible, called, unit.checks >= DEREFERENCES
    return writer.harness().text


def _mentions(symbol: FunctionSymbol, scope: Scope, wanted: FunctionSymbol) -> bool:
    """Does the body, or one of a function that it names, name a function?"""
    return any(found is wanted for found in mentioned(symbol, scope))


def _require_apart(symbol: FunctionSymbol, visible: Sequence[GlobalVariable], taken: set[str]) -> None:
    """Raises Unsupported where a pointer that the function is given might lead to a variable that it names."""
    if not any(isinstance(kind, CPointer) for kind in symbol.type.parameters):
        return
    for variable in visible:
        if variable.constant:
            continue
        if isinstance(variable.type, CArray | CRecord) or variable.name in taken:
            what = f"which is given pointers and uses the variable {variable.name}, to which they might lead"
            raise Unsupported(_origin(symbol), f"a proof of the contract of {symbol.name}, {what}")


def _addresses_taken(unit: Unit) -> set[str]:
    """The names in expressions whose address the program takes anywhere, before any body is replaced."""
    stack: list[c_ast.Node] = []
    for scope in unit.scopes():
        for found in scope.names.values():
            if isinstance(found, FunctionSymbol) and found.definition is not None:
                stack.append(found.definition.body)
            elif isinstance(found, GlobalVariable) and found.initialiser is not None:
                stack.append(found.initialiser)
    names: set[str] = set()
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            names |= mentioned_names([node.expr])
        stack.extend(child for _, child in node.children())
    return names
