"""Implementations of the ports on real packages: τ²-bench, agents, users, importers."""
