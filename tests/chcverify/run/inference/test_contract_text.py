"""Contracts in the text of a file: where they stand, and which line of the result is which."""

from chcverify.run.inference.contract_text import ContractPositions, WrittenClause

TEXT = """struct s { int a; };
static struct s *
first(int (*f)(int), int n) { return 0; }
int second(void) { return 1; } int third(int x) { return x; }
//@ requires 1 == 1;
int own(void) { return 2; }
"""


def clauses(name: str) -> list[WrittenClause]:
    return [WrittenClause(name, "requires", "n == 1"), WrittenClause(name, "assigns", "\\nothing")]


def test_clauses_stand_in_front_of_the_definition() -> None:
    positions = ContractPositions.of(TEXT, "a.c")
    assert set(positions.offsets) == {"first", "second", "third"}
    assert set(positions.refused) == {"own"}
    found = positions.with_contracts({"first": clauses("first"), "third": clauses("third")})
    lines = found.text.split("\n")
    assert lines[1:4] == ["/*@ requires n == 1;", "    assigns \\nothing; */", "static struct s *"]
    assert lines[5:9] == [
        "int second(void) { return 1; } ",
        "/*@ requires n == 1;",
        "    assigns \\nothing; */",
        "int third(int x) { return x; }",
    ]
    assert {line: (clause.function, clause.kind) for line, clause in found.clauses.items()} == {
        2: ("first", "requires"),
        3: ("first", "assigns"),
        7: ("third", "requires"),
        8: ("third", "assigns"),
    }
    own = TEXT.split("\n")
    for line, other in found.lines.items():
        assert lines[line - 1].strip() in own[other - 1]


def test_without_contracts_nothing_changes() -> None:
    found = ContractPositions.of(TEXT, "a.c").with_contracts({})
    assert (found.text, found.clauses) == (TEXT, {})
