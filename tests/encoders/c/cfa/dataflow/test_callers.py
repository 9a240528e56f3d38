"""Who calls whom, directly and through others, also in cycles."""

from encoders.c.cfa.dataflow.callers import callers_in, with_callers
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

TEXT = """
void even(int n), odd(int n);
void leaf(void) {}
void one(void) { leaf(); }
void even(int n) { if (n) odd(n - 1); }
void odd(int n) { if (n) even(n - 1); else one(); }
void apart(void) {}
int main(void) { even(3); apart(); return 0; }
"""


def test_callers() -> None:
    program = load_source(TEXT, "a.c", LP64)
    direct = callers_in(program)
    assert direct["leaf"] == {"one"} and direct["odd"] == {"even"} and direct["even"] == {"main", "odd"}
    assert with_callers(program, ["leaf"]) >= {"leaf", "one", "odd", "even", "main"}
    assert not with_callers(program, ["leaf"]) & {"apart"}
    assert with_callers(program, []) == frozenset()
