"""What the `sscb` command shows in a terminal: progress, status, timelines, tables, errors."""
