-- Admitted seeds with their contracts and tasks, and the executed witnesses they were admitted on (SPEC 3, 5).

CREATE TABLE seeds (
    campaign VARCHAR NOT NULL,
    operator VARCHAR NOT NULL,
    seed_id VARCHAR NOT NULL,
    rank INTEGER NOT NULL,              -- among the operator's admitted seeds
    cluster VARCHAR NOT NULL,
    seed_sha256 VARCHAR NOT NULL,       -- of the case: contract, task and flags; enters execution ids
    case_object VARCHAR NOT NULL,       -- the bytes that hash is of
    contract_id VARCHAR NOT NULL,
    domain VARCHAR NOT NULL,
    affected_attribute VARCHAR NOT NULL,
    affected_scope VARCHAR NOT NULL,
    injected VARCHAR NOT NULL,          -- v', one-line form
    authoritative VARCHAR NOT NULL,     -- v, one-line form
    acquisition VARCHAR NOT NULL,
    step_cap INTEGER NOT NULL,
    task_id VARCHAR NOT NULL,
    task_origin VARCHAR NOT NULL,       -- native or derived
    control VARCHAR NOT NULL,           -- ordinary or target_value
    literalness VARCHAR NOT NULL,       -- literal or not_literal
    PRIMARY KEY (campaign, operator, seed_id)
);

CREATE TABLE witnesses (
    campaign VARCHAR NOT NULL,
    operator VARCHAR NOT NULL,
    seed_id VARCHAR NOT NULL,
    witness_object VARCHAR NOT NULL,    -- the witness record: continuation, provenance of arguments, five conditions
    trajectory_object VARCHAR NOT NULL, -- the faulted execution it was played in
    prefix_sha256 VARCHAR NOT NULL,
    t_f_step INTEGER NOT NULL,          -- a witness has all three times located, T_E < T_S
    t_e_step INTEGER NOT NULL,
    t_s_step INTEGER NOT NULL,
    PRIMARY KEY (campaign, operator, seed_id)
);

CREATE TABLE witness_transfers (
    execution_id VARCHAR NOT NULL PRIMARY KEY,
    standing VARCHAR NOT NULL,          -- transfers, own or none
    reason VARCHAR NOT NULL
);
