"""The figures of the papers beside which the tables of this folder stand.

S0: Beyer, Dangl: Software Verification with PDR. S1: Donaldson, Haller, Kroening, Rümmer: Software Verification Using
k-Induction. S3: Beyer, Dangl, Wendler: Combining k-Induction with Continuously-Refined Invariants. S4: DepthK:
k-induction and polyhedral invariants.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class PaperColumn:
    """A configuration of a paper's table: its solved tasks of how many, and mean CPU seconds of these (None: not
    printed)."""

    name: str
    solved: int
    tasks: int
    mean_seconds: float | None = None


# S0, table 3: safe tasks that k-induction without auxiliary invariants does not prove.
S0_TABLE_3 = (
    PaperColumn("KI<-KIPDR", 449, 2893, 29.0),
    PaperColumn("KI<-DF", 1117, 2893, 68.0),
    PaperColumn("KI<-DF;KIPDR", 1119, 2893, 68.0),
)

# S3, table I: correct results of all tasks; seconds from the hours of correct results.
S3_TABLE_1 = (
    PaperColumn("none", 1036, 2814, 7.1 * 3600 / 1036),
    PaperColumn("static (16,2,t)", 1893, 2814, 15 * 3600 / 1893),
    PaperColumn("continuously refined", 1981, 2814, 17 * 3600 / 1981),
)

# S0, table 5: the tasks that KI<-KIPDR proves.
S0_TABLE_5 = (
    PaperColumn("Boxes", 437, 449, 6.7),
    PaperColumn("Boxes, Eq", 438, 449, 7.2),
    PaperColumn("Boxes, Eq, Mod2", 441, 449, 7.2),
    PaperColumn("KI<-KIPDR", 449, 449, 29.0),
)

# S0, table 6: CPU seconds per program; T: time limit, M: memory limit. ReportTable 7 has the same last column.
S0_TABLE_6: dict[str, tuple[str, str, str, str]] = {
    "const": ("3.3", "3.3", "3.2", "3.8"),
    "eq1": ("T", "3.2", "3.3", "4.9"),
    "eq2": ("M", "M", "M", "3.9"),
    "even": ("T", "T", "3.5", "3.9"),
    "odd": ("T", "T", "3.4", "4.1"),
    "mod4": ("T", "T", "T", "3.6"),
    "bin-suffix-5": ("M", "M", "M", "3.6"),
}

# S0, table 8: subcategory ReachSafety-Loops.
S0_TABLE_8 = (PaperColumn("KI<-KIPDR", 114, 208, 14.0), PaperColumn("KI<-DF;KIPDR", 126, 208, 34.0))

# S0, table 2: all tasks, correct results.
S0_TABLE_2 = (
    PaperColumn("CPAchecker-CTIGAR", 1087, 5591, 30.0),
    PaperColumn("VVT-CTIGAR", 739, 5591, 16.0),
    PaperColumn("KI", 2075, 5591, 52.0),
    PaperColumn("KI<-DF;KIPDR", 3095, 5591, 63.0),
    PaperColumn("SeaHorn", 3468, 5591, 31.0),
)

# S4, table 1: embedded programs; minutes for all of them.
S4_TABLE_1 = (
    PaperColumn("DepthK (PIPS)", 16, 34, None),
    PaperColumn("DepthK (PAGAI)", 14, 34, None),
    PaperColumn("ESBMC k-induction", 29, 34, None),
    PaperColumn("CPAchecker k-induction", 27, 34, None),
    PaperColumn("2LS", 34, 34, None),
)

# S4, table 3: all tasks of SV-COMP 2018.
S4_TABLE_3 = (
    PaperColumn("DepthK (PAGAI)", 1490, 5591, None),
    PaperColumn("CPAchecker-CTIGAR", 1087, 5591, None),
    PaperColumn("SeaHorn", 3468, 5591, None),
    PaperColumn("VVT portfolio", 839, 5591, None),
)


@dataclass(frozen=True)
class TransferRow:
    """S1, table 2: least and greatest k of the split and the combined case, seconds, speed-up."""

    name: str
    split_k: tuple[int, int]
    split_seconds: float
    combined_k: tuple[int, int]
    combined_seconds: float
    invariants: int  # that the split case needed by hand

    @property
    def speed_up(self) -> float:
        """Seconds of the split case by those of the combined case."""
        return self.split_seconds / self.combined_seconds


S1_TABLE_2 = (
    TransferRow("1-buf", (1, 1), 0.32, (0, 1), 0.23, 3),
    TransferRow("1-buf I/O", (1, 1), 0.39, (0, 1), 0.27, 5),
    TransferRow("2-buf", (1, 2), 1.18, (0, 2), 0.45, 17),
    TransferRow("2-buf I/O", (1, 2), 2.06, (0, 2), 0.53, 29),
    TransferRow("3-buf", (1, 3), 9.56, (0, 3), 1.00, 27),
    TransferRow("3-buf I/O", (1, 3), 8.47, (0, 3), 1.03, 38),
    TransferRow("Euler simple", (1, 2), 3.30, (0, 2), 2.95, 10),
    TransferRow("sync atomic op", (1, 1), 0.40, (0, 1), 0.18, 4),
    TransferRow("sync mutex", (1, 1), 0.87, (0, 1), 0.28, 2),
)
