"""The questions of the papers: which engines on which tasks, and the columns of the papers that they answer to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.reproduce import papers
from benchmarks.reproduce.tables import combined_tables, program_table, solved_table
from chcverify.campaign.measurement import RunResult
from chcverify.campaign.reporting.rendering import ReportTable

FOLDER = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Question:
    """A question of a paper.

    engines: what runs here. folders: of `benchmarks`, whose tasks are the default. safe_only: only tasks that are
    expected to be safe. default_tasks, default_seconds (of processor time): the default size, at most 10 minutes with
    two jobs on two free cores. tables: from the results to the tables with the papers' figures. difference: what
    differs from the paper's setting.
    """

    name: str
    text: str
    engines: tuple[str, ...]
    folders: tuple[str, ...]
    safe_only: bool
    default_tasks: int
    default_seconds: float
    tables: Callable[[Sequence[RunResult]], list[ReportTable]]
    difference: str


_SETTING = (
    "Programs, machine and limits differ from the papers'; so only the order of the configurations and who proves "
    "something that others do not can be compared, not counts or seconds."
)

FED = Question(
    name="fed-k-induction",
    text="Are fed k-inductions better than plain ones (S0 hypothesis 2 with table 3, S3 table I)?",
    engines=("kind", "kind+kipdr", "kind+df", "kind+df;kipdr"),
    folders=("one_loop", "k_induction", "c"),
    safe_only=True,
    default_tasks=15,
    default_seconds=5.0,
    tables=lambda results: [
        solved_table(
            "S0, table 3: safe tasks that plain k-induction does not prove",
            results,
            {"kind+kipdr": "KI<-KIPDR", "kind+df": "KI<-DF", "kind+df;kipdr": "KI<-DF;KIPDR"},
            papers.S0_TABLE_3,
            without="kind",
        ),
        solved_table(
            "S3, table I: without and with invariants, and the final k",
            results,
            {"kind": "none", "kind+df": "continuously refined"},
            papers.S3_TABLE_1,
        ),
    ],
    difference="df refines its domains round by round, as the paper's continuously refined configuration; there is no "
    "static one here. " + _SETTING,
)

GENERATORS = Question(
    name="generators",
    text="Which generators prove what KIPDR proves (S0 tables 5 to 8)?",
    engines=("df-boxes", "df-boxes-eq", "df-boxes-eq-mod2", "kipdr", "kind+kipdr", "kind+df;kipdr"),
    folders=("one_loop", "c"),
    safe_only=True,
    default_tasks=15,
    default_seconds=8.0,
    tables=lambda results: [
        program_table(
            "S0, tables 6 and 7: the seven programs",
            results,
            ("df-boxes", "df-boxes-eq", "df-boxes-eq-mod2", "kind+kipdr"),
            ("Boxes", "Boxes, Eq", "Boxes, Eq, Mod2", "KI<-KIPDR"),
            papers.S0_TABLE_6,
        ),
        solved_table(
            "S0, table 5: tasks that KI<-KIPDR proves",
            results,
            {
                "df-boxes": "Boxes",
                "df-boxes-eq": "Boxes, Eq",
                "df-boxes-eq-mod2": "Boxes, Eq, Mod2",
                "kind+kipdr": "KI<-KIPDR",
            },
            papers.S0_TABLE_5,
            of="kind+kipdr",
        ),
        solved_table(
            "S0, table 8: with and without data flow",
            results,
            {"kind+kipdr": "KI<-KIPDR", "kind+df;kipdr": "KI<-DF;KIPDR"},
            papers.S0_TABLE_8,
        ),
    ],
    difference="The data-flow configurations run alone here; in the paper they feed k-induction. " + _SETTING,
)

COMBINED = Question(
    name="combined-split",
    text="Combined-case against split-case k-induction (S1 table 2)?",
    engines=("combined", "combined+df", "kind", "kind+df"),
    folders=("k_induction",),
    safe_only=True,
    default_tasks=11,
    default_seconds=8.0,
    tables=combined_tables,
    difference="The programs of benchmarks/k_induction have the form of the paper's transfers. The paper adds the "
    "invariants of the split case by hand; here abstract interpretation looks for them. k of the split case counts "
    "clauses here, iterations in the paper. " + _SETTING,
)

EMBEDDED = Question(
    name="embedded",
    text="Polyhedra on embedded programs (S4 tables 1 and 3)?",
    engines=("df-poly", "df-boxes", "kind", "kind+df", "ctigar"),
    folders=("embedded",),
    safe_only=False,
    default_tasks=12,
    default_seconds=6.0,
    tables=lambda results: [
        solved_table(
            "S4, table 1: embedded programs",
            results,
            {"df-poly": "DepthK (PAGAI)", "kind": "ESBMC k-induction", "kind+df": "CPAchecker k-induction"},
            papers.S4_TABLE_1,
        ),
        solved_table(
            "S4, table 3: polyhedra beside CTIGAR",
            results,
            {"df-poly": "DepthK (PAGAI)", "ctigar": "CPAchecker-CTIGAR"},
            papers.S4_TABLE_3,
        ),
    ],
    difference="The paper's programs (Powerstone, SNU, WCET) are replaced by programs of the same kind, written for "
    "this project; polyhedra run alone here and find no bugs, in the paper they feed k-induction. " + _SETTING,
)

PDR = Question(
    name="pdr",
    text="CTIGAR, PDR and BMC side by side (S0 table 2)?",
    engines=("ctigar", "pdr", "bmc", "kind", "kind+df;kipdr", "spacer"),
    folders=("one_loop", "k_induction", "c"),
    safe_only=False,
    default_tasks=12,
    default_seconds=5.0,
    tables=lambda results: [
        solved_table(
            "S0, table 2",
            results,
            {"ctigar": "CPAchecker-CTIGAR", "kind": "KI", "kind+df;kipdr": "KI<-DF;KIPDR", "spacer": "SeaHorn"},
            papers.S0_TABLE_2,
        )
    ],
    difference="SeaHorn's engine is Spacer; its encoding of C is another one. " + _SETTING,
)

QUESTIONS = {question.name: question for question in (FED, GENERATORS, COMBINED, EMBEDDED, PDR)}
