"""The port to a substrate (tasks, fresh state, tools, policy, call, compare) and copy-on-touch state."""
