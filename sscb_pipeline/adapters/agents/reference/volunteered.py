"""What a scripted user volunteers. The user is no agent, so it may know what an agent must not."""

from __future__ import annotations

from sscb_pipeline.faults.contract import FaultContract


def told_truth(contract: FaultContract) -> str:
    """The true value of the affected fact in a user's words."""
    value = contract.authoritative.canonical
    match contract.operator:
        case "ReturnDate":
            return f"That surprises me. My calendar says that I fly back on {value}."
        case "PaySource":
            return f"Are you sure? I believe {contract.target.identifier} is a {value.replace('_', ' ')}."
        case "ItemOption":
            return f"Hm, I remember ordering the one with {contract.fact.attribute} {value}."
        case "WriteEffect":
            return "That is odd, my app still shows the old flights."
        case _:
            raise KeyError(contract.operator)


def named_by_chance(contract: FaultContract) -> str:
    """A date the user has in mind for somebody else, equal to v', so that its later use has two possible sources;
    empty where ambiguity is made in other ways."""
    if contract.operator != "ReturnDate":
        return ""
    origin, destination = contract.target.locator["origin"], contract.target.locator["destination"]
    return f"By the way, my sister wants to fly from {destination} to {origin} on {contract.injected.canonical}."
