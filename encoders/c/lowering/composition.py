"""The composition root: connects the collaborators that lower one function, or the declarations of a file."""

from pycparser import c_ast

from encoders.c.lowering.assignments import AssignmentLowering
from encoders.c.lowering.calls.annotation_calls import AnnotationCalls
from encoders.c.lowering.calls.assembler_statements import AssemblerStatements
from encoders.c.lowering.calls.atomic_builtins import AtomicBuiltins
from encoders.c.lowering.calls.builtin_functions import BuiltinLowering
from encoders.c.lowering.calls.cbmc_calls import CbmcCalls
from encoders.c.lowering.calls.external_calls import ExternalCalls
from encoders.c.lowering.calls.failing_allocations import FailingAllocations
from encoders.c.lowering.calls.formats.formatted_input import FormattedInput
from encoders.c.lowering.calls.formats.formatted_output import FormattedOutput
from encoders.c.lowering.calls.function_calls import CallLowering
from encoders.c.lowering.calls.special_calls import SpecialCalls
from encoders.c.lowering.calls.stream_calls import StreamCalls
from encoders.c.lowering.calls.variadic_arguments import VariadicArguments
from encoders.c.lowering.checks.library_accesses import LibraryAccesses
from encoders.c.lowering.checks.value_checks import ValueChecks
from encoders.c.lowering.concurrency.thread_calls import ThreadCalls
from encoders.c.lowering.context import LoweringContext, Unit
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.file_scope.external_declarations import ExternalDeclarations
from encoders.c.lowering.file_scope.named_constants import NamedConstants
from encoders.c.lowering.file_scope.static_initialisers import StaticInitialisers
from encoders.c.lowering.file_scope.static_objects import StaticObjects
from encoders.c.lowering.functions import FunctionLowering
from encoders.c.lowering.jumps.labels import Labels
from encoders.c.lowering.jumps.nonlocal_jumps import NonlocalJumps
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.lowering.statements import StatementLowering
from encoders.c.lowering.symbols import Scope

INITIALISE = "<init>"  # the function of the program that sets objects with static storage and calls main


class Lowering:
    """All collaborators over one context, each made once.

    They are made in the order of the language: each gets those before it, and this object for what it needs of later
    ones (see `collaborators`).
    """

    def __init__(self, context: LoweringContext) -> None:
        self.context = context
        self.side_effects = effects = SideEffects(context, self)
        self.types = types = TypeLowering(context, effects, self)
        self.static_objects = objects = StaticObjects(context)
        self.lvalues = lvalues = LValueLowering(context, effects, types, objects, self)
        self.expressions = expressions = ExpressionLowering(
            context, effects, types, lvalues, ValueChecks(context), self
        )
        self.assignments = assignments = AssignmentLowering(
            context, effects, types, objects, lvalues, expressions, self
        )
        self.builtins = builtins = BuiltinLowering(context, effects, types, lvalues, expressions)
        self.variadics = variadics = VariadicArguments(context, types, lvalues, expressions)
        self.external_calls = external = ExternalCalls(context, types, objects, expressions)
        self.labels = labels = Labels(context, objects, expressions)
        self.jumps = jumps = NonlocalJumps(context, lvalues, expressions)
        families = (
            jumps,
            labels,
            ThreadCalls(context, lvalues, expressions),
            AtomicBuiltins(context, lvalues, expressions),
            FormattedOutput(context, expressions),
            FormattedInput(context, lvalues, expressions),
            variadics,
            CbmcCalls(context, expressions, external),
            AssemblerStatements(context, lvalues, expressions, external),
        )
        annotations = AnnotationCalls(context, effects, expressions, self)
        accesses = LibraryAccesses(context, expressions)
        self.special_calls = special = SpecialCalls(
            context, effects, lvalues, expressions, builtins, families, annotations, accesses, self
        )
        failing = FailingAllocations(context, effects, expressions)
        streams = StreamCalls(context, effects, expressions)
        self.calls = calls = CallLowering(
            context, effects, expressions, special, external, variadics, failing, accesses, jumps, streams
        )
        constants = NamedConstants(context, effects, expressions)
        self.statements = statements = StatementLowering(
            context, effects, types, expressions, assignments, constants, labels, self
        )
        self.external_declarations = ExternalDeclarations(context, types, assignments, constants)
        self.static_initialisers = StaticInitialisers(context, effects, types, assignments)
        self.functions = FunctionLowering(context, types, expressions, special, calls, variadics, statements, jumps)


def function_lowering(unit: Unit, name: str, scope: Scope) -> Lowering:
    """The collaborators that lower the function which the program calls `name`; scope: for its parameters."""
    return Lowering(LoweringContext(unit, name, scope))


def file_lowering(unit: Unit, scope: Scope) -> Lowering:
    """The collaborators that lower declarations and initialisers of a file with this scope."""
    return Lowering(LoweringContext(unit, INITIALISE, scope, is_file_scope=True))


def declare_file(unit: Unit, scope: Scope, tree: c_ast.FileAST) -> None:
    """Enters the external declarations of a file into a scope."""
    file_lowering(unit, scope).external_declarations.declare_file(tree)
