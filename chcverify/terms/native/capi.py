"""The functions of z3's C API that are called with plain integers: the only table of them.

z3py calls the same functions through wrappers that check types, look for errors and make objects: some microseconds
for each call. Here an argument is an address (context, term, sort, declaration, solver, model, vector: `int`), a number
or bytes, and nothing is checked: a null result (None) says that z3 refused, and `get_error_code` says why. The names
are those of z3's documentation without the prefix `Z3_`.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NewType

from z3 import z3core

Handle = NewType("Handle", int)
"""The address of a term that something else keeps alive: a z3py object, a term above it, a pool of terms."""

_TYPES: dict[str, Any] = {
    "p": ctypes.c_void_p,
    "u": ctypes.c_uint,
    "i": ctypes.c_int,
    "b": ctypes.c_bool,
    "s": ctypes.c_char_p,
    "v": None,
}
Address = Callable[..., Any]
"""A function whose result is an address, or None where z3 refused."""
Number = Callable[..., int]
Truth = Callable[..., bool]
Text = Callable[..., bytes]
Nothing = Callable[..., None]


def _function(name: str, signature: str) -> Callable[..., Any]:
    """Z3_<name> on plain values. signature: of the result, then of each argument, one letter of _TYPES.

    z3py keeps the loaded library to itself. Its function objects, whose argument types it has set, are defaults of its
    wrappers; a function object of our own is made for the same address.
    """
    own = getattr(z3core, f"Z3_{name}").__defaults__[-1].f
    return ctypes.CFUNCTYPE(*(_TYPES[letter] for letter in signature))(ctypes.cast(own, ctypes.c_void_p).value or 0)


def array(handles: Sequence[int]) -> Any:
    """A C array of addresses; it keeps nothing alive."""
    return (ctypes.c_void_p * len(handles))(*handles)


# Reference counts and errors.
inc_ref: Nothing = _function("inc_ref", "vpp")
dec_ref: Nothing = _function("dec_ref", "vpp")
get_error_code: Number = _function("get_error_code", "up")
get_error_msg: Text = _function("get_error_msg", "spu")
interrupt: Nothing = _function("interrupt", "vp")

# Inspection.
get_ast_kind: Number = _function("get_ast_kind", "upp")
get_ast_id: Number = _function("get_ast_id", "upp")
get_app_decl: Address = _function("get_app_decl", "ppp")
get_app_num_args: Number = _function("get_app_num_args", "upp")
get_app_arg: Address = _function("get_app_arg", "pppu")
get_decl_kind: Number = _function("get_decl_kind", "upp")
get_decl_num_parameters: Number = _function("get_decl_num_parameters", "upp")
get_decl_parameter_kind: Number = _function("get_decl_parameter_kind", "uppu")
get_decl_symbol_parameter: Address = _function("get_decl_symbol_parameter", "pppu")
get_decl_rational_parameter: Text = _function("get_decl_rational_parameter", "sppu")
get_symbol_string: Text = _function("get_symbol_string", "spp")
get_sort: Address = _function("get_sort", "ppp")
get_sort_kind: Number = _function("get_sort_kind", "upp")
get_bv_sort_size: Number = _function("get_bv_sort_size", "upp")
get_array_sort_range: Address = _function("get_array_sort_range", "ppp")
get_numeral_string: Text = _function("get_numeral_string", "spp")
get_index_value: Number = _function("get_index_value", "upp")
get_quantifier_body: Address = _function("get_quantifier_body", "ppp")
get_quantifier_num_bound: Number = _function("get_quantifier_num_bound", "upp")
get_quantifier_bound_name: Address = _function("get_quantifier_bound_name", "pppu")
get_quantifier_bound_sort: Address = _function("get_quantifier_bound_sort", "pppu")
is_quantifier_forall: Truth = _function("is_quantifier_forall", "bpp")
is_quantifier_exists: Truth = _function("is_quantifier_exists", "bpp")

# Construction.
mk_bool_sort: Address = _function("mk_bool_sort", "pp")
mk_int_sort: Address = _function("mk_int_sort", "pp")
mk_fresh_const: Address = _function("mk_fresh_const", "ppsp")
mk_numeral: Address = _function("mk_numeral", "ppsp")
mk_not: Address = _function("mk_not", "ppp")
mk_and: Address = _function("mk_and", "ppup")
mk_or: Address = _function("mk_or", "ppup")
mk_eq: Address = _function("mk_eq", "pppp")
mk_ite: Address = _function("mk_ite", "ppppp")
mk_select: Address = _function("mk_select", "pppp")
mk_add: Address = _function("mk_add", "ppup")
mk_sub: Address = _function("mk_sub", "ppup")
mk_mul: Address = _function("mk_mul", "ppup")
mk_unary_minus: Address = _function("mk_unary_minus", "ppp")
mk_mod: Address = _function("mk_mod", "pppp")
mk_le: Address = _function("mk_le", "pppp")
mk_lt: Address = _function("mk_lt", "pppp")
mk_ge: Address = _function("mk_ge", "pppp")
mk_gt: Address = _function("mk_gt", "pppp")
mk_bvadd: Address = _function("mk_bvadd", "pppp")
mk_bvsub: Address = _function("mk_bvsub", "pppp")
mk_bvneg: Address = _function("mk_bvneg", "ppp")

# Rewriting.
simplify: Address = _function("simplify", "ppp")
substitute: Address = _function("substitute", "pppupp")
substitute_vars: Address = _function("substitute_vars", "pppup")
translate: Address = _function("translate", "pppp")

# Solvers, models and vectors of terms.
solver_push: Nothing = _function("solver_push", "vpp")
solver_pop: Nothing = _function("solver_pop", "vppu")
solver_assert: Nothing = _function("solver_assert", "vppp")
solver_check_assumptions: Number = _function("solver_check_assumptions", "ippup")
solver_get_unsat_core: Address = _function("solver_get_unsat_core", "ppp")
solver_get_model: Address = _function("solver_get_model", "ppp")
solver_get_proof: Address = _function("solver_get_proof", "ppp")
model_inc_ref: Nothing = _function("model_inc_ref", "vpp")
model_dec_ref: Nothing = _function("model_dec_ref", "vpp")
model_eval: Truth = _function("model_eval", "bpppbp")
model_extrapolate: Address = _function("model_extrapolate", "pppp")
qe_model_project: Address = _function("qe_model_project", "pppupp")
ast_vector_size: Number = _function("ast_vector_size", "upp")
ast_vector_get: Address = _function("ast_vector_get", "pppu")
ast_vector_inc_ref: Nothing = _function("ast_vector_inc_ref", "vpp")
ast_vector_dec_ref: Nothing = _function("ast_vector_dec_ref", "vpp")
