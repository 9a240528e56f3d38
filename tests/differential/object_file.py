"""Reads what gcc has put into the sections of a relocatable ELF file, of 32 or of 64 bits."""

import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class _Section:
    name: int
    kind: int
    offset: int
    size: int
    link: int
    info: int


_RELOCATIONS, _NO_DATA, _SYMBOLS = (4, 9), 8, 2


class ObjectFile:
    """The bytes behind each symbol, None for each byte that the linker fills in."""

    def __init__(self, data: bytes) -> None:
        self._data, self._wide = data, data[4] == 2
        (start,) = struct.unpack_from("<Q", data, 40) if self._wide else struct.unpack_from("<I", data, 32)
        size, count = struct.unpack_from("<HH", data, 58 if self._wide else 46)
        self._sections = [self._section(start + number * size) for number in range(count)]

    def _section(self, offset: int) -> _Section:
        if self._wide:
            name, kind, _, _, start, size, link, info, _, _ = struct.unpack_from("<IIQQQQIIQQ", self._data, offset)
        else:
            name, kind, _, _, start, size, link, info, _, _ = struct.unpack_from("<10I", self._data, offset)
        return _Section(name, kind, start, size, link, info)

    def objects(self) -> dict[str, list[int | None]]:
        """Symbol names to the bytes of the symbols that have a size."""
        contents = {number: self._contents(number) for number in range(len(self._sections))}
        found: dict[str, list[int | None]] = {}
        for table in self._sections:
            if table.kind != _SYMBOLS:
                continue
            names = self._sections[table.link].offset
            step = 24 if self._wide else 16
            for offset in range(table.offset, table.offset + table.size, step):
                if self._wide:
                    name, _, _, home, value, size = struct.unpack_from("<IBBHQQ", self._data, offset)
                else:
                    name, value, size, _, _, home = struct.unpack_from("<IIIBBH", self._data, offset)
                if size and home < len(self._sections):
                    end = self._data.index(b"\0", names + name)
                    found[self._data[names + name : end].decode()] = contents[home][value : value + size]
        return found

    def _contents(self, number: int) -> list[int | None]:
        section = self._sections[number]
        if section.kind == _NO_DATA:
            return [0] * section.size
        byte_offsets: list[int | None] = list(self._data[section.offset : section.offset + section.size])
        width = 8 if self._wide else 4
        for table in self._sections:
            if table.kind in _RELOCATIONS and table.info == number:
                step = {(True, 4): 24, (True, 9): 16, (False, 4): 12, (False, 9): 8}[self._wide, table.kind]
                for offset in range(table.offset, table.offset + table.size, step):
                    (lvalue,) = struct.unpack_from("<Q" if self._wide else "<I", self._data, offset)
                    byte_offsets[lvalue : lvalue + width] = [None] * width
        return byte_offsets
