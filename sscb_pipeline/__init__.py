"""Fault-injection measurement (SSC) and judge-input assurance (JIA) as an orchestrated pipeline."""

__version__ = "0.1.0"
