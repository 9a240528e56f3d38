"""How blocks lead to each other: which programs have such links, in which direction, and the laws of their tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chcverify.horn.roles import Role
from encoders.c.analysis.memory.linked_blocks import ends_of_blocks, united
from encoders.c.analysis.memory.tracked_objects import BlockLinks
from encoders.c.encoding.encoder import Encoding, encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

BEGIN = """
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; int data; };
"""
RELEASE = "while (list) { struct node *next = list->next; free(list); list = next; } }"
PREPEND = (
    "int main(void) { struct node *list = 0; while (__VERIFIER_nondet_int()) {"
    " struct node *node = malloc(sizeof *node); if (!node) break; node->next = list; list = node; }"
)
APPEND = (
    "int main(void) { struct node *list = 0, *last = 0; while (__VERIFIER_nondet_int()) {"
    " struct node *node = malloc(sizeof *node); if (!node) break; node->next = 0;"
    " if (last) last->next = node; else list = node; last = node; }"
)
ALONE = "int main(void) { int *p = malloc(sizeof *p); if (p) *p = 1; free(p); }"
RECURSIVE = (
    "static void release(struct node *list) { if (list) { release(list->next); free(list); } }"
    + PREPEND
    + "release(list); }"
)


def encoding_of(text: str, property: str = "valid-memsafety") -> Encoding:
    return encode(load_source(BEGIN + text, "test.c", LP64, property), property)


def links_of(encoding: Encoding) -> list[BlockLinks]:
    return list(encoding.objects.links.values())


@pytest.mark.parametrize(("text", "upward"), [(PREPEND, False), (APPEND, True)], ids=["prepend", "append"])
def test_the_direction_of_links_is_read_off_the_text(text: str, upward: bool) -> None:
    encoding = encoding_of(text + RELEASE)
    (links,) = links_of(encoding)
    heads = [location.number for location in encoding.locations.values() if location.location.is_loop_head]
    assert len(heads) == 2
    assert all((number in links.upward) is upward for number in heads)


def test_null_in_two_members_at_once_is_no_link() -> None:
    twice = APPEND.replace("node->next = 0;", "node->next = node->previous = 0; node->previous = node->next = 0;")
    (links,) = links_of(encoding_of(twice + RELEASE))
    (once,) = links_of(encoding_of(APPEND + RELEASE))
    assert links.order is None and once.order is None
    assert len(links.upward) > 0


def test_each_loop_has_the_direction_of_the_links_that_are_followed_from_there() -> None:
    back = APPEND.replace("node->next = 0;", "node->next = 0; node->previous = last;")
    forward = "for (struct node *p = list; p; p = p->next) p->data = 1;"
    text = back + forward + "while (last) { struct node *previous = last->previous; free(last); last = previous; } }"
    encoding = encoding_of(text)
    (links,) = links_of(encoding)
    heads = sorted(x.number for x in encoding.locations.values() if x.location.is_loop_head)
    assert len(links.referrers) == 2
    assert heads[-1] not in links.upward


def test_where_directions_differ_that_of_the_links_counts_that_are_followed_most() -> None:
    both = APPEND.replace("node->next = 0;", "node->next = 0; node->previous = last;")
    text = both + "for (; last; last = last->previous) last->data = 1;" + RELEASE
    encoding = encoding_of(text)
    (links,) = links_of(encoding)
    heads = [x.number for x in encoding.locations.values() if x.location.is_loop_head]
    assert links.order is None and len(links.referrers) == 2
    assert len(heads) == 3 and set(heads) <= links.upward


@pytest.mark.parametrize("property", ["valid-memcleanup", "leak", "bounds,null"])
def test_links_are_followed_where_all_of_memory_is_checked(property: str) -> None:
    assert not links_of(encoding_of(PREPEND + RELEASE, property))


def test_programs_with_recursive_functions_have_no_links() -> None:
    assert not links_of(encoding_of(RECURSIVE))


REVERSE = (
    "struct node *top = 0; while (list) { struct node *next = list->next; list->next = top; top = list; list = next; }"
)
MIDDLE = (
    "if (list) { struct node *node = malloc(sizeof *node); if (node) { node->next = list->next; list->next = node; } }"
)


@pytest.mark.parametrize(
    ("text", "has_order"),
    [(PREPEND, False), (APPEND, False), (PREPEND + REVERSE, True), (PREPEND + MIDDLE, True)],
    ids=["prepend", "append", "reverse", "middle"],
)
def test_blocks_have_an_order_of_their_own_where_links_lead_both_to_older_and_newer_ones(
    text: str, has_order: bool
) -> None:
    encoding = encoding_of(text + RELEASE)
    (links,) = links_of(encoding)
    assert (links.order is not None) is has_order
    roles = {role for predicate in encoding.system.predicates for role in predicate.roles}
    assert (Role.RANK in roles) is has_order


def test_the_block_that_moves_is_the_newer_one() -> None:
    (links,) = links_of(encoding_of(PREPEND + MIDDLE + RELEASE))
    assert links.order is not None
    assert sorted(links.order.stores.values()) == [False, False, True]


RING = (
    "int main(void) { struct node *head = malloc(sizeof *head), *list; if (!head) return 0; head->next = head;"
    " while (__VERIFIER_nondet_int()) { struct node *node = malloc(sizeof *node); if (!node) break;"
    " node->next = head->next; head->next = node; } list = head->next; free(head);"
)


def test_links_to_a_variable_that_leads_to_one_block_for_ever_are_no_part_of_the_order() -> None:
    (links,) = links_of(encoding_of(RING + "while (list != head)" + RELEASE[len("while (list)") :]))
    assert links.order is not None
    assert [anchor.label for anchor in links.order.anchors] == ["head"]
    (links,) = links_of(encoding_of(PREPEND + REVERSE + RELEASE))
    assert links.order is not None
    assert not links.order.anchors


OWNED = (
    "struct owner { struct owner *next; struct item *item; }; struct item { int data; BACK };"
    " int main(void) { struct owner *list = 0; while (__VERIFIER_nondet_int()) {"
    " struct owner *owner = malloc(sizeof *owner); struct item *item = malloc(sizeof *item);"
    " if (!owner || !item) break; owner->item = item; STORE owner->next = list; list = owner; }"
    " while (list) { struct owner *next = list->next; free(list->item); free(list); list = next; } }"
)


@pytest.mark.parametrize(
    ("back", "store", "outer"), [("", "", [0, 1]), ("struct owner *owner;", "item->owner = owner;", [0, 0])]
)
def test_links_from_blocks_of_other_regions_are_followed_unless_these_lead_back(
    back: str, store: str, outer: list[int]
) -> None:
    found = links_of(encoding_of(OWNED.replace("BACK", back).replace("STORE", store)))
    assert sorted(len(links.outer) for links in found)[-2:] == outer[-len(found) :]


def test_blocks_that_lead_nowhere_have_none() -> None:
    encoding = encoding_of(ALONE)
    assert not links_of(encoding)
    assert not ends_of_blocks(encoding.memory, encoding.objects)


def test_the_end_of_what_is_allocated_is_one_variable_for_each_region() -> None:
    encoding = encoding_of(PREPEND + RELEASE)
    (links,) = links_of(encoding)
    assert ends_of_blocks(encoding.memory, encoding.objects).bit_count() == 1
    assert links.mask & links.tracked.mask == links.tracked.mask


TABLES = st.dictionaries(st.integers(0, 5), st.integers(0, 255))


@given(left=TABLES, right=TABLES, number=st.integers(0, 5))
def test_united_tables_hold_the_bits_of_both(left: dict[int, int], right: dict[int, int], number: int) -> None:
    assert united(left, right).get(number, 0) == left.get(number, 0) | right.get(number, 0)


def test_the_end_of_linked_blocks_is_state_without_checks_of_memory_too() -> None:
    walk = "for (struct node *p = list; p; p = p->next) if (p->data) reach_error(); }"
    linked = encoding_of("void reach_error(void);" + PREPEND + walk, "unreach-call")
    assert ends_of_blocks(linked.memory, linked.objects)
    assert any(Role.END in predicate.roles for predicate in linked.system.predicates)
    alone = encoding_of(
        "void reach_error(void);" + ALONE.replace("free(p)", "if (*p != 1) reach_error()"), "unreach-call"
    )
    assert not ends_of_blocks(alone.memory, alone.objects)
    assert not any(Role.END in predicate.roles for predicate in alone.system.predicates)
