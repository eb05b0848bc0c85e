"""The operators by name, in SSC's order."""

from __future__ import annotations

from collections.abc import Mapping

from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.operator import Operator
from sscb_pipeline.faults.operators.item_option import ItemOption
from sscb_pipeline.faults.operators.pay_source import PaySource
from sscb_pipeline.faults.operators.return_date import ReturnDate
from sscb_pipeline.faults.operators.write_effect import WriteEffect

OPERATORS: Mapping[str, Operator] = {
    operator.name: operator for operator in (ReturnDate(), ItemOption(), PaySource(), WriteEffect())
}


def operator_named(name: str, *, place: str = "") -> Operator:
    """The operator of that name. Raises InputError that lists the known ones; `place` says where the name stands."""
    if name not in OPERATORS:
        raise InputError(
            subject=f"{place} {name!r}" if place else f"operator {name!r}",
            expected=f"one of {', '.join(OPERATORS)}",
            found="an unknown name",
            remedy="correct the name, or add a module to sscb_pipeline/faults/operators and list it in registry.py",
        )
    return OPERATORS[name]
