"""The gate compares what was read before with what is read after."""

from __future__ import annotations

import pytest
from hypothesis import given

from crustacean.errors import EditRefused
from crustacean.workspace.document import Document, parse
from crustacean.workspace.gate import gate
from tests.workspace.markdown import files


def doc(text: str) -> Document:
    return parse("memory/x.md", text.encode())


@given(files(), files())
def test_a_file_passes_as_itself_and_as_nothing_else(one: bytes, two: bytes) -> None:
    before, after = parse("x.md", one), parse("x.md", two)
    gate(before, before)
    if [(e.kind, e.text, e.meta) for e in before.entries] != [(e.kind, e.text, e.meta) for e in after.entries]:
        with pytest.raises(EditRefused):
            gate(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- a\n", "- a\n- b\n"),
        ("- a\n- b\n", "- b\n- a\n"),
        ("- a\n- b\n", "- a\n  - b\n"),
        ("a\n\nb\n", "a\nb\n"),
        ("a\n", "a  b\n"),
        ("a\n", "**a**\n"),
        ("- a\n", "* a\n"),
        ("- a <!-- due: 2026-01-01 -->\n", "- a\n"),
        ("# A\n- a\n", "## A\n- a\n"),
        ("# A\n- a\n", "# A <!-- audience: shared -->\n- a\n"),
        ("# A\n- a\n", "- a\n# A\n"),
        ("a\n", "a\n---\n"),
        ("---\nx: 1\n---\na\n", "---\nx: 2\n---\na\n"),
        ("- a\n\n# B\n", "- ```\n  a\n\n# B\n"),
    ],
)
def test_what_was_not_planned_is_refused(before: str, after: str) -> None:
    with pytest.raises(EditRefused):
        gate(doc(before), doc(after))


def test_what_was_planned_passes() -> None:
    gate(doc("- a\n"), doc("- a\n- b\n"), added=[1])
    gate(doc("- a\n- b\n"), doc("- b\n"), removed=[0])
    gate(doc("- a\n  - b\n"), doc("- x\n  - b\n"), changed={0: 0})
    gate(doc("# A\n\n- a\n"), doc("- a\n"), headings_removed=[0], removed=[0], added=[0])
    gate(doc("- a\n"), doc("- a\n\n# B\n"), headings_added=[0])


def test_blank_lines_and_the_last_line_end_may_differ() -> None:
    gate(doc("# A\n- a\n\n\nb"), doc("# A\n\n- a\n\nb\n"))


def test_a_comment_that_changes_what_a_neighbour_inherits_is_refused() -> None:
    with pytest.raises(EditRefused, match="entry at line 2"):
        gate(
            doc("# A <!-- audience: main -->\n- a\n"),
            doc("# A <!-- audience: shared -->\n- a\n"),
            headings_removed=[0],
            headings_added=[0],
        )
