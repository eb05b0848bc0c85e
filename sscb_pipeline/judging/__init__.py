"""Judges and what they are asked: targets, cohorts, configurations, contrasts, trials (JIA §II-A, §V)."""
