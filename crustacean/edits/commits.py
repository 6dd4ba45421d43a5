"""When the workspace's git gets commits: by the setting `git.commit`, content and ledger apart."""

from __future__ import annotations

from collections.abc import Sequence

from crustacean.edits import files, state
from crustacean.edits.git import Git
from crustacean.edits.lines import Line
from crustacean.edits.store import Store
from crustacean.workspace import layout

ASK_GIT = 50
"""Ledger lines that git is asked for, one by one, at most."""
VERSIONS = 20
"""Commits of a file that are looked through for bytes that crab left."""


def after_run(store: Store, setting: str, stage: str, run: str) -> list[str]:
    """Commit what runs have written since the last commit. `daily`: Collect's appends wait for the day's first other
    commit, or for the next day. Returns a sentence for the person where git refused or left a file out."""
    if setting == "off" or (setting == "daily" and stage == "collect"):
        return []
    return _commit(store, f"crab {stage}", run)


def catch_up(store: Store, setting: str) -> list[str]:
    """`daily`: what earlier days have left uncommitted, before anything new is written."""
    if setting != "daily":
        return []
    today = store.clock().date().isoformat()
    row = store.db.execute("SELECT min(day), max(run) FROM uncommitted WHERE day < ?", (today,)).fetchone()
    return _commit(store, f"crab collect {row[0]}", row[1]) if row and row[0] else []


def _commit(store: Store, message: str, run: str) -> list[str]:
    git = Git(store.root)
    if not git.is_repo():
        why = git.refusal()
        return [f"git: nothing was committed: {why}"] if why else []
    when = store.clock()
    paths = [r[0] for r in store.db.execute("SELECT path FROM uncommitted ORDER BY path")]
    content = [p for p in paths if not p.startswith(f"{layout.LEDGER_DIR}/")]
    notices = []
    if content:
        done = git.commit(content, message, run, when=when)
        if done.sha is None and done.reason:
            return [f"git: nothing was committed: {done.reason}"]
        left = set(done.left_out)
        store.db.executemany("DELETE FROM uncommitted WHERE path = ?", [(p,) for p in content if p not in left])
        if left:
            notices.append(f"git: left out {', '.join(sorted(left))}: {done.reason}")
    ledger = [f"{layout.LEDGER_DIR}/{p.name}" for p in store.ledger.files()]
    done = git.commit(ledger, f"{message}: ledger", run, when=when)
    if done.sha is not None:
        store.ledger.mark_committed(done.sha)
    return notices


def still_ours(store: Store, sha: str) -> bool:
    """Whether HEAD descends from a commit; without git every line is ours."""
    git = Git(store.root)
    return not git.is_repo() or git.contains(sha)


def put_back(store: Store) -> list[str]:
    """Ledger lines that crab knows and that vanished from the files (a revert, a checkout, a stash): they are put back
    as long as HEAD descends from their commit; on another branch that branch's ledger holds. Needs the lock; returns
    sentences for the person."""
    missing = store.ledger.vanished()
    if not missing:
        return []
    git = Git(store.root)
    head = (git.head() or "") if git.is_repo() else ""
    judged = f"{head}:{len(missing)}"
    if state.get(store.db, "judged") == judged:
        return []
    if head:
        _find_commits(store, git, missing)
    notices = store.ledger.sync(lambda sha: still_ours(store, sha))
    state.put(store.db, "judged", f"{head}:{len(store.ledger.vanished())}")
    return notices


def _find_commits(store: Store, git: Git, missing: Sequence[Line]) -> None:
    """A person who commits by hand does not tell crab: ask git which commit holds the last of the missing lines that
    crab has not committed; it holds those before it too."""
    loose = [line for line in missing if not store.ledger.committed(line.id)]
    for line in list(reversed(loose))[:ASK_GIT]:
        found = git.commits_with([f'"m":"{line.m}","n":{line.n},'])
        if found:
            store.ledger.mark_committed(found[-1], [x.id for x in loose if x.order <= line.order])
            return


def past(store: Store, path: str, digest: str) -> bytes | None:
    """The bytes of a file by their digest, from git's history: what `.crab` held before it was deleted."""
    git = Git(store.root)
    if not digest or not git.is_repo():
        return None
    return next((data for data in git.versions(path, VERSIONS) if files.digest(data) == digest), None)
