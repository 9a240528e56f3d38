"""One model for all checks of a program that were proved in groups, so that a second run checks one instead of many.

The groups share their clauses but for the queries. The conjunction of models of such clauses is a model of them, and
it excludes the queries of all groups: each interpretation excludes its own.
"""

from collections.abc import Sequence

from chcverify.certificate.model import Model
from chcverify.problems.check_problems import CheckProblems
from chcverify.results.checks import Check
from chcverify.results.result import Safe
from chcverify.run.cached_answers import CachedClauses
from chcverify.run.cached_checks import StoredGroup
from chcverify.transforms.known_invariants import conjunctions


def joined_proofs(
    problems: CheckProblems, checks: Sequence[Check], groups: Sequence[StoredGroup]
) -> StoredGroup | None:
    """The group of all checks that have models, with the conjunction of these; None unless there are several.

    It is not checked here: whoever reads it checks it, as everything that is stored. checks: all of the program.
    May raise anything for a group whose stored text is no certificate.
    """
    proved = [group for group in groups if group.entry.kind == "model"]
    if len(proved) < 2:
        return None
    models = []
    for group in proved:
        answer = _clauses(problems, checks, group.checks).certificate(group.entry)
        assert isinstance(answer, Safe)
        if answer.model.definitions or answer.model.folds:
            return None
        models.append(answer.model.interpretations)
    members = {check for group in proved for check in group.checks}
    together = tuple(check for check in checks if check in members)
    entry = _clauses(problems, checks, together).entry(Safe(Model(conjunctions(models))))
    return StoredGroup(together, entry, sum(group.seconds for group in proved))


def _clauses(problems: CheckProblems, checks: Sequence[Check], group: Sequence[Check]) -> CachedClauses:
    return CachedClauses(problems.of_checks(frozenset(checks) - frozenset(group)).system)
