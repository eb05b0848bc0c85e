-- Every scheduled execution with its one ending (SPEC 6). What it left on disk stands in execution_objects, so an execution
-- that was never played has no rows there instead of empty columns here.

CREATE TABLE configurations (
    campaign VARCHAR NOT NULL,
    configuration_id VARCHAR NOT NULL,
    configuration_sha256 VARCHAR NOT NULL,
    configuration_object VARCHAR NOT NULL,
    agents VARCHAR NOT NULL,            -- reference, model or replay; never mixed in one analysis
    PRIMARY KEY (campaign, configuration_id)
);

CREATE TABLE executions (
    execution_id VARCHAR NOT NULL PRIMARY KEY,
    campaign VARCHAR NOT NULL,
    operator VARCHAR NOT NULL,
    seed_id VARCHAR NOT NULL,
    seed_sha256 VARCHAR NOT NULL,
    configuration_id VARCHAR NOT NULL,
    configuration_sha256 VARCHAR NOT NULL,
    condition VARCHAR NOT NULL,         -- clean, baseline, no_readback_hint or consistent_source
    repeat INTEGER NOT NULL,
    agents VARCHAR NOT NULL,
    ending VARCHAR NOT NULL,            -- completed, truncated, missing or not_run
    stop_reason VARCHAR NOT NULL,
    detail VARCHAR NOT NULL,            -- a sentence for people
    steps INTEGER NOT NULL,             -- steps of the trajectory; 0 when none was recorded
    task_database VARCHAR NOT NULL,     -- true, false or not_scored: reward by final state
    task_communicated VARCHAR NOT NULL, -- true, false or not_scored: reward by what was said
    attempts INTEGER NOT NULL           -- how often it was started; the one column a killed run may change
);

CREATE TABLE execution_objects (
    execution_id VARCHAR NOT NULL,
    role VARCHAR NOT NULL,              -- trajectory, intervention, evaluator, labels, …
    content_object VARCHAR NOT NULL,
    PRIMARY KEY (execution_id, role)
);

CREATE TABLE rewrites (
    execution_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,          -- order of delivery
    step INTEGER NOT NULL,
    tool VARCHAR NOT NULL,
    role VARCHAR NOT NULL,              -- fault or overlay
    native_sha256 VARCHAR NOT NULL,     -- of the text before, and as delivered
    delivered_sha256 VARCHAR NOT NULL,
    PRIMARY KEY (execution_id, position)
);
