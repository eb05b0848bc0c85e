-- Which bytes each stage read and wrote, and which were checked (SPEC 13).

CREATE TABLE stage_manifests (
    campaign VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    partition VARCHAR NOT NULL,
    manifest_object VARCHAR NOT NULL,
    code_version VARCHAR NOT NULL,
    inputs INTEGER NOT NULL,
    outputs INTEGER NOT NULL,
    counts_json VARCHAR NOT NULL,
    PRIMARY KEY (campaign, stage, partition)
);

CREATE TABLE receipts (
    position INTEGER NOT NULL PRIMARY KEY,  -- order of writing
    stage VARCHAR NOT NULL,
    partition VARCHAR NOT NULL,
    manifest_object VARCHAR NOT NULL,       -- the exact bytes that were checked
    report_object VARCHAR NOT NULL,         -- the check's report on them
    code_version VARCHAR NOT NULL
);
