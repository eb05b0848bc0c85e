"""Simulated users that play episodes."""
