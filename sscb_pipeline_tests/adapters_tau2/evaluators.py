"""Judge constructed runs with the package's own evaluators and with ours; prints how many were judged and solved.

Run as a module with a domain, in a process of its own: the evaluators import litellm.
"""

from __future__ import annotations

import importlib
import sys

from sscb_pipeline.adapters.tau2.package import tau2_module
from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline_tests.adapters_tau2.calls import generator, sequence

EVERY = {"airline": 3, "retail": 6}


def judge(domain: str) -> tuple[int, int]:
    """Number of runs judged and of runs both sides call solved. Asserts that both sides always agree."""
    of_environment = importlib.import_module("tau2.evaluator.evaluator_env").EnvironmentEvaluator
    of_communication = importlib.import_module("tau2.evaluator.evaluator_communicate").CommunicateEvaluator
    message = tau2_module("tau2.data_model.message")
    module = tau2_module(f"tau2.domains.{domain}.environment")
    substrate = load(domain)
    judged = solved = 0
    pairs = list(zip(substrate.tasks(), module.get_tasks("base"), strict=True))
    for task, native in pairs[:: EVERY[domain]]:
        reference = [(action.tool, dict(action.arguments)) for action in task.actions]
        rng = generator("evaluators", domain, task.task_id)
        surplus = sequence(substrate, 3, "surplus", task.task_id)
        for calls in (reference, reference[:-1], [*reference, *surplus]):
            said = [text for text in task.communicate if rng.random() < 0.8]
            state = substrate.fresh()
            history = []
            for number, (tool, arguments) in enumerate(calls):
                outcome = state.call(tool, arguments)
                call = message.ToolCall(id=str(number), name=tool, arguments=arguments)
                history.append(message.AssistantMessage(role="assistant", content=None, tool_calls=[call]))
                history.append(
                    message.ToolMessage(id=str(number), role="tool", content=outcome.content, error=outcome.error)
                )
            history.extend(message.AssistantMessage(role="assistant", content=text) for text in said)
            ours = substrate.score(task, state, said)
            database = of_environment.calculate_reward(module.get_environment, native, history).reward == 1.0
            communicated = of_communication.calculate_reward(native, history).reward == 1.0
            assert (ours.database, ours.communicated) == (database, communicated), (task.task_id, calls, said)
            judged += 1
            solved += ours.solved
    return judged, solved


if __name__ == "__main__":
    print(*judge(sys.argv[1]))
