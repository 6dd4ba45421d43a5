"""Who may see what: never wider than every one of its sources."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.workspace import audience as a

VIEWERS = ["main", "dm:1", "dm:2", "group:-100", "project:p", "project:q", "shared"]
audiences = st.one_of(
    st.sampled_from([None, "", "main", "shared", "none", "rubbish", "dm:", "dm:1;x"]),
    st.lists(st.sampled_from(VIEWERS[:-1]), min_size=1, max_size=3).map(", ".join),
)


@given(audiences, audiences, st.sampled_from(VIEWERS))
def test_an_intersection_is_seen_by_those_who_may_see_all_sources(one: str, two: str, viewer: str) -> None:
    both = a.may_see(one, viewer) and a.may_see(two, viewer)
    assert a.may_see(a.intersect(one, two), viewer) == both
    assert a.intersect(one, two) == a.intersect(two, one)
    assert a.narrower(a.intersect(one, two), one) and a.narrower(a.intersect(one, two), two)


@given(audiences)
def test_there_is_one_way_to_write_an_audience(one: str) -> None:
    assert a.canonical(a.canonical(one)) == a.canonical(one)
    assert a.intersect(one) == a.intersect(one, one) == a.intersect(one, "shared") == a.canonical(one)


@pytest.mark.parametrize(
    ("given_", "canonical"),
    [
        (None, "main"),
        ("group:-100,dm:4002", "dm:4002, group:-100"),
        ("main, dm:1", "dm:1"),
        ("dm:1, shared", "shared"),
        ("project:p", "project:p"),
        ("project:p, main", "main, project:p"),
        ("everyone", "main"),
        ("dm:", "main"),
    ],
)
def test_canonical_forms(given_: str | None, canonical: str) -> None:
    assert a.canonical(given_) == canonical


def test_main_sees_all_but_private_projects() -> None:
    assert all(a.may_see(one, "main") for one in (None, "main", "shared", "dm:1", "group:-100, project:p"))
    assert not a.may_see("project:p", "main") and a.may_see("project:p", "project:p")
    assert not a.may_see("main", "project:p")


def test_nothing_in_common() -> None:
    assert a.intersect("dm:1", "dm:2") == a.intersect("dm:1", "group:-100") == "main"
    assert a.intersect("project:p", "main") == a.intersect("project:p", "project:q") == "none"
    assert not any(a.may_see("none", viewer) for viewer in VIEWERS)
    assert a.intersect() == "shared"


def test_an_audience_is_widened_by_name() -> None:
    assert a.widen("main", "dm:1") == "dm:1"
    assert a.widen("dm:2", "group:-100") == "dm:2, group:-100"
    assert a.widen("dm:2", "shared") == "shared" and a.widen("shared", "dm:2") == "shared"
    assert a.widen("project:p", "main") == "main, project:p"
    with pytest.raises(ValueError, match="bob"):
        a.widen("main", "bob")


def test_narrower_is_an_order() -> None:
    assert a.narrower("main", "dm:1") and a.narrower("dm:1", "dm:1, dm:2") and a.narrower("dm:1", "shared")
    assert not a.narrower("dm:1", "main") and not a.narrower("shared", "dm:1") and not a.narrower("project:p", "main")


@pytest.mark.parametrize(
    ("kind", "peer", "project", "sender", "audience"),
    [
        ("main", None, None, None, "main"),
        ("main", None, None, "4002", "dm:4002"),
        ("dm", "4002", None, "4002", "dm:4002"),
        ("dm", None, None, None, "main"),
        ("group", "-100", None, "4002", "group:-100"),
        ("group", None, None, "4002", "main"),
        ("cron", "x", None, None, "main"),
        ("main", None, "atlas", None, "project:atlas"),
        ("group", "-100", "atlas", None, "project:atlas"),
    ],
)
def test_the_audience_of_a_session(
    kind: str, peer: str | None, project: str | None, sender: str | None, audience: str
) -> None:
    assert a.of_session(kind, peer, project, sender) == audience


def test_ids_of_any_form_stay_apart() -> None:
    ids = ["a b", "a_b", "a,b", "a;b", "a%2Cb", "a\nb", "dm:a"]
    made = [a.of_session("dm", one) for one in ids]
    assert len(set(made)) == len(ids)
    for one, two in itertools.permutations(ids, 2):
        assert not a.may_see(a.of_session("dm", one), a.viewer_of("dm", two))
    assert all(a.canonical(one) == one and a.may_see(one, one) for one in made)


def test_a_group_without_an_id_sees_only_what_everyone_may() -> None:
    assert a.viewer_of("group") == "shared"
    assert not a.may_see("group:-100", "shared") and a.may_see("shared", "shared")


def test_the_least_trusted_origin() -> None:
    assert a.least(["owner", "person:ana", "agent"]) == "agent"
    assert a.least(["owner"]) == "owner"
    assert a.least(["person:ben", "person:ana", "owner"]) == "person:ana"
    assert a.least(["agent", None]) == a.least(["agent", "king"]) == a.least([]) == "unknown"
    assert a.least(["person", "owner:x", "person:"]) == "unknown"
    assert a.least(["system", "untrusted"]) == "system"
