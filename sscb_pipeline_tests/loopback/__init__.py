"""A provider on loopback: speaks the OpenAI protocol, plays reference agents and the simulated user, fails by plan."""
