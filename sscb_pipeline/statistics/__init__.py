"""Wilson intervals, the cluster bootstrap, and the estimate they make."""
