"""The garbage collector may take a z3 context before the arena that uses it, as at the interpreter's end."""

import z3

from chcverify.terms.native import arena as module
from chcverify.terms.native import capi


def test_an_arena_does_not_touch_a_context_that_is_gone(monkeypatch):
    context = z3.Context()
    arena = module.Arena(context)
    arena.fresh_like(b"v", arena.true)
    released = []
    monkeypatch.setattr(capi, "dec_ref", lambda _, term: released.append(term))
    with monkeypatch.context() as gone:
        gone.setattr(context, "ctx", None)
        arena.__del__()
    assert not released
    arena.__del__()
    assert released
