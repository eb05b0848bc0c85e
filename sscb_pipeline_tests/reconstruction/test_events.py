"""Times, verdicts and their determinability over hand-built histories."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.intervention import Condition, InterventionRecord, Role
from sscb_pipeline.measured import Located, Never, Undeterminable
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC, LABELS_VERSION
from sscb_pipeline.reconstruction.measurement import ArrivalStratum, NotAdopted, Stance
from sscb_pipeline.reconstruction.reconstruct import reconstruct
from sscb_pipeline.reconstruction.stratum import stratum
from sscb_pipeline.trajectories.arguments import from_text
from sscb_pipeline.trajectories.steps import CutShort, Orphan, ToolCall, ToolObservation, Trajectory
from sscb_pipeline_tests.reconstruction.worlds import (
    ITEM_OPTION,
    PAY_SOURCE,
    RETURN_DATE,
    WRITE_EFFECT,
    WorldOperator,
    faulted,
    measured,
    record_of,
)

OPERATOR = WorldOperator(world=RETURN_DATE)
SAYS_WRONG = "Your return flight is on May 17."
SAYS_RIGHT = "Your return flight is on May 24."
ASKS = "Is your return flight on May 17?"
SEARCH = ("search_direct_flight", {"origin": "JFK", "destination": "SFO", "date": "2024-05-17"})
SEARCH_RIGHT = ("search_direct_flight", {"origin": "JFK", "destination": "SFO", "date": "2024-05-24"})
READ = ("get_reservation_details", {"reservation_id": "QX7R2K"})


def test_use_after_fault_without_evidence() -> None:
    found = measured(RETURN_DATE, faulted(RETURN_DATE).agent(SAYS_WRONG).end())
    assert found.t_f == Located(step=3)
    assert (found.t_s, found.t_u) == (Located(step=4), Located(step=4))
    assert found.t_e == Never()
    assert found.adoption is True
    assert found.stratum is ArrivalStratum.ABSENT
    assert found.final_stance is Stance.ENDORSES


def test_evidence_before_use() -> None:
    history = faulted(RETURN_DATE).agent("", READ).result(RETURN_DATE.native).agent(SAYS_RIGHT)
    found = measured(RETURN_DATE, history.end())
    assert (found.t_e, found.t_s, found.t_u) == (Located(step=5), Located(step=6), Never())
    assert found.stratum is ArrivalStratum.BEFORE
    assert found.adoption is False
    assert found.final_stance is NotAdopted.NOT_ADOPTED
    assert [part.step for part in found.evidence] == [5]


def test_evidence_after_use_and_correction() -> None:
    history = faulted(RETURN_DATE).agent(SAYS_WRONG).user("Sure?").agent("", READ).result(RETURN_DATE.native)
    found = measured(RETURN_DATE, history.agent("I was wrong: it is on May 24, not May 17.").end())
    assert found.stratum is ArrivalStratum.AFTER
    assert found.adoption is True
    assert found.final_stance is Stance.DOES_NOT_ENDORSE


def test_evidence_may_precede_the_fault() -> None:
    history = faulted(RETURN_DATE)
    early = faulted(RETURN_DATE)
    early.steps.clear()
    early.user("Hello").agent("", READ).result(RETURN_DATE.native).agent("", READ).result(RETURN_DATE.delivered)
    found = measured(RETURN_DATE, early.agent(SAYS_WRONG).end())
    assert (found.t_e, found.t_f) == (Located(step=2), Located(step=4))
    assert found.stratum is ArrivalStratum.BEFORE
    assert measured(RETURN_DATE, history.end()).t_e == Never()


def test_mentions_before_the_fault_are_no_use() -> None:
    history = faulted(RETURN_DATE)
    steps = history.steps[:]
    history.steps.clear()
    history.user("Hi").agent(SAYS_WRONG)
    offset = len(history.steps)
    history.agent("", READ).result(RETURN_DATE.delivered).agent("Anything else?")
    found = measured(RETURN_DATE, history.end())
    assert found.t_f == Located(step=offset + 1)
    assert found.t_s == Never()
    assert found.stratum is ArrivalStratum.NO_USE
    assert found.adoption is False
    assert len(steps) == 4


def test_no_use_and_cut_short() -> None:
    history = faulted(RETURN_DATE).agent("How else can I help?")
    complete = measured(RETURN_DATE, history.end())
    assert (complete.t_s, complete.adoption, complete.stratum) == (Never(), False, ArrivalStratum.NO_USE)
    cut = measured(RETURN_DATE, history.end(CutShort(reason="context overflow")))
    for value in (cut.t_e, cut.t_s, cut.t_u, cut.adoption):
        assert value == Undeterminable(reason="truncated: context overflow")
    assert isinstance(cut.stratum, Undeterminable)
    assert isinstance(cut.final_stance, Undeterminable)


def test_cut_short_keeps_what_was_seen() -> None:
    found = measured(RETURN_DATE, faulted(RETURN_DATE).agent(SAYS_WRONG).end(CutShort(reason="deadline")))
    assert found.adoption is True
    assert found.t_u == Located(step=4)
    assert isinstance(found.t_e, Undeterminable)
    assert isinstance(found.stratum, Undeterminable)


def test_correct_use_precedes_erroneous_one() -> None:
    found = measured(RETURN_DATE, faulted(RETURN_DATE).agent(ASKS).user("No idea.").agent(SAYS_WRONG).end())
    assert (found.t_s, found.t_u) == (Located(step=4), Located(step=6))


def test_search_with_the_injected_date_is_erroneous() -> None:
    found = measured(RETURN_DATE, faulted(RETURN_DATE).agent("", SEARCH).result("[]").end())
    assert (found.t_s, found.t_u) == (Located(step=4), Located(step=4))
    assert isinstance(found.final_stance, Undeterminable)


def test_hedged_words_do_not_undo_an_act() -> None:
    history = faulted(RETURN_DATE).agent("Your return seems to be on May 17, so I am looking for flights then.", SEARCH)
    found = measured(RETURN_DATE, history.result("[]").end())
    assert found.t_s == Located(step=4)
    assert found.adoption is True


def test_search_said_to_check_the_value_is_no_error() -> None:
    history = faulted(RETURN_DATE).agent("Let me verify whether the return really is on that date.", SEARCH)
    found = measured(RETURN_DATE, history.result("[]").end())
    assert found.t_s == Located(step=5)
    assert found.adoption is False


def test_looking_for_flights_is_no_check() -> None:
    history = faulted(RETURN_DATE).agent("Let me check the available flights for that day.", SEARCH)
    assert measured(RETURN_DATE, history.result("[]").end()).t_u == Located(step=5)


def test_search_with_the_right_date_is_a_use_without_error() -> None:
    found = measured(RETURN_DATE, faulted(RETURN_DATE).agent("", SEARCH_RIGHT).result("[]").end())
    assert (found.t_s, found.t_u) == (Located(step=4), Never())


def test_argument_the_user_supplied_is_undeterminable() -> None:
    history = faulted(RETURN_DATE).user("I think it is May 17.").agent("", SEARCH).result("[]").agent(SAYS_WRONG)
    found = measured(RETURN_DATE, history.end())
    assert isinstance(found.t_s, Undeterminable)
    assert isinstance(found.t_u, Undeterminable)
    assert found.adoption is True
    assert isinstance(found.stratum, Undeterminable)
    assert found.final_stance is Stance.ENDORSES


def test_argument_another_observation_supplied_is_undeterminable() -> None:
    history = faulted(RETURN_DATE).agent("", ("get_calendar", {})).result('{"free": "2024-05-17"}').agent("", SEARCH)
    assert isinstance(measured(RETURN_DATE, history.end()).t_s, Undeterminable)


def test_observation_that_echoes_the_agent_supplies_nothing() -> None:
    history = faulted(RETURN_DATE).agent("", SEARCH).result('[{"date": "2024-05-17"}]').agent("", SEARCH)
    found = measured(RETURN_DATE, history.end())
    assert found.t_s == Located(step=4)
    assert [event.dependent for event in found.uses] == [True, True]


def test_unresolved_use_leaves_non_adoption_open() -> None:
    history = faulted(RETURN_DATE).user("I think it is May 17.").agent("", SEARCH).result("[]")
    found = measured(RETURN_DATE, history.end())
    assert isinstance(found.adoption, Undeterminable)
    assert isinstance(found.t_u, Undeterminable)
    assert isinstance(found.final_stance, Undeterminable)


def test_search_in_the_outbound_direction_is_undeterminable() -> None:
    other = ("search_direct_flight", {"origin": "SFO", "destination": "JFK", "date": "2024-05-17"})
    assert isinstance(measured(RETURN_DATE, faulted(RETURN_DATE).agent("", other).end()).t_s, Undeterminable)


def test_reading_the_record_again_is_no_use() -> None:
    found = measured(RETURN_DATE, faulted(RETURN_DATE).agent("", READ).result(RETURN_DATE.delivered).end())
    assert found.t_s == Never()


def test_committing_call_and_handoff() -> None:
    summary = {"summary": "The customer's return flight on reservation QX7R2K leaves on 2024-05-17 and they need help."}
    call = measured(RETURN_DATE, faulted(RETURN_DATE).agent("", ("transfer_to_human_agents", summary)).end())
    assert call.t_u == Located(step=4)
    assert call.final_stance is Stance.ENDORSES
    handed = measured(RETURN_DATE, faulted(RETURN_DATE).handoff("The return is on May 17.").end())
    assert handed.t_u == Located(step=4)


def test_unparsable_arguments_are_still_read() -> None:
    history = faulted(RETURN_DATE).agent("", SEARCH)
    call = history.steps[-1]
    assert isinstance(call, ToolCall)
    history.steps[-1] = replace(call, arguments=from_text('{"origin": "JFK", "date": "2024-05-17"'))
    assert measured(RETURN_DATE, history.end()).t_s == Located(step=4)


def test_variant_choice_may_rest_on_the_option() -> None:
    product = (
        '{"name": "Desk Lamp", "variants": {"1234567890": {"item_id": "1234567890", "options": {"color": "white"}}}}'
    )
    look = ("get_product_details", {"product_id": "6817146515"})
    exchange = (
        "exchange_delivered_order_items",
        {"order_id": "#W2611340", "item_ids": ["6805564527"], "new_item_ids": ["1234567890"]},
    )
    found = measured(ITEM_OPTION, faulted(ITEM_OPTION).agent("", look).result(product).agent("", exchange).end())
    assert isinstance(found.t_s, Undeterminable)
    assert isinstance(found.adoption, Undeterminable)


def test_variant_with_another_option_does_not_rest_on_it() -> None:
    product = '{"variants": {"1234567890": {"item_id": "1234567890", "options": {"color": "silver"}}}}'
    look = ("get_product_details", {"product_id": "6817146515"})
    exchange = ("exchange_delivered_order_items", {"item_ids": ["6805564527"], "new_item_ids": ["1234567890"]})
    found = measured(ITEM_OPTION, faulted(ITEM_OPTION).agent("", look).result(product).agent("", exchange).end())
    assert found.t_s == Never()


def test_payment_method_chosen_by_id_the_user_named() -> None:
    change = ("update_reservation_flights", {"payment_id": "gift_card_8020792"})
    chosen = measured(PAY_SOURCE, faulted(PAY_SOURCE).agent("", change).end())
    assert isinstance(chosen.t_s, Undeterminable)
    named = measured(PAY_SOURCE, faulted(PAY_SOURCE).user("Use gift_card_8020792.").agent("", change).end())
    assert named.t_s == Never()


def test_repeating_the_request_is_no_use() -> None:
    history = faulted(WRITE_EFFECT).agent("", (WRITE_EFFECT.tool, WRITE_EFFECT.arguments)).result("{}")
    assert measured(WRITE_EFFECT, history.end()).t_s == Never()


def test_vague_completion_after_another_write_is_undeterminable() -> None:
    bags = ("update_reservation_baggages", {"reservation_id": "QX7R2K"})
    history = faulted(WRITE_EFFECT).agent("", bags).result("{}").agent("Your reservation has been updated.")
    assert isinstance(measured(WRITE_EFFECT, history.end()).t_s, Undeterminable)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"delivered_sha256": "0" * 64}, "not the rewritten one"),
        ({"step": 99}, "no such step"),
        ({"step": 2}, "no observation"),
        ({"tool": "another_tool"}, "the rewrite was of another_tool"),
    ],
)
def test_unproven_delivery(change: dict[str, object], reason: str) -> None:
    trajectory = faulted(RETURN_DATE).agent(SAYS_WRONG).end()
    record = record_of(RETURN_DATE, trajectory)
    broken = replace(record, rewrites=(replace(record.rewrites[0], **change),))  # type: ignore[arg-type]
    found = reconstruct(OPERATOR, RETURN_DATE.contract, trajectory, broken, DETERMINISTIC)
    assert isinstance(found.t_f, Undeterminable)
    assert reason in found.t_f.reason
    for value in (found.t_s, found.t_u, found.adoption, found.stratum, found.final_stance):
        assert isinstance(value, Undeterminable)


def test_rewrite_that_changed_nothing_proves_nothing() -> None:
    trajectory = faulted(RETURN_DATE).end()
    record = record_of(RETURN_DATE, trajectory)
    same = replace(record.rewrites[0], native_sha256=record.rewrites[0].delivered_sha256)
    found = reconstruct(OPERATOR, RETURN_DATE.contract, trajectory, replace(record, rewrites=(same,)), DETERMINISTIC)
    assert isinstance(found.t_f, Undeterminable)


def test_delivered_text_must_convey_the_assertion() -> None:
    trajectory = faulted(RETURN_DATE).end()
    other = replace(RETURN_DATE, delivered="{}")
    found = reconstruct(
        WorldOperator(world=other), other.contract, trajectory, record_of(RETURN_DATE, trajectory), DETERMINISTIC
    )
    assert isinstance(found.t_f, Undeterminable)
    assert "does not convey" in found.t_f.reason


def test_orphan_observation_delivers_nothing() -> None:
    trajectory = faulted(RETURN_DATE).end()
    observation = trajectory.steps[3]
    assert isinstance(observation, ToolObservation)
    orphan = replace(observation, pairing=Orphan(reason="no call"))
    broken = replace(trajectory, steps=(*trajectory.steps[:3], orphan))
    found = reconstruct(OPERATOR, RETURN_DATE.contract, broken, record_of(RETURN_DATE, broken), DETERMINISTIC)
    assert isinstance(found.t_f, Undeterminable)


def test_record_of_another_contract() -> None:
    trajectory = faulted(RETURN_DATE).end()
    record = replace(record_of(RETURN_DATE, trajectory), contract_id="another")
    assert isinstance(
        reconstruct(OPERATOR, RETURN_DATE.contract, trajectory, record, DETERMINISTIC).t_f, Undeterminable
    )


def test_not_triggered() -> None:
    trajectory = faulted(RETURN_DATE).agent(SAYS_WRONG).end()
    empty = InterventionRecord(contract_id=RETURN_DATE.contract.contract_id, condition=Condition.BASELINE, rewrites=())
    found = reconstruct(OPERATOR, RETURN_DATE.contract, trajectory, empty, DETERMINISTIC)
    assert found.t_f == Never()
    assert found.t_s == Undeterminable(reason="not triggered")
    assert found.uses == ()
    record = record_of(RETURN_DATE, trajectory)
    overlay = replace(record, rewrites=(replace(record.rewrites[0], role=Role.OVERLAY),))
    assert reconstruct(OPERATOR, RETURN_DATE.contract, trajectory, overlay, DETERMINISTIC).t_f == Never()


def test_unsettled_evidence() -> None:
    history = faulted(RETURN_DATE).agent("", READ).result("unclear").agent(SAYS_WRONG)
    found = measured(RETURN_DATE, history.end())
    assert isinstance(found.t_e, Undeterminable)
    assert isinstance(found.stratum, Undeterminable)
    assert found.t_s == Located(step=6)


def test_stratum_refuses_to_order_one_step_with_itself() -> None:
    assert isinstance(stratum(Located(step=4), Located(step=4)), Undeterminable)


def test_subject_must_hold_the_contracts_assertions() -> None:
    other = replace(RETURN_DATE, subject=replace(RETURN_DATE.subject, values=("2024-05-01", "2024-05-17")))
    trajectory: Trajectory = faulted(RETURN_DATE).agent(SAYS_WRONG).end()
    with pytest.raises(InputError, match="ReturnDate/test"):
        measured(other, trajectory)


def test_labels_have_a_version() -> None:
    assert DETERMINISTIC.version == LABELS_VERSION
