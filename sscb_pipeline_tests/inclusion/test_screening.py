"""Screening walks the frozen order, and every screened candidate keeps one disposition with a reason."""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from sscb_pipeline.environments.port import ReferenceAction, TaskOrigin
from sscb_pipeline.faults.operator import Case, InvalidContract, NotTaskRelevant, Operator
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.inclusion.disposition import Disposition
from sscb_pipeline.inclusion.frame import Frame
from sscb_pipeline.inclusion.screening import Screening, screen
from sscb_pipeline.measured import Undeterminable
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline_tests.inclusion.conftest import WANTED, Domains
from sscb_pipeline_tests.inclusion.doubles import Judging, Planning


def screened(operator: Operator, frame: Frame, domains: Domains, wanted: int) -> tuple[Screening, list[int]]:
    told: list[int] = []
    screening = asyncio.run(
        screen(operator, frame, domains[operator.domain], DETERMINISTIC, wanted=wanted, progress=told.append)
    )
    return screening, told


@pytest.mark.parametrize("name", OPERATORS)
def test_screening_walks_the_frame_without_a_gap_until_enough_are_admitted(
    screenings: Mapping[str, Screening], frozen: Mapping[str, Frame], name: str
) -> None:
    screening, frame = screenings[name], frozen[name]
    assert len(screening.admissions) == WANTED
    for entry, ranked in zip(screening.screened, frame.candidates, strict=False):
        assert entry.candidate_id == ranked.candidate.candidate_id and entry.reason
        assert (entry.rank, entry.screening_rank) == (ranked.rank, ranked.screening_rank)
    admitted = [entry for entry in screening.screened if entry.disposition is Disposition.ADMITTED]
    assert [entry.candidate_id for entry in admitted] == [one.seed.seed_id for one in screening.admissions]
    assert [one.seed.rank for one in screening.admissions] == list(range(WANTED))
    assert screening.screened[-1].disposition is Disposition.ADMITTED


def test_order_lines_that_do_not_matter_keep_their_disposition(screenings: Mapping[str, Screening]) -> None:
    found = Counter(entry.disposition for entry in screenings["ItemOption"].screened)
    assert found[Disposition.NOT_TASK_RELEVANT] >= 1 and found[Disposition.ADMITTED] == WANTED


def test_each_outcome_of_a_case_becomes_its_own_disposition(frozen: Mapping[str, Frame], domains: Domains) -> None:
    operator, frame = OPERATORS["ReturnDate"], frozen["ReturnDate"]
    names = [ranked.candidate.candidate_id for ranked in frame.candidates[:4]]
    real = operator.case(frame.candidates[2].candidate, domains["airline"])
    assert isinstance(real, Case) and real.task.origin is TaskOrigin.DERIVED
    hopeless = replace(
        real,
        task=replace(
            real.task,
            actions=(ReferenceAction(tool="get_reservation_details", arguments={"reservation_id": "NOSUCH"}),),
        ),
    )
    judging = Judging(
        operator,
        {
            names[0]: InvalidContract(reason="no such contract"),
            names[1]: NotTaskRelevant(reason="nobody cares"),
            names[2]: hopeless,
        },
    )
    screening, told = screened(judging, frame, domains, 1)
    assert [(entry.disposition, entry.reason) for entry in screening.screened[:2]] == [
        (Disposition.INVALID_CONTRACT, "no such contract"),
        (Disposition.NOT_TASK_RELEVANT, "nobody cares"),
    ]
    assert screening.screened[2].disposition is Disposition.NOT_TASK_RELEVANT
    assert "reference actions" in screening.screened[2].reason
    assert screening.screened[3].disposition is Disposition.ADMITTED and len(screening.screened) == 4
    assert told == [1] and screening.admissions[0].seed.rank == 0


def test_without_a_witness_every_candidate_is_screened_and_stays_unresolved(
    frozen: Mapping[str, Frame], domains: Domains
) -> None:
    frame = replace(frozen["PaySource"], candidates=frozen["PaySource"].candidates[:5])
    hopeless = Planning(OPERATORS["PaySource"], lambda contract, prefix: Undeterminable(reason="no idea"))
    screening, told = screened(hopeless, frame, domains, 3)
    assert screening.admissions == () and told == []
    assert [entry.disposition for entry in screening.screened] == [Disposition.UNRESOLVED] * 5
    assert all("no dependent use" in entry.reason for entry in screening.screened)


def test_nothing_is_screened_when_nothing_is_wanted(frozen: Mapping[str, Frame], domains: Domains) -> None:
    screening, _ = screened(OPERATORS["PaySource"], frozen["PaySource"], domains, 0)
    assert screening.screened == () == screening.admissions


def test_screening_twice_admits_the_same_bytes(
    screenings: Mapping[str, Screening], frozen: Mapping[str, Frame], domains: Domains
) -> None:
    again, _ = screened(OPERATORS["ItemOption"], frozen["ItemOption"], domains, WANTED)
    assert again == screenings["ItemOption"]


def test_no_outcome_of_an_agent_is_an_input_of_screening() -> None:
    assert set(inspect.signature(screen).parameters) == {
        "operator",
        "frame",
        "substrate",
        "stages",
        "wanted",
        "progress",
    }
    for name, operator in OPERATORS.items():
        assert list(inspect.signature(operator.candidates).parameters) == ["substrate"], name
        assert list(inspect.signature(operator.case).parameters) == ["candidate", "substrate"], name


def test_a_seed_is_named_by_its_case_alone(screenings: Mapping[str, Screening]) -> None:
    seed = screenings["ReturnDate"].admissions[0].seed
    other = screenings["ReturnDate"].admissions[1].seed
    assert replace(seed, witness=other.witness, rank=7).sha256 == seed.sha256 != other.sha256
    longer = replace(seed.case, contract=replace(seed.case.contract, step_cap=61))
    assert replace(seed, case=longer).sha256 != seed.sha256
