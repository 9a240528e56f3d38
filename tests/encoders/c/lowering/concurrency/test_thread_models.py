"""Models in C of what threads wait for: each file can be parsed, and its types give way to those of the program."""

from pycparser import c_ast

from encoders.c.lowering.concurrency.thread_models import with_modelled_objects
from encoders.c.source.parser import parse


def test_unions_become_records_of_their_first_member() -> None:
    tree, _ = parse(
        "typedef union { struct { int __owner; } __data; char __size[24]; } pthread_mutex_t;"
        " typedef union { char __size[16]; long __align; } sem_t; typedef int other;",
        "test.c",
    )
    with_modelled_objects(tree)
    kinds = {node.name: node.type.type for node in tree.ext if isinstance(node, c_ast.Typedef)}
    assert [member.name for member in kinds["pthread_mutex_t"].decls] == ["__data"]
    assert [member.name for member in kinds["sem_t"].decls] == ["__value"]
    assert isinstance(kinds["other"], c_ast.IdentifierType)
