"""The kill table: each mutant against both checkers of a pair (JIA §III, test 2).

A checker accepts, rejects naming the violated requirement, rejects for another reason, or crashes. What counts is
what it says of the requirement that the contract gives the changed element.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from sscb_pipeline.assurance.requirement import Broken, Kept, Outcome
from sscb_pipeline.judging.trials.checker_pairs import Examined, Pair, disk, inline
from sscb_pipeline.judging.trials.file_mutants import file_mutants
from sscb_pipeline.judging.trials.mutation import (
    ChangeFiles,
    ChangeOriginals,
    ChangePackets,
    ChangeSpecimen,
    Files,
    Level,
    Mutant,
)
from sscb_pipeline.judging.trials.packet_mutants import addition_mutants, packet_mutants
from sscb_pipeline.judging.trials.record_mutants import record_mutants
from sscb_pipeline.judging.trials.specimens import TRIAL_CONTRACT, Specimen, specimens
from sscb_pipeline.packets.build import build_record
from sscb_pipeline.packets.check_inline import EarlierOriginal
from sscb_pipeline.packets.input_contract import InputContract
from sscb_pipeline.packets.requirement import Checker, Requirement
from sscb_pipeline.trajectories.source_codec import encode_source


class Reaction(StrEnum):
    """What a checker did with a mutant."""

    ACCEPTED = "accepted"
    NAMED = "rejected, naming the requirement"
    OTHER_REASON = "rejected for another reason"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """One mutant before one checker. `assigned`: whether the contract gives this checker the requirement."""

    mutant: str
    level: Level
    shared: bool
    requirement: Requirement
    checker: Checker
    assigned: bool
    reaction: Reaction

    @property
    def named(self) -> bool:
        """Whether the checker named the violated requirement."""
        return self.reaction is Reaction.NAMED

    @property
    def crashed(self) -> bool:
        """Whether the checker ended in an exception."""
        return self.reaction is Reaction.CRASHED


@dataclass(frozen=True, slots=True, kw_only=True)
class KillTable:
    """All reactions of a pair."""

    pair: Pair
    kills: tuple[Kill, ...]

    @property
    def mutants(self) -> tuple[str, ...]:
        """Every mutant, once, in order."""
        return tuple(dict.fromkeys(kill.mutant for kill in self.kills))

    @property
    def shared(self) -> int:
        """Mutants that reach inputs both checkers read."""
        return len({kill.mutant for kill in self.kills if kill.shared})

    @property
    def named(self) -> int:
        """Mutants that every checker they are assigned to rejects, naming the requirement."""
        missed = {kill.mutant for kill in self.kills if kill.assigned and kill.reaction is not Reaction.NAMED}
        return len(set(self.mutants) - missed)

    @property
    def unassigned_accepts(self) -> int:
        """Acceptances by a checker that the mutant's requirement is not assigned to: it cannot see the change."""
        return sum(not kill.assigned and kill.reaction is Reaction.ACCEPTED for kill in self.kills)

    def count(self, checker: Checker, reaction: Reaction, *, assigned: bool) -> int:
        """How many mutants got this reaction, among those (not) assigned to the checker."""
        return sum((k.checker, k.reaction, k.assigned) == (checker, reaction, assigned) for k in self.kills)


def all_mutants() -> tuple[Mutant, ...]:
    """The suite, each name once."""
    return (*record_mutants(), *packet_mutants(), *addition_mutants(), *file_mutants())


def kill_table(pair: Pair, mutants: Sequence[Mutant]) -> KillTable:
    """Every mutant against both checkers of the pair."""
    cohort = specimens()
    return KillTable(pair=pair, kills=tuple(kill for mutant in mutants for kill in _kills(pair, mutant, cohort)))


def examined(specimen: Specimen, contract: InputContract = TRIAL_CONTRACT) -> Examined:
    """A recording with its packets, built by the production builder."""
    return Examined(made=build_record(specimen.source, specimen.targets, contract), targets=specimen.targets)


def saved(records: Sequence[Examined]) -> Files:
    """The files that saving and staging some packets leave."""
    packets = [packet for record in records for packet in record.made.packets]
    files = {packet.key.file_name: packet.data for packet in packets}
    return Files(
        sources={r.made.source.file_name: encode_source(r.made.source.record) for r in records},
        archive=files,
        staged=dict(files),
        manifest=[(packet.key.file_name, packet.sha256) for packet in packets],
    )


def _kills(pair: Pair, mutant: Mutant, cohort: Sequence[Specimen]) -> list[Kill]:
    # The second recording is changed: a defect among sound records, not in the first one met.
    records = [examined(one) for one in cohort]
    originals: Mapping[str, EarlierOriginal] = {}
    change = mutant.change
    if isinstance(change, ChangeSpecimen):
        records[1] = examined(change.apply(cohort[1]))
    elif isinstance(change, ChangePackets):
        changed = replace(records[1].made, packets=tuple(change.apply(records[1].made.packets)))
        records[1] = Examined(made=changed, targets=records[1].targets)
    elif isinstance(change, ChangeOriginals):
        originals = change.apply(records[1].made.packets)
    files = saved(records)
    if isinstance(change, ChangeFiles):
        change.apply(files)
    contract = TRIAL_CONTRACT
    looks: dict[Checker, Callable[[], dict[str, Outcome]]] = {
        Checker.INLINE: lambda: inline(pair, contract, records, originals),
        Checker.DISK: lambda: disk(pair, contract, records, files),
    }
    return [
        Kill(
            mutant=mutant.name,
            level=mutant.level,
            shared=mutant.shared,
            requirement=mutant.expected,
            checker=checker,
            assigned=mutant.assigned_to(checker),
            reaction=_reaction(look, mutant.expected),
        )
        for checker, look in looks.items()
    ]


def _reaction(look: Callable[[], dict[str, Outcome]], expected: Requirement) -> Reaction:
    try:
        outcomes = look()
    except Exception:  # a crash of any kind is what the table counts
        return Reaction.CRASHED
    if isinstance(outcomes.get(expected.value), Broken):
        return Reaction.NAMED
    return Reaction.ACCEPTED if accepts(outcomes) else Reaction.OTHER_REASON


def accepts(outcomes: dict[str, Outcome]) -> bool:
    """Whether every requirement examined is kept."""
    return all(isinstance(outcome, Kept) for outcome in outcomes.values())
