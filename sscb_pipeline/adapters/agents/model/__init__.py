"""Agents that are models: scaffold and tool-call edge cases behind the agent port."""
