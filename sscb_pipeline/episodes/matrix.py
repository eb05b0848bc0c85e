"""The execution matrix: seed × configuration × condition × repeat (SPEC 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sscb_pipeline.episodes.execution import ExecutionKey
from sscb_pipeline.faults.intervention import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRef:
    """An admitted seed: its id, the hash of its content, its rank among the admitted of its operator (from 0), and the
    paired conditions of its operator, which run on repeat 0 only and are counted apart."""

    operator: str
    seed_id: str
    seed_sha256: str
    rank: int
    paired: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationRef:
    """An agent configuration: id, content hash, repeats, and how many seeds per operator it meets (by rank)."""

    configuration_id: str
    configuration_sha256: str
    repeats: int
    seeds_per_operator: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The executions of one seed under one configuration: the clean one first, then those it gates."""

    seed_id: str
    configuration_id: str
    clean: ExecutionKey
    gated: tuple[ExecutionKey, ...]

    def executions(self) -> tuple[ExecutionKey, ...]:
        """All keys, the clean one first."""
        return (self.clean, *self.gated)


def matrix(seeds: Sequence[SeedRef], configurations: Sequence[ConfigurationRef], *, campaign: str) -> tuple[Group, ...]:
    """All groups, configurations outermost, seeds in the order given."""
    return tuple(
        _group(seed, configuration, campaign)
        for configuration in configurations
        for seed in seeds
        if seed.rank < configuration.seeds_per_operator
    )


def keys_of(groups: Iterable[Group]) -> tuple[ExecutionKey, ...]:
    """Every execution key of the groups, in order."""
    return tuple(key for group in groups for key in group.executions())


def _group(seed: SeedRef, configuration: ConfigurationRef, campaign: str) -> Group:
    def key(condition: Condition, repeat: int) -> ExecutionKey:
        return ExecutionKey(
            campaign=campaign,
            operator=seed.operator,
            seed_id=seed.seed_id,
            seed_sha256=seed.seed_sha256,
            configuration_id=configuration.configuration_id,
            configuration_sha256=configuration.configuration_sha256,
            condition=condition,
            repeat=repeat,
        )

    baseline = tuple(key(Condition.BASELINE, repeat) for repeat in range(configuration.repeats))
    paired = tuple(key(condition, 0) for condition in seed.paired)
    return Group(
        seed_id=seed.seed_id,
        configuration_id=configuration.configuration_id,
        clean=key(Condition.CLEAN, 0),
        gated=baseline + paired,
    )
