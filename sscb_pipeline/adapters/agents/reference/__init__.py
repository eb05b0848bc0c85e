"""Reference agents: deterministic policies with known evidence habits, whose true labels are known by construction."""
