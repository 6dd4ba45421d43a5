"""An edit changes what it names and nothing else, or is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.errors import EditRefused
from crustacean.workspace import rewrite
from crustacean.workspace.document import Document, parse
from crustacean.workspace.entries import Entry, tidy
from crustacean.workspace.meta import Meta
from tests.workspace.markdown import HOSTILE, bare, blocks, files, filled, texts

LOG = "memory/2026-03-20.md"
DAY = (
    "---\ntitle: day\n---\n# 2026-03-20\n\n"
    "### [09:00] First <!-- src: a/1#1; audience: main -->\n\n- one\n- two <!-- importance: 8 -->\n  - child\n\n"
    "### [14:05] Second\n\nProse.\n"
)


def doc(text: str, path: str = LOG) -> Document:
    return parse(path, text.encode())


def the(document: Document, text: str) -> Entry:
    return next(e for e in document.entries if e.text == text)


def shown(document: Document) -> str:
    return document.data.decode()


# ---- append ----


def test_append_goes_on_with_the_list_that_ends_the_part() -> None:
    after, entry = rewrite.append(doc(DAY), "three", under=("2026-03-20", "[09:00] First"))
    assert shown(after) == DAY.replace("  - child\n", "  - child\n- three\n")
    assert entry == the(after, "three") and entry.heading == ("2026-03-20", "[09:00] First")


def test_append_after_prose_begins_a_list_with_a_blank_line() -> None:
    after, _ = rewrite.append(doc(DAY), "three", under=("2026-03-20", "[14:05] Second"))
    assert shown(after) == DAY + "\n- three\n"


def test_append_writes_only_the_meta_that_is_not_inherited() -> None:
    meta = Meta(src="a/1#1", audience="main", origin="owner", importance=3)
    after, entry = rewrite.append(doc(DAY), "three", under=("2026-03-20", "[09:00] First"), meta=meta)
    assert "- three <!-- origin: owner; importance: 3 -->\n" in shown(after)
    assert entry.effective == meta


def test_append_makes_the_heading_where_it_is_told() -> None:
    document = doc(DAY)
    after, entry = rewrite.append(
        document, "x", under=("2026-03-20", "[10:00] Mid"), meta=Meta(src="b/2#3"), heading_meta=Meta(src="b/2#3"),
        level=3, at=document.headings[2].line,
    )  # fmt: skip
    assert shown(after) == DAY.replace("### [14:05]", "### [10:00] Mid <!-- src: b/2#3 -->\n\n- x\n\n### [14:05]")
    assert entry.meta == Meta() and entry.effective.src == "b/2#3"


def test_append_makes_what_is_missing_of_a_path_at_the_end_of_the_section() -> None:
    after, _ = rewrite.append(doc("# A\n\ntext\n# B\n"), "x", under=("A", "New", "Sub"))
    assert shown(after) == "# A\n\ntext\n\n## New\n\n### Sub\n\n- x\n\n# B\n"


def test_append_to_an_empty_file_and_to_one_without_a_last_line_end() -> None:
    assert shown(rewrite.append(doc(""), "x")[0]) == "- x\n"
    assert shown(rewrite.append(doc("- a"), "x")[0]) == "- a\n- x\n"
    assert shown(rewrite.append(doc("# A"), "x", under=("A",))[0]) == "# A\n\n- x\n"


def test_append_keeps_the_markers_of_the_list() -> None:
    assert shown(rewrite.append(doc("*   a\n"), "x\ny")[0]) == "*   a\n*   x\n    y\n"
    assert shown(rewrite.append(doc("9. a\n"), "x\ny")[0]) == "9. a\n10. x\n    y\n"


def test_append_uses_the_line_ends_of_the_file() -> None:
    after, _ = rewrite.append(parse(LOG, b"\xef\xbb\xbf# A\r\n\r\n- a\r\n"), "x\ny", under=("A",))
    assert after.data == b"\xef\xbb\xbf# A\r\n\r\n- a\r\n- x\r\n  y\r\n"


def test_append_never_joins_a_setext_heading_below() -> None:
    after, _ = rewrite.append(doc("# A\nB\n===\n"), "x", under=("A",))
    assert shown(after) == "# A\n\n- x\n\nB\n===\n"


def test_text_of_several_blocks_is_one_item() -> None:
    text = "[decision] intro\n\n```\n- code\n\n```\n\n> quote\n\n| a |\n|---|"
    after, entry = rewrite.append(doc("- a\n"), text, meta=Meta(importance=3))
    assert (entry.text, entry.meta.importance, entry.tag) == (text, 3, "decision")
    assert shown(after).startswith("- a\n- [decision] intro <!-- importance: 3 -->\n\n  ```\n")
    again, entry = rewrite.append(after, "```\ncode\n```", meta=Meta(importance=4))
    assert shown(again).endswith("\n- ```\n  code\n  ```\n  <!-- importance: 4 -->\n")
    assert entry.text == "```\ncode\n```"


def test_an_open_block_at_the_end_of_the_file_refuses_what_it_would_swallow() -> None:
    with pytest.raises(EditRefused, match="the block at line 3 is not closed"):
        rewrite.append(doc("# A\n\n```\ncode\n"), "x", under=("A", "New"))


@pytest.mark.parametrize("text", ["", " \n\t", "a \ud800", "a\0b", "\x1b[31m", "<!--", "a <!-- src: x --> b"])
def test_text_that_is_never_written(text: str) -> None:
    with pytest.raises(EditRefused, match="the text"):
        rewrite.append(doc("- a\n"), text)
    with pytest.raises(EditRefused, match="the text"):
        rewrite.replace(doc("- a\n"), doc("- a\n").entries[0], text, Meta())


@pytest.mark.parametrize(
    ("text", "reason"),
    [("- milk", "marker of a list"), ("1. milk", "marker of a list"), ("Buy:\n- milk", "holds a list")],
)
def test_a_list_in_a_text_is_refused_with_a_reason_a_model_can_use(text: str, reason: str) -> None:
    with pytest.raises(EditRefused, match=reason):
        rewrite.append(doc("- a\n"), text)


@pytest.mark.parametrize("under", [("a\nb",), (" a",), ("a <!-- src: x -->",), ("a #",), tuple("abcdefg")])
def test_headings_that_are_never_written(under: tuple[str, ...]) -> None:
    with pytest.raises(EditRefused):
        rewrite.append(doc("- a\n"), "x", under=under)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("meta", [Meta(), Meta(src="a/1#2", importance=3)])
def test_hostile_text_is_one_entry_with_that_text_or_refused(text: str, meta: Meta) -> None:
    document = doc("# A\n\nPara\n- a\n  - b\n\nlast\n# B\nc\n")
    for under in [(), ("A",), ("A", "New")]:
        with suppress(EditRefused):
            after, entry = rewrite.append(document, text, under=under, meta=meta)
            assert (entry.text, entry.heading, entry.kind) == (tidy(text), under, "item")
            assert len(after.entries) == len(document.entries) + 1
            assert entry.effective == meta
    for old in document.entries:
        with suppress(EditRefused):
            after, entry = rewrite.replace(document, old, text, meta)
            assert (entry.text, entry.heading, entry.kind) == (tidy(text), old.heading, old.kind)
            assert len(after.entries) == len(document.entries)
            assert entry.effective == meta


@pytest.mark.parametrize(
    "text",
    [
        "[ ] buy <b>milk</b>",
        "a\n\nb",
        "```\ncode\n```",
        "# x",
        "> q",
        "<div>",
        "a\n---",
        "[x]: y",
        "<b>",
        "1.5 km",
        "#tag",
    ],
)
def test_harmless_markdown_is_not_refused(text: str) -> None:
    for meta in (Meta(), Meta(importance=3)):
        assert rewrite.append(doc("- a\n\n# B\n"), text, meta=meta)[1].text == text


@given(files(), texts(), st.data())
def test_append_adds_one_entry_and_no_other_line_changes(data: bytes, text: str, more: st.DataObject) -> None:
    document = parse(LOG, data)
    under = more.draw(st.sampled_from([(), ("New",), *(h.path for h in document.headings)]))
    meta = more.draw(st.sampled_from([Meta(), Meta(src="s/1", importance=3)]))
    with suppress(EditRefused):
        after, entry = rewrite.append(document, text, under=under, meta=meta)
        assert entry.text == tidy(text) and entry.heading == under
        new = {k for start, stop in entry.own for k in range(start, stop)}
        new |= {h.line for h in after.headings if h.path == ("New",)} - {
            h.line for h in document.headings if h.path == ("New",)
        }
        assert filled([line for k, line in enumerate(bare(after)) if k not in new]) == filled(bare(document))
        assert after.bom == document.bom


# ---- replace ----


def test_replace_changes_own_text_and_leaves_children() -> None:
    document = doc(DAY)
    after, entry = rewrite.replace(document, the(document, "two"), "[x] three\nlines", Meta(due="2026-04-01"))
    assert shown(after) == DAY.replace(
        "- two <!-- importance: 8 -->\n", "- [x] three\n  lines <!-- due: 2026-04-01 -->\n"
    )
    assert entry.text == "[x] three\nlines" and after.entries[2].parent == 1


def test_replace_takes_the_whole_own_text_where_children_stand_between() -> None:
    document = doc("- a\n  - b\n\n  more\n- c\n")
    after, _ = rewrite.replace(document, document.entries[0], "x", Meta())
    assert shown(after) == "- x\n  - b\n- c\n"


def test_replace_leaves_a_last_line_without_its_line_end() -> None:
    document = parse(LOG, b"- a\r\n- b")
    assert rewrite.replace(document, document.entries[1], "x", Meta())[0].data == b"- a\r\n- x"


@pytest.mark.parametrize(
    ("source", "text", "result"),
    [
        ("  Para\n  two\n", "new\nlines", "  new\n  lines\n"),
        ("> q\n", "> x\n> y", "> x\n> y\n"),
        ("```\na\n```\n", "~~~\nb\n~~~", "~~~\nb\n~~~\n"),
        ("    code\n", "new\ncode", "    new\n    code\n"),
        ("-\n", "x", "- x\n"),
        ("- - a\n", "x", "- - x\n"),
        ("-\ta\n\tb\n", "x\ny", "-\tx\n    y\n"),
    ],
)
def test_replace_of_all_kinds(source: str, text: str, result: str) -> None:
    document = doc(source)
    assert shown(rewrite.replace(document, document.entries[0], text, Meta())[0]) == result


def test_an_ordinary_comment_of_a_person_may_stay() -> None:
    document = doc("- [ ] milk <!-- from the shop --> 2 l\n")
    after, _ = rewrite.replace(document, document.entries[0], "[x] milk <!-- from the shop --> 2 l", Meta())
    assert shown(after) == "- [x] milk <!-- from the shop --> 2 l\n"


@given(files(), texts(), st.data())
def test_replace_changes_only_own_lines(data: bytes, text: str, more: st.DataObject) -> None:
    document = parse(LOG, data)
    if not document.entries:
        return
    entry = more.draw(st.sampled_from(document.entries))
    with suppress(EditRefused):
        after, new = rewrite.replace(document, entry, text, Meta(importance=4))
        assert new.text == tidy(text) and (new.kind, new.heading, new.depth) == (entry.kind, entry.heading, entry.depth)
        assert _rest(after, new) == _rest(document, entry)


def _rest(document: Document, entry: Entry) -> list[bytes]:
    own = {k for start, stop in entry.own for k in range(start, stop)}
    return filled([line for k, line in enumerate(bare(document)) if k not in own])


@given(files(), st.data())
def test_an_entry_can_be_replaced_by_its_own_text(data: bytes, more: st.DataObject) -> None:
    document = parse(LOG, data)
    usual = [e for e in document.entries if e.kind in ("item", "paragraph") and e.text and e.own[0][0] == e.start]
    if usual:
        entry = more.draw(st.sampled_from(usual))
        after, new = rewrite.replace(document, entry, entry.text, entry.effective)
        assert (new.id, new.text, new.meta) == (entry.id, tidy(entry.text), entry.meta)
        assert [e.text for e in after.entries if e is not new] == [e.text for e in document.entries if e is not entry]


# ---- remove ----


def test_remove_takes_children_along_and_gives_the_blocks_as_text() -> None:
    document = doc(DAY)
    after, blocks = rewrite.remove(document, [the(document, "two"), the(document, "child")])
    assert shown(after) == DAY.replace("- two <!-- importance: 8 -->\n  - child\n", "")
    assert blocks == ("- two <!-- importance: 8 -->\n  - child\n",)


def test_remove_gives_a_nested_block_dedented() -> None:
    document = doc("- a\n\n\t- b\n\n\t  more\n\t\t- c\n")
    after, blocks = rewrite.remove(document, [the(document, "b\n\nmore")])
    assert shown(after) == "- a\n"
    assert blocks == ("- b\n\n  more\n\t- c\n",)


def test_remove_does_not_leave_two_blank_lines() -> None:
    document = doc("a\n\n- x\n\nb\n\nc\n")
    assert shown(rewrite.remove(document, [the(document, "x")])[0]) == "a\n\nb\n\nc\n"
    assert shown(rewrite.remove(document, [the(document, "c")])[0]) == "a\n\n- x\n\nb\n"
    assert shown(rewrite.remove(document, document.entries)[0]) == ""


def test_remove_leaves_a_blank_line_where_neighbours_would_join() -> None:
    document = doc("para\n1. a\n2. b\n")
    assert shown(rewrite.remove(document, [the(document, "a")])[0]) == "para\n\n2. b\n"


def test_remove_drops_headings_it_empties_only_when_asked_to() -> None:
    document = doc("# T\n\n## A\n\n- a\n\n## B\n\n### C\n\n- c\n\n## Empty\n")
    chosen = [the(document, "a"), the(document, "c")]
    assert "## A" in shown(rewrite.remove(document, chosen)[0])
    assert shown(rewrite.remove(document, chosen, drop_headings=True)[0]) == "# T\n\n## B\n\n## Empty\n"
    assert "## A" in shown(rewrite.remove(doc("## A\n\n- a\n- b\n"), [doc("## A\n\n- a\n- b\n").entries[0]])[0])


def test_an_entry_of_another_version_is_refused() -> None:
    with pytest.raises(EditRefused, match="not in this version"):
        rewrite.remove(doc("- b\n"), [doc("- a\n").entries[0]])


@given(files(), st.data())
def test_remove_takes_out_exactly_the_lines_of_the_entry(data: bytes, more: st.DataObject) -> None:
    document = parse(LOG, data)
    if not document.entries:
        return
    entry = more.draw(st.sampled_from(document.entries))
    with suppress(EditRefused):
        after, _ = rewrite.remove(document, [entry])
        left = [line for k, line in enumerate(bare(document)) if not entry.start <= k < entry.stop]
        assert filled(bare(after)) == filled(left)


@given(files(), st.lists(blocks().filter(lambda text: "<!--" not in text), min_size=1, max_size=3).map("\n".join))
def test_what_was_appended_can_be_removed_again(data: bytes, text: str) -> None:
    document = parse(LOG, data)
    with suppress(EditRefused):
        after, entry = rewrite.append(document, text)
        back, _ = rewrite.remove(after, [entry])
        assert filled(bare(back)) == filled(bare(document))
        assert [e.id for e in back.entries] == [e.id for e in document.entries]


# ---- annotate ----


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("- a  \r\n  - b\r\n", "- a <!-- due: 2026-01-02 -->  \r\n  - b\r\n"),
        ("- a <!-- src: x -->\n", "- a <!-- due: 2026-01-02 -->\n"),
        ("Para\ntwo", "Para\ntwo <!-- due: 2026-01-02 -->"),
        ("```\nx\n```\n", "```\nx\n```\n<!-- due: 2026-01-02 -->\n"),
        ("- [ref]: http://x\n", "- [ref]: http://x\n  <!-- due: 2026-01-02 -->\n"),
        ("<b>\n", "<b>\n<!-- due: 2026-01-02 -->\n"),
        ("-\n", "- <!-- due: 2026-01-02 -->\n"),
    ],
)
def test_annotate_changes_only_the_comment(source: str, result: str) -> None:
    document = doc(source)
    after = rewrite.annotate(document, document.entries[0], Meta(due="2026-01-02"))
    assert shown(after) == result
    assert after.entries[0].text == document.entries[0].text
    bare_again = rewrite.annotate(after, after.entries[0], Meta())
    assert bare_again.entries[0].text == document.entries[0].text and "<!--" not in shown(bare_again)


@given(files(), st.data())
def test_annotate_keeps_text_and_id_and_every_other_line(data: bytes, more: st.DataObject) -> None:
    document = parse(LOG, data)
    if not document.entries:
        return
    k = more.draw(st.integers(0, len(document.entries) - 1))
    old = document.entries[k]
    with suppress(EditRefused):
        after = rewrite.annotate(document, old, Meta(src="n/2", observed=old.effective.observed, pinned=True))
        new = after.entries[k]
        assert (new.text, new.id, new.effective.src, new.effective.pinned) == (old.text, old.id, "n/2", True)
        assert _rest(after, new) == _rest(document, old)
        if old.meta == Meta():
            again = rewrite.annotate(after, new, old.effective)
            assert filled(bare(again)) == filled(bare(document))


# ---- whole blocks and sections ----


def test_take_and_insert_move_a_section_byte_for_byte() -> None:
    document = doc("# A\n\n## Old \t\n- x\t\n\n\n  - y\n### Sub\n\ntext\n\n# B\n")
    after, block = rewrite.take(document, document.headings[1])
    assert block == b"## Old \t\n- x\t\n\n\n  - y\n### Sub\n\ntext\n"
    assert shown(after) == "# A\n\n# B\n"
    target = rewrite.insert(parse("memory/x.md", b"# T\r\n\r\nintro\r\n"), block, under=("T",))
    assert target.data == b"# T\r\n\r\nintro\r\n\r\n" + block
    assert [h.path for h in target.headings] == [("T",), ("T", "Old"), ("T", "Old", "Sub")]


def test_insert_goes_on_with_a_list_and_makes_the_heading() -> None:
    assert shown(rewrite.insert(doc("- a\n"), b"- x\n  - y", under=())) == "- a\n- x\n  - y\n"
    made = rewrite.insert(doc("# T\n"), b"- x\n", under=("T", "Facts"), level=3)
    assert shown(made) == "# T\n\n### Facts\n\n- x\n"


@pytest.mark.parametrize(
    ("target", "block", "under"),
    [
        ("# T\n", b"# Top\n\nx\n", ("T",)),
        ("# T\n\n```\n", b"- x\n", ("T",)),
        ("# T\n\ntext\n", b"\n \n", ("T",)),
        ("# T\n", b"\xff\n", ("T",)),
        ("# T\n\n## U\n\n- u\n", b"- x\n\n# V\n", ("T",)),
    ],
)
def test_insert_refuses_a_block_that_would_be_read_otherwise(target: str, block: bytes, under: tuple[str, ...]) -> None:
    with pytest.raises(EditRefused):
        rewrite.insert(doc(target), block, under=under)


@given(files(), st.data())
def test_taking_a_section_loses_no_line(data: bytes, more: st.DataObject) -> None:
    document = parse(LOG, data)
    if not document.headings:
        return
    heading = more.draw(st.sampled_from(document.headings))
    with suppress(EditRefused):
        after, block = rewrite.take(document, heading)
        lines = bare(document)
        assert filled(block.splitlines()) == filled(lines[heading.line : heading.stop])
        assert filled(bare(after)) == filled(lines[: heading.line] + lines[heading.stop :])


def test_a_file_that_is_not_utf8_is_left_alone() -> None:
    document = parse(LOG, b"- a\n\xff\n")
    with pytest.raises(EditRefused, match="not UTF-8"):
        rewrite.append(document, "x")
    with pytest.raises(EditRefused, match="not UTF-8"):
        rewrite.insert(document, b"- x\n", under=())
