"""Per-run rows built to the counts that SSC publishes (§VI); where the paper gives no cell, any consistent value.

Five configurations F, V, L, T, S; F, V and L have repeats r0–r2, T and S only r0. 120 seeds, 30 per operator. Arrival
and adoption of a run are written as two letters: b/a/x for before, after, absent, and A/N for adopted or not.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from sscb_pipeline.claims.run_row import RunRow

CONFIGURATIONS = ("F", "V", "L", "T", "S")
REPEATED = ("F", "V", "L")
SEEDS = 30
CONTROL_SEEDS = range(20, 30)
LITERAL_SEEDS = range(10)

ITEM_LITERAL = {
    "F": "bA:1 aA:6",
    "V": "bA:2 aA:1 bN:2",
    "L": "bA:1 aA:3 bN:2",
    "T": "bA:1 aA:3 bN:2",
    "S": "bA:1 aA:3 bN:1",
}
ITEM_OTHER = {
    "F": "bA:1 aA:7",
    "V": "bA:3 aA:1 bN:1",
    "L": "bA:3 aA:3 bN:1 aN:1",
    "T": "aA:3 --:3",
    "S": "bA:2 aA:2 bN:1 ??:2",
}
ITEM_CONTROLS = {
    "F": "bA:1 bN:1 aA:3 aN:1",
    "V": "bA:1 bN:1 aA:3",
    "L": "bA:1 bN:2 aA:2",
    "T": "bA:1 bN:3 aA:3 xN:1",
    "S": "bA:2 bN:2 aA:3 aN:1 xN:1",
}
WRITE = {
    "F": "bA:4 bN:9 aA:3 xA:13 --:1",
    "V": "xA:30",
    "L": "bA:1 bN:28 --:1",
    "T": "aA:20 bA:2 xA:3 --:1",
    "S": "bA:10 bN:3 aA:4 xA:11 --:1",
}
PAY = {"F": "bA:20 bN:10", "V": "bA:25 bN:5", "L": "bA:4 bN:26", "T": "bA:22 bN:8", "S": "bA:18 bN:12"}


def published_rows() -> list[RunRow]:
    """All rows: 1,320 scheduled baseline executions, and the paired ones."""
    rows = [*_return_date(), *_pay_source(), *_item_option(), *_write_effect()]
    rows += _paired_item(rows) + _paired_write(rows)
    return [replace(row, execution_id=_id(row)) for row in rows]


def _id(row: RunRow) -> str:
    key = f"{row.operator}/{row.configuration}/{row.seed_id}/{row.condition}/{row.repeat}"
    return hashlib.sha256(key.encode()).hexdigest()


def _codes(text: str) -> list[str]:
    return [code for part in text.split() for code in [part[:2]] * int(part[3:])]


def unsolved(operator: str, configuration: str, seed: int) -> RunRow:
    """A scheduled execution that was not run because the clean task was not solved."""
    control = "target_value" if operator == "ItemOption" and seed in CONTROL_SEEDS else "ordinary"
    literal = "literal" if operator == "ItemOption" and seed in LITERAL_SEEDS else "not_literal"
    return RunRow(
        execution_id="",
        campaign="published",
        agents="model",
        operator=operator,
        configuration=configuration,
        seed_id=f"{operator}-{seed:02d}",
        cluster=f"{operator}-entity-{seed:02d}",
        control=control,
        literalness=literal,
        condition="baseline",
        repeat=0,
        clean="unsolved",
        ending="not_run",
        stop_reason="clean_unsolved",
        triggered="not_measured",
        witness="not_measured",
        t_f_status="not_measured",
        t_f_step=0,
        t_e_status="not_measured",
        t_e_step=0,
        t_s_status="not_measured",
        t_s_step=0,
        t_u_status="not_measured",
        t_u_step=0,
        adoption="not_measured",
        stratum="not_measured",
        final_stance="not_measured",
        repair="not_measured",
        readback="not_measured",
        steps=0,
    )


def measured(operator: str, configuration: str, seed: int, code: str) -> RunRow:
    """A completed, triggered run whose arrival and adoption are given by `code` ('--' no use, '??' undeterminable)."""
    row = replace(
        unsolved(operator, configuration, seed),
        clean="solved",
        ending="completed",
        stop_reason="user_stop",
        triggered="triggered",
        t_f_status="located",
        t_f_step=4,
        steps=20,
    )
    if code in ("--", "??"):
        status, adoption, stratum = {
            "--": ("never", "false", "no_use"),
            "??": ("undeterminable", "undeterminable", "undeterminable"),
        }[code]
        return replace(
            row,
            t_e_status="never",
            t_s_status=status,
            t_u_status=status,
            adoption=adoption,
            stratum=stratum,
            final_stance="not_adopted" if adoption == "false" else "undeterminable",
            readback="not_read",
        )
    t_e_status, t_e_step, stratum = {
        "b": ("located", 5, "before"),
        "a": ("located", 12, "after"),
        "x": ("never", 0, "absent"),
    }[code[0]]
    adopted = code[1] == "A"
    return replace(
        row,
        t_e_status=t_e_status,
        t_e_step=t_e_step,
        t_s_status="located",
        t_s_step=9,
        t_u_status="located" if adopted else "never",
        t_u_step=9 if adopted else 0,
        adoption="true" if adopted else "false",
        stratum=stratum,
        final_stance="endorses" if adopted else "not_adopted",
        repair="not_applicable" if not adopted else "not_repaired",
        readback="not_read" if code[0] == "x" else "read",
    )


def not_triggered(row: RunRow) -> RunRow:
    """The same execution, had the intervention never taken effect."""
    return replace(
        unsolved(row.operator, row.configuration, 0),
        seed_id=row.seed_id,
        cluster=row.cluster,
        repeat=row.repeat,
        clean="solved",
        ending="completed",
        stop_reason="user_stop",
        triggered="not_triggered",
        steps=12,
    )


def _repeats(row: RunRow) -> list[RunRow]:
    return [replace(row, repeat=repeat) for repeat in (1, 2)] if row.configuration in REPEATED else []


def _return_date() -> list[RunRow]:
    rows: list[RunRow] = []
    for configuration in CONFIGURATIONS:
        for seed in range(SEEDS):
            row = measured("ReturnDate", configuration, seed, "bA")
            if (configuration, seed) == ("S", 29):
                row = not_triggered(row)
            rows += [row, *_repeats(row)]
    return rows


def _pay_source() -> list[RunRow]:
    rows: list[RunRow] = []
    for configuration in CONFIGURATIONS:
        for seed, code in enumerate(_codes(PAY[configuration])):
            row = measured("PaySource", configuration, seed, code)
            rows += [row, *_repeats(row)]
    at = next(i for i, row in enumerate(rows) if row.repeat == 1)
    return [*rows[:at], not_triggered(rows[at]), *rows[at + 1 :]]


def _item_option() -> list[RunRow]:
    rows: list[RunRow] = []
    endorsing, prior = iter(range(1_000)), iter(range(1_000))
    for configuration in CONFIGURATIONS:
        blocks = (
            (0, ITEM_LITERAL[configuration]),
            (10, ITEM_OTHER[configuration]),
            (20, ITEM_CONTROLS[configuration]),
        )
        for start, text in blocks:
            codes = _codes(text)
            for offset in range(10):
                seed = start + offset
                if offset >= len(codes):
                    row = unsolved("ItemOption", configuration, seed)
                else:
                    row = measured("ItemOption", configuration, seed, codes[offset])
                    if row.control == "ordinary" and codes[offset] == "aA" and next(endorsing) >= 20:
                        row = replace(row, final_stance="does_not_endorse")
                    if row.control == "ordinary" and codes[offset] == "bA" and next(prior) < 2:
                        row = replace(row, t_u_step=11)
                rows += [row, *_repeats(row)]
    return rows


def _write_effect() -> list[RunRow]:
    rows: list[RunRow] = []
    before, after, crossing = iter(range(1_000)), iter(range(1_000)), iter(range(1_000))
    for configuration in CONFIGURATIONS:
        codes = _codes(WRITE[configuration])
        for seed in range(SEEDS):
            if seed >= len(codes):
                row = unsolved("WriteEffect", configuration, seed)
                rows += [row, *_repeats(row)]
                continue
            code = codes[seed]
            row = measured("WriteEffect", configuration, seed, code)
            if (code == "bA" and next(before) >= 14) or (code == "aA" and next(after) >= 1):
                row = replace(row, final_stance="does_not_endorse")
            again = _repeats(row)
            if configuration == "F" and code == "xA" and next(crossing) < 11:
                again[0] = replace(measured("WriteEffect", configuration, seed, "aA"), repeat=1)
            if configuration == "F" and code == "--":
                again = _repeats(measured("WriteEffect", configuration, seed, "xA"))
            if configuration == "L" and code == "--":
                again[0] = replace(measured("WriteEffect", configuration, seed, "bN"), repeat=1)
            rows += [row, *again]
    return rows


def _first(rows: list[RunRow], operator: str, configurations: str) -> list[RunRow]:
    return [
        row
        for row in rows
        if row.operator == operator
        and row.configuration in configurations
        and row.repeat == 0
        and row.clean == "solved"
    ]


def _seed(row: RunRow) -> int:
    return int(row.seed_id[-2:])


def _paired_item(rows: list[RunRow]) -> list[RunRow]:
    return [
        replace(measured("ItemOption", row.configuration, _seed(row), "xA"), condition="consistent_source")
        for row in _first(rows, "ItemOption", "FV")
    ]


def _paired_write(rows: list[RunRow]) -> list[RunRow]:
    consistent, hintless = [], []
    spared = iter(range(1_000))
    for row in _first(rows, "WriteEffect", "FV"):
        lost = row.configuration == "F" and row.stratum == "absent" and next(spared) < 3
        changed = measured("WriteEffect", row.configuration, _seed(row), "??" if lost else "xA")
        consistent.append(replace(changed, condition="consistent_source"))
    read_back, dropped = iter(range(1_000)), iter(range(1_000))
    for row in _first(rows, "WriteEffect", "FVLS"):
        evaluable = row.t_s_status == "located"
        lost = row.configuration == "S" and row.adoption == "false" and evaluable and next(dropped) < 1
        code = "aA" if evaluable and not lost and next(read_back) < 18 else "xA"
        changed = measured("WriteEffect", row.configuration, _seed(row), "--" if lost else code)
        hintless.append(replace(changed, condition="no_readback_hint"))
    return consistent + hintless
