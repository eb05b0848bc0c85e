"""The deterministic implementation of both stages."""

from __future__ import annotations

from sscb_pipeline.reconstruction.dependence import classify
from sscb_pipeline.reconstruction.references import extract
from sscb_pipeline.reconstruction.stages import Stages

LABELS_VERSION = "deterministic-4"
"""Changes whenever a rule may give another label; labels under one version are frozen (SPEC 7)."""

DETERMINISTIC = Stages(extract=extract, classify=classify, version=LABELS_VERSION)
