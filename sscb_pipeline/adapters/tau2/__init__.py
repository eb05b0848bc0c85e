"""τ²-bench's retail and airline domains behind the environment port. The package is imported inside functions only."""
