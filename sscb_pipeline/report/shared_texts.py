"""Long texts that many executions have in common (system text, tool definitions): a page each, linked from the runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.report.shell import page
from sscb_pipeline.trajectories.steps import ToolDefinition

FOLDER = "texts"
DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedText:
    """A text, its sha256 over UTF-8 with lone surrogates passed through, and its page as seen from a run's page."""

    sha256: str
    title: str
    text: str

    @property
    def file(self) -> str:
        """File name of its page."""
        return f"{self.sha256[:DIGITS]}.html"

    @property
    def address(self) -> str:
        """Its page as seen from a run's page."""
        return f"../{FOLDER}/{self.file}"


class SharedTexts:
    """Collects the texts that the run pages refer to. `agents` is the kind of agents that all of them are about."""

    def __init__(self, agents: str) -> None:
        self._agents = agents
        self._texts: dict[str, SharedText] = {}
        self._tools: dict[str, SharedText] = {}

    def text(self, text: str) -> SharedText:
        """The page of a system text."""
        return self._keep("System text", text)

    def tools(self, tools: tuple[ToolDefinition, ...]) -> SharedText:
        """The page of the tool definitions."""
        key = json.dumps([[tool.name, tool.description, tool.parameters] for tool in tools], default=dict)
        if key not in self._tools:
            self._tools[key] = self._keep(f"{len(tools)} tool definitions", "\n\n".join(map(_definition, tools)))
        return self._tools[key]

    def _keep(self, title: str, text: str) -> SharedText:
        sha256 = sha256_hex(text.encode("utf-8", "surrogatepass"))
        return self._texts.setdefault(sha256, SharedText(sha256=sha256, title=title, text=text))

    def pages(self) -> Iterator[tuple[str, str]]:
        """File name and HTML of every text that was referred to."""
        for shared in self._texts.values():
            yield shared.file, page("text.html.j2", "run.css", agents=self._agents, shared=shared)


def _definition(tool: ToolDefinition) -> str:
    parameters = json.dumps(tool.parameters, ensure_ascii=False, indent=1, default=dict)
    return f"{tool.name}\n{tool.description}\n{parameters}"
