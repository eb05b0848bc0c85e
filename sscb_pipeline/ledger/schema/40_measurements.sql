-- Reconstructed quantities (SPEC 7): one row per execution and label version. A *_step is meaningful only where the status
-- beside it is `located` and is 0 otherwise; a *_reason is filled only where the status is `undeterminable`.

CREATE TABLE label_versions (
    label_version VARCHAR NOT NULL PRIMARY KEY,
    extraction VARCHAR NOT NULL,        -- implementation of each stage
    classification VARCHAR NOT NULL,
    frozen_sha256 VARCHAR NOT NULL      -- over all measurements of the version
);

CREATE TABLE measurements (
    execution_id VARCHAR NOT NULL,
    label_version VARCHAR NOT NULL,
    measurement_object VARCHAR NOT NULL,
    t_f_status VARCHAR NOT NULL,
    t_f_step INTEGER NOT NULL,
    t_f_reason VARCHAR NOT NULL,
    t_e_status VARCHAR NOT NULL,
    t_e_step INTEGER NOT NULL,
    t_e_reason VARCHAR NOT NULL,
    t_s_status VARCHAR NOT NULL,
    t_s_step INTEGER NOT NULL,
    t_s_reason VARCHAR NOT NULL,
    t_u_status VARCHAR NOT NULL,
    t_u_step INTEGER NOT NULL,
    t_u_reason VARCHAR NOT NULL,
    adoption VARCHAR NOT NULL,          -- true, false or undeterminable
    adoption_reason VARCHAR NOT NULL,
    stratum VARCHAR NOT NULL,           -- before, after, absent, no_use or undeterminable
    stratum_reason VARCHAR NOT NULL,
    final_stance VARCHAR NOT NULL,      -- endorses, does_not_endorse, not_adopted or undeterminable
    final_stance_reason VARCHAR NOT NULL,
    PRIMARY KEY (execution_id, label_version)
);

CREATE TABLE uses (
    execution_id VARCHAR NOT NULL,
    label_version VARCHAR NOT NULL,
    position INTEGER NOT NULL,          -- order among the execution's candidate references
    step INTEGER NOT NULL,
    dependent VARCHAR NOT NULL,         -- true, false or undeterminable
    dependent_reason VARCHAR NOT NULL,
    erroneous VARCHAR NOT NULL,
    erroneous_reason VARCHAR NOT NULL,
    stance VARCHAR NOT NULL,            -- endorses, does_not_endorse or undeterminable
    stance_reason VARCHAR NOT NULL,
    rule VARCHAR NOT NULL,              -- the rule that decided
    quote VARCHAR NOT NULL,
    PRIMARY KEY (execution_id, label_version, position)
);

CREATE TABLE evidence (
    execution_id VARCHAR NOT NULL,
    label_version VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    step INTEGER NOT NULL,
    part VARCHAR NOT NULL,              -- which part of the relation the observation carries
    PRIMARY KEY (execution_id, label_version, position)
);

-- Measured values against the labels reference agents were built to realise, one-line notation as in claims.calibration.
CREATE TABLE calibration (
    execution_id VARCHAR NOT NULL,
    label_version VARCHAR NOT NULL,
    configuration VARCHAR NOT NULL,
    operator VARCHAR NOT NULL,
    habit VARCHAR NOT NULL,
    quantity VARCHAR NOT NULL,
    realised VARCHAR NOT NULL,
    measured VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,           -- exact, undeterminable_as_constructed, wrong, lost or overclaimed
    PRIMARY KEY (execution_id, label_version, quantity)
);
