"""The functions whose results are taken for pointers that may be null."""

import pytest
from pycparser import CParser, c_ast

from encoders.c.harness.null_tests import possibly_null


def found(body: str) -> set[str]:
    definition = CParser().parse(f"int f(struct s *q) {{ {body} }}").ext[0]
    assert isinstance(definition, c_ast.FuncDef)
    return possibly_null(definition.body)


@pytest.mark.parametrize(
    "body",
    [
        "struct s *p = make(); if (!p) return 0;",
        "struct s *p; if ((p = make()) == 0) return 0;",
        "struct s *p; while ((p = (struct s *)make())) p->n = 1;",
        "q->next = make(1); return q->next != (void *)0 && q->next->n;",
        "return make() ? 1 : 0;",
        "struct s *p = make(); return p;",
        "return make();",
        "struct s *p = make(); for (; p; p = p->next) p->n = 1;",
    ],
)
def test_results_that_are_compared_or_returned(body: str) -> None:
    assert found(body) == {"make"}


@pytest.mark.parametrize(
    "body",
    [
        "return make()->n;",
        "struct s *p = make(); return p->n == 1;",
        "struct s *p = make(); if (q) p->n = 1;",
        "q->next = make(); if (q->last) return 1;",
        "make();",
        "return (*q->make)();",
    ],
)
def test_others(body: str) -> None:
    assert found(body) == set()
