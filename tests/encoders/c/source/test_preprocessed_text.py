"""The text that is parsed: macros are expanded, and comments are gone."""

from encoders.c.source.preprocessor import preprocess
from encoders.c.types.c_types import LP64


def test_macros_are_expanded_and_comments_are_gone() -> None:
    text = preprocess("#define ONE 1\nint x = ONE; /* a remark */\n", "test.c", LP64)
    assert "int x = 1;" in text and "remark" not in text
