"""One execution: the turn loop, its participants, the interception of tool calls, how it ends, and running many."""
