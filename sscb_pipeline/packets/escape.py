r"""The one escape of packets: what a text looks like when it may not stand as it is, and back.

A packet is UTF-8 with lines ended by LF. Its structural lines begin with `[` and an upper-case letter (`[MESSAGE 3]`,
`[TOOL CALL] f({})`). A text stands as it is, its line feeds included, except for these characters, each written as
`\u` and four lower-case hexadecimal digits:

- control characters (U+0000 to U+001F without LF and TAB, U+007F to U+009F), so CR and NUL are visible;
- U+2028, U+2029 and U+FEFF, which some readers take for line ends or for nothing;
- lone surrogates, which UTF-8 cannot hold;
- a `[` that would begin a line like a structural one (`\u005b`);
- a backslash before such a sequence, so that text that holds the sequence itself stays apart (`\u005c`).

On a structural line the line feed is escaped too, and where a line has parts, `(` inside the first part. Every
escaped form is that of exactly one text, so nothing is lost and nothing can be forged.
"""

from __future__ import annotations

import re

_CODES = (
    r"00(?:0[0-8a-f]|1[0-9a-f]|28|5b|5c|7f|8[0-9a-f]|9[0-9a-f])|202[89]|feff|d[89a-f][0-9a-f]{2}"
    # the characters that may be escaped somewhere: those above, LF, `(`, `[` and the backslash
)
_SEQUENCE = re.compile(rf"\\u({_CODES})")
_LIKE_SEQUENCE = re.compile(rf"\\(?=u(?:{_CODES}))")
_LIKE_STRUCTURE = re.compile(r"^\[(?=[A-Z])", re.MULTILINE)
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_HIDDEN_ASCII = bytes([*range(9), *range(11, 32), 127])


def _written(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def _visible(text: str) -> str:
    """Everything escaped that is escaped wherever it stands. Most texts need nothing, so that is found out fast."""
    if "\\u" in text:
        text = _LIKE_SEQUENCE.sub(_written, text)
    if text.isascii():
        data = text.encode("ascii")
        if len(data.translate(None, _HIDDEN_ASCII)) == len(data):
            return text
    return _HIDDEN.sub(_written, text)


def escape_body(text: str) -> str:
    """A text as lines of its own. Total; `unescape` gives the text back."""
    shown = _visible(text)
    if shown.startswith("[") or "\n[" in shown:
        return _LIKE_STRUCTURE.sub(_written, shown)
    return shown


def escape_line(text: str) -> str:
    """A text on a structural line, up to the line's end. Total."""
    return _visible(text).replace("\n", "\\u000a")


def escape_name(text: str) -> str:
    """A text on a structural line, up to the first `(`. Total; never begins with `(`."""
    return escape_line(text).replace("(", "\\u0028")


def unescape(shown: str) -> str:
    """The text that was escaped, whichever way. Total; of a form nothing is escaped to it gives some text."""
    if "\\u" not in shown:
        return shown
    return _SEQUENCE.sub(lambda match: chr(int(match.group(1), 16)), shown)
