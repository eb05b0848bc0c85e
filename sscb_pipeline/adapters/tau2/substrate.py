"""τ²-bench's airline and retail as a substrate: the package's own tools on copy-on-touch records.

A state is the package's own database model whose tables are touched mappings, with the package's own toolkit and
environment over it. Every call goes through that environment, so observations, errors and effects are the
package's; what is left out is the debug log line that formats each response again.
"""

from __future__ import annotations

import copy
import json
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sscb_pipeline.adapters.tau2 import recorded
from sscb_pipeline.adapters.tau2.expressions import refuse_unbounded
from sscb_pipeline.adapters.tau2.package import tau2_module
from sscb_pipeline.adapters.tau2.recorded import Domain
from sscb_pipeline.adapters.tau2.tasks import native_tasks
from sscb_pipeline.adapters.tau2.texts import keyword_text, text_constant
from sscb_pipeline.environments.port import Outcome, ReferenceAction, Score, State, Task
from sscb_pipeline.environments.touched import SharedRecords, TouchedRecords, digest_of, fork_together
from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories.steps import ToolDefinition


@dataclass(frozen=True, slots=True, kw_only=True)
class _Machinery:
    """What a state is made of: base records by kind, and how to put the package's environment over a state's own."""

    base: Mapping[str, SharedRecords[Any]]
    environment: Callable[[Mapping[str, TouchedRecords[Any]]], Any]


class Tau2State:
    """One execution's own state of a τ² domain."""

    __slots__ = ("_environment", "_machinery", "_parts")

    def __init__(self, machinery: _Machinery, parts: Mapping[str, TouchedRecords[Any]]) -> None:
        self._machinery = machinery
        self._parts = parts
        self._environment = machinery.environment(parts)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        """Run a tool as τ²'s `Environment.get_response` does: whatever it raises becomes the text `Error: …`.

        Raises EnvironmentUnavailableError for a `calculate` expression that could not be computed in bounds.
        """
        expression = arguments.get("expression")
        if tool == "calculate" and isinstance(expression, str):
            refuse_unbounded(expression)
        # The tools keep some arguments in the records as they are; a copy keeps the caller's object out of the state.
        own = copy.deepcopy(dict(arguments))
        # Ill-typed arguments make pydantic warn when the record is written out, and odd expressions make the compiler
        # warn. Where the process turns warnings into errors that would change what the agent is told.
        with warnings.catch_warnings(action="ignore"):
            try:
                response = self._environment.make_tool_call(tool, requestor="assistant", **own)
                self._environment.sync_tools()
                error = False
            except Exception as raised:
                response, error = f"Error: {raised}", True
            return Outcome(content=self._environment.to_json_str(response), error=error)

    def fork(self) -> State:
        """An independent copy of this state as it is now."""
        twins = fork_together(tuple(self._parts.values()))
        return Tau2State(self._machinery, dict(zip(self._parts, twins, strict=True)))

    def digest(self) -> str:
        """sha256 over what differs from the base; equal exactly where τ²'s `get_db_hash` is equal."""
        return digest_of(tuple(self._parts.values()))

    def record(self, kind: str, identifier: str) -> Mapping[str, Any]:
        """A plain copy of one record; looking at it touches nothing. Raises KeyError."""
        part = self._parts[kind]
        plain: Mapping[str, Any] = part.shared.plain(part.peek(identifier))
        return plain


class Tau2Substrate:
    """A τ² domain, loaded and verified. Made by `load`."""

    def __init__(self, root: Path, domain: Domain) -> None:
        """Load `domain` from the package folder `root`. Raises IntegrityError before anything of it is used."""
        files = recorded.verified_files(root, domain)
        self._domain = domain
        self._policy = _text(files[domain.file("policy.md")])
        self._prompt = _system_prompt(files[recorded.AGENT_SOURCE], self._policy)
        self._guidelines = _text(files[recorded.USER_GUIDELINES])
        self._greeting = keyword_text(
            files[recorded.ORCHESTRATOR_SOURCE],
            "DEFAULT_FIRST_AGENT_MESSAGE",
            "content",
            place=recorded.ORCHESTRATOR_SOURCE,
        )
        self._tasks = native_tasks(
            files[domain.file("tasks.json")], files[domain.file("split_tasks.json")], domain.value
        )
        self._machinery = _machinery(domain, files[domain.file("db.json")], self._policy)
        toolkit = self._machinery.environment(self._untouched()).tools
        self._tools = tuple(_definition(tool) for tool in toolkit.get_tools().values())
        self._writes = frozenset(name for name in toolkit.tools if toolkit.tool_type(name).value == "write")
        self._records: dict[str, Mapping[str, Mapping[str, Any]]] = {}
        self._gold: dict[str, str] = {}

    @property
    def domain(self) -> str:
        """`airline` or `retail`."""
        return self._domain.value

    @property
    def data_sha256(self) -> Mapping[str, str]:
        """sha256 by place inside the package, as verified."""
        return recorded.recorded_sha256(self._domain)

    def tasks(self) -> Sequence[Task]:
        """Native tasks of split `base` in file order."""
        return self._tasks

    def tools(self) -> tuple[ToolDefinition, ...]:
        """The toolkit's own names, descriptions and parameter schemas."""
        return self._tools

    def system_prompt(self) -> str:
        """τ²'s agent instruction and the domain policy in τ²'s own frame."""
        return self._prompt

    def user_guidelines(self) -> str:
        """τ²'s guidelines for a user simulator without tools."""
        return self._guidelines

    def greeting(self) -> str:
        """τ²'s fixed first message of the agent."""
        return self._greeting

    def records(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        """All base records of a kind as plain data, made once. Raises KeyError for a kind the domain lacks."""
        known = self._records.get(kind)
        if known is None:
            shared = self._machinery.base[kind]
            known = MappingProxyType({key: shared.plain(record) for key, record in shared.records.items()})
            self._records[kind] = known
        return known

    def writes(self) -> frozenset[str]:
        """Tools the package marks as writing."""
        return self._writes

    def fresh(self) -> State:
        """A new state equal to the base; nothing is copied until it is touched."""
        return Tau2State(self._machinery, self._untouched())

    def score(self, task: Task, state: State, said: Sequence[str]) -> Score:
        """τ²'s reward: same database as after the reference actions, and everything required was said.

        Reference actions that fail leave the reference state as it is, as in the package. A write beyond those of the
        reference makes the databases differ and fails the run.
        """
        return Score(
            database=state.digest() == self._reference_digest(task.actions),
            communicated=all(_communicated(required, said) for required in task.communicate),
        )

    def _untouched(self) -> dict[str, TouchedRecords[Any]]:
        return {kind: TouchedRecords(shared) for kind, shared in self._machinery.base.items()}

    def _reference_digest(self, actions: Sequence[ReferenceAction]) -> str:
        content = json.dumps([[action.tool, dict(action.arguments)] for action in actions])
        known = self._gold.get(content)
        if known is None:
            state = self.fresh()
            for action in actions:
                state.call(action.tool, action.arguments)
            known = self._gold[content] = state.digest()
        return known


_LOADED: dict[Domain, Tau2Substrate] = {}
_LOADING = threading.Lock()


def load(name: str) -> Tau2Substrate:
    """The τ² domain `name`, loaded once per process.

    Raises InputError for an unknown domain or a missing package, IntegrityError for files other than those recorded.
    """
    try:
        domain = Domain(name)
    except ValueError as error:
        raise InputError(
            subject=f"τ²-bench domain {name!r}",
            expected=" or ".join(known.value for known in Domain),
            found="no such domain",
            remedy="name one of the domains",
        ) from error
    with _LOADING:
        if domain not in _LOADED:
            _LOADED[domain] = Tau2Substrate(recorded.package_root(), domain)
        return _LOADED[domain]


def _machinery(domain: Domain, db_json: bytes, policy: str) -> _Machinery:
    """Parse the database with the package's own model, and prepare to build its environment over a state."""
    environment_class = tau2_module("tau2.environment.environment").Environment
    data_model = tau2_module(f"tau2.domains.{domain.value}.data_model")
    tools = tau2_module(f"tau2.domains.{domain.value}.tools")
    match domain:
        case Domain.AIRLINE:
            database_class, toolkit_class = data_model.FlightDB, tools.AirlineTools
        case Domain.RETAIL:
            database_class, toolkit_class = data_model.RetailDB, tools.RetailTools
    loaded = database_class.model_validate(json.loads(db_json))
    base = {
        kind: SharedRecords(kind=kind, records=getattr(loaded, kind), duplicate=_duplicate, dump=_dump)
        for kind in database_class.model_fields
    }

    def environment(parts: Mapping[str, TouchedRecords[Any]]) -> Any:
        # Constructed without validation, which would copy every table into a dict.
        database = database_class.model_construct(**parts)
        return environment_class(domain_name=domain.value, policy=policy, tools=toolkit_class(database))

    return _Machinery(base=base, environment=environment)


def _duplicate(record: Any) -> Any:
    return record.model_copy(deep=True)


def _dump(record: Any) -> Any:
    # Records hold ill-typed values once a tool has stored them; the dump is the same with and without the warning.
    return record.model_dump(warnings=False)


def _definition(tool: Any) -> ToolDefinition:
    function = tool.openai_schema["function"]
    return ToolDefinition(name=function["name"], description=function["description"], parameters=function["parameters"])


def _system_prompt(agent_source: bytes, policy: str) -> str:
    instruction = text_constant(agent_source, "AGENT_INSTRUCTION", place=recorded.AGENT_SOURCE)
    frame = text_constant(agent_source, "SYSTEM_PROMPT", place=recorded.AGENT_SOURCE)
    return frame.format(domain_policy=policy, agent_instruction=instruction)


def _communicated(required: str, said: Sequence[str]) -> bool:
    """τ²'s test: the text occurs, case aside, in some message, with that message's commas taken out."""
    return any(required.lower() in text.lower().replace(",", "") for text in said if text.strip())


def _text(content: bytes) -> str:
    return content.decode("utf-8")
