-- Every printed number with its population and the query that lists the executions behind it (SPEC 8).

CREATE TABLE claim_cells (
    agents VARCHAR NOT NULL,
    campaign VARCHAR NOT NULL,
    cell_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,          -- printing order within the analysis
    table_name VARCHAR NOT NULL,
    row_labels VARCHAR[] NOT NULL,
    column_name VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,              -- estimate, unobserved or count
    k INTEGER NOT NULL,
    n INTEGER NOT NULL,
    undeterminable INTEGER NOT NULL,    -- of the population, in neither k nor n
    population VARCHAR NOT NULL,        -- in words
    numerator VARCHAR NOT NULL,
    unit VARCHAR[] NOT NULL,            -- columns whose distinct values are counted
    trace_sql VARCHAR NOT NULL,         -- lists the denominator and marks the numerator
    undeterminable_sql VARCHAR NOT NULL,-- lists the rest of the population; empty where all can be evaluated
    PRIMARY KEY (agents, campaign, cell_id)
);

-- For cells of kind `estimate` only: 95 % interval and how it was made.
CREATE TABLE claim_intervals (
    agents VARCHAR NOT NULL,
    campaign VARCHAR NOT NULL,
    cell_id VARCHAR NOT NULL,
    low DOUBLE NOT NULL,
    high DOUBLE NOT NULL,
    method VARCHAR NOT NULL,            -- wilson or cluster_bootstrap
    clusters INTEGER NOT NULL,
    seed VARCHAR NOT NULL,              -- decimal seed, or `deterministic`
    undefined_resamples INTEGER NOT NULL,
    boundary VARCHAR NOT NULL,          -- inside, all_zero or all_one
    PRIMARY KEY (agents, campaign, cell_id)
);

-- The executions behind each cell; the same that trace_sql and undeterminable_sql list.
CREATE TABLE claim_members (
    agents VARCHAR NOT NULL,
    campaign VARCHAR NOT NULL,
    cell_id VARCHAR NOT NULL,
    execution_id VARCHAR NOT NULL,
    role VARCHAR NOT NULL               -- numerator, denominator_only or undeterminable
);
