"""`sscb judge`: packets built, checked, staged and dispatched; the same steps one by one; and the trials.

Each step can be started alone, on any day: it refuses unless the receipts of the steps before stand for the bytes it
finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from sscb_pipeline.commands.console import (
    FINDING,
    Json,
    chosen_root,
    chosen_warehouse,
    messages,
    output,
    print_json,
    print_line,
    reported,
)

if TYPE_CHECKING:
    from sscb_pipeline.assurance.judge_run import RunName
    from sscb_pipeline.judging.packet_run import RunPlan
    from sscb_pipeline.judging.trials.results import TrialResults

JUDGE_CAMPAIGN = "judging"

Source = Annotated[str, typer.Option(help="A recording, or `generated` for the generated cohort.")]
Format = Annotated[str, typer.Option("--format", help="Format of the recording; detected where it is left out.")]
Contract = Annotated[str, typer.Option(help="Input contract: study (O and R) or production (C).")]
Campaign = Annotated[str, typer.Option(help="Name under which the run is kept.")]
JudgeOption = Annotated[str, typer.Option(help="`stub`, or a YAML file with a judge configuration.")]
BaseUrl = Annotated[str, typer.Option(help="Address of the judge's OpenAI-compatible endpoint.")]
Run = Annotated[str, typer.Argument(help="The run's id, as `sscb judge build` prints it, or its first digits.")]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    group = typer.Typer(no_args_is_help=True, help="Judge inputs: build, check, stage, dispatch; trials.")
    for name, command in (
        ("build", build),
        ("stage", stage),
        ("check", check),
        ("emit", emit),
        ("dispatch", dispatch),
        ("run", run),
        ("trials", trials),
    ):
        group.command(name)(command)
    app.add_typer(group, name="judge")


def build(
    source: Source,
    format_name: Format = "",
    contract: Contract = "",
    campaign: Campaign = JUDGE_CAMPAIGN,
    as_json: Json = False,
) -> None:
    """Build and archive the packets of a source; the inline check's receipt is written if all is kept."""
    from sscb_pipeline.artifacts.warehouse import create_or_open
    from sscb_pipeline.assurance.judge_run import record
    from sscb_pipeline.judging.packet_run import build_run, run_name
    from sscb_pipeline.stages.code_version import code_version
    from sscb_pipeline.stages.judge_sources import judge_source

    with reported():
        chosen = judge_source(source, format_name, contract)
        name = run_name(campaign, chosen.members, chosen.contract, code_version())
        warehouse = create_or_open(chosen_root())
        archived, report = build_run(warehouse, name, chosen.members, chosen.contract)
        record(warehouse, report)
    if as_json:
        print_json({"run": name.run, "packets": len(archived.packets), "manifest": archived.published.sha256})
    else:
        print_line(output, f"run {name.run}\n{len(archived.packets)} packets, inline check kept")


def stage(run_id: Run) -> None:
    """Copy the packets of an authorised run into its staging folder."""
    from sscb_pipeline.assurance.packet_staging import staging_folder
    from sscb_pipeline.judging.packet_run import stage_run

    with reported():
        name = _named(run_id)
        stage_run(chosen_warehouse(), name)
        folder = staging_folder(chosen_warehouse(), name)
    print_line(output, f"staged in {folder}")


def check(run_id: Run) -> None:
    """The disk check of a staged run; its receipt is written if all is kept."""
    from sscb_pipeline.assurance.judge_run import record
    from sscb_pipeline.judging.packet_run import check_staged_run

    with reported():
        name = _named(run_id)
        report = check_staged_run(chosen_warehouse(), name, _contract_of(name))
        record(chosen_warehouse(), report)
    print_line(output, f"{len(report.outcomes)} requirements kept")


def emit(run_id: Run, draws: Annotated[int, typer.Option(help="Draws per packet.")] = 2) -> None:
    """Write the job list and scripts of a checked run, and check them."""
    from sscb_pipeline.assurance.judge_run import record
    from sscb_pipeline.judging.packet_run import check_emitted_run, emit_run

    with reported():
        name = _named(run_id)
        emit_run(chosen_warehouse(), name, draws=draws)
        record(chosen_warehouse(), check_emitted_run(chosen_warehouse(), name))
    print_line(output, "jobs emitted and checked")


def dispatch(run_id: Run, judge: JudgeOption = "stub", base_url: BaseUrl = "", as_json: Json = False) -> None:
    """Draw every packet of an emitted run that has not been drawn yet, each from verified bytes."""
    with reported():
        found = _dispatched(_named(run_id), judge, base_url)
    _show(found, as_json)


def run(
    source: Source,
    judge: JudgeOption = "stub",
    base_url: BaseUrl = "",
    format_name: Format = "",
    contract: Contract = "",
    campaign: Campaign = JUDGE_CAMPAIGN,
    as_json: Json = False,
) -> None:
    """The whole production path over a source: build, checks, stage, emit, dispatch. Prints cells, draws and reads."""
    from sscb_pipeline.artifacts.warehouse import create_or_open
    from sscb_pipeline.judging.packet_run import prepare_run, run_name
    from sscb_pipeline.stages.code_version import code_version
    from sscb_pipeline.stages.judge_dispatch import judge_configuration, judge_of
    from sscb_pipeline.stages.judge_sources import judge_source

    with reported():
        configuration = judge_configuration(judge)
        judge_of(configuration, base_url)  # what cannot be used is refused before anything is built
        chosen = judge_source(source, format_name, contract)
        name = run_name(campaign, chosen.members, chosen.contract, code_version())
        warehouse = create_or_open(chosen_root())
        prepare_run(warehouse, name, chosen.members, chosen.contract, draws=configuration.draws)
        found = _dispatched(name, judge, base_url)
    _show(found, as_json)


def trials(as_json: Json = False) -> None:
    """Mutants against both checkers, legal inputs, and every fault case under P0 to P4. Writes nothing to keep."""
    from sscb_pipeline.judging.trials.results import run_trials, summary, trial_units, violations
    from sscb_pipeline.terminal.progress import BarReporter

    with reported(), BarReporter(messages) as reporter:
        results = run_trials(reporter.begin("trials", trial_units()))
    if as_json:
        print_json(summary(results))
    else:
        output.print(_controls(results))
        for key, value in summary(results)["mutants"].items():
            print_line(output, f"mutants, {key.replace('_', ' ')}: {value}")
    broken = {name: found for name, found in violations(results).items() if found}
    for name, found in broken.items():
        print_line(messages, f"{name}: {found[0]} (and {len(found) - 1} more)")
    if broken:
        raise typer.Exit(FINDING)


def _named(run_id: str) -> RunName:
    from sscb_pipeline.stages.judge_runs import find_run

    return find_run(chosen_warehouse(), run_id)


def _contract_of(name: RunName) -> Any:
    from sscb_pipeline.assurance.packet_archive import built
    from sscb_pipeline.judging.packet_run import plan_of
    from sscb_pipeline.stages.judge_runs import contract_of

    plan: RunPlan = plan_of(chosen_warehouse(), built(chosen_warehouse(), name))
    return contract_of(plan)


def _dispatched(name: RunName, judge: str, base_url: str) -> dict[str, Any]:
    from sscb_pipeline.judging.run_results import run_result, told
    from sscb_pipeline.stages.judge_dispatch import dispatch_run, judge_configuration, judge_of
    from sscb_pipeline.terminal.progress import BarReporter

    warehouse = chosen_warehouse()
    configuration = judge_configuration(judge)
    with BarReporter(messages) as reporter:
        judge_at_work = judge_of(configuration, base_url)
        opened, draws = dispatch_run(warehouse, name, configuration, judge_at_work, reporter)
    result = run_result(warehouse, opened, _contract_of(name), configuration, draws)
    return told(opened, result, draws)


def _show(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    table = Table("target", "scope", "rendering", "targets", "flags", "abstentions", box=None)
    for cell in found["cells"]:
        abstained = cell["abstentions_blank"] + cell["abstentions_other"]
        row = (cell["targets"], cell["consensus_flags"], abstained)
        table.add_row(cell["target"], cell["scope"], cell["rendering"], *map(str, row))
    output.print(table)
    draws, read = found["draws"], found["read"]
    print_line(output, f"run {found['run']}")
    print_line(output, f"{draws['made']} of {draws['planned']} draws, {read['unauthorised']} of unauthorised bytes")


def _controls(results: TrialResults) -> Table:
    from sscb_pipeline.judging.trials.results import summary

    table = Table("control", "stopped", "read changed or stale bytes", box=None)
    for control, counts in summary(results)["controls"].items():
        table.add_row(control, str(counts["stopped"]), str(counts["read_changed"]))
    return table
