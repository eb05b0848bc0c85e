"""Tests of τ²-bench behind the environment port."""
