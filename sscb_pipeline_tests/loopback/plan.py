"""Which requests fail or are answered oddly, decided by a hash of the request and nothing else.

Transport faults go away when the same request comes again; answer faults are part of the answer, so that a request
always gets the same one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

THOUSAND = 1000


class Fault(StrEnum):
    """What can be planned."""

    NONE = "none"
    RATE_LIMIT = "rate_limit"
    RATE_LIMIT_TOLD = "rate_limit_told"
    SERVER_ERROR = "server_error"
    OVERLOAD = "overload"
    STALL = "stall"
    RESET = "reset"
    MALFORMED = "malformed"
    NO_CANDIDATES = "no_candidates"
    TRICKLE = "trickle"
    WRONG_TOOL = "wrong_tool"
    BAD_ARGUMENTS = "bad_arguments"
    GIANT = "giant"
    NO_USAGE = "no_usage"


TRANSPORT = (
    Fault.RATE_LIMIT,
    Fault.RATE_LIMIT_TOLD,
    Fault.SERVER_ERROR,
    Fault.OVERLOAD,
    Fault.STALL,
    Fault.RESET,
    Fault.MALFORMED,
    Fault.NO_CANDIDATES,
    Fault.TRICKLE,
)
ANSWER = (Fault.WRONG_TOOL, Fault.BAD_ARGUMENTS, Fault.GIANT)


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPlan:
    """`permille` of the requests meet each fault; at most 1,000 in all."""

    salt: str
    permille: Mapping[Fault, int]

    def fault(self, fingerprint: str) -> Fault:
        """The fault planned for a request."""
        digest = hashlib.sha256(f"{self.salt}/{fingerprint}".encode()).digest()
        point = int.from_bytes(digest[:8], "big") % THOUSAND
        for fault, share in self.permille.items():
            if point < share:
                return fault
            point -= share
        return Fault.NONE

    def answers_only(self) -> FaultPlan:
        """The same plan where every transport fault is left out and every answer fault keeps its place."""
        return (
            self
            if not any(fault in TRANSPORT for fault in self.permille)
            else _AnswersOnly(salt=self.salt, permille=self.permille)
        )

    def as_json(self) -> str:
        """For the command line of the server."""
        return json.dumps({"salt": self.salt, "permille": {k.value: v for k, v in self.permille.items()}})


class _AnswersOnly(FaultPlan):
    def fault(self, fingerprint: str) -> Fault:
        planned = FaultPlan.fault(self, fingerprint)
        return Fault.NONE if planned in TRANSPORT else planned


def from_json(text: str) -> FaultPlan:
    """A plan from its JSON."""
    value = json.loads(text)
    return FaultPlan(salt=value["salt"], permille={Fault(name): share for name, share in value["permille"].items()})


NO_FAULTS = FaultPlan(salt="", permille={})


def fingerprint(model: str, messages: Sequence[Mapping[str, Any]]) -> str:
    """What a request is recognised by, whatever form a client gave it: model, texts and calls."""
    told = [
        [
            message["role"],
            message.get("content") or "",
            [[call["function"]["name"], call["function"]["arguments"]] for call in message.get("tool_calls") or ()],
        ]
        for message in messages
    ]
    return hashlib.sha256(json.dumps([model.rpartition("/")[2], told]).encode()).hexdigest()
