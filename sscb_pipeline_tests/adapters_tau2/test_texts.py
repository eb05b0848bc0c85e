"""Constants read from source text."""

from __future__ import annotations

import pytest

from sscb_pipeline.adapters.tau2 import recorded
from sscb_pipeline.adapters.tau2.recorded import Domain
from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.adapters.tau2.texts import keyword_text, text_constant
from sscb_pipeline.errors import IntegrityError

SOURCE = b'''
import something_that_does_not_exist
PLAIN = "as it is "
STRIPPED = """
  lines
""".strip()
COMPUTED = PLAIN + STRIPPED
UPPER = "text".upper()
MESSAGE = Message(role="assistant", content="Good day", cost=0.0)
def f():
    LOCAL = "hidden"
'''


def test_literals_are_read_without_running_the_source() -> None:
    assert text_constant(SOURCE, "PLAIN", place="m.py") == "as it is "
    assert text_constant(SOURCE, "STRIPPED", place="m.py") == "lines"
    assert keyword_text(SOURCE, "MESSAGE", "content", place="m.py") == "Good day"


@pytest.mark.parametrize("name", ["COMPUTED", "UPPER", "MESSAGE", "LOCAL", "ABSENT"])
def test_anything_else_is_refused_with_its_place(name: str) -> None:
    with pytest.raises(IntegrityError, match=r"m\.py"):
        text_constant(SOURCE, name, place="m.py")


@pytest.mark.parametrize(("name", "keyword"), [("MESSAGE", "cost"), ("MESSAGE", "absent"), ("PLAIN", "content")])
def test_a_keyword_that_is_no_text_is_refused(name: str, keyword: str) -> None:
    with pytest.raises(IntegrityError, match=rf"m\.py, {name}, argument {keyword}"):
        keyword_text(SOURCE, name, keyword, place="m.py")


@pytest.mark.parametrize("domain", list(Domain))
def test_the_prompt_is_instruction_and_policy(domain: Domain) -> None:
    prompt = load(domain.value).system_prompt()
    policy = (recorded.package_root() / domain.file("policy.md")).read_text(encoding="utf-8")
    head, _, rest = prompt.partition("<policy>\n")
    assert rest == policy + "\n</policy>"
    assert head.startswith("<instructions>\n") and "customer service agent" in head
    assert "{" not in head


def test_guidelines_are_those_for_users_without_tools() -> None:
    guidelines = (recorded.package_root() / recorded.USER_GUIDELINES).read_text(encoding="utf-8")
    assert load("airline").user_guidelines() == load("retail").user_guidelines() == guidelines
    assert "###STOP###" in guidelines
