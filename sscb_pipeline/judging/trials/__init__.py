"""Trials of the judge path: mutants against both checkers, faults against the controls P0 to P4 (JIA §III, §IV)."""
