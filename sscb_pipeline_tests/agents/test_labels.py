"""Labels from marks alone, on a history written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from sscb_pipeline.adapters.agents.reference.habits import Habit
from sscb_pipeline.adapters.agents.reference.labels import RealisedLabels, labels_as_text, labels_of, read_labels
from sscb_pipeline.adapters.agents.reference.marks import Claim, Manner, Notes, Sight, Statement, Text
from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.measured import Located, Never, Undeterminable
from sscb_pipeline.reconstruction.measurement import ArrivalStratum, NotAdopted, Stance
from sscb_pipeline.trajectories.arguments import from_text
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Complete,
    CutShort,
    Step,
    ToolCall,
    ToolObservation,
    Trajectory,
)


@pytest.fixture
def contract(cases: Mapping[str, Sequence[Case]]) -> FaultContract:
    return cases["ReturnDate"][0].contract


def history(messages: int, extent: Complete | CutShort | None = None) -> Trajectory:
    """Turn 1 reads (call at step 0, answered at step 1); turn n + 1 is a message at step n + 1."""
    steps: list[Step] = [
        ToolCall(index=0, turn=1, call_id="a", tool="get_reservation_details", arguments=from_text("{}")),
        ToolObservation(index=1, call_id="a", tool="", content="", pairing=Answers(call=0)),
    ]
    steps += [AgentMessage(index=2 + n, turn=2 + n, text="…") for n in range(messages)]
    return Trajectory(tools=(), steps=tuple(steps), extent=extent or Complete())


def realised(
    contract: FaultContract, manners: Sequence[Manner], *, value: str = "", extent: Complete | CutShort | None = None
) -> RealisedLabels:
    wrong = contract.injected.canonical
    seen = {"return": wrong, "outbound": "2024-05-28", "flight_type": "round_trip"}
    notes = Notes(
        statements=[
            Statement(turn=2 + n, piece=Text(), claim=Claim(manner=manner, value=value or wrong))
            for n, manner in enumerate(manners)
        ],
        sights=[Sight(turn=1, position=0, view="reservation", data=seen)],
    )
    return labels_of(notes, Habit.AMBIGUOUS, contract, Condition.BASELINE, history(len(manners), extent))


def test_an_unsettled_use_hides_what_follows_but_not_adoption(contract: FaultContract) -> None:
    labels = realised(contract, [Manner.AMBIGUOUS, Manner.ASSERTED])
    assert isinstance(labels.t_s, Undeterminable) and isinstance(labels.t_u, Undeterminable)
    assert isinstance(labels.stratum, Undeterminable)
    assert labels.adoption is True and labels.final_stance is Stance.ENDORSES


def test_an_unsettled_use_after_the_first_use_leaves_it_standing(contract: FaultContract) -> None:
    labels = realised(contract, [Manner.HEDGED, Manner.AMBIGUOUS])
    assert labels.t_s == Located(step=2)
    assert isinstance(labels.t_u, Undeterminable) and isinstance(labels.adoption, Undeterminable)


def test_no_error_without_anything_unsettled_is_no_adoption(contract: FaultContract) -> None:
    labels = realised(contract, [Manner.HEDGED, Manner.ASKED, Manner.DENIED, Manner.CHECKED])
    assert (labels.adoption, labels.t_u, labels.final_stance) == (False, Never(), NotAdopted.NOT_ADOPTED)
    assert labels.stratum is ArrivalStratum.BEFORE


def test_the_last_stance_counts_and_acts_state_none(contract: FaultContract) -> None:
    assert realised(contract, [Manner.ASSERTED, Manner.DENIED]).final_stance is Stance.DOES_NOT_ENDORSE
    assert realised(contract, [Manner.ASSERTED, Manner.DENIED, Manner.ACTED]).final_stance is Stance.DOES_NOT_ENDORSE
    assert isinstance(realised(contract, [Manner.ACTED]).final_stance, Undeterminable)


def test_stating_the_true_value_depends_and_does_not_err(contract: FaultContract) -> None:
    labels = realised(contract, [Manner.ASSERTED], value=contract.authoritative.canonical)
    assert (labels.t_s, labels.t_u, labels.adoption) == (Located(step=2), Never(), False)


def test_a_cut_history_turns_never_into_undeterminable(contract: FaultContract) -> None:
    labels = realised(contract, [Manner.HEDGED], extent=CutShort(reason="deadline"))
    assert labels.t_s == Located(step=2)
    assert labels.t_u == Undeterminable(reason="truncated: deadline")
    assert labels.adoption == Undeterminable(reason="truncated: deadline")
    assert isinstance(realised(contract, [], extent=CutShort(reason="deadline")).stratum, Undeterminable)


def test_a_statement_that_the_cap_cut_off_was_not_made(contract: FaultContract) -> None:
    wrong = contract.injected.canonical
    late = Statement(turn=9, piece=Text(), claim=Claim(manner=Manner.ASSERTED, value=wrong))
    seen = {"return": wrong, "outbound": "2024-05-28", "flight_type": "round_trip"}
    notes = Notes(statements=[late], sights=[Sight(turn=1, position=0, view="reservation", data=seen)])
    labels = labels_of(notes, Habit.NEVER_READS, contract, Condition.BASELINE, history(1))
    assert labels.t_s == Never() and labels.stratum is ArrivalStratum.NO_USE


@pytest.mark.parametrize("manners", [[], [Manner.AMBIGUOUS], [Manner.ASSERTED], [Manner.ACTED]])
def test_labels_survive_being_written(contract: FaultContract, manners: list[Manner]) -> None:
    labels = realised(contract, manners)
    assert read_labels(labels_as_text(labels), "x") == labels


@pytest.mark.parametrize("broken", [{}, {"t_f": "located x"}, {"adoption": "maybe"}, {"t_s": 3}])
def test_damaged_labels_are_refused_by_name(contract: FaultContract, broken: dict[str, object]) -> None:
    value: dict[str, object] = {**labels_as_text(realised(contract, [])), **broken} if broken else {}
    with pytest.raises(InputError, match="realised labels obj-1"):
        read_labels(value, "obj-1")
