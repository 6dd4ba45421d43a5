"""What a memory file is called: its file name, its title and its aliases. One name, one file."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator

from crustacean.errors import EditRefused

_ACCENTS = frozenset(map(chr, range(0x300, 0x370)))
_TITLE = re.compile(r"^#{1,6}[ \t]+([^\n]*)$", re.MULTILINE)


def fold_name(name: str) -> str:
    """A name as names are compared: case, accents, spaces and hyphens away. Vowel signs of other scripts stay."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(c for c in plain if c.isalnum() or (unicodedata.category(c)[0] == "M" and c not in _ACCENTS))
    return kept or plain.strip()


def names_of(path: str, data: bytes) -> Iterator[str]:
    """Every name a file goes by, folded. Raises EditRefused for frontmatter that can't be read."""
    import frontmatter
    import yaml

    yield fold_name(path.rpartition("/")[2].removesuffix(".md"))
    try:
        text = data.decode("utf-8-sig", "replace")
        meta = frontmatter.loads(text).metadata
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, LookupError, RecursionError) as err:
        # What is wrong with the frontmatter decides the kind; a file that can't be read is not one to write beside.
        raise EditRefused(f"{path}: its frontmatter can't be read") from err
    title = _TITLE.search(text)
    if title:
        yield fold_name(title[1])
    aliases = meta.get("aliases")
    for name in [meta.get("title"), *(aliases if isinstance(aliases, list) else [])]:
        if isinstance(name, str):
            yield fold_name(name)


def new_file(title: str, aliases: tuple[str, ...]) -> bytes:
    """A new memory file: its title, and aliases in frontmatter where it has any."""
    head = ""
    if aliases:
        names = "".join(f"  - {json.dumps(a, ensure_ascii=False)}\n" for a in aliases)
        head = f"---\naliases:\n{names}---\n"
    return f"{head}# {' '.join(title.split()).lstrip('#').strip()}\n".encode()
