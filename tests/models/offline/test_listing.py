from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crustacean.models.offline.listing import spoken
from tests.models.offline.say import kept

DIFF = """diff --git a/render.py b/render.py
index ecd1cfd..d6e3205 100644
--- a/render.py
+++ b/render.py
@@ -38,24 +38,19 @@ from .cache import version
 def name(
     project: str, directories: list[str] | None = None
 ) -> str:
-    # This prefers shorter paths, always
+    # This prefers the latest path, always
     return project"""

OUTPUT = """============ test session starts ============
platform darwin -- Python 3.12.7
plugins: xdist-3.7.0, anyio-4.9.0
collected 11 items
test/test_names.py F.FFF [100%]
The best name is always the last one, we decided.
test/test_names.py:20: AssertionError"""


def test_diffs_and_test_output_say_nothing() -> None:
    assert kept(("", DIFF)) == []
    assert kept(("", OUTPUT)) == []


def test_what_is_said_around_a_listing_stays() -> None:
    assert kept(("", f"I prefer short names.\n{DIFF}\n\n\n\n\n\n\n\nWe ship on Fridays.")) == [
        "The user prefers short names.",
        "The user ships on Fridays.",
    ]


def test_a_line_that_only_looks_like_code_is_talk() -> None:
    lines = ["We use => for arrows.", "- first", "    - nested item", "2. second"]
    assert spoken(lines) == lines


@given(st.lists(st.text(max_size=40), max_size=30))
def test_lines_are_only_ever_left_out(lines: list[str]) -> None:
    left = iter(lines)
    assert all(line in left for line in spoken(lines))
