"""Dagster definitions, one module per stage."""
