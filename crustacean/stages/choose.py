"""Which model a stage asks, with the workspace's settings and budget."""

from __future__ import annotations

from pathlib import Path

from crustacean.edits.store import Store
from crustacean.errors import UsageError
from crustacean.models import select
from crustacean.models.budget import Budget, Metered
from crustacean.models.protocol import Model
from crustacean.models.settings import KeySource, ModelSettings
from crustacean.workspace import config as settings
from crustacean.workspace import layout
from crustacean.workspace.config import Config


def model(store: Store, config: Config, stage: str, override: str | None = None, *, to_ask: bool = True) -> Model:
    """The model for a stage: the one named for this run, else the stage's, else the workspace's. Raises ModelError
    where it can't be had (never another one instead), UsageError for `auto` without a terminal's choice.

    to_ask: False where it is only to be known by name and price; then no key is needed.
    """
    name = override or config.models.stages.get(stage) or config.models.default
    if name == "auto" and override is None:
        raise UsageError("models.default = auto is for the terminal only", "name a model in crab.toml")
    chosen = select.get(name, provider_settings(config, store.root))
    if to_ask:
        select.check(chosen)
    if chosen.offline:
        return chosen
    limits = config.budget
    month = store.clock().isoformat()[:7]
    spent = store.db.execute("SELECT coalesce(sum(cost), 0) FROM usage WHERE month = ?", (month,)).fetchone()[0]
    return Metered(chosen, Budget(limits.run_tokens, limits.run_cost, limits.month_cost, float(spent)))


def provider_settings(config: Config, root: Path) -> ModelSettings:
    """The settings of all providers, from crab.toml."""
    models = config.models
    keys = {
        name: KeySource(models.key_env.get(name, ""), models.key_cmd.get(name, ""), models.key_file.get(name, ""))
        for name in {*models.key_env, *models.key_cmd, *models.key_file}
    }
    return ModelSettings(
        env=settings.env(),
        base_url=models.base_url,
        keys=keys,
        timeout=models.timeout_s,
        prices=models.prices,
        presets=models.presets,
        directory=root / layout.STATE_DIR / "models",
    )
