"""Names of predicates, each for one location."""

from dataclasses import field

from chcverify.lazy_dataclass import dataclass

# What C functions may be called and solvers take for an operation of their own, if a predicate is called so.
_OPERATOR_NAMES = """
abs and or not xor distinct ite select store map const mod rem div power divisible to_real to_int is_int true
false implies iff if let forall exists match par as pi e sin cos tan asin acos atan sinh cosh tanh asinh acosh
atanh exp log sqrt concat extract repeat default array update nand nor bvadd bvand bvor bvnot bvneg bvsub bvmul
bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr bvult bvule bvslt bvsle bvcomp bvredor bvredand bv2int
bv2nat int2bv nat2bv union intersection complement subset card first last set member insert fp
"""
_OPERATORS = frozenset(_OPERATOR_NAMES.split())


@dataclass(eq=False)
class PredicateNames:
    """Makes names unique: a second predicate of a name gets a number."""

    _counts: dict[str, int] = field(default_factory=dict)

    def unique(self, name: str) -> str:
        """The name itself, or with a number."""
        number = self._counts.get(name, int(name in _OPERATORS))
        self._counts[name] = number + 1
        return name if number == 0 else f"{name}~{number}"
