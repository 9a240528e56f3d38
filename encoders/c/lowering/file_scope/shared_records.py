"""Records that several files of a program declare: one type where their definitions are the same (C11 6.2.7)."""

from collections.abc import Callable

from pycparser import c_ast

from encoders.c.lowering.context import Unit
from encoders.c.lowering.file_scope.program_files import RecordsDiffer
from encoders.c.lowering.symbols import Scope
from encoders.c.types.c_types import CRecord
from encoders.c.types.record_layout import RecordLayout


def record_of(unit: Unit, scope: Scope, node: c_ast.Struct | c_ast.Union) -> CRecord:
    """The type for a specifier that names none yet in the scope: that of another file of the program, or a new one."""
    file = unit.file_of(scope)
    key = unit.files.record_key(node, file) if file is not None else None
    record = unit.files.shared.get(key) if key is not None else None
    if record is None:
        record = CRecord(unit.unique_tag(node.name), isinstance(node, c_ast.Union))
        if key is not None:
            unit.files.shared[key], unit.files.keys[record.tag] = record, key
    return record


def declare_again(unit: Unit, scope: Scope, node: c_ast.Struct | c_ast.Union) -> None:
    """`struct s;` in a block: from here on a type of the block, whatever the tag means around it (C11 6.7.2.3p7)."""
    if node.name is not None and node.name not in scope.tags:
        scope.tags[node.name] = record_of(unit, scope, node)


def is_shared(unit: Unit, scope: Scope, record: CRecord) -> bool:
    """True at the first definition of a record in a file of the program, if other files may define it, too."""
    file = unit.file_of(scope)
    if file is None or record.tag in file.completed or record.tag not in unit.files.keys:
        return False
    file.completed.add(record.tag)
    return True


def complete_again(unit: Unit, record: CRecord, complete: Callable[[], None]) -> None:
    """Completes a record by its definition in one more file. Raises RecordsDiffer if that is not the same one."""
    layouts, poisoned = unit.layout.records, unit.poisoned
    known, wrong = layouts.pop(record.tag, None), poisoned.pop(record.tag, None)
    complete()
    found, fails = layouts.get(record.tag), poisoned.get(record.tag)
    if known is None and wrong is None:
        return
    if (wrong is None) != (fails is None) or _described(known) != _described(found):
        raise RecordsDiffer(unit.files.keys[record.tag])


def _described(layout: RecordLayout | None) -> object:
    """Everything by which layouts differ, volatile members included."""
    return layout and (layout, tuple(member.volatile for member in layout.fields))
