"""From contract, trajectory and intervention record to the events and verdicts of one execution (SSC §IV-C)."""
