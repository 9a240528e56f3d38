"""Pieces of HTML. Whatever comes from programs, solvers or file names goes through `text`."""

from collections.abc import Iterable, Sequence
from html import escape


def text(value: object) -> str:
    """Escaped for elements and quoted attributes; characters that HTML forbids become replacement characters."""
    shown = "".join(c if c in "\n\t" or c.isprintable() or c == "\u00a0" else "\ufffd" for c in str(value))
    return escape(shown)


def section(identity: str, title: str, content: str) -> str:
    return f'<section id="{identity}" aria-labelledby="{identity}-title">\n<h2 id="{identity}-title">{text(title)}</h2>\n{content}\n</section>'  # noqa: E501


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The cells are HTML already. The first cell of a row names it; the table scrolls by itself where it is wide."""
    head = "".join(f'<th scope="col">{text(column)}</th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>\n' for row in rows
    )
    title = f"<caption>{text(caption)}</caption>" if caption else ""
    return scroll(f"<table>{title}<thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>", caption or "table")


def scroll(content: str, name: str, kind: str = "scroll") -> str:
    """A region that scrolls by itself, also by keyboard."""
    return f'<div class="{kind}" role="region" tabindex="0" aria-label="{text(name)}">{content}</div>'


def details(summary: str, content: str, is_open: bool = False) -> str:
    return f"<details{' open' if is_open else ''}><summary>{text(summary)}</summary>{content}</details>"
