"""Chat completions over real HTTP to a loopback server."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from crustacean.errors import BadReply, ModelError
from crustacean.models.failures import CostlyReply
from crustacean.models.openai import OpenAIModel, connect, read
from crustacean.models.protocol import Request
from crustacean.models.settings import KeySource, ModelSettings
from tests.models.conftest import JSON, KEY, REPLY, SCHEMA, Clock, bent
from tests.models.loopback import Loopback, Reset, Say

Make = Callable[..., ModelSettings]
Ask = Callable[..., Request]


def completion(content: Any, finish: str = "stop", **more: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content}}],
        "usage": {
            "prompt_tokens": 1500,
            "completion_tokens": 50,
            "total_tokens": 1550,
            "prompt_tokens_details": {"cached_tokens": 1000, "cache_write_tokens": 200},
        },
        **more,
    }


def error(text: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": text, "type": "invalid_request_error", **more}}


@pytest.fixture
def model(server: Loopback, settings: Make) -> OpenAIModel:
    server.answers = [Say(completion(json.dumps(REPLY)))]
    given = settings(base_url={"openai": server.url + "/v1"}, keys={"openai": KeySource(env="OPENAI_API_KEY")})
    return connect("gpt-6-luna", given)


def test_the_reply_is_asked_for_by_a_strict_schema(model: OpenAIModel, server: Loopback, ask: Ask) -> None:
    reply = model.reply(ask(system=("One.", "", "Two.")))
    assert reply.data == REPLY
    asked = server.asked[0]
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    form = asked.body["response_format"]["json_schema"]
    assert form["strict"] is True
    item = form["schema"]["properties"]["edits"]["items"]
    assert item["required"] == ["op", "text", "importance"]
    assert item["properties"]["importance"] == {"type": ["integer", "null"]}
    assert asked.body["messages"][0] == {"role": "system", "content": "One.\n\nTwo."}


def test_nulls_that_stand_for_nothing_are_taken_out(model: OpenAIModel, server: Loopback, ask: Ask) -> None:
    server.answers = [Say(completion('{"edits":[{"op":"append","text":"x","importance":null}],"notes":null}'))]
    assert model.reply(ask()).data == {"edits": [{"op": "append", "text": "x"}]}


def test_a_schema_that_can_not_be_strict_is_sent_as_it_is(model: OpenAIModel, server: Loopback, ask: Ask) -> None:
    loose = {"type": "object", "properties": {"edits": {"type": "object", "additionalProperties": True}}}
    model.reply(ask(schema=loose))
    assert server.asked[0].body["response_format"]["json_schema"] == {"name": "reply", "strict": False, "schema": loose}


def test_usage_has_the_cache_apart_and_the_cost_of_the_list_price(model: OpenAIModel, ask: Ask) -> None:
    usage = model.reply(ask()).usage
    assert (usage.calls, usage.input, usage.output, usage.cache_read, usage.cache_write) == (1, 300, 50, 1000, 200)
    assert usage.cost == pytest.approx((300 * 0.1 + 50 * 0.5 + 1000 * 0.01 + 200 * 0.125) / 1e6)


def test_a_server_that_knows_less_is_asked_for_less_and_that_is_remembered(
    model: OpenAIModel, server: Loopback, ask: Ask
) -> None:
    server.answers = [
        Say(error("response_format.type 'json_schema' is not supported"), 400),
        Say({"detail": "response_format: unknown"}, 422),
        Say(completion(f"<think>hm {{</think>Sure!\n```json\n{json.dumps(REPLY)}\n```")),
    ]
    assert model.reply(ask()).data == REPLY
    assert model.reply(ask()).data == REPLY
    forms = [asked.body.get("response_format", {}).get("type") for asked in server.asked]
    assert forms == ["json_schema", "json_object", None, None]
    assert len({json.dumps(asked.body["messages"]) for asked in server.asked}) == 1


def test_the_token_limit_goes_by_the_name_the_server_knows(model: OpenAIModel, server: Loopback, ask: Ask) -> None:
    server.answers = [
        Say(error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."), 400),
        Say(completion(json.dumps(REPLY))),
    ]
    model.reply(ask())
    assert server.asked[0].body["max_tokens"] == 8192
    assert server.asked[1].body["max_completion_tokens"] == 8192


def test_openai_itself_is_asked_with_the_newer_name(settings: Make, ask: Ask) -> None:
    body = connect("gpt-6.2-sol", settings())._body(ask())
    assert body["max_completion_tokens"] == 8192


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (completion(json.dumps(REPLY), "length"), "cut off at 8192 tokens"),
        (completion("", "content_filter"), "content filter"),
        (completion(None), "is empty"),
        (completion("  \n"), "is empty"),
        (completion("{}"), "is not the JSON object"),
        (completion("I'd rather talk."), "is not the JSON object"),
        ({"choices": [{"message": {"refusal": "I can't\nhelp", "content": None}}]}, "refused to answer: I can't help"),
        ({"choices": []}, "is empty"),
        ({"choices": None}, "is empty"),
        ({"choices": [{"message": "?"}]}, "is empty"),
        ({}, "is empty"),
    ],
)
def test_a_reply_that_can_not_be_used_says_why(
    model: OpenAIModel, server: Loopback, ask: Ask, answer: Any, words: str
) -> None:
    server.answers = [Say(answer)]
    with pytest.raises(CostlyReply, match=words) as caught:
        model.reply(ask())
    assert caught.value.usage.calls == 1
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("status", "body", "words", "asked"),
    [
        (401, error(f"Incorrect API key provided: {KEY}"), "does not accept the key from the environment variable", 1),
        (404, error("The model `gpt-6-luna` does not exist"), "has no model gpt-6-luna", 1),
        (404, {"detail": "Not Found"}, "not found", 1),
        (429, error("You exceeded your current quota", code="insufficient_quota"), "no credit left", 1),
        (429, error("Rate limit reached; see https://platform.openai.com/account/billing"), "rate limit", 5),
        (402, error("Insufficient credits"), "no credit left", 1),
        (400, error("bad"), r"bad \(400\)", 1),
        (500, b"<html>", r"failed \(500\) \(5 attempts\)", 5),
    ],
)
def test_a_failure_is_one_clear_line(
    model: OpenAIModel, server: Loopback, ask: Ask, status: int, body: Any, words: str, asked: int
) -> None:
    server.answers = [Say(body, status)]
    with pytest.raises(ModelError, match=words) as caught:
        model.reply(ask())
    assert len(server.asked) == asked
    assert KEY not in str(caught.value) + caught.value.hint
    assert "\n" not in caught.value.message


def test_a_server_that_says_not_to_retry_is_not_asked_again(model: OpenAIModel, server: Loopback, ask: Ask) -> None:
    server.answers = [Say(error("x"), 500, {"x-should-retry": "false"})]
    with pytest.raises(ModelError):
        model.reply(ask())
    assert len(server.asked) == 1


def test_a_wait_in_milliseconds_is_kept(model: OpenAIModel, server: Loopback, ask: Ask, clock: Clock) -> None:
    server.answers = [Say(error("x"), 429, {"retry-after-ms": "250"}), Reset(), Say(completion(json.dumps(REPLY)))]
    assert model.reply(ask()).data == REPLY
    assert clock.naps == [0.25, 2.0]


def test_an_error_inside_a_good_answer_is_an_error(model: OpenAIModel, server: Loopback, ask: Ask) -> None:
    server.answers = [Say({"error": {"code": 429, "message": "upstream busy"}}), Say(completion(json.dumps(REPLY)))]
    assert model.reply(ask()).data == REPLY
    server.answers = [Say({"error": {"code": 400, "message": "no endpoints"}})]
    with pytest.raises(ModelError, match=r"no endpoints \(400\)"):
        model.reply(ask())


@pytest.mark.parametrize("words", ["maximum context length is 8192 tokens", "exceeds the available context window"])
def test_a_prompt_too_long_for_the_model_is_a_bad_reply(
    model: OpenAIModel, server: Loopback, ask: Ask, words: str
) -> None:
    server.answers = [Say(error(words), 400)]
    with pytest.raises(BadReply, match="too long"):
        model.reply(ask())


def test_a_local_server_needs_no_key_gets_none_and_costs_nothing(server: Loopback, settings: Make, ask: Ask) -> None:
    server.answers = [Say(completion(json.dumps(REPLY)))]
    model = connect("qwen3:8b", settings(base_url={"openai": server.url + "/v1"}))
    assert model.reply(ask()).usage.cost == 0.0
    assert model.price() == (0.0, 0.0)
    assert KEY not in json.dumps(dict(server.asked[0].headers))


def test_without_a_key_the_variable_is_named(settings: Make, ask: Ask) -> None:
    model = connect("gpt-6.2-sol", settings(env={}))
    for attempt in (model.check, lambda: model.reply(ask())):
        with pytest.raises(ModelError, match="OPENAI_API_KEY is not set") as caught:
            attempt()
        assert "key_cmd" in caught.value.hint


def test_a_server_that_does_not_count_is_counted_for(server: Loopback, settings: Make, ask: Ask) -> None:
    server.answers = [Say(completion(json.dumps(REPLY), usage=None))]
    model = connect("local", settings(base_url={"openai": server.url + "/v1"}))
    usage = model.reply(ask()).usage
    assert usage.input > 100 and usage.output > 5


def test_a_price_the_server_says_is_taken_where_none_is_known(
    server: Loopback, settings: Make, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crustacean.models.endpoint.is_local", lambda host: False)
    keys = {"openai": KeySource(env="OPENAI_API_KEY")}
    for said, cost in ((0.0123, 0.0123), (-1, None), ("x", None), (True, None), (None, None)):
        server.answers = [Say(completion(json.dumps(REPLY), usage={"prompt_tokens": 5, "cost": said}))]
        model = connect("someone/model", settings(base_url={"openai": server.url + "/v1"}, keys=keys))
        assert model.price() is None
        assert model.reply(ask()).usage.cost == cost


def test_content_in_parts_is_put_together(model: OpenAIModel, server: Loopback, ask: Ask) -> None:
    text = json.dumps(REPLY)
    parts = [{"type": "text", "text": text[:20]}, 7, {"type": "image"}, {"type": "text", "text": text[20:]}]
    server.answers = [Say(completion(parts))]
    assert model.reply(ask()).data == REPLY


def test_a_proxy_in_the_environment_is_used(
    server: Loopback, settings: Make, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.url)
    server.answers = [Say(completion(json.dumps(REPLY)))]
    keys = {"openai": KeySource(env="OPENAI_API_KEY")}
    model = connect("m", settings(base_url={"openai": "http://model.invalid/v1"}, keys=keys))
    assert model.reply(ask()).data == REPLY
    assert server.asked[0].path == "http://model.invalid/v1/chat/completions"


@given(bent(completion(json.dumps(REPLY))) | JSON)
def test_any_answer_is_a_reply_or_a_model_error(data: Any) -> None:
    request = Request("collect", (), "?", SCHEMA)
    try:
        reply = read(data if isinstance(data, dict) else {}, request, "openai:m", None)
    except ModelError:
        return
    assert isinstance(reply.data, dict) and reply.usage.calls == 1
