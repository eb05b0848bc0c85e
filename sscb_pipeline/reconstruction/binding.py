"""Is a value that a text names said of the target?"""

from __future__ import annotations

from typing import assert_never

from sscb_pipeline.reconstruction import binding_date, binding_item, binding_payment
from sscb_pipeline.reconstruction.cues import Binding
from sscb_pipeline.reconstruction.scene import Scene
from sscb_pipeline.trajectories.subject import ValueKind


def bind(scene: Scene) -> Binding:
    """How the mention of a scene is bound to the target, by the rules of its value kind."""
    match scene.subject.kind:
        case ValueKind.DATE:
            return binding_date.bind(scene)
        case ValueKind.CATEGORY:
            return binding_payment.bind(scene)
        case ValueKind.TEXT:
            return binding_item.bind(scene)
        case ValueKind.EFFECT:
            # Propositions bind by clause; a single word of change talk is never bound by itself.
            return Binding.UNSETTLED
        case _:
            assert_never(scene.subject.kind)
