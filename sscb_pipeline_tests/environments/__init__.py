"""Tests of the environment port, copy-on-touch state, planned outages, probe and replay."""
