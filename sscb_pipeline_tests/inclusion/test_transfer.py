"""Whether a seed's witness holds in the prefix that an execution really had."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.episodes.interception import Interception
from sscb_pipeline.episodes.participants import AgentTurn
from sscb_pipeline.episodes.turn_loop import Limits, Played, play
from sscb_pipeline.faults.flight_request import CHANGE, READ
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Operator, WitnessCall, WitnessPlan
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.inclusion.screening import Screening, Seed
from sscb_pipeline.inclusion.transfer import Transfer, WitnessStanding, check_transfer
from sscb_pipeline.measured import Undeterminable
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline.trajectories.steps import ToolCall, Trajectory
from sscb_pipeline_tests.episodes.library import ScriptedAgent, ScriptedUser, asks, call, say, stops
from sscb_pipeline_tests.inclusion.conftest import Domains
from sscb_pipeline_tests.inclusion.doubles import Planning


def played(operator: Operator, seed: Seed, substrate: Substrate, opening: str, turns: Sequence[AgentTurn]) -> Played:
    contract = seed.case.contract
    return asyncio.run(
        play(
            substrate=substrate,
            state=substrate.fresh(),
            interception=Interception(
                intervention=operator.intervention(contract, Condition.BASELINE),
                contract_id=contract.contract_id,
                condition=Condition.BASELINE,
            ),
            agent=ScriptedAgent(*turns),
            user=ScriptedUser(asks(opening), *(asks("Go on.") for _ in turns), stops()),
            tools=operator.interface(contract, Condition.BASELINE, substrate.tools()),
            limits=Limits(step_cap=contract.step_cap),
        )
    )


def standing(operator: Operator, seed: Seed, substrate: Substrate, run: Played) -> Transfer:
    fault = run.record.rewrites[0].step
    return asyncio.run(
        check_transfer(operator, seed, run.trajectory, fault, Condition.BASELINE, substrate, DETERMINISTIC)
    )


def make(tool: str, **arguments: Any) -> AgentTurn:
    return call((tool, json.dumps(arguments)))


def seed_of(screenings: Mapping[str, Screening], name: str) -> Seed:
    return screenings[name].admissions[0].seed


def change_told(seed: Seed) -> str:
    """An opening line that tells the whole request and the passengers' names, but no user id."""
    return f"Please make this change: {json.dumps(dict(seed.case.contract.injection.match))}"


def test_the_seeds_witness_holds_in_the_prefix_it_was_played_in(
    screenings: Mapping[str, Screening], domains: Domains
) -> None:
    for name, operator in OPERATORS.items():
        for admission in screenings[name].admissions[:3]:
            seed, substrate = admission.seed, domains[operator.domain]
            found = asyncio.run(
                check_transfer(
                    operator,
                    seed,
                    admission.trajectory,
                    seed.witness.t_f,
                    Condition.BASELINE,
                    substrate,
                    DETERMINISTIC,
                )
            )
            assert found.standing is WitnessStanding.TRANSFERS and found.reason


def test_another_prefix_with_the_same_identifiers_takes_the_witness_over(
    screenings: Mapping[str, Screening], domains: Domains
) -> None:
    operator, seed = OPERATORS["WriteEffect"], seed_of(screenings, "WriteEffect")
    request = seed.case.contract.injection.match
    turns = [say("One moment."), make("list_all_airports"), make(CHANGE, **request)]
    run = played(operator, seed, domains["airline"], change_told(seed), turns)
    assert standing(operator, seed, domains["airline"], run).standing is WitnessStanding.TRANSFERS


def owner_first(seed: Seed) -> Operator:
    """A continuation that looks the owner up, whose id not every prefix shows."""
    contract = seed.case.contract
    real = OPERATORS["WriteEffect"]

    def plan(given: object, prefix: Trajectory) -> WitnessPlan | Undeterminable:
        usual = real.witness(contract, prefix)
        assert isinstance(usual, WitnessPlan)
        owner = WitnessCall(tool="get_user_details", arguments={"user_id": contract.target.owner})
        return replace(usual, calls=(owner, *usual.calls))

    return Planning(real, plan)


def test_a_prefix_that_does_not_show_an_identifier_has_no_witness(
    screenings: Mapping[str, Screening], domains: Domains
) -> None:
    seed = seed_of(screenings, "WriteEffect")
    operator, owner = owner_first(seed), seed.case.contract.target.owner
    turns = [make(CHANGE, **seed.case.contract.injection.match)]
    silent = played(operator, seed, domains["airline"], change_told(seed), turns)
    found = standing(operator, seed, domains["airline"], silent)
    assert found.standing is WitnessStanding.NONE
    assert found.reason.startswith(f"argument user_id = '{owner}' is not visible in the prefix; own: argument user_id")
    told = played(operator, seed, domains["airline"], f"I am {owner}. {change_told(seed)}", turns)
    assert standing(operator, seed, domains["airline"], told).standing is WitnessStanding.TRANSFERS


def test_a_prefix_with_a_write_needs_a_witness_of_its_own(
    screenings: Mapping[str, Screening], domains: Domains
) -> None:
    operator, seed, airline = OPERATORS["WriteEffect"], seed_of(screenings, "WriteEffect"), domains["airline"]
    reservation_id = seed.case.contract.target.identifier
    passengers = airline.records("reservations")[reservation_id]["passengers"]
    turns = [
        make(READ, reservation_id=reservation_id),
        make("update_reservation_passengers", reservation_id=reservation_id, passengers=passengers),
        make(CHANGE, **seed.case.contract.injection.match),
        say("Done."),
    ]
    run = played(operator, seed, airline, change_told(seed), turns)
    found = standing(operator, seed, airline, run)
    assert found == Transfer(
        standing=WitnessStanding.OWN, reason="the prefix holds a write (update_reservation_passengers)"
    )


def test_a_write_that_leaves_nothing_to_refute_leaves_no_witness(
    screenings: Mapping[str, Screening], domains: Domains
) -> None:
    """The order is cancelled in the prefix; the own continuation would have to modify it to bring its evidence."""
    operator, seed, retail = OPERATORS["ItemOption"], seed_of(screenings, "ItemOption"), domains["retail"]
    locator = seed.case.contract.target.locator
    order_id = locator["order_id"]
    stubborn = Planning(
        operator,
        lambda contract, prefix: WitnessPlan(
            calls=(WitnessCall(tool="list_all_product_types", arguments={}),), use="Ok."
        ),
    )
    turns = [
        make("cancel_pending_order", order_id=order_id, reason="no longer needed"),
        make("get_order_details", order_id=order_id),
    ]
    run = played(stubborn, seed, retail, f"It is about order {order_id}; it is no longer needed.", turns)
    found = standing(stubborn, seed, retail, run)
    assert found.standing is WitnessStanding.NONE
    assert found.reason.startswith("the prefix holds a write (cancel_pending_order); own: no ")


def test_a_prefix_from_which_nothing_can_be_planned_has_no_witness(
    screenings: Mapping[str, Screening], domains: Domains
) -> None:
    seed = seed_of(screenings, "PaySource")
    lost = Planning(OPERATORS["PaySource"], lambda contract, prefix: Undeterminable(reason="no way on"))
    turns = [make("get_user_details", user_id=seed.case.contract.target.owner)]
    run = played(lost, seed, domains["airline"], f"I am {seed.case.contract.target.owner}", turns)
    found = standing(lost, seed, domains["airline"], run)
    assert found.standing is WitnessStanding.NONE and found.reason.startswith("no way on; own: ")


def test_a_tool_that_the_run_did_not_offer_keeps_the_witness_from_transferring(
    screenings: Mapping[str, Screening], domains: Domains
) -> None:
    operator, seed = OPERATORS["WriteEffect"], seed_of(screenings, "WriteEffect")
    turns = [make(CHANGE, **seed.case.contract.injection.match)]
    run = played(operator, seed, domains["airline"], change_told(seed), turns)
    poorer = replace(run.trajectory, tools=tuple(tool for tool in run.trajectory.tools if tool.name != READ))
    found = standing(operator, seed, domains["airline"], replace(run, trajectory=poorer))
    assert found.standing is not WitnessStanding.TRANSFERS
    assert found.reason.startswith(f"the interface of the run has no tool {READ}")


def test_an_own_witness_repeats_the_turns_of_the_run_with_their_parallel_calls(
    screenings: Mapping[str, Screening], domains: Domains
) -> None:
    """A turn with text and several calls is made again as one turn; a write among them asks for an own witness."""
    operator, seed, airline = OPERATORS["WriteEffect"], seed_of(screenings, "WriteEffect"), domains["airline"]
    reservation_id = seed.case.contract.target.identifier
    passengers = airline.records("reservations")[reservation_id]["passengers"]
    together = call(
        (READ, json.dumps({"reservation_id": reservation_id})),
        (
            "update_reservation_passengers",
            json.dumps({"reservation_id": reservation_id, "passengers": passengers}),
        ),
        (CHANGE, json.dumps(dict(seed.case.contract.injection.match))),
        ("list_all_airports", "{}"),
        text="All at once.",
    )
    names = " ".join(f"{one['first_name']} {one['last_name']} {one['dob']}" for one in passengers)
    run = played(operator, seed, airline, f"{names} {change_told(seed)}", [together])
    assert [step.tool for step in run.trajectory.steps if isinstance(step, ToolCall)][-1] == "list_all_airports"
    assert standing(operator, seed, airline, run).standing is WitnessStanding.OWN
