"""Claude models over real HTTP to a loopback server."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from crustacean.errors import BadReply, ModelError
from crustacean.models.anthropic import AnthropicModel, connect, read
from crustacean.models.failures import CostlyReply
from crustacean.models.protocol import Request
from crustacean.models.settings import KeySource, ModelSettings
from tests.models.conftest import JSON, KEY, REPLY, SCHEMA, Clock, bent
from tests.models.loopback import Half, Loopback, Reset, Say, Wait

Make = Callable[..., ModelSettings]
Ask = Callable[..., Request]


def message(*content: Any, stop: str = "tool_use", **more: Any) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": list(content),
        "stop_reason": stop,
        "usage": {
            "input_tokens": 100,
            "output_tokens": 50,
            "cache_read_input_tokens": 1000,
            "cache_creation_input_tokens": 400,
        },
        **more,
    }


def called(data: Any = REPLY) -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_1", "name": "record", "input": data}


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def error(kind: str, text: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": text}}


@pytest.fixture
def model(server: Loopback, settings: Make) -> AnthropicModel:
    server.answers = [Say(message(called()))]
    given = settings(base_url={"anthropic": server.url}, keys={"anthropic": KeySource(env="ANTHROPIC_API_KEY")})
    return connect("claude-haiku-4-5", given)


def test_the_reply_is_what_the_forced_tool_was_called_with(model: AnthropicModel, server: Loopback, ask: Ask) -> None:
    reply = model.reply(ask())
    assert reply.data == REPLY
    assert json.loads(reply.text) == REPLY
    body = server.asked[0].body
    assert server.asked[0].path == "/v1/messages"
    assert body["tool_choice"] == {"type": "tool", "name": "record", "disable_parallel_tool_use": True}
    assert body["tools"][0]["input_schema"] == SCHEMA
    assert body["max_tokens"] == 8192
    assert body["messages"] == [{"role": "user", "content": "first line\nWhat is worth keeping?"}]


def test_usage_has_the_cache_apart_and_the_cost_of_the_list_price(model: AnthropicModel, ask: Ask) -> None:
    usage = model.reply(ask()).usage
    assert (usage.calls, usage.input, usage.output, usage.cache_read, usage.cache_write) == (1, 100, 50, 1000, 400)
    assert usage.cost == pytest.approx((100 * 1 + 50 * 5 + 1000 * 0.1 + 400 * 1.25) / 1e6)
    assert model.price() == (1.0, 5.0)


def test_long_static_parts_are_marked_for_the_cache(model: AnthropicModel, server: Loopback, ask: Ask) -> None:
    model.reply(ask(system=("contract " * 600, "short", "document " * 600, "", "tail")))
    blocks = server.asked[0].body["system"]
    assert [("cache_control" in block) for block in blocks] == [True, False, True, False]


def test_there_are_never_more_than_four_marks(model: AnthropicModel, server: Loopback, ask: Ask) -> None:
    model.reply(ask(system=("x" * 5000,) * 9))
    assert sum("cache_control" in block for block in server.asked[0].body["system"]) == 4


def test_a_reply_sent_back_goes_with_its_reasons(model: AnthropicModel, server: Loopback, ask: Ask) -> None:
    model.reply(ask(messages=(("old reply", "edit 1: no such turn"),)))
    roles = [(entry["role"], entry["content"]) for entry in server.asked[0].body["messages"][1:]]
    assert roles == [("assistant", "old reply"), ("user", "edit 1: no such turn")]


def test_lone_surrogates_do_not_break_the_request(model: AnthropicModel, server: Loopback, ask: Ask) -> None:
    model.reply(ask(prompt="a \ud83d b", system=("\udc00",)))
    assert server.asked[0].body["messages"][0]["content"] == "a � b"


@pytest.mark.parametrize(
    "refusal",
    [
        'tool_choice: "tool" is not supported for this model.',
        "Thinking may not be enabled when tool_choice forces tool use.",
    ],
)
def test_a_model_that_refuses_a_forced_tool_is_asked_by_format(
    model: AnthropicModel, server: Loopback, ask: Ask, refusal: str
) -> None:
    server.answers = [
        Say(error("invalid_request_error", refusal), 400),
        Say(message({"type": "thinking", "thinking": "", "signature": "x"}, said(json.dumps(REPLY)), stop="end_turn")),
    ]
    assert model.reply(ask()).data == REPLY
    assert model.reply(ask()).data == REPLY
    ways = [("tools" in asked.body, "output_config" in asked.body) for asked in server.asked]
    assert ways == [(True, False), (False, True), (False, True)]
    schema = server.asked[1].body["output_config"]["format"]["schema"]
    assert schema["additionalProperties"] is False
    assert "maxLength" not in json.dumps(schema)


def test_a_server_that_knows_no_format_is_asked_in_words(model: AnthropicModel, server: Loopback, ask: Ask) -> None:
    server.answers = [
        Say(error("invalid_request_error", "tools are not supported"), 400),
        Say(error("invalid_request_error", "output_config: Extra inputs are not permitted"), 400),
        Say(message(said(f"Here you are:\n```json\n{json.dumps(REPLY)}\n```"), stop="end_turn")),
    ]
    assert model.reply(ask()).data == REPLY
    assert not {"tools", "tool_choice", "output_config"} & server.asked[2].body.keys()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (message(called({"edits": []}), stop="max_tokens"), "cut off at 8192 tokens"),
        (
            message(said("I can't"), stop="refusal", stop_details={"type": "refusal", "category": "bio"}),
            r"refused.*\(bio\)",
        ),
        (message(said("no"), stop="refusal"), "refused to answer$"),
        (message(stop="model_context_window_exceeded"), "out of context"),
        (message(stop="end_turn"), "is empty"),
        (message(called({})), "is empty"),
        (message(said("   "), stop="end_turn"), "is empty"),
        (message(said("Nothing to do."), stop="end_turn"), "is not the JSON object"),
        ({"type": "message", "content": None}, "is empty"),
        ({"content": [None, 3, {"type": "tool_use"}, {"type": "text", "text": None}]}, "is empty"),
    ],
)
def test_a_reply_that_can_not_be_used_says_why_and_what_it_cost(
    model: AnthropicModel, server: Loopback, ask: Ask, answer: Any, words: str
) -> None:
    server.answers = [Say(answer)]
    with pytest.raises(CostlyReply, match=words) as caught:
        model.reply(ask())
    assert caught.value.usage.calls == 1
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_what_may_pass_is_tried_again(
    model: AnthropicModel, server: Loopback, ask: Ask, clock: Clock, status: int
) -> None:
    server.answers = [
        Say(error("overloaded_error", "busy"), status),
        Say(error("x", "busy"), status),
        Say(message(called())),
    ]
    assert model.reply(ask()).data == REPLY
    assert clock.naps == [1.0, 2.0]


@pytest.mark.parametrize("answer", [Reset(), Half()])
def test_a_broken_connection_is_tried_again(
    model: AnthropicModel, server: Loopback, ask: Ask, clock: Clock, answer: object
) -> None:
    server.answers = [answer, Say(message(called()))]
    assert model.reply(ask()).data == REPLY
    assert len(server.asked) == 2


def test_the_wait_that_the_server_asks_for_is_kept(
    model: AnthropicModel, server: Loopback, ask: Ask, clock: Clock
) -> None:
    server.answers = [
        Say(error("rate_limit_error", "slow down"), 429, {"retry-after": "7"}),
        Say(error("rate_limit_error", "slow down"), 429, {"retry-after": "Sun, 01 Mar 2026 12:00:37 GMT"}),
        Say(message(called())),
    ]
    assert model.reply(ask()).data == REPLY
    assert clock.naps == [7.0, 30.0]


def test_a_server_that_stays_busy_is_given_up_after_five_attempts(
    model: AnthropicModel, server: Loopback, ask: Ask
) -> None:
    server.answers = [Say(error("overloaded_error", "Overloaded"), 529)]
    with pytest.raises(ModelError, match=r"overloaded \(529: Overloaded\) \(5 attempts\)") as caught:
        model.reply(ask())
    assert caught.value.status == 4
    assert len(server.asked) == 5


@pytest.mark.parametrize(
    ("status", "body", "words", "hint"),
    [
        (
            401,
            error("authentication_error", f"invalid x-api-key {KEY}"),
            "does not accept the key from the environment",
            "key_env",
        ),
        (403, error("permission_error", "not allowed"), r"not allowed \(403\)", "crab.toml"),
        (404, error("not_found_error", "model: claude-haiku-4-5"), "has no model claude-haiku-4-5", "--model"),
        (404, b"<html>nothing here</html>", "not found", "base_url"),
        (400, error("invalid_request_error", "Your credit balance is too low"), "no credit left", "top it up"),
        (422, error("invalid_request_error", "odd"), r"odd \(422\)", "crab.toml"),
        (501, error("x", "no"), r"\(501\)", "crab.toml"),
    ],
)
def test_what_will_not_pass_is_one_clear_line_at_once(
    model: AnthropicModel, server: Loopback, ask: Ask, status: int, body: Any, words: str, hint: str
) -> None:
    server.answers = [Say(body, status)]
    with pytest.raises(ModelError, match=words) as caught:
        model.reply(ask())
    assert len(server.asked) == 1
    assert hint in caught.value.hint
    assert "\n" not in caught.value.message + caught.value.hint


def test_a_prompt_too_long_for_the_model_is_a_bad_reply(model: AnthropicModel, server: Loopback, ask: Ask) -> None:
    server.answers = [Say(error("invalid_request_error", "prompt is too long: 1200000 tokens > 1000000 maximum"), 400)]
    with pytest.raises(BadReply, match="too long"):
        model.reply(ask())


def test_silence_is_a_timeout_that_is_tried_again_and_named(server: Loopback, settings: Make, ask: Ask) -> None:
    server.answers = [Wait(1.0)]
    given = settings(base_url={"anthropic": server.url}, timeout=0.2)
    with pytest.raises(ModelError, match=r"did not answer within 0.2 s \(5 attempts\)") as caught:
        connect("claude-haiku-4-5", given).reply(ask())
    assert "timeout_s" in caught.value.hint


def test_a_refused_connection_is_not_tried_again(settings: Make, ask: Ask, clock: Clock) -> None:
    given = settings(base_url={"anthropic": "http://127.0.0.1:9"})
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:9 refuses connections") as caught:
        connect("claude-haiku-4-5", given).reply(ask())
    assert "is the server running?" in caught.value.hint
    assert clock.naps == []


def test_an_unknown_host_is_named(settings: Make, ask: Ask) -> None:
    given = settings(base_url={"anthropic": "http://nowhere.invalid"})
    with pytest.raises(ModelError, match=r"http://nowhere\.invalid"):
        connect("claude-haiku-4-5", given).reply(ask())


@pytest.mark.parametrize("body", [b"<html>login</html>", b"", b"[1]", b"{" * 5000, b"\xff\xfe", b'{"a":' * 100_000])
def test_an_answer_that_is_not_the_api_is_named(model: AnthropicModel, server: Loopback, ask: Ask, body: bytes) -> None:
    server.answers = [Say(body)]
    with pytest.raises(ModelError, match="not the anthropic API"):
        model.reply(ask())


def test_no_error_ever_holds_the_key(model: AnthropicModel, server: Loopback, ask: Ask) -> None:
    for status in (400, 401, 403, 404, 413, 422, 500):
        server.answers = [Say(error("x", f"echo {KEY} and Bearer {KEY}"), status)]
        with pytest.raises(ModelError) as caught:
            model.reply(ask())
        shown: BaseException | None = caught.value
        while shown is not None:
            assert KEY not in str(shown) + repr(shown)
            assert shown is caught.value or not hasattr(shown, "request")
            shown = shown.__cause__


def test_without_a_key_the_option_is_named(
    settings: Make, ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    model = connect("claude-haiku-4-5", settings(env={}))
    for attempt in (model.check, lambda: model.reply(ask())):
        with pytest.raises(ModelError, match="ANTHROPIC_API_KEY is not set") as caught:
            attempt()
        assert "key_env" in caught.value.hint


def test_a_key_in_the_environment_does_not_go_to_a_server_it_was_not_made_for(
    server: Loopback, settings: Make, ask: Ask
) -> None:
    server.answers = [Say(message(called()))]
    connect("claude-haiku-4-5", settings(base_url={"anthropic": server.url})).reply(ask())
    assert KEY not in json.dumps(dict(server.asked[0].headers))


def test_the_sdk_s_own_address_and_key_in_the_environment_work(
    server: Loopback, settings: Make, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    server.answers = [Say(message(called()))]
    given = settings(env={"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY})
    connect("claude-haiku-4-5", given).reply(ask())
    assert KEY in json.dumps(dict(server.asked[0].headers))


def test_an_address_in_crab_toml_wins_over_the_environment(
    server: Loopback, settings: Make, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    server.answers = [Say(message(called()))]
    given = settings(base_url={"anthropic": server.url}, env={"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"})
    assert connect("claude-haiku-4-5", given).reply(ask()).data == REPLY


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://x", "http://", "http://a b", "http://[::1", "http://h:99999"])
def test_an_address_that_is_none_is_named_with_its_option(settings: Make, url: str) -> None:
    with pytest.raises(ModelError, match=r"base_url of anthropic in crab\.toml is not an address"):
        connect("claude-haiku-4-5", settings(base_url={"anthropic": url})).check()


def test_a_password_in_an_address_is_not_shown(settings: Make, ask: Ask) -> None:
    for url in ("http://ana:s3cret@127.0.0.1:9/v1", "http:// ana:s3cret@x"):
        with pytest.raises(ModelError) as caught:
            connect("claude-haiku-4-5", settings(base_url={"anthropic": url})).reply(ask())
        assert "s3cret" not in caught.value.message + caught.value.hint


def test_odd_usage_counts_as_nothing(model: AnthropicModel, server: Loopback, ask: Ask) -> None:
    no_numbers = {"input_tokens": -5, "output_tokens": "many", "cache_read_input_tokens": 1e9, "x": True}
    oddities: tuple[Any, ...] = (None, [], no_numbers)
    for odd in oddities:
        server.answers = [Say(message(called(), usage=odd))]
        usage = model.reply(ask()).usage
        assert (usage.input, usage.output, usage.cache_read) == (0, 0, 0)


def test_a_model_without_a_name_is_refused(settings: Make) -> None:
    with pytest.raises(ModelError, match="no model is named"):
        connect("", settings())


def test_a_model_to_be_retired_is_used_without_a_warning(
    model: AnthropicModel, server: Loopback, settings: Make, ask: Ask
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        connect("claude-3-haiku-20240307", settings(base_url={"anthropic": server.url})).reply(ask())


@given(bent(message(called())) | bent(message(said("{}"), stop="end_turn")) | JSON)
def test_any_answer_is_a_reply_or_a_model_error(data: Any) -> None:
    request = Request("collect", (), "?", SCHEMA)
    try:
        reply = read(data if isinstance(data, dict) else {}, request, "anthropic:m", None)
    except ModelError:
        return
    assert isinstance(reply.data, dict) and reply.usage.calls == 1
