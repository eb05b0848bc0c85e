"""The banks of other words are complete, differ from the first and each other, and none shares phrases with what reads
them."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sscb_pipeline import reconstruction
from sscb_pipeline.adapters.agents.reference.habits import PLANS
from sscb_pipeline_tests.calibration.banks import Banks, phrases_of, sentences, words

LONG = 5
"""Rows of this many words or more are phrases; shorter ones are common language."""

READERS = sorted(Path(reconstruction.__file__).parent.rglob("*.*"))
_ESCAPE = re.compile(r"\\[a-zA-Z][+*?]?")
_ALTERNATIVE = re.compile(r"[|()\[\]{}^$*?+.!:;\n]+")


def long_sentences(banks: Banks, operator: str) -> set[tuple[str, ...]]:
    return {
        sentence
        for phrases in phrases_of(banks, operator).values()
        for phrase in phrases
        for sentence in sentences(phrase)
        if len(sentence) >= LONG
    }


def holds(row: tuple[str, ...], sought: tuple[str, ...]) -> bool:
    """Whether the words stand in that order, one after the other."""
    return f" {' '.join(sought)} " in f" {' '.join(row)} "


def texts_of(source: str) -> Iterator[str]:
    """Every string of a module that is no documentation."""
    tree = ast.parse(source)
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


FEWEST = 4
"""Phrases per purpose of the third bank, which was written without a count of the others at hand."""


@pytest.mark.parametrize("banks", [Banks.HELD_OUT, Banks.BLIND])
@pytest.mark.parametrize("operator", list(PLANS))
def test_banks_of_other_words_have_the_same_purposes_often_enough(banks: Banks, operator: str) -> None:
    shipped, others = phrases_of(Banks.SHIPPED, operator), phrases_of(banks, operator)
    assert shipped.keys() == others.keys()
    for purpose, phrases in shipped.items():
        fewest = FEWEST if banks is Banks.BLIND else len(phrases)
        assert len(set(others[purpose])) >= fewest, purpose
        assert not set(phrases) & set(others[purpose])


COINCIDENCES = {("since", "you", "fly", "home", "the", "next", "day")}
"""Hit upon twice. The third bank stays as it was measured, so the words stay in it."""


@pytest.mark.parametrize("operator", list(PLANS))
def test_the_banks_share_no_long_sentence(operator: str) -> None:
    for one, other in itertools.combinations(Banks, 2):
        assert not (long_sentences(one, operator) & long_sentences(other, operator)) - COINCIDENCES


@pytest.mark.parametrize("banks", list(Banks))
@pytest.mark.parametrize("operator", list(PLANS))
def test_no_long_sentence_of_a_bank_stands_where_texts_are_read(banks: Banks, operator: str) -> None:
    readers = {path.name: path.read_text(encoding="utf-8") for path in READERS if path.suffix in (".py", ".yaml")}
    assert readers
    rows = {name: words(_ESCAPE.sub(" ", text)) for name, text in readers.items()}
    sought = long_sentences(banks, operator)
    assert sought
    assert [(name, " ".join(row)) for row in sought for name, held in rows.items() if holds(held, row)] == []


@pytest.mark.parametrize("banks", list(Banks))
def test_no_long_entry_of_what_reads_texts_stands_in_a_bank(banks: Banks) -> None:
    entries = {
        row
        for path in READERS
        if path.suffix == ".py"
        for text in texts_of(path.read_text(encoding="utf-8"))
        for part in _ALTERNATIVE.split(_ESCAPE.sub(" ", text))
        if len(row := words(part)) >= LONG
    }
    spoken = [
        row
        for operator in PLANS
        for phrases in phrases_of(banks, operator).values()
        for phrase in phrases
        for row in sentences(phrase)
    ]
    assert [" ".join(entry) for entry in entries if any(holds(row, entry) for row in spoken)] == []
