"""Digests, the content-addressed store and durable writes."""
