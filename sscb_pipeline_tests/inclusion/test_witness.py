"""Witnesses are executed and measured; what is no witness stays unresolved."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import pytest

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.faults.flight_request import CHANGE, READ
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case, EvidenceArrived, Operator, WitnessCall, WitnessPlan
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.inclusion.context import injection_context
from sscb_pipeline.inclusion.continuation import StatedUser, as_turns
from sscb_pipeline.inclusion.provenance import NotVisible
from sscb_pipeline.inclusion.screening import Screening
from sscb_pipeline.inclusion.witness import Executed, Unresolved, Witness, own_witness, seek_witness
from sscb_pipeline.measured import Undeterminable
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline.trajectories.codec import encode
from sscb_pipeline.trajectories.steps import ToolCall, ToolObservation
from sscb_pipeline_tests.inclusion.conftest import Domains
from sscb_pipeline_tests.inclusion.doubles import NeverFaulting, Opening, Planning


def seek(operator: Operator, case: Case, domains: Domains) -> Executed:
    return asyncio.run(seek_witness(operator, case, domains[operator.domain], DETERMINISTIC))


def first(screenings: Mapping[str, Screening], name: str) -> Case:
    return screenings[name].admissions[0].seed.case


@pytest.mark.parametrize("name", OPERATORS)
def test_every_admitted_witness_has_evidence_before_a_use_that_exists(
    screenings: Mapping[str, Screening], name: str
) -> None:
    for admission in screenings[name].admissions:
        witness, trajectory = admission.seed.witness, admission.trajectory
        assert witness.t_e < witness.t_s < len(trajectory.steps) and witness.t_f < witness.t_s
        assert isinstance(trajectory.steps[witness.t_f], ToolObservation)
        found = OPERATORS[name].evidence(admission.seed.case.contract, trajectory)
        assert isinstance(found, EvidenceArrived) and found.steps == witness.evidence
        assert witness.t_e == max(part.step for part in witness.evidence)
        assert witness.trajectory_sha256 == sha256_hex(encode(trajectory))
        assert witness.context == injection_context(admission.seed.case.contract, trajectory, witness.t_f)
        assert witness.conditions == admission.seed.case.contract.counter_evidence


@pytest.mark.parametrize("name", OPERATORS)
def test_every_argument_of_a_witness_has_a_visible_source(screenings: Mapping[str, Screening], name: str) -> None:
    for admission in screenings[name].admissions:
        witness = admission.seed.witness
        calls = [step for step in admission.trajectory.steps if isinstance(step, ToolCall)]
        assert {source.call for source in witness.sources} == {call.index for call in calls}
        assert not any(isinstance(source.source, NotVisible) for source in witness.sources)
        assert witness.continuation == tuple(call.index for call in calls if call.index > witness.t_f)


@pytest.mark.parametrize(
    ("name", "evidence_after_fault"),
    [("ReturnDate", False), ("PaySource", False), ("ItemOption", True), ("WriteEffect", True)],
)
def test_evidence_comes_with_the_fault_or_by_the_continuation(
    screenings: Mapping[str, Screening], name: str, evidence_after_fault: bool
) -> None:
    for admission in screenings[name].admissions:
        witness = admission.seed.witness
        assert (witness.t_e > witness.t_f) == evidence_after_fault
        assert bool(witness.continuation) == evidence_after_fault


@pytest.mark.parametrize("name", OPERATORS)
def test_a_clean_execution_is_no_witness(screenings: Mapping[str, Screening], domains: Domains, name: str) -> None:
    case = first(screenings, name)
    verdict = seek(NeverFaulting(OPERATORS[name]), case, domains).verdict
    assert isinstance(verdict, Unresolved) and "not delivered" in verdict.reason
    operator, substrate = OPERATORS[name], domains[OPERATORS[name].domain]
    opening = as_turns(operator.opening(case, substrate), "opening")
    clean = own_witness(operator, case, substrate, DETERMINISTIC, opening, StatedUser(case.task), Condition.CLEAN)
    assert isinstance(asyncio.run(clean).verdict, Unresolved)


def use(text: str, *calls: WitnessCall) -> Callable[..., WitnessPlan]:
    return lambda contract, prefix: WitnessPlan(calls=calls, use=text)


def stranger(case: Case) -> WitnessCall:
    """A read of a reservation that the records hold and the conversation does not show."""
    return WitnessCall(tool=READ, arguments={"reservation_id": "NM1VX1"})


def test_a_value_known_only_from_the_database_is_refused(screenings: Mapping[str, Screening], domains: Domains) -> None:
    case = first(screenings, "ReturnDate")
    real = OPERATORS["ReturnDate"]
    plan = real.witness(case.contract, screenings["ReturnDate"].admissions[0].trajectory)
    assert isinstance(plan, WitnessPlan)
    assert "NM1VX1" in domains["airline"].records("reservations")
    laundering = Planning(real, use(plan.use, stranger(case)))
    verdict = seek(laundering, case, domains).verdict
    assert isinstance(verdict, Unresolved)
    assert verdict.reason == "argument reservation_id = 'NM1VX1' of step 5 is not visible before it"


def test_a_value_that_the_opening_knows_from_the_database_is_refused_too(
    screenings: Mapping[str, Screening], domains: Domains
) -> None:
    case = first(screenings, "PaySource")
    verdict = seek(Opening(OPERATORS["PaySource"], stranger(case)), case, domains).verdict
    assert isinstance(verdict, Unresolved) and "step 3 is not visible" in verdict.reason


def test_saying_a_value_first_does_not_launder_it(screenings: Mapping[str, Screening], domains: Domains) -> None:
    case = first(screenings, "ReturnDate")
    again = Planning(
        OPERATORS["ReturnDate"],
        use("The return date cannot be right.", stranger(case), stranger(case)),
    )
    verdict = seek(again, case, domains).verdict
    assert isinstance(verdict, Unresolved)


NO_WITNESS = {
    "no plan from this prefix": (
        "ReturnDate",
        lambda contract, prefix: Undeterminable(reason="nothing to go on"),
        "no dependent use",
    ),
    "no use": ("ReturnDate", use("How else can I help?"), "no dependent use"),
    "no evidence": (
        "WriteEffect",
        use("Your flights have been changed as you asked; the update went through."),
        "no counter-evidence",
    ),
    "evidence after the use": (
        "WriteEffect",
        lambda contract, prefix: WitnessPlan(
            calls=(
                WitnessCall(
                    tool="transfer_to_human_agents",
                    arguments={
                        "summary": f"The change to reservation {contract.target.identifier} was made; "
                        "the reservation is now on the new flights."
                    },
                ),
                WitnessCall(tool=READ, arguments={"reservation_id": contract.target.identifier}),
            ),
            use="The change was not applied.",
        ),
        "is not before first use",
    ),
}


@pytest.mark.parametrize(("name", "planner", "reason"), NO_WITNESS.values(), ids=NO_WITNESS)
def test_what_does_not_qualify_stays_unresolved(
    screenings: Mapping[str, Screening],
    domains: Domains,
    name: str,
    planner: Callable[..., WitnessPlan | Undeterminable],
    reason: str,
) -> None:
    verdict = seek(Planning(OPERATORS[name], planner), first(screenings, name), domains).verdict
    assert isinstance(verdict, Unresolved) and reason in verdict.reason


def test_a_witness_ends_at_the_step_cap_like_any_run(screenings: Mapping[str, Screening], domains: Domains) -> None:
    case = first(screenings, "WriteEffect")
    reads = tuple(
        WitnessCall(tool=READ, arguments={"reservation_id": case.contract.target.identifier}) for _ in range(60)
    )
    executed = seek(Planning(OPERATORS["WriteEffect"], use("It was not applied.", *reads)), case, domains)
    assert isinstance(executed.verdict, Unresolved)
    calls = [step for step in executed.trajectory.steps if isinstance(step, ToolCall)]
    assert len(calls) == case.contract.step_cap, "one call a turn, and no turn beyond the cap"


def test_a_witness_is_legal_under_the_permissions_of_its_context(
    screenings: Mapping[str, Screening], domains: Domains
) -> None:
    for screening in screenings.values():
        for admission in screening.admissions:
            witness = admission.seed.witness
            assert isinstance(witness, Witness)
            called = {step.tool for step in admission.trajectory.steps if isinstance(step, ToolCall)}
            assert called <= set(witness.context.permitted_tools)
    written = screenings["WriteEffect"].admissions[0]
    assert CHANGE in written.seed.witness.context.permitted_tools
