-- Readable views: one per table of the report, in printing order. `printed` is what the report shows.

CREATE VIEW printed_cells AS
SELECT
    cell.agents,
    cell.campaign,
    cell.table_name,
    array_to_string(cell.row_labels, ' / ') AS row_label,
    cell.column_name,
    cell.k,
    cell.n,
    cell.undeterminable,
    CASE
        WHEN cell.kind = 'estimate' THEN printf(
            '%d/%d (%.1f %%, %.1f to %.1f)', cell.k, cell.n,
            100.0 * cell.k / cell.n, 100.0 * span.low, 100.0 * span.high
        )
        WHEN cell.kind = 'unobserved' THEN '0/0/0 unobserved'
        ELSE printf('%d of %d', cell.k, cell.n)
    END AS printed,
    cell.population,
    cell.numerator,
    cell.trace_sql,
    cell.position
FROM claim_cells AS cell
LEFT JOIN claim_intervals AS span USING (agents, campaign, cell_id)
ORDER BY cell.agents, cell.campaign, cell.position;

CREATE VIEW report_funnel AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'funnel' ORDER BY agents, campaign, position;

CREATE VIEW report_endings AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'endings' ORDER BY agents, campaign, position;

CREATE VIEW report_arrival AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'arrival' ORDER BY agents, campaign, position;

CREATE VIEW report_adoption AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'adoption' ORDER BY agents, campaign, position;

CREATE VIEW report_claims AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'claims' ORDER BY agents, campaign, position;

CREATE VIEW report_same_runs AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'same_runs' ORDER BY agents, campaign, position;

CREATE VIEW report_diagnosis AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'diagnosis' ORDER BY agents, campaign, position;

CREATE VIEW report_gap AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'gap' ORDER BY agents, campaign, position;

CREATE VIEW report_final_stance AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'final_stance' ORDER BY agents, campaign, position;

CREATE VIEW report_recovery AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'recovery' ORDER BY agents, campaign, position;

CREATE VIEW report_sensitivity AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'sensitivity' ORDER BY agents, campaign, position;

CREATE VIEW report_sensitivity_arrival AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'sensitivity_arrival' ORDER BY agents, campaign, position;

CREATE VIEW report_sensitivity_adoption AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'sensitivity_adoption' ORDER BY agents, campaign, position;

CREATE VIEW report_repeats AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'repeats' ORDER BY agents, campaign, position;

CREATE VIEW report_paired AS
SELECT * EXCLUDE (table_name) FROM printed_cells WHERE table_name = 'paired' ORDER BY agents, campaign, position;

CREATE VIEW report_calibration AS
SELECT
    quantity,
    count(*) AS labels,
    count(*) FILTER (WHERE outcome = 'exact') AS exact,
    count(*) FILTER (WHERE outcome = 'undeterminable_as_constructed') AS undeterminable_as_constructed,
    count(*) FILTER (WHERE outcome IN ('wrong', 'lost', 'overclaimed')) AS disagreements
FROM calibration
GROUP BY quantity
ORDER BY quantity;

CREATE VIEW report_disagreements AS
SELECT * FROM calibration WHERE outcome IN ('wrong', 'lost', 'overclaimed') ORDER BY execution_id, quantity;

CREATE VIEW report_frames AS
SELECT
    frame.campaign,
    frame.operator,
    frame.candidates,
    count(screened.candidate_id) AS screened,
    count(*) FILTER (WHERE screened.disposition = 'admitted') AS admitted,
    frame.frame_object
FROM frames AS frame
LEFT JOIN dispositions AS screened USING (campaign, operator)
GROUP BY ALL
ORDER BY frame.campaign, frame.operator;
