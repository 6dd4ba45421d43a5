"""When the workspace's git gets commits: by the setting `git.commit`, content and ledger apart (DESIGN section 4)."""

from __future__ import annotations

from crustacean.edits.git import Git
from crustacean.edits.store import Store
from crustacean.workspace import layout


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
        return []
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
