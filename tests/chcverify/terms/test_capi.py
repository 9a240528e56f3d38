"""The table of C functions: the same terms as z3py makes, and null where z3 refuses."""

import z3

from chcverify.terms.native import capi


def test_terms_are_those_of_z3py() -> None:
    context = z3.Context()
    c = context.ref().value
    x, y = z3.Bools("x y", context)
    made = capi.mk_and(c, 2, capi.array([x.as_ast().value, y.as_ast().value]))
    expected = z3.And(x, y)
    assert made == expected.as_ast().value
    assert capi.get_app_num_args(c, made) == 2
    assert capi.get_app_arg(c, made, 1) == y.as_ast().value
    assert capi.get_decl_kind(c, capi.get_app_decl(c, made)) == z3.Z3_OP_AND
    assert capi.get_ast_id(c, made) == expected.get_id()


def test_a_refused_call_gives_none_and_an_error() -> None:
    context = z3.Context()
    c = context.ref().value
    number = z3.Int("n", context)
    assert capi.mk_select(c, number.as_ast().value, number.as_ast().value) is None
    code = capi.get_error_code(c)
    assert code != z3.Z3_OK
    assert capi.get_error_msg(c, code)
