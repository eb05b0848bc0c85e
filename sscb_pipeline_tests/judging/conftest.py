"""The finished small study, for the gates of the judge path."""

from sscb_pipeline_tests.stages.conftest import finished, runner

__all__ = ["finished", "runner"]
