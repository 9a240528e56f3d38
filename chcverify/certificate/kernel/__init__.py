"""The kernel: the modules that accept certificates, by `unsat` of a solver for every obligation, or algebra for some.

Reading order: `policy.py` (when a certificate is good enough), `certificate_obligations.py` (the formulas that must be
refuted) with `structure.py`, `instances.py`, `shared_arrays.py`, `obligation.py` and `recursion` (for termination
`termination_obligations.py`, `recurrence_obligations.py`, `runs.py`), then `checkers`, the solvers that are asked; in
`second_process.py` a fork shares z3's questions.

TRUSTED_MODULES is all that the kernel imports, directly or not: a mistake in any of them could accept a wrong
certificate. A test compares it with the imports. Two parts are larger than the logic needs:

- `terms.native` calls z3's C functions without z3py's objects, by a detail of z3py that is not documented (`capi.py`).
  With z3py's public interface in `terms.core.traversal` instead, checking a model of 600 clauses over 8 integers took
  1.7 times as long, and a derivation of 600 steps 3.5 times (processor time, best of 5, z3 5.4.0). The stand-alone
  `check_certificate.py` uses the public interface alone and shares no code with this package.
- `search` makes other queries of an obligation: each case and goal by itself, or a weaker linear formula, and
  `terms.bitvectors.words_apart` one about integers instead of words. All of them are unsatisfiable only if the
  obligation holds; `splitting.py`, `linearise.py` and `words_apart.py` give the reasons. `congruences.py` accepts
  obligations by itself: it computes with polynomials modulo powers of two, where a solver searches in vain.
"""

TRUSTED_MODULES = (
    "chcverify.certificate.derivation",
    "chcverify.certificate.kernel.certificate_obligations",
    "chcverify.certificate.kernel.checkers.bitwuzla_checker",
    "chcverify.certificate.kernel.checkers.bitwuzla_worker",
    "chcverify.certificate.kernel.checkers.cvc5_checker",
    "chcverify.certificate.kernel.checkers.cvc5_fork",
    "chcverify.certificate.kernel.checkers.cvc5_process",
    "chcverify.certificate.kernel.checkers.cvc5_worker",
    "chcverify.certificate.kernel.checkers.z3_checker",
    "chcverify.certificate.kernel.definition_uses",
    "chcverify.certificate.kernel.definitions",
    "chcverify.certificate.kernel.equal_obligations",
    "chcverify.certificate.kernel.instances",
    "chcverify.certificate.kernel.obligation",
    "chcverify.certificate.kernel.path_conditions",
    "chcverify.certificate.kernel.policy",
    "chcverify.certificate.kernel.recurrence_obligations",
    "chcverify.certificate.kernel.recursion.cell_sums",
    "chcverify.certificate.kernel.recursion.folds",
    "chcverify.certificate.kernel.runs",
    "chcverify.certificate.kernel.second_process",
    "chcverify.certificate.kernel.shared_arrays",
    "chcverify.certificate.kernel.structure",
    "chcverify.certificate.kernel.termination_obligations",
    "chcverify.certificate.model",
    "chcverify.certificate.search.congruences",
    "chcverify.certificate.search.integer_polynomials",
    "chcverify.certificate.search.linearise",
    "chcverify.certificate.search.splitting",
    "chcverify.certificate.termination",
    "chcverify.effort",
    "chcverify.horn.origin",
    "chcverify.horn.roles",
    "chcverify.horn.system",
    "chcverify.process_lifetime",
    "chcverify.terms.arithmetic.bounds",
    "chcverify.terms.arithmetic.interval",
    "chcverify.terms.array_reads",
    "chcverify.terms.bitvectors.bit_tables",
    "chcverify.terms.bitvectors.integers_to_bits",
    "chcverify.terms.bitvectors.modular_sums",
    "chcverify.terms.bitvectors.words_apart",
    "chcverify.terms.bounded_bits",
    "chcverify.terms.core.array_extensionality",
    "chcverify.terms.core.graphs",
    "chcverify.terms.core.numbered_variables",
    "chcverify.terms.core.sums",
    "chcverify.terms.core.traversal",
    "chcverify.terms.evaluation.ground_arrays",
    "chcverify.terms.native.arena",
    "chcverify.terms.native.capi",
    "chcverify.terms.native.handles",
    "chcverify.terms.native.value_kinds",
    "chcverify.terms.printing.binders",
    "chcverify.terms.printing.smtlib",
)
