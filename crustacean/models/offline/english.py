"""The English table, its parts by name."""

from __future__ import annotations

from crustacean.models.offline import tables

KEEP = 2.0
"""The weight from which a sentence is kept, in every language."""

_TABLE = tables.load("en")

CUES = _TABLE.cues
PATTERNS = _TABLE.patterns
LABELS = _TABLE.labels
ACKNOWLEDGED = _TABLE.words["acknowledged"]
"""A sentence of these words alone is an acknowledgement or a greeting."""

TROUBLE = _TABLE.patterns["trouble"]
"""Words of the moment's trouble: they weigh against a sentence, unless a rule or a date is in it."""

PASSING = _TABLE.patterns["passing"]
"""Words of passing talk."""

PROGRESS = _TABLE.patterns["progress"]
"""What goes on just now: "the kids are screaming"."""

PROPOSES = _TABLE.patterns["proposes"]
"""A question that puts an idea forward."""

FORGET = _TABLE.patterns["forget"]
"""A person's wish that something is not kept, in any language."""

ASKS = _TABLE.patterns["asks"]
"""The start of a question, where a person leaves the question mark out."""

FEELS = _TABLE.patterns["feels"]
"""A feeling in words that would else pass as an acknowledgement."""
