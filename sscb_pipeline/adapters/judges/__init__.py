"""Clients that judges are reached through."""
