import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex, strict_json
from sscb_pipeline.errors import InputError

any_text = st.text(alphabet=st.characters())
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=12,
)


def test_sha256_of_the_empty_bytes() -> None:
    assert sha256_hex(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_canonical_form_sorts_keys_and_leaves_no_spaces() -> None:
    assert canonical_json({"b": [1, 2.5, None], "a": "é"}) == '{"a":"é","b":[1,2.5,null]}'.encode()


@given(json_values)
def test_canonical_bytes_read_back_equal(value: object) -> None:
    assert strict_json(canonical_json(value), "value") == value


def test_lone_surrogates_and_nul_survive() -> None:
    value = {"text": "\ud800 \x00 \r\n"}
    assert strict_json(canonical_json(value), "value") == value


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], {"a": -float("inf")}, {1, 2}, b"bytes"])
def test_what_is_no_json_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="canonical JSON"):
        canonical_json(value)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b'{"a": NaN}', "NaN is not JSON"),
        (b"[-Infinity]", "-Infinity is not JSON"),
        (b"[1e999]", "1e999"),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "'c' occurs twice"),
        (b'{"a": 1,\n "b" 2}', "line 2 column 6"),
        (b"[1] 2", "line 1 column 5"),
        (b"", "line 1 column 1"),
        (b'"\xff"', "utf-8"),
        (b"[" * 100_000, "recursion"),
    ],
)
def test_strict_reading_names_place_and_cause(data: bytes, found: str) -> None:
    with pytest.raises(InputError) as caught:
        strict_json(data, "file x.json")
    assert found in caught.value.found
    assert caught.value.subject == "file x.json"


@given(json_values)
def test_ordinary_json_is_read_as_the_standard_reader_does(value: object) -> None:
    text = json.dumps(value).encode()
    assert strict_json(text, "value") == value
