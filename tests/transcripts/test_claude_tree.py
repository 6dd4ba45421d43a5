from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.transcripts.claude_tree import Part, Tree

PARTS = {"p": Part.PROMPT, "a": Part.AGENT, "r": Part.RESULT, "s": Part.ASIDE, "b": Part.BREAK}


def tree(*rows: str, leaf: str = "", trail: tuple[str, ...] = ()) -> Tree:
    """Rows like "p2<a1"; "p1<-" has a null parent, "b1<" says nothing of one. The letter tells the part."""
    made = Tree(trail)
    for row in rows:
        uuid, _, parent = row.partition("<")
        made.add(uuid, None if parent == "-" else parent, PARTS[uuid[0]])
    if leaf:
        made.name_leaf(leaf)
    return made


def dead(made: Tree) -> set[str]:
    names = {number: uuid for uuid, number in made.known.items()}
    return {names[n] for n in made.dead() if n in names}


LINE = ("p1<-", "a1<p1", "p2<a1", "a2<p2")


@pytest.mark.parametrize(
    ("rows", "leaf", "expected"),
    [
        (LINE, "", ""),
        ((*LINE, "p3<a1", "a3<p3"), "", "p2 a2"),
        ((*LINE, "p3<a1", "a3<p3"), "a3", "p2 a2"),
        ((*LINE, "p3<a1", "a3<p3"), "a2", "p3 a3"),
        ((*LINE, "s1<a1", "s2<s1", "p3<s2", "a3<p3"), "", "p2 a2"),
        ((*LINE, "p3<a1", "a3<p3", "p4<a1", "a4<p4"), "", "p2 a2 p3 a3"),
        ((*LINE, "p3<a2", "a3<p3", "p4<a1"), "", "p2 a2 p3 a3"),
        ((*LINE,), "a1", "p2 a2"),
        (("p1<-", "a1<p1", "p2<a1"), "a1", ""),
        (("p1<-", "a1<p1", "p2<-", "a2<p2"), "a2", "p1 a1"),
        (("p1<-", "a1<p1", "p2<-", "a2<p2"), "", ""),
        (("p1<-", "p2<-", "a1<-"), "", ""),
    ],
    ids=[
        "one line",
        "went back and asked anew",
        "the client names the new branch",
        "the client names the older branch",
        "hooks stand between",
        "went back twice",
        "went back further",
        "went back and said nothing more",
        "a prompt without an answer yet",
        "went back to the very beginning",
        "an older version lost a parent",
        "no parents at all",
    ],
)
def test_of_prompts_that_follow_the_same_record_one_is_live(rows: tuple[str, ...], leaf: str, expected: str) -> None:
    assert dead(tree(*rows, leaf=leaf)) == set(expected.split())


@pytest.mark.parametrize(
    "rows",
    [
        ("p1<-", "a1<p1", "a2<a1", "r1<a1", "r2<a2", "a3<r2"),
        ("p1<-", "a1<p1", "a2<a1", "r2<a2", "r1<a1", "a3<r1", "p2<a3"),
        ("p1<-", "a1<p1", "s1<a1", "s2<s1", "r1<a1", "a2<s2", "p2<a2"),
        ("s1<-", "s2<s1", "p1<s2", "a1<p1", "s3<s1", "s4<s3"),
        ("p1<-", "a1<p1", "p2<lost", "a2<p2", "p3<gone", "a3<p3"),
        ("p1<-", "a1<p1", "b1<a1", "b2<b1", "p2<b2", "a2<p2", "b3<", "p3<b3"),
        ("s1<p1", "p1<-", "a1<s1", "s2<a2", "a2<a1", "p2<s2"),
    ],
    ids=[
        "parallel calls",
        "parallel calls, answered in another order",
        "hooks in the chain",
        "shell commands beside the conversation",
        "records that were never written",
        "compactions",
        "children before their parents",
    ],
)
def test_other_forks_lose_nothing(rows: tuple[str, ...]) -> None:
    assert dead(tree(*rows)) == set()
    assert dead(tree(*rows, leaf=rows[-1].partition("<")[0])) == set()


def test_a_prompt_that_follows_a_record_that_was_never_written_has_rivals_too() -> None:
    assert dead(tree("p1<-", "a1<p1", "p2<lost", "a2<p2", "p3<lost", "a3<p3")) == {"p2", "a2"}


def test_a_rewind_before_a_compaction_is_seen_behind_it() -> None:
    assert dead(tree(*LINE, "p3<a1", "a3<p3", "b1<a3", "b2<b1", "p4<b2", "a4<p4")) == {"p2", "a2"}


def test_going_back_behind_an_earlier_reading_drops_what_was_asked_since() -> None:
    first = tree("p1<-", "a1<p1", "p2<a1", "a2<p2")
    second = tree("p3<a2", "a3<p3", "p4<a1", "a4<p4", trail=tuple(first.trail()))
    assert dead(second) == {"p3", "a3"}
    assert dead(tree("p3<a2", "a3<p3", "p4<a3", trail=tuple(first.trail()))) == set()


def test_the_trail_stays_short_and_goes_on() -> None:
    rows = ["p0<-", *(f"a{n}<{'p0' if n == 1 else f'a{n - 1}'}" for n in range(1, 200))]
    first = tree(*rows).trail()
    assert (len(first), first[-1]) == (64, "a199")
    assert tree("a200<a199", trail=tuple(first)).trail()[-2:] == ["a199", "a200"]
    assert tree(trail=tuple(first)).trail() == first


@given(
    st.lists(st.tuples(st.sampled_from("parsb"), st.integers(-2, 30)), max_size=30),
    st.integers(-1, 30),
)
def test_no_tree_is_too_strange_and_the_last_record_lives(rows: list[tuple[str, int]], leaf: int) -> None:
    names = [f"{part}{n}" for n, (part, _) in enumerate(rows)]
    made = Tree()
    for name, (part, parent) in zip(names, rows, strict=True):
        made.add(name, names[parent] if 0 <= parent < len(names) else (None if parent == -1 else "lost"), PARTS[part])
    if 0 <= leaf < len(names):
        made.name_leaf(names[leaf])
        assert names[leaf] not in dead(made)
    elif names:
        assert names[-1] not in dead(made)
    assert len(made.trail()) <= 64


@pytest.mark.parametrize(
    "rows",
    [
        ["p0<-", *(f"p{n}<p{n - 1}" for n in range(1, 30_000))],
        ["s0<-", *(f"s{n}<s{n - 1}" for n in range(1, 15_000)), *(f"p{n}<s{n}" for n in range(15_000))],
        ["a0<-", *(f"p{n}<a0" for n in range(30_000))],
        [f"p{n}<lost{n}" for n in range(30_000)],
    ],
    ids=["a chain of prompts", "prompts on a chain of hooks", "prompts on one record", "prompts on nothing"],
)
def test_a_large_tree_takes_no_longer_than_its_size_allows(rows: list[str]) -> None:
    start = time.perf_counter()
    tree(*rows, leaf="a0").dead()
    assert time.perf_counter() - start < 3
