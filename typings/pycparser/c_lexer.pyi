from collections.abc import Callable
from dataclasses import dataclass  # noqa: TID251
from typing import Literal

@dataclass(slots=True)
class Token:
    type: str
    value: str
    lineno: int
    column: int
    filename: str

class CLexer:
    error_func: Callable[[str, int, int], None]
    filename: str
    _lexdata: str
    _pos: int
    _pending_tok: Token | None
    def __init__(
        self, error_func: Callable[[str, int, int], None], *, dialect: Literal["legacy", "c23"] = "legacy"
    ) -> None: ...
    def input(self, text: str, filename: str = "") -> None: ...
    def token(self) -> Token | None: ...
    def _match_token(self) -> Token | None: ...
    def _make_token(self, tok_type: str, value: str, pos: int) -> Token: ...
    def _error(self, msg: str, pos: int) -> None: ...
