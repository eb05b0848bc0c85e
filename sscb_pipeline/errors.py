"""One tree of errors. Each names its subject, what was expected, what was found and the remedy."""

from __future__ import annotations


class SscbError(Exception):
    """Base of every error raised on purpose.

    `subject` names the thing and the place (file, line, object, execution); `expected` and `found` state the
    disagreement; `remedy` says what the user can do. None of the four may hold a secret.
    """

    def __init__(self, *, subject: str, expected: str, found: str, remedy: str) -> None:
        self.subject = subject
        self.expected = expected
        self.found = found
        self.remedy = remedy
        super().__init__(f"{subject}: expected {expected}, found {found}; {remedy}")


class InputError(SscbError):
    """A file, configuration or argument the user gave cannot be used (exit code 2)."""


class RefusalError(SscbError):
    """A gate is closed: a check failed or its receipt is missing, so nothing downstream may run (exit code 1)."""


class IntegrityError(SscbError):
    """Bytes on disk are not the bytes that were recorded (exit code 1)."""


class EnvironmentUnavailableError(SscbError):
    """The environment could not answer a call for reasons of infrastructure; the execution may be retried."""


class UserSimulatorFailedError(SscbError):
    """The simulated user gave no turn after its bounded retries; the execution is missing, never imputed."""
