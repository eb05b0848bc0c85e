"""Asset metadata as tables people can read in the Dagster UI."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import dagster as dg

from sscb_pipeline.assurance.manifest import PublishedManifest


def counts_table(published: Sequence[PublishedManifest]) -> dg.TableMetadataValue:
    """One row per partition with the counts its manifest gives."""
    records = [
        dg.TableRecord(
            {
                "partition": entry.manifest.partition,
                **{count.name: count.number for count in entry.manifest.counts},
                "manifest": entry.sha256[:12],
            }
        )
        for entry in published
    ]
    names = list(records[0].data) if records else ["partition"]
    schema = dg.TableSchema(
        columns=[dg.TableColumn(name, type="string" if name in ("partition", "manifest") else "int") for name in names]
    )
    return dg.MetadataValue.table(records=records, schema=schema)


def picture(svg: str, alternative: str) -> dg.MarkdownMetadataValue:
    """An SVG drawing as an inline image: nothing is fetched, and nothing in it can run."""
    data = base64.b64encode(svg.encode("utf-8", "backslashreplace")).decode()
    return dg.MetadataValue.md(f"![{alternative}](data:image/svg+xml;base64,{data})")
