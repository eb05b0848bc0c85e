"""Untrusted text on its way to a terminal: shown as text, whatever it holds."""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """The text with every control and format character (escapes, bells, direction overrides) written out as `\\u....`.

    Line ends and tabs stay; lone surrogates are written out too, so that any output encoding takes the result.
    """
    return "".join(character if _harmless(character) else _written_out(character) for character in text)


def _harmless(character: str) -> bool:
    return character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _written_out(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
