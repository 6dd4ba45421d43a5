"""One exchange with a provider over HTTP through its SDK, and its failures in words.

Both SDKs are made by the same generator: their exceptions have the same names and attributes.
"""

from __future__ import annotations

import json
import socket
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from crustacean.errors import BadReply, ModelError
from crustacean.models.endpoint import Endpoint
from crustacean.models.retry import Retry, Transient, retry_after, retrying

_TOO_LONG = ("prompt is too long", "context length", "context_length", "context window", "maximum context")
_NO_CREDIT = ("insufficient_quota", "credit balance", "billing_hard_limit", "billing_error", "insufficient credits")


class Rejected(ModelError):
    """The server understood and said no: asking the same again is of no use.

    said: the server's own words in lower case, to see what it did not like.
    """

    def __init__(self, message: str, hint: str = "", status: int = 0, said: str = "") -> None:
        super().__init__(message, hint)
        self.status = status
        self.said = said


def exchange(
    sdk: Any, base: type[Exception], send: Callable[[], Any], endpoint: Endpoint, policy: Retry
) -> dict[str, Any]:
    """The JSON object a provider answers, asked again where that may help.

    sdk: the SDK's module. base: what all its exceptions derive from. send: makes one call and gives the raw response.
    Raises Rejected, BadReply for a prompt that is too long for the model, and ModelError for everything else; never
    anything of the SDK's own.
    """
    return retrying(lambda: _once(sdk, base, send, endpoint, policy), policy)


def _once(
    sdk: Any, base: type[Exception], send: Callable[[], Any], endpoint: Endpoint, policy: Retry
) -> dict[str, Any]:
    # Nothing is chained: the SDK's exceptions hold the request, and with it the key.
    try:
        with warnings.catch_warnings():
            # An SDK warns of models that will be retired; its words are not for this program's stderr.
            warnings.simplefilter("ignore")
            response = send().http_response
    except sdk.APITimeoutError:
        raise Transient(_timed_out(endpoint)) from None
    except sdk.APIStatusError as error:
        headers = {name.lower(): value for name, value in error.response.headers.items()}
        raise _status(endpoint, error.status_code, headers, error.response.content, policy) from None
    except sdk.APIConnectionError as error:
        raise _unreachable(endpoint, error) from None
    except (base, TypeError, ValueError) as error:
        raise ModelError(f"{endpoint.name}: {endpoint.clean(str(error))}", _check_settings(endpoint)) from None
    data = _json(response.content)
    if not isinstance(data, dict):
        raise ModelError(
            f"{endpoint.place} answered something that is not the {endpoint.provider} API",
            f"check base_url of {endpoint.provider} in crab.toml",
        )
    failure = data.get("error")
    if isinstance(failure, dict) and "choices" not in data and "content" not in data:
        code = failure.get("code")
        status = code if isinstance(code, int) and 400 <= code < 600 else 502
        raise _status(endpoint, status, {}, response.content, policy)
    return data


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _said(content: bytes) -> str:
    """What an error response says, "" where it says it in HTML."""
    data = _json(content)
    for _ in range(2):
        if isinstance(data, dict):
            data = data.get("error") or data.get("message") or data.get("detail") or ""
    if isinstance(data, str):
        return data
    text = content[:4000].decode("utf-8", "replace") if data is None else json.dumps(data)
    return "" if text.lstrip()[:1] == "<" else text


def _status(
    endpoint: Endpoint, status: int, headers: Mapping[str, str], content: bytes, policy: Retry
) -> ModelError | Transient:
    raw = content[:20_000].decode("utf-8", "replace").lower()
    words = endpoint.clean(_said(content))
    if status == 402 or (status in (400, 403, 429) and any(sign in raw for sign in _NO_CREDIT)):
        return Rejected(
            f"{endpoint.place}: the account has no credit left ({status})", "top it up, or use another model"
        )
    if status == 429 or (status >= 500 and status != 501):
        what = "is over its rate limit" if status == 429 else "is overloaded" if status == 529 else "failed"
        error = ModelError(f"{endpoint.place} {what} ({status}{': ' + words if words else ''})", "run again later")
        if headers.get("x-should-retry") == "false":
            return error
        return Transient(error, retry_after(headers, policy.now))
    if status == 401:
        return Rejected(_no_entry(endpoint), _key_hint(endpoint), status)
    if status == 404:
        return _not_found(endpoint, raw, words)
    if status == 413 or (status in (400, 422) and any(sign in raw for sign in _TOO_LONG)):
        return BadReply(
            f"the prompt is too long for {endpoint.name} ({words or status})", "lower batch_tokens in crab.toml"
        )
    return Rejected(f"{endpoint.name}: {words or 'refused'} ({status})", _check_settings(endpoint), status, raw)


def _no_entry(endpoint: Endpoint) -> str:
    if endpoint.key is None:
        return f"{endpoint.place} wants a key"
    return f"{endpoint.place} does not accept the key from {endpoint.key.source}"


def _key_hint(endpoint: Endpoint) -> str:
    return f"set key_env, key_cmd or key_file of {endpoint.provider} in crab.toml"


def _check_settings(endpoint: Endpoint) -> str:
    return f"check the model's name and the settings of {endpoint.provider} in crab.toml"


def _not_found(endpoint: Endpoint, raw: str, words: str) -> Rejected:
    if endpoint.model.lower() in raw or "model" in raw:
        return Rejected(
            f"{endpoint.place} has no model {endpoint.model}", "name another with --model, or in crab.toml", 404, raw
        )
    hint = f"check base_url of {endpoint.provider} in crab.toml (does it need /v1 at its end?)"
    return Rejected(f"{endpoint.place}: not found (404{': ' + words if words else ''})", hint, 404, raw)


def _timed_out(endpoint: Endpoint) -> ModelError:
    return ModelError(
        f"{endpoint.name} did not answer within {endpoint.timeout:g} s",
        "raise timeout_s in crab.toml, or try again later",
    )


def _unreachable(endpoint: Endpoint, error: BaseException) -> ModelError | Transient:
    import ssl

    hint = f"check the network and base_url of {endpoint.provider} in crab.toml"
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            break
        if isinstance(cause, ConnectionRefusedError):
            serve = "is the server running? " if endpoint.local else ""
            return ModelError(f"{endpoint.place} refuses connections", serve + hint)
        if isinstance(cause, socket.gaierror):
            return ModelError(f"{endpoint.place}: there is no such host, or no network", hint)
        if isinstance(cause, ssl.SSLError):
            return ModelError(f"{endpoint.place}: no secure connection ({endpoint.clean(str(cause))})", hint)
        if isinstance(cause, OSError) and not isinstance(cause, ConnectionError):
            return ModelError(f"{endpoint.place} can't be reached ({cause.strerror or 'no route'})", hint)
        cause = cause.__cause__ or cause.__context__
    return Transient(ModelError(f"the connection to {endpoint.place} broke", hint))


def count(usage: Any, *names: str) -> int:
    """A number of tokens out of a response's usage, by the path of its names; 0 where it is missing or makes no
    sense."""
    for name in names:
        usage = usage.get(name) if isinstance(usage, dict) else None
    return usage if isinstance(usage, int) and not isinstance(usage, bool) and 0 <= usage < 10**9 else 0
