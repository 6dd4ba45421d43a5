"""The model that is always there: rules and statistics, no key, no network, no cost; the same turns, the same reply.

Of the stages it knows `collect`; what a stage needs here is one function from a Request to the reply's JSON object.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from crustacean.errors import ModelError
from crustacean.models.offline import collect
from crustacean.models.protocol import Model, Reply, Request, Usage
from crustacean.models.settings import ModelSettings

_STAGES: Mapping[str, Callable[[Request], dict[str, Any]]] = {"collect": collect.reply}


class Offline:
    """Answers a request from its data (turns, entries); the prompt's text is not read."""

    name = "offline"
    offline = True

    def reply(self, request: Request) -> Reply:
        """The edits the rules find. Raises ModelError for a stage that has no offline rules."""
        rules = _STAGES.get(request.stage)
        if rules is None:
            raise ModelError(
                f"the offline model has no rules for the stage {request.stage or '(none)'}",
                "choose a model for it: in crab.toml under [models], or with --model",
            )
        data = rules(request)
        return Reply(data, json.dumps(data, ensure_ascii=False), Usage(calls=1))

    def price(self) -> tuple[float, float]:
        """It costs nothing."""
        return 0.0, 0.0


def connect(rest: str, settings: ModelSettings) -> Model:
    """The offline model. Raises ModelError where a name follows ("offline:x"): there is only one."""
    if rest:
        raise ModelError(f"there is no model offline:{rest[:40]}", "write offline, without a name after it")
    return Offline()
