"""Untrusted text on its way into a page: shown as text, with every character a reader would not see written out."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def shown(text: str) -> Markup:
    """The text escaped; control and format characters, carriage returns and lone surrogates as marked escapes.

    A browser would drop NUL, turn CRLF into LF and obey direction overrides; a reader must see the delivered text.
    """
    escaped = str(escape(text))
    return Markup(_UNSEEN.sub(_written_out, escaped))


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    notation = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return f'<b class="esc">{notation}</b>'
