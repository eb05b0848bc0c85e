"""How realised and measured labels compare."""

import pytest

from sscb_pipeline.claims.calibration import LabelPair, Outcome, calibrate


def _pair(realised: str, measured: str, quantity: str = "T_S", execution_id: str = "e") -> LabelPair:
    return LabelPair(
        execution_id=execution_id,
        configuration="careful",
        operator="WriteEffect",
        habit="reads before use",
        quantity=quantity,
        realised=realised,
        measured=measured,
    )


@pytest.mark.parametrize(
    ("realised", "measured", "outcome"),
    [
        ("located 12", "located 12", Outcome.EXACT),
        ("never", "never", Outcome.EXACT),
        ("located 12", "located 13", Outcome.WRONG),
        ("never", "located 13", Outcome.WRONG),
        ("true", "undeterminable: hedged", Outcome.LOST),
        ("never", "undeterminable", Outcome.LOST),
        ("undeterminable: by construction", "undeterminable: vague words", Outcome.UNDETERMINABLE_AS_CONSTRUCTED),
        ("undeterminable", "located 3", Outcome.OVERCLAIMED),
        ("undeterminable", "never", Outcome.OVERCLAIMED),
    ],
)
def test_outcome(realised: str, measured: str, outcome: Outcome) -> None:
    assert _pair(realised, measured).outcome is outcome


def test_disagreements_are_counted_per_quantity_and_listed() -> None:
    wrong = _pair("located 1", "located 2", execution_id="bad")
    lost = _pair("true", "undeterminable", quantity="A", execution_id="lost")
    calibration = calibrate([_pair("never", "never"), wrong, _pair("undeterminable", "undeterminable"), lost])
    assert [
        (q.quantity, q.labels, q.exact, q.undeterminable_as_constructed, q.disagreements)
        for q in calibration.quantities
    ] == [("T_S", 3, 1, 1, 1), ("A", 1, 0, 0, 1)]
    assert calibration.disagreements == (wrong, lost)
    assert calibration.labels == 4


def test_nothing_to_compare_gives_no_labels() -> None:
    assert calibrate([]).labels == 0
