"""Names that the library models and the variables of string literals have in automata."""

from encoders.c.cfa.model_origins import MODELS

__all__ = [
    "CLEAR",
    "END_OF_JUMPS",
    "GIVEN_OBJECTS",
    "HARNESS",
    "KEY_CREATIONS",
    "MAIN_ARGUMENTS",
    "MODELS",
    "RUN_DESTRUCTORS",
    "RUN_EXIT_HANDLERS",
    "STRING_PREFIX",
    "are_copies",
    "is_literal",
    "name_of_copy",
]
CLEAR = "__chcverify_clear"  # what models write for an assignment of zero to all bytes of an lvalue
MAIN_ARGUMENTS = "__chcverify_arguments"  # the library model that makes arrays of strings, for argv and the environment
GIVEN_OBJECTS = frozenset({MAIN_ARGUMENTS, "__chcverify_object"})  # models whose blocks the system owns, with contents
RUN_EXIT_HANDLERS = "__chcverify_run_exit_handlers"  # the library model that calls what atexit was given
RUN_DESTRUCTORS = "__chcverify_run_destructors"  # the model that calls destructors of keys when a thread ends
KEY_CREATIONS = frozenset({"pthread_key_create", "tss_create"})  # keys of thread-specific data
END_OF_JUMPS = "__chcverify_end_of_jumps"  # the library model that is called where no function is left to jump to
STRING_PREFIX = "string#"  # the unique names of string literals' arrays begin with this
HARNESS = "<harness of "  # begins the name of the file that generated code is in


def is_literal(name: str) -> bool:
    """Is this the unique name of the array of a string literal?"""
    return name.startswith(STRING_PREFIX)


def name_of_copy(first: str, number: int) -> str:
    """The unique name of the array of a string literal in another file. first: of the first file with an equal one."""
    return f"{first}.{number}"


def are_copies(one: str, two: str) -> bool:
    """Are these the unique names of arrays of equal string literals in two files?

    It is unspecified whether these arrays are distinct (C11 6.4.5p7): gcc's linker merges them if gcc optimises.
    """
    return one != two and is_literal(one) and one.partition(".")[0] == two.partition(".")[0]
