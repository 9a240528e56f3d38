"""Comments out of C text, line structure kept."""

import re

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//(?:[^\n\\]|\\.)*', re.DOTALL)


def strip_comments(text: str) -> str:
    """Each comment becomes as many newlines as it spans, and blanks, so that coordinates stay."""
    return _TOKEN.sub(lambda match: _blank(match[0]) if match[0].startswith("/") else match[0], text)


def _blank(comment: str) -> str:
    last = comment.rsplit("\n", 1)[-1]
    return "\n" * comment.count("\n") + " " * len(last)
