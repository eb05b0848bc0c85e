-- Candidate frames and what became of each screened candidate (SPEC 4).
-- Everywhere in this schema: a column that ends in _object names an object of the store by its sha256, and the loader
-- refuses a row whose object is not on disk. Ranks, repeats and steps count from 0. No column can be NULL.

CREATE TABLE frames (
    campaign VARCHAR NOT NULL,
    operator VARCHAR NOT NULL,
    frame_object VARCHAR NOT NULL,      -- the frozen frame; its sha256 is the frame hash
    order_seed VARCHAR NOT NULL,        -- seed of the hash that froze the order
    candidates INTEGER NOT NULL,
    PRIMARY KEY (campaign, operator)
);

CREATE TABLE candidates (
    campaign VARCHAR NOT NULL,
    operator VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    domain VARCHAR NOT NULL,
    cluster VARCHAR NOT NULL,           -- entity cluster: reservation, user or order line
    key_json VARCHAR NOT NULL,          -- canonical JSON of the record keys that single the candidate out
    rank INTEGER NOT NULL,              -- in the frozen order
    screening_rank INTEGER NOT NULL,    -- after cycling over clusters
    PRIMARY KEY (campaign, operator, candidate_id)
);

CREATE TABLE dispositions (
    campaign VARCHAR NOT NULL,
    operator VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    cluster VARCHAR NOT NULL,
    rank INTEGER NOT NULL,
    screening_rank INTEGER NOT NULL,
    disposition VARCHAR NOT NULL,       -- admitted, unresolved, invalid_contract, not_task_relevant, replaced_after_review
    reason VARCHAR NOT NULL,
    PRIMARY KEY (campaign, operator, candidate_id)
);
