"""Seeded generators of plausible and implausible tool calls on τ²'s domains.

A sequence keeps to a handful of users, so that its calls meet in the same records: repeated cancellations, payments
from a balance that an earlier call has spent, bookings up to the package's own limit. About a third of the calls are
then damaged: arguments left out, added, of another type, or naming records that do not exist.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from typing import Any

from sscb_pipeline.environments.port import Substrate

Call = tuple[str, dict[str, Any]]

EXPRESSIONS = (
    *("2 + 2", "(1 + 2) * 3.5", "100 - 12.345", "7 // 2", "2 ** 10", "10 ** 400", "1 / 0", "2 ** -1", "(-8) ** 0.5"),
    *("abc", "(", "", " ", "1 2", "1(2)", "1.5.2", "...", "()", "0777", "9" * 5000, "(" * 300 + "1" + ")" * 300),
)
ODDITIES: list[Any] = [None, "", "nothing", "#W0", 0, -1, 7, 1.0, 2.5, 1e308, True, [], {}, [[]], ["x"], {"a": [1]}]


def generator(*key: object) -> random.Random:
    """A generator seeded by the hash of its key."""
    return random.Random(hashlib.sha256(repr(key).encode()).digest())


def sequence(substrate: Substrate, length: int, *key: object) -> list[Call]:
    """`length` calls for one state, the same for the same key."""
    rng = generator(substrate.domain, *key)
    makers = {"airline": AirlineCalls, "retail": RetailCalls}
    maker = makers[substrate.domain](substrate, rng)
    return [damaged(rng, maker.call()) if rng.random() < 0.3 else maker.call() for _ in range(length)]


def damaged(rng: random.Random, call: Call) -> Call:
    """The call with one thing wrong, most of the time in a way its tool will notice."""
    tool, arguments = call
    names = list(arguments)
    match rng.randrange(7):
        case 0 if names:
            del arguments[rng.choice(names)]
        case 1:
            arguments[rng.choice(["surplus", "self", "tool_name", "requestor", "db"])] = rng.choice(ODDITIES)
        case 2:
            tool = rng.choice(["no_such_tool", "", "_get_user", "db", tool.upper(), "think"])
        case 3 if names:
            arguments.clear()
        case _ if names:
            name = rng.choice(names)
            value = arguments[name]
            if isinstance(value, list) and value and rng.random() < 0.7:
                arguments[name] = _damaged_list(rng, value)
            else:
                arguments[name] = rng.choice(ODDITIES)
    return tool, arguments


def _damaged_list(rng: random.Random, value: list[Any]) -> Any:
    items = list(value)
    position = rng.randrange(len(items))
    match rng.randrange(4):
        case 0:
            return [*items, items[position]]
        case 1:
            del items[position]
        case 2:
            items[position] = rng.choice(ODDITIES)
        case _:
            if isinstance(items[position], dict):
                items[position] = {**items[position], rng.choice(list(items[position])): rng.choice(ODDITIES)}
            else:
                return items[position]
    return items


class _Calls:
    """Draws a tool evenly, then its arguments."""

    def __init__(self, substrate: Substrate, rng: random.Random) -> None:
        self.rng = rng
        self.users = substrate.records("users")
        self.cast = rng.sample(sorted(self.users), 3)
        self.makers: dict[str, Callable[[], dict[str, Any]]] = {
            tool.name: getattr(self, tool.name) for tool in substrate.tools()
        }
        self.names = sorted(self.makers)

    def call(self) -> Call:
        tool = self.rng.choice(self.names)
        return tool, self.makers[tool]()

    def user(self) -> Mapping[str, Any]:
        return self.users[self.rng.choice(self.cast)]

    def anybody(self) -> str:
        return self.rng.choice(sorted(self.users)) if self.rng.random() < 0.1 else str(self.user()["user_id"])

    def payment_of(self, user: Mapping[str, Any]) -> str:
        methods = sorted(user["payment_methods"])
        return self.rng.choice([*methods, "credit_card_0000000", "certificate_3221322"]) if methods else "none"

    def address(self) -> dict[str, Any]:
        keys = ["address1", "address2", "city", "state", "country", "zip"]
        return {key: self.rng.choice(["", "12 High Street", "Suite 5", "Austin", "78701"]) for key in keys}

    def calculate(self) -> dict[str, Any]:
        return {"expression": self.rng.choice(EXPRESSIONS)}

    def transfer_to_human_agents(self) -> dict[str, Any]:
        return {"summary": self.rng.choice(["", "wants more", "ünï\x00 \ud800 code"])}

    def get_user_details(self) -> dict[str, Any]:
        return {"user_id": self.anybody()}


class AirlineCalls(_Calls):
    """One method per tool of the airline."""

    def __init__(self, substrate: Substrate, rng: random.Random) -> None:
        super().__init__(substrate, rng)
        self.flights = substrate.records("flights")
        self.numbers = rng.sample(sorted(self.flights), 12)
        self.reservations = substrate.records("reservations")
        self.cast = rng.sample(sorted(user for user in self.users if self.users[user]["reservations"]), 3)

    def reservation(self) -> Mapping[str, Any]:
        return self.reservations[self.rng.choice(self.user()["reservations"])]

    def reservation_id(self) -> str:
        booked = self.rng.random() < 0.15
        return self.rng.choice(["HATHAT", "HATHAU"]) if booked else str(self.reservation()["reservation_id"])

    def date(self) -> str:
        return f"2024-05-{self.rng.randint(14, 31):02}"

    def leg(self) -> dict[str, Any]:
        number = self.rng.choice(self.numbers)
        free = [date for date, status in self.flights[number]["dates"].items() if status["status"] == "available"]
        return {"flight_number": number, "date": self.rng.choice(free) if self.rng.random() < 0.85 else self.date()}

    def passengers(self, count: int) -> list[dict[str, Any]]:
        return [{"first_name": f"P{i}", "last_name": "Doe", "dob": "1980-02-03"} for i in range(count)]

    def book_reservation(self) -> dict[str, Any]:
        rng, user = self.rng, self.user()
        legs, cabin = [self.leg() for _ in range(rng.randint(1, 2))], rng.choice(["economy", "business"])
        travellers, bags, insurance = rng.randint(1, 2), rng.randint(0, 2), rng.choice(["yes", "no"])
        price = 0
        for leg in legs:
            on_day = self.flights[leg["flight_number"]]["dates"].get(leg["date"], {})
            price += on_day.get("prices", {cabin: 0})[cabin] * travellers
        price += 30 * travellers * (insurance == "yes") + 50 * bags
        return {
            "user_id": user["user_id"],
            "origin": "JFK",
            "destination": "SEA",
            "flight_type": rng.choice(["one_way", "round_trip"]),
            "cabin": cabin,
            "flights": legs,
            "passengers": self.passengers(travellers),
            "payment_methods": self.payments(user, price),
            "total_baggages": bags + 1,
            "nonfree_baggages": bags,
            "insurance": insurance,
        }

    def payments(self, user: Mapping[str, Any], price: int) -> list[dict[str, Any]]:
        """Certificates and gift cards first, the rest on another method; now and then a dollar is missing."""
        parts = []
        for name, method in user["payment_methods"].items():
            amount = min(price, int(method.get("amount", 0)))
            if amount and self.rng.random() < 0.6:
                parts.append({"payment_id": name, "amount": amount})
                price -= amount
        if price:
            cards = [name for name, method in user["payment_methods"].items() if method["source"] == "credit_card"]
            parts.append({"payment_id": (cards or [self.payment_of(user)])[0], "amount": price})
        if parts and self.rng.random() < 0.1:
            parts[0]["amount"] -= 1
        return parts

    def cancel_reservation(self) -> dict[str, Any]:
        return {"reservation_id": self.reservation_id()}

    def get_reservation_details(self) -> dict[str, Any]:
        return {"reservation_id": self.reservation_id()}

    def list_all_airports(self) -> dict[str, Any]:
        return {}

    def search_direct_flight(self) -> dict[str, Any]:
        flight = self.flights[self.rng.choice(self.numbers)]
        return {"origin": flight["origin"], "destination": flight["destination"], "date": self.date()}

    def search_onestop_flight(self) -> dict[str, Any]:
        return self.search_direct_flight()

    def send_certificate(self) -> dict[str, Any]:
        return {"user_id": self.anybody(), "amount": self.rng.choice([50, 100, 99.5, 10**30])}

    def update_reservation_baggages(self) -> dict[str, Any]:
        reservation = self.reservation()
        return {
            "reservation_id": reservation["reservation_id"],
            "total_baggages": self.rng.randint(0, 5),
            "nonfree_baggages": self.rng.randint(0, 3),
            "payment_id": self.payment_of(self.users[reservation["user_id"]]),
        }

    def update_reservation_flights(self) -> dict[str, Any]:
        rng, reservation = self.rng, self.reservation()
        kept = [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in reservation["flights"]]
        legs = [leg if rng.random() < 0.6 else self.leg() for leg in kept]
        return {
            "reservation_id": reservation["reservation_id"],
            "cabin": reservation["cabin"] if rng.random() < 0.6 else rng.choice(["economy", "business"]),
            "flights": legs if rng.random() < 0.95 else [],
            "payment_id": self.payment_of(self.users[reservation["user_id"]]),
        }

    def update_reservation_passengers(self) -> dict[str, Any]:
        reservation = self.reservation()
        count = len(reservation["passengers"]) + self.rng.choice([0, 0, 0, 1])
        return {"reservation_id": reservation["reservation_id"], "passengers": self.passengers(count)}

    def get_flight_status(self) -> dict[str, Any]:
        return {"flight_number": self.rng.choice(self.numbers), "date": self.date()}


class RetailCalls(_Calls):
    """One method per tool of the shop."""

    def __init__(self, substrate: Substrate, rng: random.Random) -> None:
        super().__init__(substrate, rng)
        self.orders = substrate.records("orders")
        self.products = substrate.records("products")
        self.cast = rng.sample(sorted(user for user in self.users if self.users[user]["orders"]), 4)

    def order(self, *statuses: str) -> Mapping[str, Any]:
        """An order of the cast, most of the time of one of the statuses it had in the base."""
        own = [self.orders[order] for user in self.cast for order in self.users[user]["orders"]]
        fitting = [order for order in own if order["status"] in statuses]
        return self.rng.choice(fitting if fitting and self.rng.random() < 0.9 else own)

    def payment(self, order: Mapping[str, Any]) -> str:
        paid = order["payment_history"][0]["payment_method_id"]
        return str(paid) if self.rng.random() < 0.3 else self.payment_of(self.users[order["user_id"]])

    def swap(self, order: Mapping[str, Any]) -> dict[str, Any]:
        lines = self.rng.sample(order["items"], self.rng.randint(1, len(order["items"])))
        variants = [self.products[line["product_id"]]["variants"] for line in lines]
        news = [
            self.rng.choice([name for name, variant in of_line.items() if variant["available"]] or sorted(of_line))
            for of_line in variants
        ]
        return {
            "order_id": order["order_id"],
            "item_ids": [line["item_id"] for line in lines],
            "new_item_ids": news,
            "payment_method_id": self.payment(order),
        }

    def cancel_pending_order(self) -> dict[str, Any]:
        reasons = ["no longer needed", "ordered by mistake", "changed my mind"]
        return {"order_id": self.order("pending")["order_id"], "reason": self.rng.choice(reasons)}

    def exchange_delivered_order_items(self) -> dict[str, Any]:
        return self.swap(self.order("delivered"))

    def modify_pending_order_items(self) -> dict[str, Any]:
        return self.swap(self.order("pending"))

    def modify_pending_order_payment(self) -> dict[str, Any]:
        order = self.order("pending")
        return {"order_id": order["order_id"], "payment_method_id": self.payment(order)}

    def modify_pending_order_address(self) -> dict[str, Any]:
        return {"order_id": self.order("pending")["order_id"], **self.address()}

    def modify_user_address(self) -> dict[str, Any]:
        return {"user_id": self.anybody(), **self.address()}

    def return_delivered_order_items(self) -> dict[str, Any]:
        order = self.order("delivered")
        swap = self.swap(order)
        del swap["new_item_ids"]
        return swap

    def find_user_id_by_name_zip(self) -> dict[str, Any]:
        user = self.user()
        return {
            "first_name": user["name"]["first_name"].upper(),
            "last_name": user["name"]["last_name"],
            "zip": user["address"]["zip"],
        }

    def find_user_id_by_email(self) -> dict[str, Any]:
        return {"email": self.user()["email"].title()}

    def get_order_details(self) -> dict[str, Any]:
        return {"order_id": self.order("pending", "delivered")["order_id"]}

    def get_product_details(self) -> dict[str, Any]:
        lines = self.order("pending", "delivered")["items"]
        return {"product_id": self.rng.choice(lines)["product_id"]}

    def list_all_product_types(self) -> dict[str, Any]:
        return {}
