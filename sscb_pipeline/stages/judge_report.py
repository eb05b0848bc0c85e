"""What the report says of judge inputs: from the trials and the draws whose checks passed."""

from __future__ import annotations

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import current
from sscb_pipeline.errors import RefusalError
from sscb_pipeline.judging.trials.specimens import ERROR_MESSAGE, specimen
from sscb_pipeline.packets.build import render
from sscb_pipeline.packets.input_contract import QUESTION, PacketKind, Rendering, Scope
from sscb_pipeline.report.judge_section import JudgeInputs, NoTrials
from sscb_pipeline.stages.judge_packets import authorised_draws
from sscb_pipeline.stages.judge_trials import authorised_trials
from sscb_pipeline.stages.names import CASES_CAMPAIGN, WHOLE, Stage

CONTEXT = "[MESSAGE 9]"
"""From which line of the shown packet on."""


def judge_inputs(warehouse: Warehouse, campaign: str) -> tuple[JudgeInputs | NoTrials, dict[str, str]]:
    """What to show, and the manifests it came from by name. Raises RefusalError where trials or draws were made and
    have no receipt."""
    try:
        current(warehouse, campaign=CASES_CAMPAIGN, stage=Stage.JUDGE_TRIALS, partition=WHOLE)
        current(warehouse, campaign=campaign, stage=Stage.JUDGE_DRAWS, partition=WHOLE)
    except RefusalError:
        return NoTrials(why="no trials or no draws were made"), {}
    results, trials = authorised_trials(warehouse)
    drawn, draws = authorised_draws(warehouse, campaign)
    shown = JudgeInputs(
        results=results,
        packets=len({record.job.packet for record in drawn.draws}),
        draws=len(drawn.draws),
        unauthorised=sum(record.read != record.job.sha256 for record in drawn.draws),
        original=_excerpt(Rendering.ORIGINAL),
        restored=_excerpt(Rendering.RESTORED),
    )
    return shown, {"judge_trials": trials.sha256, "judge_draws": draws.sha256}


def _excerpt(rendering: Rendering) -> str:
    """The end of a prefix packet whose target says nothing in its text."""
    one = specimen(1)
    target = next(target for target in one.targets if target.message == ERROR_MESSAGE)
    data = render(one.source.record, target, PacketKind(scope=Scope.PREFIX, rendering=rendering), QUESTION)
    text = data.decode("utf-8")
    return text[text.index(CONTEXT) :]
