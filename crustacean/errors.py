"""The exceptions of crab, each with a message, a hint (what to do) and an exit status.

    CrabError
    ├── UsageError          2   the call itself is wrong: an option, an id, a date
    ├── WorkspaceError      3   a file, a folder, the settings or the disk
    │   └── UnreadableFile  3   one file that can't be read as markdown; it is left alone
    ├── ModelError          4   the model can't be had, or its answer can't be used
    │   ├── BudgetReached   4   the next call would pass the budget
    │   └── BadReply        4   cut off, refused, empty, or not the JSON asked for
    ├── RefusedError        5   every edit of a plan was refused
    └── LockedError        75   another run holds the lock

One edit that code does not allow raises EditRefused; the plan collects it and goes on, so it never reaches a person
as an error.
"""


class CrabError(Exception):
    """Base of all errors that a person may see.

    message: one line that says what is wrong and names the file or option.
    hint: one line that says what to do, or "".
    """

    status = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(CrabError):
    status = 2


class WorkspaceError(CrabError):
    status = 3


class UnreadableFile(WorkspaceError):
    pass


class ModelError(CrabError):
    status = 4


class BudgetReached(ModelError):
    pass


class BadReply(ModelError):
    pass


class RefusedError(CrabError):
    status = 5


class LockedError(CrabError):
    status = 75


class EditRefused(Exception):
    """One edit that a lane, a path rule or the parse gate does not allow. `reason` is one short clause."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
