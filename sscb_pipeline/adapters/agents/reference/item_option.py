"""ItemOption: reading an order and its product record, and speaking of an option of an ordered item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sscb_pipeline.adapters.agents.reference.assignment import Assignment
from sscb_pipeline.adapters.agents.reference.bank import Wording
from sscb_pipeline.adapters.agents.reference.habits import Move
from sscb_pipeline.adapters.agents.reference.marks import Claim, Manner
from sscb_pipeline.adapters.agents.reference.script import Script, Turns, read_object
from sscb_pipeline.environments.port import ReferenceAction

READS = frozenset({"get_order_details", "get_product_details", "get_user_details"})
MAX_READS = 4
"""Reads of a reference solution that the solver keeps: some native tasks list more than the step cap has room for."""


class ItemOptionScript(Script):
    """Moves under ItemOption. `value` is the option value the order shows for the target line."""

    def __init__(self, assignment: Assignment, wording: Wording) -> None:
        super().__init__(assignment, wording)
        self._order: Mapping[str, Any] = {}
        self._catalogue = ""
        self.moves |= {
            Move.SOLVE: self._solve,
            Move.READ: self._read,
            Move.BOTH: self._both,
            Move.EVIDENCE: self._look_up,
            Move.CHECK: self._check,
            Move.CORRECT: self._correct,
            Move.MUMBLE: self._mumble,
            Move.WRITES: self._writes,
        }

    def values(self) -> dict[str, str]:
        """`named` is the product, with its item id where another line of the order holds the same product."""
        keys = self.assignment.keys
        named = f"{keys['product']} (item {keys['item_id']})" if self._siblings() else keys["product"]
        return {**super().values(), "catalogue": self._catalogue, "named": named}

    def _siblings(self) -> list[Mapping[str, Any]]:
        keys = self.assignment.keys
        lines = self._order.get("items", [])
        return [ln for ln in lines if ln["product_id"] == keys["product_id"] and ln["item_id"] != keys["item_id"]]

    def _read(self) -> Turns:
        content = yield from self.call("get_order_details", {"order_id": self.assignment.keys["order_id"]})
        self._see_order(content, "order")

    def _perform(self, action: ReferenceAction) -> Turns:
        content = yield from self.call(action.tool, action.arguments)
        self._see_order(content, "order" if action.tool == "get_order_details" else "written order")
        self._see_product(content)

    def _both(self) -> Turns:
        """Order and product record in one turn."""
        keys = self.assignment.keys
        order, product = yield from self.calls(
            ("get_order_details", {"order_id": keys["order_id"]}),
            ("get_product_details", {"product_id": keys["product_id"]}),
        )
        self._see_order(order, "order")
        self._see_product(product, position=1)

    def _see_order(self, content: str, view: str) -> None:
        order = read_object(content)
        shown = self._shown(order)
        if shown:
            self._order = order
            self.value = shown if view == "order" else self.value
            self.saw(view, {"option": shown})

    def _shown(self, order: Mapping[str, Any]) -> str:
        keys = self.assignment.keys
        if order.get("order_id") != keys["order_id"]:
            return ""
        lines = [line for line in order.get("items", []) if line["item_id"] == keys["item_id"]]
        return str(lines[0]["options"].get(keys["option"], "")) if lines else ""

    def _look_up(self) -> Turns:
        yield from self._product("")

    def _check(self) -> Turns:
        if self.value:
            yield from self._product(self.phrase("checking"), Claim(manner=Manner.ASKED, value=self.value))

    def _product(self, text: str, *claims: Claim) -> Turns:
        keys = self.assignment.keys
        content = yield from self.call(
            "get_product_details", {"product_id": keys["product_id"]}, text=text, text_claims=claims
        )
        self._see_product(content)

    def _see_product(self, content: str, position: int = 0) -> None:
        variants = read_object(content).get("variants", {})
        variant = variants.get(self.assignment.keys["item_id"], {})
        shown = str(variant.get("options", {}).get(self.assignment.keys["option"], ""))
        if shown:
            self._catalogue = shown
            self.saw("product", {"option": shown}, position)

    def _correct(self) -> Turns:
        if self.value and self._catalogue and self._catalogue != self.value:
            yield from self.say(
                self.phrase("denied"),
                Claim(manner=Manner.DENIED, value=self.value),
                Claim(manner=Manner.ASSERTED, value=self._catalogue),
            )
        else:
            yield from self.assert_value()

    def _mumble(self) -> Turns:
        """Name the value without saying which line is meant, where another line shows it too."""
        target = self.assignment.keys["item_id"]
        others = [line for line in self._order.get("items", []) if line["item_id"] != target]
        option = self.assignment.keys["option"]
        if any(line["options"].get(option) == self.value for line in others):
            yield from self._with_value("ambiguous", Manner.AMBIGUOUS)
        else:
            yield from self.neutral()

    def _writes(self) -> Turns:
        """The task's own writes, each after the user's yes."""
        writes = [action for action in self.assignment.actions if _is_write(action)]
        if writes:
            yield from self.say(self.phrase("confirm"))
        for action in writes:
            yield from self._perform(action)

    def _solve(self) -> Turns:
        yield from self.identify()
        reads = [action for action in self.assignment.actions if action.tool in READS]
        distinct = [action for index, action in enumerate(reads) if action not in reads[:index]]
        for action in distinct[:MAX_READS]:
            yield from self._perform(action)
        yield from self._writes()
        handed_over = [action for action in self.assignment.actions if action.tool == "transfer_to_human_agents"]
        told = self.phrase("solved", facts=", ".join(self.assignment.communicate) or "everything is in place")
        yield from self.say(told)
        for action in handed_over:
            yield from self.call(action.tool, action.arguments)
            yield from self.say("YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON.")


def _is_write(action: ReferenceAction) -> bool:
    return action.tool.startswith(("exchange_", "modify_", "return_", "cancel_"))
