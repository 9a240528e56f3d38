"""Comparisons of CBMC's numbers of objects: `__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(q)` is
`__CPROVER_same_object(p, q)`. Objects have no numbers here, so other uses are not modelled."""

from pycparser import c_ast

NUMBER = "__CPROVER_POINTER_OBJECT"
_SAME = "__CPROVER_same_object"


def compare_objects(tree: c_ast.Node) -> None:
    """Changes all such comparisons in a syntax tree, those with != too."""
    work = [tree]
    while work:
        node = work.pop()
        for place, child in node.children():
            made = _comparison(child)
            if made is not None:
                _put(node, place, made)
                child = made
            work.append(child)


def _comparison(node: c_ast.Node) -> c_ast.Node | None:
    """The call that stands for the comparison; None for other nodes."""
    if not isinstance(node, c_ast.BinaryOp) or node.op not in ("==", "!="):
        return None
    left, right = _object_of(node.left), _object_of(node.right)
    if left is None or right is None:
        return None
    call = c_ast.FuncCall(c_ast.ID(_SAME, node.coord), c_ast.ExprList([left, right], node.coord), node.coord)
    return call if node.op == "==" else c_ast.UnaryOp("!", call, node.coord)


def _object_of(node: c_ast.Node) -> c_ast.Node | None:
    """The pointer whose object's number the expression is; None for other expressions."""
    if not isinstance(node, c_ast.FuncCall) or getattr(node.name, "name", "") != NUMBER or node.args is None:
        return None
    return node.args.exprs[0] if len(node.args.exprs) == 1 else None


def _put(parent: c_ast.Node, place: str, child: c_ast.Node) -> None:
    """Replaces the child that `parent.children()` names so: `left`, or `exprs[1]`."""
    name, _, rest = place.partition("[")
    if rest:
        getattr(parent, name)[int(rest[:-1])] = child
    else:
        setattr(parent, name, child)
