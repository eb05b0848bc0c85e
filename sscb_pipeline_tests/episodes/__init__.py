"""Tests of the turn loop, interception and batches."""
