"""Agents and users that play episodes."""
