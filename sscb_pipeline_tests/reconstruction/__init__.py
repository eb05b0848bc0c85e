"""Tests of the reconstruction of events."""
