"""Reading a packet of rendering C: from its bytes back to every field, with nothing but the bytes at hand.

The parser accepts exactly what rendering C writes: after reading, each text is escaped again and compared, so two
different packets never read alike. It reads with the same escape as the renderers; the checkers do not.
"""

from __future__ import annotations

from collections.abc import Callable

from sscb_pipeline.errors import InputError
from sscb_pipeline.packets.escape import escape_body, escape_line, escape_name, unescape
from sscb_pipeline.packets.fields import (
    PacketFields,
    ShownCall,
    ShownHandoff,
    ShownMessage,
    ShownResult,
    ShownSystem,
    ShownTool,
    ShownTurn,
)
from sscb_pipeline.packets.input_contract import Scope
from sscb_pipeline.packets.task_context import NoRequest, Request
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    NULL,
    Actor,
    Requestor,
    SourceText,
    ToolsNotRecorded,
    given,
)

_FORMS = {"(null)": NULL, "(no key)": NO_KEY, "(empty)": given("")}
_ROLES = {"[ASSISTANT]": Actor.AGENT, "[USER]": Actor.USER}
_CALLS = {Actor.AGENT: "[TOOL CALL] ", Actor.USER: "[USER TOOL CALL] "}
_ENDS = {
    "[END OF PACKET] the target message is the last one shown": Scope.PREFIX,
    "[END OF PACKET] the recording ends here": Scope.FULL,
}


def parse_complete(data: bytes, name: str) -> PacketFields:
    """The fields of a packet of rendering C; `name` names it in errors. Raises InputError with the line."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refused(name, "UTF-8", f"{error.reason} at byte {error.start}") from error
    return _Reader(text, name).packet()


def _refused(place: str, expected: str, found: str) -> InputError:
    return InputError(
        subject=place,
        expected=expected,
        found=found,
        remedy="build the packet again; it is not what rendering C writes",
    )


def _structural(line: str) -> bool:
    return len(line) > 1 and line[0] == "[" and "A" <= line[1] <= "Z"


class _Reader:
    """A cursor over the lines."""

    def __init__(self, text: str, name: str) -> None:
        self._lines = text.split("\n")
        self._name = name
        self._at = 0

    @property
    def _line(self) -> str:
        return self._lines[self._at] if self._at < len(self._lines) else ""

    def _refuse(self, expected: str) -> InputError:
        return _refused(f"{self._name}, line {self._at + 1}", expected, repr(self._line[:60]))

    def _take(self, line: str) -> None:
        if self._line != line:
            raise self._refuse(repr(line))
        self._at += 1

    def _next_is(self, line: str) -> bool:
        if self._line != line:
            return False
        self._at += 1
        return True

    def _after(self, start: str) -> str:
        """The rest of a line that must begin so."""
        if not self._line.startswith(start):
            raise self._refuse(f"a line that begins {start!r}")
        rest = self._line[len(start) :]
        self._at += 1
        return rest

    def _decoded(self, shown: str, escape: Callable[[str], str]) -> str:
        text = unescape(shown)
        if escape(text) != shown:
            self._at -= 1
            raise self._refuse("text in the one form the escape gives it")
        return text

    def _body(self) -> str:
        start = self._at
        while self._at < len(self._lines) and not _structural(self._line):
            self._at += 1
        if self._at == start:
            raise self._refuse("a text")
        return self._decoded("\n".join(self._lines[start : self._at]), escape_body)

    def _text(self, line: str) -> SourceText:
        """A structural line with its text, or the form in which there is none."""
        for form, absent in _FORMS.items():
            if self._next_is(f"{line} {form}"):
                return absent
        self._take(line)
        text = self._body()
        if not text:
            raise self._refuse("a text that is not empty")
        return given(text)

    def _given(self, start: str) -> SourceText:
        shown = self._after(start)
        if shown in _FORMS:
            return _FORMS[shown]
        text = self._decoded(shown, escape_name)
        if not text:
            self._at -= 1
            raise self._refuse("a name, an id, or (empty)")
        return given(text)

    def packet(self) -> PacketFields:
        self._take("[JUDGE PACKET]")
        self._take("[QUESTION]")
        question = self._body()
        request: Request | NoRequest = NoRequest()
        if not self._next_is("[TASK CONTEXT] (none recorded)"):
            self._take("[TASK CONTEXT]")
            request = Request(text=self._body())
        tools = self._tools()
        self._take("[TRAJECTORY]")
        messages: list[ShownMessage] = []
        targets: list[int] = []
        while self._line not in _ENDS:
            if self._next_is(f"[TARGET MESSAGE {len(messages)}]"):
                targets.append(len(messages))
            else:
                self._take(f"[MESSAGE {len(messages)}]")
            messages.append(self._message())
        scope = _ENDS[self._line]
        self._at += 1
        if self._lines[self._at :] != [""]:
            raise self._refuse("one line feed and nothing else after the end of the packet")
        last = len(messages) - 1
        if len(targets) != 1 or (scope is Scope.PREFIX and targets != [last]):
            raise self._refuse(f"one target, the last message of a prefix; marked are {targets}")
        return PacketFields(
            question=question,
            request=request,
            tools=tools,
            scope=scope,
            target=targets[0],
            messages=tuple(messages),
        )

    def _tools(self) -> tuple[ShownTool, ...] | ToolsNotRecorded:
        if self._next_is("[TOOLS] (not recorded)"):
            return ToolsNotRecorded()
        if self._next_is("[TOOLS] (none)"):
            return ()
        self._take("[TOOLS]")
        tools: list[ShownTool] = []
        while not tools or self._line != "[TRAJECTORY]":
            name = self._decoded(self._after("[TOOL DEFINITION] "), escape_name)
            parameters = self._decoded(self._after("[PARAMETERS] "), escape_line)
            if self._next_is("[DESCRIPTION] (empty)"):
                description = ""
            else:
                self._take("[DESCRIPTION]")
                description = self._body()
            tools.append(ShownTool(name=name, description=description, parameters=parameters))
        return tuple(tools)

    def _message(self) -> ShownMessage:
        if self._line.startswith("[SYSTEM]"):
            return ShownSystem(text=self._text("[SYSTEM]"))
        if self._line.startswith("[HANDOFF] "):
            recipient = self._decoded(self._after("[HANDOFF] "), escape_name)
            return ShownHandoff(recipient=recipient, text=self._text("[HANDOFF TEXT]"))
        if self._line.startswith("[TOOL NAME] "):
            tool = self._given("[TOOL NAME] ")
            call_id = self._given("[CALL ID] ")
            requestor = Requestor.NOT_GIVEN
            for one in (Requestor.AGENT, Requestor.USER):
                if self._next_is(f"[REQUESTOR] {one.value}"):
                    requestor = one
            content = self._text("[TOOL RESULT]")
            return ShownResult(call_id=call_id, tool=tool, content=content, requestor=requestor)
        return self._turn()

    def _turn(self) -> ShownTurn:
        speaker = self._given("[SPEAKER] ") if self._line.startswith("[SPEAKER] ") else NO_KEY
        role = self._line.split(" ", 1)[0]
        if role not in _ROLES:
            raise self._refuse("a message")
        text = self._text(role)
        refusal = self._text("[REFUSAL]") if self._line.startswith("[REFUSAL]") else NO_KEY
        actor = _ROLES[role]
        calls = []
        while self._line.startswith(_CALLS[actor]):
            calls.append(self._call(_CALLS[actor]))
        return ShownTurn(actor=actor, speaker=speaker, text=text, refusal=refusal, calls=tuple(calls))

    def _call(self, start: str) -> ShownCall:
        name, bracket, rest = self._after(start).partition("(")
        if not bracket or not rest.endswith(")"):
            self._at -= 1
            raise self._refuse("name(arguments)")
        tool = self._decoded(name, escape_name)
        arguments = given(self._decoded(rest[:-1], escape_line))
        call_id = self._given("[CALL ID] ")
        if not arguments.value and self._next_is("[ARGUMENTS] (absent)"):
            arguments = NO_KEY
        return ShownCall(call_id=call_id, tool=tool, arguments=arguments)
