"""What each stage reads, runs, writes and demands; Dagster and the command line only call it."""
