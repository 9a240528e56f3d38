"""The tuning constants of candidate invariants, their checks, and seeded engines, in one table."""

from chcverify.lazy_dataclass import dataclass


@dataclass(frozen=True)
class CandidateTuning:
    """Limits of mined candidates and of their checks. Chosen by hand; no measurement is recorded.

    max_candidates: candidates of one predicate.
    max_atoms: comparisons of the clauses whose variants are tried.
    max_pairwise: formals of one sort that are related in pairs.
    max_moduli: moduli for remainders of formals.
    largest_modulus: the greatest of them.
    max_float_bounds: floating-point numbers of the clauses, and their opposites, that bound formals.
    max_premises: premises of implications for one predicate.
    max_octagon_bounds: constants of the clauses in octagonal bounds, those nearest to 0.
    step_check_s: seconds to check one candidate at one clause.
    query_check_s: seconds to check one query, or one clause of a model.
    check_time_fraction: fraction of the remaining time that one check may take at most.
    minimisation_time_fraction: fraction of the remaining time to remove redundant conjuncts of a model.
    max_minimisation_s: seconds for that at most.
    unseeded_time_fraction: fraction of the time in which a seeded engine runs without invariants. Measured: of 18
    Horn tasks, Spacer with the invariants of `df` from the start decided one more and lost two.
    generator_time_fraction: fraction of the time after that for the generator of the invariants.
    """

    max_candidates: int = 400
    max_atoms: int = 40
    max_pairwise: int = 10
    max_moduli: int = 3
    largest_modulus: int = 16
    max_float_bounds: int = 24
    max_premises: int = 6
    max_octagon_bounds: int = 4
    step_check_s: float = 5.0
    query_check_s: float = 15.0
    check_time_fraction: float = 0.1
    minimisation_time_fraction: float = 0.1
    max_minimisation_s: float = 5.0
    unseeded_time_fraction: float = 0.3
    generator_time_fraction: float = 0.4


CANDIDATE_TUNING = CandidateTuning()
