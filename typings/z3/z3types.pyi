import ctypes
from typing import Any

class Z3Exception(Exception):
    value: Any

class Ast(ctypes.c_void_p):
    value: Any

class Sort(ctypes.c_void_p):
    value: Any

class FuncDecl(ctypes.c_void_p):
    value: Any

class Pattern(ctypes.c_void_p):
    value: Any

class Symbol(ctypes.c_void_p):
    value: Any

class ContextObj(ctypes.c_void_p):
    value: Any

class SolverObj(ctypes.c_void_p):
    value: Any
