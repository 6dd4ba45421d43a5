"""Claude models through Anthropic's SDK: `anthropic:NAME`."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from crustacean.errors import ModelError
from crustacean.models.endpoint import Endpoint, Provider, find_endpoint, find_price
from crustacean.models.extract import find_object
from crustacean.models.failures import CostlyReply
from crustacean.models.prices import Price
from crustacean.models.protocol import Reply, Request, Usage
from crustacean.models.render import well_formed
from crustacean.models.schema import NotStrict, closed
from crustacean.models.settings import ModelSettings
from crustacean.models.wire import Rejected, count, exchange

ANTHROPIC = Provider("anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "api.anthropic.com")

_TOOL = "record"
_CONNECT_TIMEOUT = 15.0
# No model caches a prompt of fewer than 1,024 tokens, and a request may hold four marks
# (platform.claude.com/docs/en/build-with-claude/prompt-caching).
_CACHED_FROM = 4_000
_MARKS = 4

# How the reply is asked for: by a tool that must be called, by a format, or by the words of the system parts alone.
# Models that always think refuse a forced tool; servers that only resemble the API may know neither.
Way = Literal["tool", "format", "words"]


def connect(model: str, settings: ModelSettings) -> AnthropicModel:
    """The model of that name. Raises ModelError for no name; whether it can be had shows in `check` and `reply`."""
    if not model:
        raise ModelError("anthropic: no model is named", "write anthropic:NAME, such as anthropic:claude-sonnet-5-5")
    return AnthropicModel(model, settings)


class AnthropicModel:
    """One Claude model; see crustacean.models.protocol.Model."""

    offline = False

    def __init__(self, model: str, settings: ModelSettings) -> None:
        self.name = f"anthropic:{model}"
        self._model = model
        self._settings = settings
        self._way: Way = "tool"

    def check(self) -> None:
        """Raises ModelError where no key or no proper address is at hand. Sends nothing."""
        _ = self._client

    def price(self) -> tuple[float, float] | None:
        return None if self._price is None else (self._price.input, self._price.output)

    def reply(self, request: Request) -> Reply:
        import anthropic

        client = self._client
        while True:
            try:
                data = exchange(
                    anthropic,
                    lambda: client.messages.with_raw_response.create(**self._body(request)),
                    self._endpoint,
                    self._settings.retry,
                )
            except Rejected as error:
                way = _next_way(self._way, error)
                if way is None:
                    raise
                self._way = way
                continue
            return self._read(data, request)

    @cached_property
    def _price(self) -> Price | None:
        return find_price(ANTHROPIC, self._model, self._settings)

    @cached_property
    def _endpoint(self) -> Endpoint:
        return find_endpoint(ANTHROPIC, self._model, self._settings)

    @cached_property
    def _client(self) -> Any:
        import anthropic

        endpoint = self._endpoint
        options: dict[str, Any] = {
            "max_retries": 0,
            "timeout": anthropic.Timeout(endpoint.timeout, connect=min(_CONNECT_TIMEOUT, endpoint.timeout)),
        }
        if endpoint.url:
            options["base_url"] = endpoint.url
        token = self._settings.env.get("ANTHROPIC_AUTH_TOKEN", "").strip()
        configured = bool(self._settings.base_url.get("anthropic"))
        if endpoint.key is not None:
            options["api_key"] = endpoint.key.value
        elif token and not configured:
            options["auth_token"] = token
        elif configured or endpoint.local:
            options["api_key"] = "none"
        try:
            client = anthropic.Anthropic(**options)
        except anthropic.AnthropicError as error:
            raise ModelError(f"anthropic: {endpoint.clean(str(error))}", _KEY_HINT) from None
        # Without a key the SDK may have found a login of its own; older ones know of none.
        known = ("api_key", "auth_token", "credentials")
        if not any(getattr(client, name, None) for name in known):
            raise ModelError(
                "anthropic: there is no key: the environment variable ANTHROPIC_API_KEY is not set", _KEY_HINT
            )
        return client

    def _body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._model, "max_tokens": request.max_tokens}
        if self._way == "format":
            # A schema that can't be said as a format is in the system parts all the same.
            with contextlib.suppress(NotStrict):
                body["output_config"] = {"format": {"type": "json_schema", "schema": closed(request.schema)}}
        elif self._way == "tool":
            tool = {"name": _TOOL, "description": "Give the reply.", "input_schema": dict(request.schema)}
            body["tools"] = [tool]
            body["tool_choice"] = {"type": "tool", "name": _TOOL, "disable_parallel_tool_use": True}
        if any(part.strip() for part in request.system):
            body["system"] = _system(request.system)
        messages = [{"role": "user", "content": well_formed(request.prompt)}]
        for reply, reasons in request.messages:
            messages.append({"role": "assistant", "content": well_formed(reply)})
            messages.append({"role": "user", "content": well_formed(reasons)})
        body["messages"] = messages
        return body

    def _read(self, data: dict[str, Any], request: Request) -> Reply:
        usage = self._usage(data.get("usage"))
        stop = data.get("stop_reason")
        if stop == "max_tokens":
            raise CostlyReply(
                f"the reply of {self.name} was cut off at {request.max_tokens} tokens",
                usage,
                "lower batch_tokens in crab.toml",
            )
        if stop == "model_context_window_exceeded":
            raise CostlyReply(f"{self.name} ran out of context", usage, "lower batch_tokens in crab.toml")
        if stop == "refusal":
            raise CostlyReply(f"{self.name} refused to answer{_category(data.get('stop_details'))}", usage)
        blocks = [block for block in _list(data.get("content")) if isinstance(block, dict)]
        called = [block["input"] for block in blocks if block.get("type") == "tool_use" and block.get("input")]
        said = "".join(str(block["text"]) for block in blocks if block.get("type") == "text" and block.get("text"))
        text = json.dumps(called[0], ensure_ascii=False) if called else said
        if not text.strip():
            raise CostlyReply(f"the reply of {self.name} is empty", usage)
        found = find_object(text, frozenset(request.schema.get("properties", ())))
        if not found:
            raise CostlyReply(f"the reply of {self.name} is not the JSON object it was asked for", usage)
        return Reply(found, text, usage)

    def _usage(self, data: Any) -> Usage:
        usage = Usage(
            calls=1,
            input=count(data, "input_tokens"),
            output=count(data, "output_tokens"),
            cache_read=count(data, "cache_read_input_tokens"),
            cache_write=count(data, "cache_creation_input_tokens"),
            cost=None,
        )
        return usage if self._price is None else replace(usage, cost=self._price.cost(usage))


_KEY_HINT = "set it, or key_env, key_cmd or key_file of anthropic in crab.toml"


def _next_way(way: Way, error: Rejected) -> Way | None:
    if error.status not in (400, 422):
        return None
    if way == "tool" and any(sign in error.said for sign in ("tool", "thinking")):
        return "format"
    if way == "format" and any(sign in error.said for sign in ("output_config", "format", "schema", "grammar")):
        return "words"
    return None


def _system(parts: Sequence[str]) -> list[dict[str, Any]]:
    """The system parts as blocks, the last of them that close a long stretch marked for the cache."""
    blocks: list[dict[str, Any]] = []
    marked: list[dict[str, Any]] = []
    length = 0
    for part in parts:
        if not part.strip():
            continue
        blocks.append({"type": "text", "text": well_formed(part)})
        length += len(part)
        if length >= _CACHED_FROM:
            marked.append(blocks[-1])
            length = 0
    for block in marked[-_MARKS:]:
        block["cache_control"] = {"type": "ephemeral"}
    return blocks


def _category(details: Any) -> str:
    category = details.get("category") if isinstance(details, dict) else None
    return f" ({category})" if isinstance(category, str) and category.isidentifier() else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
