"""Fault contracts, the counter-evidence relation, the intervention record and the operators (SSC §IV-A)."""
