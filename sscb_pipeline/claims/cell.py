"""A printed number together with the executions behind it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sscb_pipeline.claims.population import Conditions, Filter, Population, sql_listing, sql_rest
from sscb_pipeline.claims.run_table import Mask, RunTable
from sscb_pipeline.statistics.estimate import ClusterCounts, Estimate, Unobserved, estimate

ENTITY = ("operator", "cluster")
"""The entity cluster: reservation, user or order line, within its operator (SSC §V-B)."""
EXECUTION: tuple[str, ...] = ("execution_id",)
"""The usual unit of counting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """k of the n units of a population. A count, not a rate: it carries no interval."""

    k: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a number stands: table, row labels from left to right, column."""

    table: str
    row: tuple[str, ...]
    column: str

    @property
    def cell_id(self) -> str:
        """Stable name of the cell; also the key of its bootstrap seed."""
        return "/".join((self.table, *self.row, self.column))


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What a number counts: of the `evaluable` members of `population`, those that meet `numerator`.

    `unit` names the columns whose distinct values are counted: executions, or groups of them.
    """

    population: Population
    evaluable: Conditions
    numerator: Conditions
    numerator_sentence: str
    unit: tuple[str, ...] = EXECUTION


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One number, what it counts, and its queries."""

    place: Place
    value: Estimate | Unobserved | Count
    share: Share

    @property
    def cell_id(self) -> str:
        """See Place.cell_id."""
        return self.place.cell_id

    @property
    def sql(self) -> str:
        """Lists the executions of the denominator over the view `runs` and marks those of the numerator."""
        return sql_listing(self.share.population.conditions + self.share.evaluable, self.share.numerator)

    @property
    def undeterminable_sql(self) -> str:
        """Lists the members that could not be evaluated; empty where every member can be."""
        if not self.share.evaluable:
            return ""
        return sql_rest(self.share.population.conditions, self.share.evaluable)


class Calculator:
    """Turns shares and counts over one table into cells."""

    def __init__(self, table: RunTable) -> None:
        self.table = table
        self.filter = Filter(table)

    def share(self, place: Place, share: Share) -> Cell:
        """The estimate of a share, or Unobserved where nothing is evaluable."""
        whole = self._units(self.filter.mask(share.population.conditions), share.unit)
        evaluable = whole & self.filter.mask(share.evaluable)
        successes = evaluable & self.filter.mask(share.numerator)
        value = estimate(
            claim=f"{share.numerator_sentence}, in: {share.population.sentence}",
            key=place.cell_id,
            counts=self._by_cluster(evaluable, successes),
            undeterminable=int(whole.sum() - evaluable.sum()),
        )
        return Cell(place=place, value=value, share=share)

    def count(self, place: Place, population: Population, numerator: Conditions, sentence: str) -> Cell:
        """How many executions of a population meet `numerator`."""
        members = self.filter.mask(population.conditions)
        value = Count(k=int((members & self.filter.mask(numerator)).sum()), n=int(members.sum()))
        share = Share(population=population, evaluable=(), numerator=numerator, numerator_sentence=sentence)
        return Cell(place=place, value=value, share=share)

    def _units(self, mask: Mask, unit: tuple[str, ...]) -> Mask:
        """One row per distinct unit: the first of each."""
        if unit == EXECUTION:
            return mask
        positions = np.flatnonzero(mask)
        first = positions[np.unique(self.table.groups(unit)[positions], return_index=True)[1]]
        kept = np.zeros_like(mask)
        kept[first] = True
        return kept

    def _by_cluster(self, evaluable: Mask, successes: Mask) -> ClusterCounts:
        clusters = self.table.groups(ENTITY)
        denominators = np.bincount(clusters[evaluable])
        contributing = denominators > 0
        numerators = np.bincount(clusters[successes], minlength=len(denominators))
        return ClusterCounts(numerators=numerators[contributing], denominators=denominators[contributing])
