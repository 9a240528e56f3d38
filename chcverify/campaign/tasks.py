"""The tasks of a campaign: from task definitions, sets of them, directories, and plain C and SMT-LIB files."""

import glob
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass
from chcverify.task import DEFAULT_PROPERTIES, Task, language_of, read_task

PLAIN_SUFFIXES = (".c", ".i", ".smt2")
TASK_SUFFIXES = (".yml", ".yaml")


@dataclass(frozen=True)
class CampaignTask:
    """One task. path: what a tool is given. category: the name of its folder, by which tables are grouped."""

    path: str
    input_file: str
    category: str
    property_name: str
    data_model: str | None
    expected: bool | None

    @property
    def is_program(self) -> bool:
        """True for a C program, False for Horn clauses."""
        return self.property_name != "check-sat"

    @property
    def key(self) -> str:
        """The identity of the task within a campaign."""
        return f"{self.path}#{self.property_name}"


def collect_tasks(paths: Iterable[str], wanted: str | None, report: Callable[[InputError], None]) -> list[CampaignTask]:
    """The tasks that the paths name, each once, in the order given.

    paths: .yml task definitions, .set files (one glob pattern per line, relative to the file), directories (all task
    definitions below; if there are none, all .c, .i and .smt2 files), and plain program or clause files.
    wanted: the name of a property; task definitions without it are left out.
    report: is given the errors of files below directories and in sets that are no tasks; they are left out.
    Raises InputError for a path that is named directly and unusable.
    """
    tasks: dict[str, CampaignTask] = {}
    for path in paths:
        for task in _tasks_of(Path(path), wanted, report):
            tasks.setdefault(task.key, task)
    return list(tasks.values())


def stratified_sample(tasks: Sequence[CampaignTask], number: int) -> list[CampaignTask]:
    """That many of the tasks, the same ones each time: of every category one, the others in proportion to its size.

    Within a category they lie at equal distances. With fewer than one for each category the greatest ones have one.
    All tasks if there are no more. Categories take turns, so that the first runs of a campaign are a sample as well.
    Shares follow Sainte-Laguë's method of highest averages.
    """
    groups: dict[str, list[CampaignTask]] = {}
    for task in tasks:
        groups.setdefault(task.category, []).append(task)
    shares = dict.fromkeys(groups, 0)
    for _ in range(min(number, len(tasks))):
        open_ = [name for name in groups if shares[name] < len(groups[name])]
        chosen = max(open_, key=lambda name: (shares[name] == 0, len(groups[name]) / (2 * shares[name] + 1)))
        shares[chosen] += 1
    taken = [
        ((index + 0.5) / shares[name], group[index * len(group) // shares[name]])
        for name, group in groups.items()
        for index in range(shares[name])
    ]
    return [task for _, task in sorted(taken, key=lambda item: item[0])]


def _tasks_of(path: Path, wanted: str | None, report: Callable[[InputError], None]) -> Iterator[CampaignTask]:
    if path.is_dir():
        found = sorted(p for suffix in TASK_SUFFIXES for p in path.rglob(f"*{suffix}"))
        files = found or sorted(p for suffix in PLAIN_SUFFIXES for p in path.rglob(f"*{suffix}"))
        yield from _usable(files, wanted, report)
    elif path.suffix == ".set":
        yield from _usable(_members(path), wanted, report)
    elif path.is_file():
        task = _task(path, wanted)
        if task is not None:
            yield task
    else:
        raise InputError(str(path), 0, 0, "no such file or directory")


def _usable(files: Iterable[Path], wanted: str | None, report: Callable[[InputError], None]) -> Iterator[CampaignTask]:
    for file in files:
        try:
            task = _task(file, wanted)
        except InputError as error:
            report(error)
            continue
        if task is not None:
            yield task


def _members(path: Path) -> list[Path]:
    """The files that the patterns of a .set file match."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(path), 0, 0, f"cannot be read: {error}") from error
    files: list[Path] = []
    for number, line in enumerate(lines, 1):
        pattern = line.partition("#")[0].strip()
        if not pattern:
            continue
        matched = sorted(glob.glob(str(path.parent / pattern), recursive=True))
        if not matched:
            raise InputError(str(path), number, 1, f"no file matches {pattern}")
        files.extend(map(Path, matched))
    return files


def _task(path: Path, wanted: str | None) -> CampaignTask | None:
    """The task of one file; None for a task definition that does not have the wanted property."""
    if path.suffix not in TASK_SUFFIXES:
        language = language_of(str(path))
        name = DEFAULT_PROPERTIES[language] if language != "c" else wanted or DEFAULT_PROPERTIES["c"]
        return CampaignTask(str(path), str(path), path.resolve().parent.name, name, None, None)
    task = read_task(str(path), wanted)
    if wanted and (task.property != wanted or task.expected is None):
        return None
    return _campaign_task(path, task)


def _campaign_task(path: Path, task: Task) -> CampaignTask:
    category = path.resolve().parent.name
    return CampaignTask(str(path), task.input_file, category, task.property, task.data_model, task.expected)
