"""Crustacean keeps an AI agent's memory as a folder of markdown.

`from crustacean import Workspace` is the public Python API: what the command line calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crustacean.api import Workspace

__version__ = "0.1.0"
__all__ = ["Workspace", "__version__"]


def __getattr__(name: str) -> Any:
    # Late, so that `crab --version` and a hook's first look import almost nothing.
    if name == "Workspace":
        from crustacean.api import Workspace

        return Workspace
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
