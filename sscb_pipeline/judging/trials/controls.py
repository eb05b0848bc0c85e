"""Every fault case under every control, with what the recording stub read (JIA §IV-B, Table II)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from sscb_pipeline.judging.trials.case_result import CaseResult, Control, Read, changed_reads
from sscb_pipeline.judging.trials.checker_pairs import Examined
from sscb_pipeline.judging.trials.fault_cases import (
    BuildDies,
    CheckSilent,
    FaultCase,
    FileFault,
    Moment,
    OlderPackets,
    PacketFault,
    RecordFault,
    Site,
    placed,
)
from sscb_pipeline.judging.trials.kill_table import examined
from sscb_pipeline.judging.trials.packet_mutants import remade
from sscb_pipeline.judging.trials.pieces import joined, pieces
from sscb_pipeline.judging.trials.production_trial import copy_staged, open_trial
from sscb_pipeline.judging.trials.published_pipeline import PublishedPipeline, StepFailedError
from sscb_pipeline.judging.trials.specimens import Specimen, specimens
from sscb_pipeline.packets.input_contract import STUDY, PacketKind, Rendering, Scope
from sscb_pipeline.packets.packet import packet_source
from sscb_pipeline.trajectories.source_record import SourceTurn, given

DRAWS = 2
NEVER = 1_000_000


def run_case(case: FaultCase, control: Control) -> CaseResult:
    """One case under one control, in a temporary folder of its own."""
    sound = {packet.key.file_name: packet.sha256 for one in specimens() for packet in examined(one, STUDY).made.packets}
    records, victim = _records(case)
    victim = victim or placed(case, sorted(sound))
    with tempfile.TemporaryDirectory(prefix="sscb-trial-") as folder:
        run = _production if control is Control.P4 else _published
        reads, stopped_by = run(Path(folder), case, control, records, victim)
    return CaseResult(
        case=case.name,
        family=case.family,
        control=control,
        victim=victim,
        stopped_by=stopped_by,
        reads=len(reads),
        changed=changed_reads(reads, sound),
        planned=DRAWS * len(sound),
    )


def _records(case: FaultCase) -> tuple[list[Examined], str]:
    """The cohort with the defect in its record or packet, and where that is ('' where a file is changed later)."""
    cohort = list(specimens())
    fault = case.fault
    if isinstance(fault, RecordFault):
        at = cohort.index(placed(case, cohort))
        cohort[at] = fault.apply(cohort[at])
        return [examined(one, STUDY) for one in cohort], cohort[at].source.record_id
    records = [examined(one, STUDY) for one in cohort]
    if not isinstance(fault, PacketFault):
        return records, ""
    chosen = placed(case, [packet for one in records for packet in one.made.packets if _whole(packet.key.kind)])
    changed = remade(chosen, joined(fault.apply(pieces(chosen.data))))
    return [
        Examined(
            made=replace(
                one.made, packets=tuple(changed if packet == chosen else packet for packet in one.made.packets)
            ),
            targets=one.targets,
        )
        for one in records
    ], chosen.key.file_name


def _whole(kind: PacketKind) -> bool:
    return kind.scope is Scope.FULL and kind.rendering is Rendering.RESTORED


def _older() -> list[Examined]:
    """The cohort of an older run: the same recordings with another request."""

    def aged(one: Specimen) -> Specimen:
        recorded = one.source.record
        first, request, *rest = recorded.messages
        assert isinstance(request, SourceTurn)
        older = replace(request, text=given(f"{request.text.value} (asked earlier)"))
        changed = replace(recorded, messages=(first, older, *rest))
        return replace(one, source=packet_source(one.source.record_id, changed))

    return [examined(aged(one), STUDY) for one in specimens()]


def _at(case: FaultCase, site: Site, victim: str, moment: Moment) -> None:
    if isinstance(case.fault, FileFault) and case.fault.moment is moment:
        case.fault.act(site, victim)


def _dies_after(case: FaultCase, records: Sequence[Examined]) -> int:
    return sum(len(one.made.packets) for one in records) // 2 if isinstance(case.fault, BuildDies) else NEVER


def _published(
    root: Path, case: FaultCase, control: Control, records: Sequence[Examined], victim: str
) -> tuple[list[Read], str]:
    if isinstance(case.fault, BuildDies | OlderPackets):
        older = PublishedPipeline(root, control, STUDY)
        older.build(_older(), NEVER)
        older.stage()
    run = PublishedPipeline(root, control, STUDY)
    reads: list[Read] = []
    failures: list[str] = []

    def dispatch() -> None:
        reads.extend(run.dispatch(lambda: _at(case, run, victim, Moment.AFTER_LAST_CHECK)))

    def check() -> None:
        if isinstance(case.fault, CheckSilent):
            raise StepFailedError("the disk check gave no report")
        run.check()

    steps: list[tuple[Callable[[], None], Moment | None]] = [
        (lambda: run.build(records, _dies_after(case, records)), Moment.AFTER_BUILD),
        # A resumed run takes the staging folder as it finds it.
        (run.resume if isinstance(case.fault, OlderPackets) else run.stage, Moment.AFTER_STAGING),
        (check, Moment.BEFORE_EMISSION),
        (run.emit, Moment.AFTER_EMISSION),
        (dispatch, None),
    ]
    for step, moment in steps:
        try:
            step()
        except StepFailedError as failure:
            failures.append(str(failure))
            if control.stops_on_failure:
                break
        if moment is not None:
            _at(case, run, victim, moment)
    return reads, failures[0] if failures and control.stops_on_failure else ""


def _production(
    root: Path, case: FaultCase, control: Control, records: Sequence[Examined], victim: str
) -> tuple[list[Read], str]:
    run = open_trial(root, records, STUDY)
    if isinstance(case.fault, BuildDies | OlderPackets):
        older = open_trial(root, _older(), STUDY)
        older.build(_older(), NEVER)
        older.stage()
        if isinstance(case.fault, OlderPackets):
            copy_staged(older, run)
    run.build(records, _dies_after(case, records))
    _at(case, run, victim, Moment.AFTER_BUILD)
    run.stage()
    _at(case, run, victim, Moment.AFTER_STAGING)
    if not isinstance(case.fault, CheckSilent):
        run.check()
    _at(case, run, victim, Moment.BEFORE_EMISSION)
    run.emit()
    _at(case, run, victim, Moment.AFTER_EMISSION)
    run.check_jobs()
    run.dispatch(lambda: _at(case, run, victim, Moment.AFTER_LAST_CHECK))
    return run.reads, run.refusals[0] if run.refusals else ""
