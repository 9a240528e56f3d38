"""What threads contend for, and where main is alone."""

from chcverify.effort import MAX_ALTERNATIVES
from encoders.c.analysis.effects import bits_of
from encoders.c.cfa import ir
from encoders.c.concurrency.contention import Contention
from encoders.c.concurrency.flat_threads import flatten_threads
from encoders.c.concurrency.shared_state import shared_state
from encoders.c.frontend import load_source
from encoders.c.types.c_types import ILP32
from tests.encoders.c.concurrency.thread_texts import HEAD

START = " int main(void) { x = 3; y = x; pthread_create(&t, 0, f, 0); %s return 0; }"


def contended(text: str) -> tuple[Contention, set[str]]:
    """The contention of a program, and the names of the variables that its threads contend for."""
    state = shared_state(flatten_threads(load_source(HEAD + text, "a.c", ILP32, "no-data-race", threads=True)), True)
    return state.contention, {variable.label for variable in state.memory.variables_of(state.contested)}


def test_what_only_one_thread_writes_and_nobody_else_accesses_is_not_contended_for() -> None:
    _, names = contended("void *f(void *p) { y = 1; return 0; }" + START % "x = 4;")
    assert not names & {"x", "y"}


def test_what_all_threads_only_read_is_not_contended_for() -> None:
    _, names = contended("void *f(void *p) { return x ? p : 0; }" + START % "y = x;")
    assert not names & {"x", "y"}  # main wrote x while it was alone


def test_what_is_written_beside_an_access_is_contended_for() -> None:
    contention, names = contended("void *f(void *p) { x = 5; return 0; }" + START % "y = x;")
    assert "x" in names and "y" not in names
    written = [
        contention.accesses(edge)
        for thread in contention.threads.threads
        for edge in thread.function.edges
        if isinstance(edge.operation, ir.Assign) and edge.edge.text == "x = 5"
    ]
    assert written == [True]


def test_main_is_alone_up_to_the_first_thread() -> None:
    contention, _ = contended("void *f(void *p) { return 0; }" + START % "y = 2;")
    main = contention.threads.threads[0].function
    texts = {edge.edge.text: edge.source in contention.alone for edge in main.edges}
    assert texts["x = 3"] and not texts["y = 2"]


def test_instances_of_a_template_contend_with_each_other() -> None:
    often = " int main(void) { for (int i = 0; i < 9; i++) pthread_create(&t, 0, f, 0); return 0; }"
    _, names = contended("void *f(void *p) { x = 5; int own = 1; own = own + 1; return own ? p : 0; }" + often)
    assert "x" in names and "own" not in names


def test_many_local_paths_meet_at_a_visible_location() -> None:
    choices = " ".join(f"if (a & {1 << bit}) b = b + {bit};" for bit in range(MAX_ALTERNATIVES))
    body = f"void *f(void *p) {{ int a = __VERIFIER_nondet_int(), b = 0; {choices} x = b; return 0; }}"
    threads = flatten_threads(load_source(HEAD + body + START % "x = 1;", "a.c", ILP32, "no-data-race", threads=True))
    state = shared_state(threads, True)
    function = threads.threads[1].function
    assert len(state.steps_from(function)) < len(function.locations)
    assert bits_of(state.liveness.live.values())
