"""The report's tables in LaTeX, ready for a paper: booktabs rules, quantities in mathematics, everything else escaped.

A table needs the packages booktabs and, when it is longer than a page, longtable.
"""

from __future__ import annotations

import re

from sscb_pipeline.report.view import DataCell, TableView

LONGEST = 40
"""Rows of a table that fits on a page; longer ones become a longtable."""
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "\u202f": r"\,",
    "–": "--",
    "−": "$-$",
    "∞": r"$\infty$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "′": "$'$",
    "τ": r"$\tau$",
    "²": r"\textsuperscript{2}",
    "·": r"$\cdot$",
    "“": "``",
    "”": "''",
    "◇": r"$\diamond$",
    "◆": r"$\blacklozenge$",
}
_QUANTITY = re.compile(r"(?<![\w])([TAaqYZnu])_(\w+)")


def latex_table(table: TableView, label: str) -> str:
    """One table environment (or longtable) with caption and label."""
    headings = (*table.row_columns, *table.columns)
    layout = "l" * len(table.row_columns) + "r" * len(table.columns)
    head = " & ".join(rf"\textnormal{{{escaped(name)}}}" for name in headings) + r" \\"
    body = "\n".join(_row(row.headers, row.cells, span) for row, span in zip(table.rows, table.spans, strict=True))
    caption = rf"\caption{{{escaped(table.caption)}}}\label{{tab:{label}}}"
    note = rf"\par\smallskip\footnotesize {escaped(table.note)}" if table.note else ""
    if len(table.rows) > LONGEST:
        return (
            f"\\begin{{longtable}}{{{layout}}}\n{caption}\\\\\n\\toprule\n{head}\n\\midrule\n\\endfirsthead\n"
            f"\\toprule\n{head}\n\\midrule\n\\endhead\n\\bottomrule\n\\endlastfoot\n{body}\n\\end{{longtable}}\n"
            + (f"{{{note}}}\n" if note else "")
        )
    return (
        f"\\begin{{table}}\n\\centering\n{caption}\n\\begin{{tabular}}{{{layout}}}\n\\toprule\n{head}\n\\midrule\n"
        f"{body}\n\\bottomrule\n\\end{{tabular}}\n{note}\n\\end{{table}}\n"
    )


def _row(headers: tuple[str, ...], cells: tuple[DataCell, ...], span: int) -> str:
    first = escaped(headers[0]) if span else ""
    rest = [escaped(name) for name in headers[1:]]
    return " & ".join((first, *rest, *map(_cell, cells))) + r" \\"


def _cell(cell: DataCell) -> str:
    note = rf" {{\scriptsize {escaped(cell.note)}}}" if cell.note else ""
    return escaped(cell.text) + note


def escaped(text: str) -> str:
    """Text that LaTeX prints as it is; names like T_F or a_before become mathematics. Line ends become spaces."""
    written, at = [], 0
    for match in _QUANTITY.finditer(text):
        written.append(_literal(text[at : match.start()]))
        written.append(rf"${match[1]}_{{\mathrm{{{_literal(match[2])}}}}}$")
        at = match.end()
    written.append(_literal(text[at:]))
    return "".join(written)


def _literal(text: str) -> str:
    plain = " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
    return "".join(_SPECIAL.get(character, character) for character in plain)
