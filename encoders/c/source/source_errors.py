"""Errors of the C encoder."""

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass


@dataclass
class SourceError(Exception):
    """The input is not a C program that gcc would accept (syntax error, undeclared name): exit status 2."""

    origin: Origin
    message: str

    def __str__(self) -> str:
        return f"{self.origin}: {self.message}"


@dataclass
class LinkError(SourceError):
    """The files are C programs, but do not fit together, or lack the function where the program begins."""

    def __str__(self) -> str:
        return f"{self.origin}: {self.message}"


@dataclass
class Unsupported(Exception):
    """The construct is C, but not modelled: the verdict is `unknown` with this reason (exit status 3)."""

    origin: Origin
    construct: str

    def __str__(self) -> str:
        return f"{self.origin}: unsupported: {self.construct}"
