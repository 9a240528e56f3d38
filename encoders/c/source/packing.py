"""The state of `#pragma pack`: the greatest alignment of members, and the stack of those that were pushed."""

import re

from chcverify.horn.system import Origin
from encoders.c.source.source_errors import Unsupported

_LIMITS = (1, 2, 4, 8, 16)


class Packing:
    """The packing in force. limit: of alignments in bytes, 0 for none."""

    def __init__(self) -> None:
        self.limit = 0
        self._pushed: list[tuple[str, int]] = []

    def read(self, text: str, origin: Origin) -> None:
        """Follow one pragma, given what stands after the word `pragma`; others than pack are of no concern here.

        Raises Unsupported for what is no form of `pack` that gcc documents.
        """
        match = re.fullmatch(r"pack\s*\(([^()]*)\)\s*", text)
        if match is None:
            if re.match(r"pack\b", text):
                raise Unsupported(origin, f"#pragma {text.strip()}")
            return
        words = [word.strip() for word in match[1].split(",")] if match[1].strip() else []
        if not self._apply(words):
            raise Unsupported(origin, f"#pragma {text.strip()}")

    def _apply(self, words: list[str]) -> bool:
        """Applies a pragma. Returns False if its arguments are not valid."""
        if not words:
            self.limit = 0
            return True
        if words[0] not in ("push", "pop"):
            return len(words) == 1 and self._set(words[0])
        name, rest = "", words[1:]
        if rest and re.fullmatch(r"[A-Za-z_]\w*", rest[0]):
            name, rest = rest[0], rest[1:]
        if words[0] == "push":
            self._pushed.append((name, self.limit))
            return not rest or (len(rest) == 1 and self._set(rest[0]))
        return not rest and self._pop(name)

    def _set(self, word: str) -> bool:
        if not word.isdigit() or int(word) not in (0, *_LIMITS):
            return False
        self.limit = int(word)
        return True

    def _pop(self, name: str) -> bool:
        """Without a name the last that was pushed; with one, down to that name."""
        if name and not any(known == name for known, _ in self._pushed):
            return False
        while self._pushed:
            known, self.limit = self._pushed.pop()
            if not name or known == name:
                break
        return True
