"""Recordings of other harnesses, one module per format; `registry` finds the format and reads a file."""
