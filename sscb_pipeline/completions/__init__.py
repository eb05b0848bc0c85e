"""The one port through which models are called: by agents, simulated users, judges and oracles."""
