"""Where a detector found something."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """text[start:stop] is a secret of this kind. rank: how sure the detector is of the kind, 0 the surest."""

    start: int
    stop: int
    kind: str
    rank: int
