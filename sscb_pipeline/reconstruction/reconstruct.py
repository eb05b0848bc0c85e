"""From contract, trajectory and intervention record to the measurement of one execution (SSC §IV-C)."""

from __future__ import annotations

from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.faults.operator import Operator
from sscb_pipeline.measured import Located, Never, Time, Undeterminable
from sscb_pipeline.reconstruction.adoption import adoption
from sscb_pipeline.reconstruction.arrival import Arrival, evidence_arrival
from sscb_pipeline.reconstruction.delivery import InterventionLog, fault_delivery
from sscb_pipeline.reconstruction.first_use import first_dependent_use, first_erroneous_dependence
from sscb_pipeline.reconstruction.measurement import Measurement, UseEvent
from sscb_pipeline.reconstruction.stages import Stages
from sscb_pipeline.reconstruction.stance import final_stance
from sscb_pipeline.reconstruction.stratum import stratum
from sscb_pipeline.trajectories.steps import Trajectory


def reconstruct(
    operator: Operator,
    contract: FaultContract,
    trajectory: Trajectory,
    record: InterventionLog,
    stages: Stages,
) -> Measurement:
    """T_F, T_E, T_S, T_U, A, Z_S and Y_end. Total.

    Uses are uses after T_F: where T_F is Never or Undeterminable, everything that is counted from it is
    Undeterminable with that reason. T_E is read off the history either way.
    """
    t_f = fault_delivery(operator, contract, trajectory, record)
    arrival = evidence_arrival(operator, contract, trajectory)
    if not isinstance(t_f, Located):
        return _without_fault(t_f, arrival)
    subject = operator.subject(contract)
    references = stages.extract(subject, trajectory, t_f.step)
    events = stages.classify(contract, subject, trajectory, references)
    return measure(t_f, arrival, events, trajectory)


def measure(t_f: Located, arrival: Arrival, events: tuple[UseEvent, ...], trajectory: Trajectory) -> Measurement:
    """The measurement that follows from classified events, whoever classified them."""
    t_s = first_dependent_use(events, trajectory)
    adopted = adoption(events, trajectory)
    return Measurement(
        t_f=t_f,
        t_e=arrival.t_e,
        t_s=t_s,
        t_u=first_erroneous_dependence(events, trajectory),
        adoption=adopted,
        stratum=stratum(arrival.t_e, t_s),
        final_stance=final_stance(events, adopted),
        evidence=arrival.steps,
        uses=events,
    )


def _without_fault(t_f: Never | Undeterminable, arrival: Arrival) -> Measurement:
    reason = "not triggered" if isinstance(t_f, Never) else f"T_F: {t_f.reason}"
    unknown = Undeterminable(reason=reason)
    times: Time = unknown
    return Measurement(
        t_f=t_f,
        t_e=arrival.t_e,
        t_s=times,
        t_u=times,
        adoption=unknown,
        stratum=unknown,
        final_stance=unknown,
        evidence=arrival.steps,
        uses=(),
    )
