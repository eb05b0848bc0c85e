"""Model providers behind the completions port."""
