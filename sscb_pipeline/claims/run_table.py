"""Per-run rows held by column, so that a population is filtered by a few array comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.errors import InputError

Mask = NDArray[np.bool_]

INTEGER_COLUMNS = frozenset({"repeat", "t_f_step", "t_e_step", "t_s_step", "t_u_step", "steps"})
COLUMNS = tuple(field.name for field in fields(RunRow))


class RunTable:
    """Columns of one analysis. Text columns are held as codes into a vocabulary; all arrays have shape (rows,)."""

    def __init__(self, rows: Sequence[RunRow]) -> None:
        self.rows = len(rows)
        self._integers: dict[str, NDArray[np.int64]] = {}
        self._codes: dict[str, NDArray[np.int64]] = {}
        self._vocabulary: dict[str, dict[str, int]] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._groups: dict[tuple[str, ...], NDArray[np.int64]] = {}
        for column in COLUMNS:
            if column in INTEGER_COLUMNS:
                self._integers[column] = np.fromiter((getattr(row, column) for row in rows), np.int64, len(rows))
                continue
            vocabulary: dict[str, int] = {}
            codes = (vocabulary.setdefault(getattr(row, column), len(vocabulary)) for row in rows)
            self._codes[column] = np.fromiter(codes, np.int64, len(rows))
            self._vocabulary[column] = vocabulary
            self._names[column] = tuple(vocabulary)

    def values(self, column: str) -> tuple[str, ...]:
        """The distinct values of a text column, sorted."""
        return tuple(sorted(self._vocabulary[_known(column)]))

    def texts(self, column: str, mask: Mask) -> list[str]:
        """The values of a text column in the masked rows, in row order."""
        names = self._names[_known(column)]
        return [names[code] for code in self._codes[column][mask].tolist()]

    def integers(self, column: str) -> NDArray[np.int64]:
        """An integer column, shape (rows,)."""
        if column not in self._integers:
            raise _no_column(column, "an integer column of RunRow")
        return self._integers[column]

    def equal_to(self, column: str, values: Sequence[str | int]) -> Mask:
        """Rows whose column holds one of `values`; a value that never occurs matches nothing."""
        if column in self._integers:
            return np.isin(self._integers[column], np.array([int(value) for value in values], dtype=np.int64))
        vocabulary = self._vocabulary[_known(column)]
        wanted = [vocabulary[str(value)] for value in values if str(value) in vocabulary]
        codes = self._codes[column]
        if len(wanted) == 1:
            return np.asarray(codes == wanted[0])
        return np.isin(codes, np.array(wanted, dtype=np.int64))

    def groups(self, key: tuple[str, ...]) -> NDArray[np.int64]:
        """A group number per row, 0.. without gaps: rows with equal values in all `key` columns share one."""
        if key not in self._groups:
            combined = np.zeros(self.rows, dtype=np.int64)
            for column in key:
                codes = self._integers[column] if column in self._integers else self._codes[_known(column)]
                paired = combined * (int(codes.max(initial=0)) + 1) + codes
                combined = np.unique(paired, return_inverse=True)[1].reshape(-1)
            self._groups[key] = combined
        return self._groups[key]


def _known(column: str) -> str:
    if column in INTEGER_COLUMNS or column not in COLUMNS:
        raise _no_column(column, "a text column of RunRow")
    return column


def _no_column(column: str, expected: str) -> InputError:
    return InputError(
        subject=f"column {column}", expected=expected, found="none of that name", remedy="see claims/run_row.py"
    )
