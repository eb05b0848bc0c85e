"""A run as its page shows it: any texts, any number of steps, hidden state with recognisable words in it."""

from __future__ import annotations

from sscb_pipeline.faults.contract import (
    Acquisition,
    AffectedFact,
    Assertion,
    CounterEvidence,
    FaultContract,
    Injection,
    MetCondition,
    Persistence,
    TargetEntity,
)
from sscb_pipeline.faults.operator import EvidenceStep
from sscb_pipeline.measured import Located, Undeterminable
from sscb_pipeline.reconstruction.measurement import ArrivalStratum, Measurement, Stance, UseEvent
from sscb_pipeline.report.run_page import Fact, FactGroup, RunPage
from sscb_pipeline.trajectories.arguments import from_text
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Complete,
    Orphan,
    Step,
    SystemText,
    ToolCall,
    ToolDefinition,
    ToolObservation,
    Trajectory,
    UserMessage,
)

HIDDEN = "HIDDEN-TRUE-VALUE"


def _met(name: str) -> MetCondition:
    return MetCondition(statement=f"{name} holds", basis=f"visible text about {name}")


def contract(text: str) -> FaultContract:
    """A contract whose authoritative value is HIDDEN and whose other texts hold `text`."""
    return FaultContract(
        contract_id="c1",
        operator="ReturnDate",
        domain="airline",
        target=TargetEntity(kind="reservation", identifier=text, owner="u", locator={}),
        fact=AffectedFact(attribute="return date", scope="booked itinerary"),
        injected=Assertion(canonical="2024-05-01", data={}),
        authoritative=Assertion(canonical=HIDDEN, data={}),
        injection=Injection(tool="get_reservation_details", persistence=Persistence.EVERY_RETURN, match={}),
        preserved=(),
        counter_evidence=CounterEvidence(
            authority=_met("authority"),
            entity=_met("entity"),
            scope=_met("scope"),
            independence=_met("independence"),
            sufficiency=_met(text),
        ),
        acquisition=Acquisition.DELIVERED_TOGETHER,
        step_cap=60,
        cluster="r",
        parameters={},
    )


def steps(count: int, text: str) -> tuple[Step, ...]:
    """At least ten steps: system text, then rounds of user, agent, call and result; an orphan ends them."""
    made: list[Step] = [SystemText(index=0, text=f"policy {text} " * 200)]
    while len(made) < count - 1:
        at = len(made)
        kind = (at - 1) % 4
        if kind == 0:
            made.append(UserMessage(index=at, text=text))
        elif kind == 1:
            made.append(AgentMessage(index=at, turn=at, text=f"It is on 2024-05-01. {text}"))
        elif kind == 2:
            raw = '{"id": "x"' if at == 7 else '{"id": "x"}'
            made.append(
                ToolCall(index=at, turn=at, call_id="a", tool="get_reservation_details", arguments=from_text(raw))
            )
        else:
            content = f'{{"text": "{text}"}}' * (40 if at > 40 else 1)
            made.append(
                ToolObservation(
                    index=at, call_id="a", tool="get_reservation_details", content=content, pairing=Answers(call=at - 1)
                )
            )
    made.append(
        ToolObservation(index=len(made), call_id="z", tool="", content="", pairing=Orphan(reason="no call of id z"))
    )
    return tuple(made)


def example_run(*, count: int = 14, text: str = "plain") -> RunPage:
    """A measured run: fault at 4, evidence at 8, first use and first error at 10."""
    measurement = Measurement(
        t_f=Located(step=4),
        t_e=Located(step=8),
        t_s=Located(step=10),
        t_u=Located(step=10),
        adoption=True,
        stratum=ArrivalStratum.BEFORE,
        final_stance=Undeterminable(reason=f"no stance {text}"),
        evidence=(EvidenceStep(step=4, part="outbound segment"), EvidenceStep(step=8, part=text)),
        uses=(UseEvent(step=10, dependent=True, erroneous=True, stance=Stance.ENDORSES, rule="stated", quote=text),),
    )
    return RunPage(
        execution_id="ab" * 32,
        name="abababab",
        agents="reference",
        facts=(("operator", "ReturnDate"), ("configuration", text)),
        trajectory=Trajectory(
            tools=(ToolDefinition(name="get_reservation_details", description=text, parameters={"type": "object"}),),
            steps=steps(count, text),
            extent=Complete(),
        ),
        measurement=measurement,
        contract=contract(text),
        evaluator=(FactGroup(title="Truth and case", facts=(Fact(name="authoritative value v", text=HIDDEN),)),),
    )
