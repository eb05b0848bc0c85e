"""Requirements, check outcomes and receipts: knows bytes, not trajectories (JIA §IV)."""
