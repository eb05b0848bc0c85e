"""Populations, the three claims, arrival strata, q_U, sensitivity and repair (SSC §III-C, §V-B)."""
