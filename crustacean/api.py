"""The public face: an opened workspace and what can be asked of it. The CLI calls this, and so can anyone.

from crustacean import Workspace

with Workspace.find() as workspace:
    result = workspace.stage("collect", workspace.options(dry_run=True))
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import TracebackType

from crustacean.edits import commits, history, plans, store, trash, undo, writer
from crustacean.edits import plan as planning
from crustacean.edits import purge as erasing
from crustacean.edits import verify as proof
from crustacean.edits.git import Git
from crustacean.edits.plan import Plan
from crustacean.edits.undo import Undone
from crustacean.edits.verify import Account
from crustacean.errors import RefusedError, UsageError
from crustacean.models.protocol import Request
from crustacean.stages import choose, marks, stage, waiting
from crustacean.stages.collect import COLLECT
from crustacean.stages.stage import Result
from crustacean.stages.work import Options, Run, Stage
from crustacean.text.span import when
from crustacean.text.time import since as parse_since
from crustacean.transcripts import sources
from crustacean.workspace import config as settings
from crustacean.workspace import edit_config

STAGES: dict[str, Stage] = {"collect": COLLECT}
PERSON_WAITS = 10.0
"""Seconds that a person's short command waits for the lock; a stage does not wait."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a stage would send: calls, tokens in, at most tokens out, US dollars (None: price not known)."""

    model: str
    calls: int
    turns: int
    input: int
    output: int
    cost: float | None


def _here() -> Path:
    """The current folder; "/" where it has been deleted, which holds no workspace."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path("/")


class Workspace:
    """One workspace, opened. Use it as a context manager.

    root: its folder. notices: what a person should know of the calls so far. now: a fixed clock as ISO 8601 (without
    a zone: the workspace's), None for the real one. Opening raises WorkspaceError where
    settings, state or folder can't be read, UsageError for a time that is none.
    """

    def __init__(self, root: Path, *, now: str | None = None) -> None:
        self.root = root
        self.config = settings.load(root)
        zone = self.config.timezone
        self._clock: Callable[[], datetime] = lambda: datetime.now(zone)
        if now is not None:
            try:
                fixed = when(now, datetime.now(zone)).astimezone(zone)
            except ValueError as err:
                raise UsageError(f"--now {now}: {err}", "write it like 2026-03-17T14:05+01:00") from err
            self._clock = lambda: fixed
        self.notices: list[str] = []
        self._stack = ExitStack()
        self.store = self._stack.enter_context(store.opened(root, self._clock))

    @classmethod
    def find(cls, path: str | Path | None = None, *, now: str | None = None) -> Workspace:
        """The workspace at `path`, else CRAB_WORKSPACE, the nearest folder above with crab.toml, or OpenClaw's. Raises
        WorkspaceError where there is none."""
        return cls(settings.find_workspace(str(path) if path is not None else None, _here()), now=now)

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)  # which tells a full disk under the state in one line

    @contextmanager
    def _writing(self, stage: str, wait: float = PERSON_WAITS) -> Iterator[str]:
        """Everything around a writing step: the lock, what was left open before, and git after; gives the new run's id.
        What a person should know of it is added to `notices`."""
        with store.locked(self.store, wait):
            self.notices += writer.settle(self.store)
            self.notices += commits.catch_up(self.store, self.config.git_commit)
            run = planning.new_id()
            yield run
            self.notices += commits.after_run(self.store, self.config.git_commit, stage, run)

    # Stages

    def options(
        self,
        *,
        dry_run: bool = False,
        only: tuple[str, ...] = (),
        since: str | None = None,
        everything: bool = False,
        redo: str | None = None,
        save_plan: Path | None = None,
    ) -> Options:
        """Options of a stage. since: "2d", "3w" or a date; only: rules of sources for this run. Raises UsageError for
        one that can't be read or is not there."""
        start = None
        if since is not None:
            try:
                start = parse_since(since, self._clock())
            except ValueError as err:
                raise UsageError(f"--since {since}: {err}", "write 2d, 3w or 2026-03-01") from err
        only = tuple(sources.rule(name, must_exist=True) for name in only)
        return Options(dry_run, start, everything, only, redo, save_plan)

    def stage(
        self, name: str, options: Options, model: str | None = None, progress: Callable[[str], None] = lambda _: None
    ) -> Result:
        """Run a stage. The same dry run as one that waits gives the same plan without a second call.

        Raises LockedError, ModelError (nothing was applied), WorkspaceError; a model that fails after some batches
        leaves its error in the result.
        """
        review = self.config.apply.get(name, "auto") == "review"
        run = self._run(name, replace(options, review=review), model, progress)
        with self._writing(name, wait=0.0) as ident:
            run = replace(run, id=ident)
            self.notices += plans.expire(self.store)
            marks.forget_after_change(run)
            result = waiting.same_plan(run, STAGES[name]) if options.dry_run else None
            if result is None:
                result = stage.run_stage(replace(run, waiting=plans.taken(self.store, name)), STAGES[name])
            if options.save_plan is not None and result.plan:
                planning.save(plans.get(self.store, result.plan), options.save_plan)
        self._tell(result)
        if result.stopped is not None and not result.edits:
            raise result.stopped
        return result

    def _tell(self, result: Result) -> None:
        """A stage's result carries its notices itself."""
        result.notices = self.notices + result.notices
        self.notices = []

    def requests(self, name: str, options: Options, model: str | None = None) -> Iterator[Request]:
        """Exactly what would be sent, call by call. Changes nothing."""
        run = self._run(name, replace(options, dry_run=True), model, lambda _: None, to_ask=False)
        run = replace(run, waiting=plans.taken(self.store, name), writes=False)
        for work in STAGES[name].select(run):
            if work.sources:
                yield STAGES[name].request(run, work)

    def estimate(self, name: str, options: Options, model: str | None = None) -> Estimate:
        """Tokens and price of a stage, from above; nothing is sent."""
        from crustacean.models.estimate import estimate

        chosen = choose.model(self.store, self.config, name, model, to_ask=False)
        calls = turns = tokens = out = 0
        for request in self.requests(name, options, model):
            calls, turns = calls + 1, turns + len([t for t in request.turns if t.label])
            if not chosen.offline:
                tokens, out = tokens + estimate(request), out + request.max_tokens
        price = chosen.price()
        cost = None if price is None else (tokens * price[0] + out * price[1]) / 1_000_000
        return Estimate(chosen.name, calls, turns, tokens, out, cost)

    def _run(
        self, name: str, options: Options, model: str | None, progress: Callable[[str], None], *, to_ask: bool = True
    ) -> Run:
        chosen = choose.model(self.store, self.config, name, model, to_ask=to_ask)
        again = history.considered_by(self.store, options.redo) if options.redo is not None else frozenset()
        return Run(planning.new_id(), self.store, self.config, chosen, options, progress, again=again)

    # Sources

    def last_read(self) -> dict[str, str]:
        """Root of a chosen store -> when a file in it was last read to its end (ISO), from the cache."""
        roots = {root for _, root in sources.chosen(self.config.sources, ())}
        return {str(root): last for root in roots if (last := marks.last_read(self.store, root))}

    def change_sources(self, key: str, *, add: str = "", remove: str = "") -> list[str]:
        """Add a rule to, or take one from, `sources.include` or `sources.exclude` in crab.toml; returns the list.
        Raises UsageError for a rule that can't be one."""
        if add:
            rule = sources.rule(add, must_exist=key == "include")
            return edit_config.change_sources(self.root, key, lambda old: list(dict.fromkeys([*old, rule])))
        names = {remove, sources.rule(remove, must_exist=False)}
        return edit_config.change_sources(self.root, key, lambda old: [r for r in old if r not in names])

    # Plans

    def plans(self) -> list[Plan]:
        """The plans that wait, the oldest first."""
        return plans.waiting(self.store)

    def apply(self, name: str = "", only: Collection[int] = ()) -> Result:
        """Apply a waiting or saved plan, all of it or some edits, on the files as they are now. Raises UsageError,
        LockedError, RefusedError where nothing of it holds any more."""
        made = plans.get(self.store, name)
        with self._writing(made.stage) as ident:
            if made.stage not in STAGES:
                raise UsageError(
                    f"the plan is of {made.stage}, which is no stage", "`crab plans list` shows those that wait"
                )
            run = Run(ident, self.store, self.config, waiting.Made(made.model), Options())
            result = waiting.apply_plan(run, made, only)
        self._tell(result)
        if result.refused and not any(result.balance.values()) and not result.observed and made.edits:
            raise RefusedError(
                f"nothing of plan {made.id} was applied: {result.refused[0]['reason']}",
                "make the plan anew with --dry-run",
            )
        return result

    def drop_plan(self, name: str) -> Plan:
        """Let a waiting plan go. Raises UsageError."""
        with store.locked(self.store, PERSON_WAITS):
            made = plans.get(self.store, name)
            plans.drop(self.store, made.id)
        return made

    # History

    def log(self, limit: int = 0) -> list[history.RunInfo]:
        """Runs, the latest first."""
        return history.runs(self.store, limit)

    def show(self, run: str = "") -> history.RunDetail:
        """One run's edits, balance and diff. Raises UsageError."""
        return history.detail(self.store, history.find(self.store, run))

    def undo(self, run: str = "", redo: bool = False) -> Undone:
        """Reverse a run (the last one for ""). Raises UsageError, LockedError, RefusedError where nothing could be."""
        with self._writing("undo") as made:
            of = history.find(self.store, run) if run else history.last_standing(self.store)
            if history.detail(self.store, of).info.kind == "outside":
                raise UsageError(f"{of} is your own change, not a run of crab", "your editor or git takes it back")
            result = writer.again(self.store, lambda: undo.undo(self.store, of, made, redo))
        if result.left and not result.rows:
            raise RefusedError(f"run {of} can't be undone: {result.left[0]}", "`crab show` tells what it did")
        return result

    def verify(self) -> Account:
        """Account for every line that crab ever wrote; a person's own changes are recorded first where possible."""
        from crustacean.edits import outside
        from crustacean.errors import LockedError, WorkspaceError

        try:
            with store.locked(self.store):
                notices = writer.settle(self.store)
                account = proof.verify(self.store, outside.Outside())
        except (LockedError, WorkspaceError) as err:
            # A folder that can't be written, or a run in progress: prove what can be proved by reading.
            account = proof.verify(self.store, outside.find(self.store))
            notices = [f"a person's own changes could not be recorded: {err.message}"]
        account.problems += notices
        return account

    # Trash and purge

    def trash(self) -> list[trash.Gone]:
        """What is in the trash, the latest last."""
        return trash.listing(self.store)

    def restore(self, name: str) -> list[str]:
        """Put blocks back from the trash: one by its id, or all of a run. Returns the files. Raises UsageError."""
        with self._writing("person") as run:
            return writer.again(self.store, lambda: trash.restore_named(self.store, name, run))

    def empty_trash(self) -> int:
        """Erase what is in the trash; returns the number of blocks."""
        with self._writing("person") as run:
            return writer.again(self.store, lambda: trash.empty(self.store, run))

    def purge_find(
        self, ids: Collection[str] = (), session: str = "", person: str = "", match: str = ""
    ) -> erasing.Found:
        """What `purge` with the same arguments would erase. Raises UsageError for an id or session that is none."""
        return erasing.search(self.store, ids, session, person, match)

    def git_history(self, texts: Collection[str]) -> list[str]:
        """Commits whose changes hold one of these texts, [] without git."""
        return Git(self.root).commits_with(texts)

    def purge(self, found: erasing.Found) -> int:
        """Erase it for good; returns the number of places. The workspace is closed afterwards."""
        with store.locked(self.store, PERSON_WAITS):
            self.notices += writer.settle(self.store)
            count = writer.again(self.store, lambda: erasing.purge(self.store, found, planning.new_id()))
            erasing.forget_state(self.store)
        self._stack.close()
        return count
