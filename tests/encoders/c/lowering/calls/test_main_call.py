"""How a program's start calls main: what its parameters are, and what follows its end."""

import pytest

from encoders.c.cfa.ir import Assume, Call, CheckBlocks, Nondet
from encoders.c.frontend import load_source
from encoders.c.library.model_files import MAIN_ARGUMENTS, RUN_EXIT_HANDLERS
from encoders.c.lowering.composition import INITIALISE
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import LP64


def start(text: str, property: str = "unreach-call") -> list[object]:
    """The operations of the function in which the program begins."""
    program = load_source(text, "p.c", LP64, property)
    return [edge.operation for edge in program.functions[INITIALISE].edges]


def calls(operations: list[object]) -> list[str]:
    return [operation.function for operation in operations if isinstance(operation, Call)]


def test_main_without_parameters_is_only_called() -> None:
    operations = start("int main(void) { return 0; }")
    assert calls(operations)[-1:] == ["main"]
    assert not any(isinstance(operation, Nondet | Assume) for operation in operations)


def test_argc_is_any_natural_number_and_argv_is_made_where_it_is_used() -> None:
    unused = start("int main(int argc, char **argv) { return argc; }")
    assert sum(isinstance(operation, Nondet) for operation in unused) == 2
    assert MAIN_ARGUMENTS not in calls(unused)
    assert any(isinstance(operation, Assume) for operation in unused)
    used = start("int main(int argc, char **argv) { return argv[0][0]; }")
    assert calls(used)[-2:] == [MAIN_ARGUMENTS, "main"]


def test_the_environment_has_a_size_of_its_own() -> None:
    used = start("int main(int argc, char **argv, char **environment) { return environment[0] != 0; }")
    assert calls(used).count(MAIN_ARGUMENTS) == 1
    assert sum(isinstance(operation, Assume) for operation in used) == 2


def test_blocks_are_checked_behind_the_end_of_main() -> None:
    operations = start("int main(void) { return 0; }", "valid-memcleanup")
    assert isinstance(operations[-1], CheckBlocks) or any(isinstance(o, CheckBlocks) for o in operations)


def test_exit_handlers_run_behind_main() -> None:
    text = "int atexit(void (*f)(void)); static void f(void) {} int main(void) { atexit(f); return 0; }"
    assert calls(start(text))[-2:] == ["main", RUN_EXIT_HANDLERS]


def test_other_parameters_are_refused() -> None:
    with pytest.raises(Unsupported, match="'main' has a parameter of type"):
        start("struct s { int a; }; int main(struct s x) { return x.a; }")
