import pytest

from sscb_pipeline.assurance.requirement import (
    Broken,
    CheckReport,
    Kept,
    NotRun,
    RequirementOutcome,
    check_report,
)
from sscb_pipeline.errors import InputError


def test_a_requirement_without_an_outcome_was_not_run() -> None:
    report = check_report(
        stage="s", partition="p", subject="a" * 64, code_version="1", required=["b", "a"], outcomes={"b": Kept()}
    )
    assert [item.requirement for item in report.outcomes] == ["a", "b"]
    assert isinstance(report.outcomes[0].outcome, NotRun)
    assert report.outcomes[1].outcome == Kept()


def test_an_empty_list_of_requirements_is_an_error() -> None:
    with pytest.raises(InputError, match="empty list"):
        check_report(stage="s", partition="p", subject="a" * 64, code_version="1", required=[], outcomes={})


def test_an_outcome_that_nothing_requires_is_an_error() -> None:
    with pytest.raises(InputError, match="typo"):
        check_report(
            stage="s", partition="p", subject="a" * 64, code_version="1", required=["a"], outcomes={"typo": Kept()}
        )


def test_a_broken_requirement_names_a_violation() -> None:
    with pytest.raises(InputError, match="violation"):
        Broken(violations=())


def test_a_requirement_stands_in_a_report_once() -> None:
    twice = RequirementOutcome(requirement="a", outcome=Kept())
    with pytest.raises(InputError, match="each once"):
        CheckReport(stage="s", partition="p", subject="a" * 64, code_version="1", outcomes=(twice, twice))
