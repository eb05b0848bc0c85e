"""Tests of agents and users."""
