"""What violating calls and proofs say of preconditions."""

from dataclasses import replace

from chcverify.horn.origin import Origin
from chcverify.results.checks import DEREFERENCES, Check, CheckKind
from chcverify.results.precondition import PreconditionCandidate
from chcverify.run.inference.known_calls import KnownCalls, ViolatingCall, weight_of

POINTER = PreconditionCandidate("\\valid(p)", DEREFERENCES, frozenset({"p"}), 0, is_validity=True)
MEMBER = PreconditionCandidate("\\valid(p->a)", DEREFERENCES, frozenset({"p->a"}), 1, is_validity=True)
RANGE = PreconditionCandidate("\\valid(p->a + (0 .. p->n - 1))", DEREFERENCES, frozenset({"p->a", "p->n"}), 20)
POSITIVE = PreconditionCandidate("p->n > 0", DEREFERENCES, frozenset({"p->n"}), 33)
SMALLER = PreconditionCandidate("i < p->n", DEREFERENCES, frozenset({"i", "p->n"}), 70, is_expected=False)
ALL = (POINTER, MEMBER, RANGE, POSITIVE, SMALLER)
CHECK = Check(Origin("a.c", 1, 1), CheckKind.NULL, "p->a[i]")
OTHER = Check(Origin("a.c", 2, 1), CheckKind.BOUNDS, "p->a[p->n]")


def known(*calls: tuple[Check, set[str]]) -> KnownCalls:
    """What is known after these calls were found where nothing is required."""
    found = KnownCalls(ALL)
    assert found.add([CHECK, OTHER], (), [ViolatingCall(check, frozenset(broken)) for check, broken in calls])
    return found


def test_what_a_call_shows_to_be_needed() -> None:
    calls = known((CHECK, {POINTER.text}))
    assert calls.excluding([CHECK]) == {POINTER.text}
    assert calls.is_needed(POINTER.text, (POINTER.text, RANGE.text), [CHECK])
    assert not calls.is_needed(RANGE.text, (POINTER.text, RANGE.text), [CHECK])


def test_a_range_that_is_needed_excludes_null_pointers_too() -> None:
    assert known((CHECK, {MEMBER.text, RANGE.text})).excluding([CHECK]) == {MEMBER.text}
    calls = known((CHECK, {MEMBER.text, RANGE.text}), (OTHER, {RANGE.text}))
    assert calls.excluding([CHECK, OTHER]) == {RANGE.text}


def test_one_predicate_for_all_calls_is_better_than_one_for_each() -> None:
    calls = known((OTHER, {RANGE.text, POSITIVE.text}), (OTHER, {RANGE.text}))
    assert calls.excluding([OTHER]) == {RANGE.text}
    assert calls.excluding([CHECK]) == frozenset()


def test_relations_that_names_do_not_suggest_come_last() -> None:
    calls = known((CHECK, {SMALLER.text, POSITIVE.text}))
    assert calls.excluding([CHECK]) == {POSITIVE.text}
    related = Check(CHECK.origin, CHECK.kind, "i + p->n")
    calls = KnownCalls(ALL)
    calls.add([related], (), [ViolatingCall(related, frozenset({SMALLER.text}))])
    assert calls.excluding([related]) == {SMALLER.text} and calls.is_met(related)
    assert calls.avoidable([related]) == [related]


def test_a_relation_is_to_exclude_all_calls_that_keep_what_is_expected() -> None:
    related = Check(CHECK.origin, CHECK.kind, "i + p->n")
    larger = replace(SMALLER, text="p->n < i")
    calls = KnownCalls((*ALL, larger))
    calls.add([related], (), [ViolatingCall(related, frozenset({one.text})) for one in (SMALLER, larger)])
    assert calls.avoidable([related]) == []


def test_a_call_that_keeps_everything_cannot_be_excluded() -> None:
    calls = known((CHECK, set()), (OTHER, {RANGE.text}))
    assert calls.avoidable([CHECK, OTHER]) == [OTHER]
    assert calls.is_met(CHECK) and not calls.is_met(OTHER)


def test_proofs_hold_where_more_is_required() -> None:
    calls = known((CHECK, {POINTER.text}))
    calls.add_proofs([CHECK], (POINTER.text,))
    assert calls.is_proved(CHECK, (RANGE.text, POINTER.text))
    assert not calls.is_proved(CHECK, ()) and not calls.is_proved(OTHER, (POINTER.text,))


def test_a_search_that_found_no_call_is_not_repeated() -> None:
    calls = known((CHECK, {POINTER.text}))
    assert not calls.is_searched([CHECK], (POINTER.text,))
    assert not calls.add([CHECK], (POINTER.text,), list(calls.calls))
    assert calls.is_searched([CHECK], (POINTER.text, RANGE.text)) and not calls.is_searched([CHECK], ())


def test_predicates_about_the_check_weigh_less() -> None:
    assert weight_of(RANGE, OTHER) < weight_of(POINTER, OTHER)
    assert weight_of(POSITIVE, OTHER) < weight_of(POSITIVE, Check(OTHER.origin, CheckKind.DIVISION, OTHER.text))
