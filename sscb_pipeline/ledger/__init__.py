"""The DuckDB ledger: schema, loading from journals and objects, publishing, read-only queries."""
