-- One row per scheduled execution as the analysis sees it: exactly the columns of claims.run_row.RunRow, in their order.
-- Every printed number carries a query over this table.

CREATE TABLE runs (
    execution_id VARCHAR NOT NULL PRIMARY KEY,
    campaign VARCHAR NOT NULL,
    agents VARCHAR NOT NULL,
    operator VARCHAR NOT NULL,
    configuration VARCHAR NOT NULL,
    seed_id VARCHAR NOT NULL,
    cluster VARCHAR NOT NULL,
    control VARCHAR NOT NULL,
    literalness VARCHAR NOT NULL,
    condition VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    clean VARCHAR NOT NULL,
    ending VARCHAR NOT NULL,
    stop_reason VARCHAR NOT NULL,
    triggered VARCHAR NOT NULL,
    t_f_status VARCHAR NOT NULL,
    t_f_step INTEGER NOT NULL,
    t_e_status VARCHAR NOT NULL,
    t_e_step INTEGER NOT NULL,
    t_s_status VARCHAR NOT NULL,
    t_s_step INTEGER NOT NULL,
    t_u_status VARCHAR NOT NULL,
    t_u_step INTEGER NOT NULL,
    adoption VARCHAR NOT NULL,
    stratum VARCHAR NOT NULL,
    final_stance VARCHAR NOT NULL,
    repair VARCHAR NOT NULL,
    readback VARCHAR NOT NULL,
    steps INTEGER NOT NULL
);
