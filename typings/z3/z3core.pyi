# The C API through z3py's wrappers: addresses in ctypes objects, errors as Z3Exception.
from typing import Any

def __getattr__(name: str) -> Any: ...
