"""What a judge run can be about: a recording of any known format, the generated cohort, or executions of our own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.adapters.importers.imported import ImportedRun
from sscb_pipeline.adapters.importers.registry import by_name, importer_of, runs_of
from sscb_pipeline.errors import InputError
from sscb_pipeline.judging.cohort import LabelledRecord
from sscb_pipeline.judging.generated_cohort import generated_records
from sscb_pipeline.judging.judged_steps import Member, Members, labelled_members, unlabelled_member
from sscb_pipeline.packets.input_contract import CONTRACTS, PRODUCTION, STUDY, InputContract

GENERATED = "generated"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSource:
    """The members of a run and the input contract that suits them."""

    name: str
    members: Members
    contract: InputContract


def judge_source(source: str, format_name: str, contract_name: str) -> JudgeSource:
    """The members that `source` gives: the word `generated`, or a file.

    Records with step labels give an error and a comparison target (contract `study` by default); a file without
    labels gives its last call step of each run (contract `production`). Raises InputError as the importers do.
    """
    if source == GENERATED:
        return JudgeSource(
            name=GENERATED,
            members=lambda: labelled_members(generated_records()),
            contract=_contract(contract_name, STUDY),
        )
    path = Path(source)
    importer = by_name(format_name) if format_name else importer_of(path)
    labelled = any(run.step_labels for run in _first(runs_of(path, importer)))

    def members() -> Iterable[Member]:
        runs = runs_of(path, importer)
        return labelled_members(_labelled(importer.name, runs)) if labelled else _unlabelled(importer.name, runs)

    return JudgeSource(
        name=path.name, members=members, contract=_contract(contract_name, STUDY if labelled else PRODUCTION)
    )


def _contract(name: str, default: InputContract) -> InputContract:
    if not name:
        return default
    if name not in CONTRACTS:
        raise InputError(
            subject=f"input contract {name!r}",
            expected="one of " + ", ".join(CONTRACTS),
            found="an unknown name",
            remedy="correct the name",
        )
    return CONTRACTS[name]


def _first(runs: Iterator[ImportedRun]) -> Iterator[ImportedRun]:
    for run in runs:
        if run.record.messages:
            yield run
            return


def _labelled(format_name: str, runs: Iterable[ImportedRun]) -> Iterator[LabelledRecord]:
    for run in runs:
        origin = run.record.origin
        yield LabelledRecord(
            record_id=f"{format_name}:{origin.position}",
            record=run.record,
            request=origin.task,
            labels=run.step_labels,
        )


def _unlabelled(format_name: str, runs: Iterable[ImportedRun]) -> Iterator[Member]:
    for run in runs:
        origin = run.record.origin
        member = unlabelled_member(f"{format_name}:{origin.position}", run.record, origin.task)
        if member is not None:
            yield member
