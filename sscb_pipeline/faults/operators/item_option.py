"""ItemOption: an option of an ordered item is replaced by another value of the same product option (SSC §IV-A).

Counter-evidence is the product record's variant, and only once that variant is bound to the order line: the order
observation carries the line's item id. Whichever of record and binding comes last completes the relation.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sscb_pipeline.environments.port import Outcome, State, Substrate, Task
from sscb_pipeline.faults.contract import (
    Acquisition,
    AffectedFact,
    Assertion,
    CounterEvidence,
    FaultContract,
    Injection,
    Literalness,
    MetCondition,
    Persistence,
    TargetEntity,
    ValueControl,
)
from sscb_pipeline.faults.intervention import Condition, Role
from sscb_pipeline.faults.observation import Path, as_object, observations, rewrite
from sscb_pipeline.faults.operator import (
    Candidate,
    Case,
    Delivered,
    Evidence,
    EvidenceArrived,
    EvidenceStep,
    Intervention,
    InvalidContract,
    NotTaskRelevant,
    StoredRecord,
    Untouched,
    WitnessCall,
    WitnessPlan,
    no_change,
)
from sscb_pipeline.faults.task_users import task_text
from sscb_pipeline.measured import Never, Undeterminable
from sscb_pipeline.trajectories.steps import ToolDefinition, Trajectory
from sscb_pipeline.trajectories.subject import Subject, ValueKind

NAME = "ItemOption"
READ = "get_order_details"
CATALOGUE = "get_product_details"
STEP_CAP = 30
ITEM_WRITES = frozenset(
    {"exchange_delivered_order_items", "modify_pending_order_items", "return_delivered_order_items"}
)


class ItemOption:
    """SSC's ItemOption operator on the retail domain. Entity cluster: order line."""

    name = NAME
    domain = "retail"
    acquisition = Acquisition.CROSS_RECORD
    paired: tuple[Condition, ...] = (Condition.CONSISTENT_SOURCE,)

    def candidates(self, substrate: Substrate) -> Sequence[Candidate]:
        """Distinct order lines of the orders that a reference item write targets; the first such task carries them."""
        orders = substrate.records("orders")
        found: dict[str, Candidate] = {}
        for task in substrate.tasks():
            for action in task.actions:
                order_id = action.arguments.get("order_id") if action.tool in ITEM_WRITES else None
                for index, _ in enumerate(orders[order_id]["items"] if order_id else ()):
                    line = f"{order_id}/{index}"
                    found.setdefault(
                        line,
                        Candidate(
                            candidate_id=f"{NAME}/{line}",
                            operator=NAME,
                            domain=self.domain,
                            cluster=line,
                            key={"order_id": order_id, "line": index, "task_id": task.task_id},
                        ),
                    )
        return list(found.values())

    def case(self, candidate: Candidate, substrate: Substrate) -> Case | InvalidContract | NotTaskRelevant:
        """Contract of a candidate with the native task that carries it."""
        order = substrate.records("orders")[candidate.key["order_id"]]
        line = order["items"][candidate.key["line"]]
        if sum(other["item_id"] == line["item_id"] for other in order["items"]) > 1:
            return InvalidContract(reason="two lines of the order share the item id, so the id binds neither of them")
        task = next(task for task in substrate.tasks() if task.task_id == candidate.key["task_id"])
        writes = [action.arguments for action in task.actions if action.tool in ITEM_WRITES]
        written = [arguments for arguments in writes if line["item_id"] in arguments["item_ids"]]
        literal = {key: value for key, value in line["options"].items() if _names(task, key, value)}
        if not written and not literal:
            return NotTaskRelevant(reason="no reference action touches the line and the task names none of its options")
        product = substrate.records("products")[line["product_id"]]
        choice = _swap(candidate, line, product, literal)
        if choice is None:
            return InvalidContract(reason="the product offers no other value for any option of the line")
        option, injected = choice
        wanted = {
            product["variants"][new]["options"].get(option)
            for arguments in written
            for old, new in zip(arguments["item_ids"], arguments.get("new_item_ids", ()), strict=False)
            if old == line["item_id"] and new in product["variants"]
        }
        return Case(
            candidate=candidate,
            contract=self._contract(candidate, order, line, product, option, injected),
            task=task,
            control=ValueControl.TARGET_VALUE if injected in wanted else ValueControl.ORDINARY,
            literalness=Literalness.LITERAL if option in literal else Literalness.NOT_LITERAL,
        )

    def _contract(
        self,
        candidate: Candidate,
        order: Mapping[str, Any],
        line: Mapping[str, Any],
        product: Mapping[str, Any],
        option: str,
        injected: str,
    ) -> FaultContract:
        return FaultContract(
            contract_id=candidate.candidate_id,
            operator=NAME,
            domain=self.domain,
            target=TargetEntity(
                kind="order line",
                identifier=line["item_id"],
                owner=order["user_id"],
                locator=_locator(candidate, order, line, product, option),
            ),
            fact=AffectedFact(attribute=option, scope="the order line as bought, while it holds this item id"),
            injected=Assertion(canonical=injected, data={}),
            authoritative=Assertion(canonical=line["options"][option], data={}),
            injection=Injection(
                tool=READ,
                persistence=Persistence.EVERY_RETURN,
                match={"order_id": order["order_id"], "item_id": line["item_id"]},
            ),
            preserved=(
                "item id, product id, price, fulfilments, types and key order",
                "every other line, every other option, and every other tool",
                "errors of the tool",
            ),
            counter_evidence=_RELATION,
            acquisition=self.acquisition,
            step_cap=STEP_CAP,
            cluster=candidate.cluster,
            parameters={},
        )

    def stored_in(self, contract: FaultContract) -> StoredRecord:
        """The record that holds the target."""
        return StoredRecord(kind="orders", identifier=contract.target.locator["order_id"])

    def intervention(self, contract: FaultContract, condition: Condition) -> Intervention:
        """Replaces the option in every return of the order; under `consistent_source` in every channel."""
        if condition is Condition.CLEAN:
            return Untouched()
        return _Replacing(contract, condition)

    def interface(
        self, contract: FaultContract, condition: Condition, tools: tuple[ToolDefinition, ...]
    ) -> tuple[ToolDefinition, ...]:
        """The substrate's own tools."""
        return tools

    def carries_fault(self, contract: FaultContract, tool: str, content: str) -> bool:
        """The order shows the target line with v'."""
        return tool == contract.injection.tool and _shown(contract, as_object(content)) == contract.injected.canonical

    def evidence(self, contract: FaultContract, trajectory: Trajectory) -> Evidence:
        """The later of the variant's record and its binding to the line, or a record of the order that shows
        another value (item writes return the whole true order)."""
        item_id = contract.target.identifier
        record: EvidenceStep | None = None
        binding: EvidenceStep | None = None
        for seen in observations(trajectory):
            shown = _shown(contract, seen.value)
            if shown not in ("", contract.injected.canonical):
                return EvidenceArrived(steps=(EvidenceStep(step=seen.step, part="order line in the record"),))
            if shown and binding is None:
                binding = EvidenceStep(step=seen.step, part="binding of the order line to its item id")
            variants = seen.value.get("variants", {})
            variant = variants.get(item_id) if isinstance(variants, dict) else None
            if record is None and variant and variant["options"].get(_option(contract)) != contract.injected.canonical:
                record = EvidenceStep(step=seen.step, part="variant in the product record")
            if record is not None and binding is not None:
                return EvidenceArrived(steps=tuple(sorted((record, binding), key=lambda part: part.step)))
        return Never()

    def subject(self, contract: FaultContract) -> Subject:
        """The option of the order line."""
        locator = contract.target.locator
        values = sorted({contract.injected.canonical, contract.authoritative.canonical})
        product = locator["product"].lower()
        return Subject(
            kind=ValueKind.TEXT,
            entity="order line",
            identifiers=(contract.target.identifier,),
            names=tuple(dict.fromkeys((product, product.split()[-1]))),
            attributes=(_option(contract),),
            values=tuple(values),
            alternatives=tuple(value for value in locator["offered"] if value not in values),
            context=(
                ("order", locator["order_id"]),
                *sorted((f"sibling:{item}", value) for item, value in locator["siblings"].items()),
            ),
            requests=(),
        )

    def opening(self, case: Case, substrate: Substrate) -> Sequence[WitnessCall]:
        """Authenticate as the reference solution does, or by what the user tells; look the user up; read the order.

        An argument the user never tells is found out by the verifier, which then refuses the witness.
        """
        order_id = case.contract.target.locator["order_id"]
        finders = [action for action in case.task.actions if action.tool.startswith("find_user_id_by")]
        return (
            *(WitnessCall(tool=action.tool, arguments=action.arguments) for action in finders),
            *(() if finders else (_finder(case.task, substrate.records("users")[case.contract.target.owner]),)),
            WitnessCall(tool="get_user_details", arguments={"user_id": case.contract.target.owner}),
            WitnessCall(tool=READ, arguments={"order_id": order_id}),
        )

    def witness(self, contract: FaultContract, prefix: Trajectory) -> WitnessPlan | Undeterminable:
        """Look the product up and name the line's option as the catalogue has it."""
        if not any(_shown(contract, seen.value) for seen in observations(prefix)):
            return Undeterminable(reason="the prefix does not show the order line")
        return WitnessPlan(
            calls=(WitnessCall(tool=CATALOGUE, arguments={"product_id": contract.target.locator["product_id"]}),),
            use=(
                f"For item {contract.target.identifier} in your order, the {contract.target.locator['product']}, the "
                f"{_option(contract)} is listed as {contract.injected.canonical} in the order, but the product record "
                f"gives another value for this item, so the order entry is wrong."
            ),
        )


def _locator(
    candidate: Candidate, order: Mapping[str, Any], line: Mapping[str, Any], product: Mapping[str, Any], option: str
) -> Mapping[str, Any]:
    """Keys of the order line, the values its option is offered with, and the option of other lines of the product."""
    siblings = {
        other["item_id"]: other["options"].get(option, "")
        for other in order["items"]
        if other["product_id"] == line["product_id"] and other["item_id"] != line["item_id"]
    }
    offered = {variant["options"].get(option, "") for variant in product["variants"].values()}
    return {
        "order_id": order["order_id"],
        "line": candidate.key["line"],
        "item_id": line["item_id"],
        "product_id": line["product_id"],
        "product": line["name"],
        "option": option,
        "offered": sorted(offered - {""}),
        "siblings": siblings,
    }


_RELATION = CounterEvidence(
    authority=MetCondition(
        statement="the product record is the catalogue's own record of its variants",
        basis="get_product_details: variants by item id",
    ),
    entity=MetCondition(
        statement="the variant has the item id that the order line carries", basis="items[].item_id of the order record"
    ),
    scope=MetCondition(
        statement="the line as bought, while it holds this item id", basis="the order record before an item change"
    ),
    independence=MetCondition(
        statement="the product record is never rewritten", basis="the contract rewrites the order read only"
    ),
    sufficiency=MetCondition(
        statement="an item id names one variant with one value for each option",
        basis="policy: each variant item has a unique item id and information about the value of its options",
    ),
)


def _option(contract: FaultContract) -> str:
    return str(contract.target.locator["option"])


def _line_index(contract: FaultContract, order: Mapping[str, Any]) -> int:
    """Where the target line stands in an order record that still holds it; the number of lines otherwise."""
    items = order.get("items", ()) if order.get("order_id") == contract.target.locator["order_id"] else ()
    index: int = contract.target.locator["line"]
    held = index < len(items) and items[index].get("item_id") == contract.target.identifier
    return index if held else len(order.get("items", ()))


def _shown(contract: FaultContract, order: Mapping[str, Any]) -> str:
    """The option value an order record shows for the target line; empty when it does not show the line."""
    index = _line_index(contract, order)
    items = order.get("items", ())
    return str(items[index]["options"].get(_option(contract), "")) if index < len(items) and "order_id" in order else ""


def _finder(task: Task, user: Mapping[str, Any]) -> WitnessCall:
    """The look-up of a user by the e-mail address the task tells, else by name and zip code."""
    if user["email"] in task_text(task):
        return WitnessCall(tool="find_user_id_by_email", arguments={"email": user["email"]})
    return WitnessCall(
        tool="find_user_id_by_name_zip",
        arguments={
            "first_name": user["name"]["first_name"],
            "last_name": user["name"]["last_name"],
            "zip": user["address"]["zip"],
        },
    )


def _names(task: Task, option: str, value: str) -> bool:
    """Whether the task text literally names the option or its value, as whole words."""
    text = task_text(task).lower()
    return any(re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", text) for word in (option, value))


def _swap(
    candidate: Candidate, line: Mapping[str, Any], product: Mapping[str, Any], literal: Mapping[str, str]
) -> tuple[str, str] | None:
    """The option to replace and v': options the task names first, then swaps onto an existing variant, then by hash.

    A swap onto an existing variant can be refuted by the binding only, so it is preferred.
    """
    variants = [variant["options"] for variant in product["variants"].values()]
    swaps = sorted(
        (
            option not in literal,
            {**line["options"], option: value} not in variants,
            hashlib.sha256(f"{candidate.candidate_id}|{option}|{value}".encode()).hexdigest(),
            option,
            value,
        )
        for option, current in line["options"].items()
        for value in {variant.get(option, current) for variant in variants} - {current}
    )
    return (swaps[0][3], swaps[0][4]) if swaps else None


class _Replacing:
    def __init__(self, contract: FaultContract, condition: Condition) -> None:
        self._contract = contract
        self._condition = condition

    def call(self, state: State, tool: str, arguments: Mapping[str, Any]) -> Delivered:
        contract = self._contract
        native = state.call(tool, arguments)
        if native.error or (tool != READ and self._condition is not Condition.CONSISTENT_SOURCE):
            return no_change(native)
        paths = _option_paths(contract, as_object(native.content))
        if not paths:
            return no_change(native)
        text, changes = rewrite(
            native.content,
            [(path, contract.injected.canonical) for path in paths],
            subject=f"{contract.contract_id}: {tool}",
        )
        role = Role.FAULT if tool == READ else Role.OVERLAY
        return Delivered(outcome=Outcome(content=text, error=False), native=native, role=role, changes=changes)


def _option_paths(contract: FaultContract, record: Mapping[str, Any]) -> list[Path]:
    """Where an order or product record shows the affected option."""
    option, item_id = _option(contract), contract.target.identifier
    if record.get("product_id") == contract.target.locator["product_id"] and item_id in record.get("variants", {}):
        return [("variants", item_id, "options", option)]
    index = _line_index(contract, record)
    return [("items", index, "options", option)] if "items" in record and index < len(record["items"]) else []
