"""crab doctor"""

from __future__ import annotations

import typer

from crustacean.cli.command import Call, command


def add(app: typer.Typer) -> None:
    command(app, "doctor")(doctor)


def doctor(call: Call) -> None:
    """Look over the workspace and say what needs you; status 1 if something is wrong."""
    from crustacean.doctor import examine

    with call.open() as workspace:
        findings = examine(workspace)

    def show() -> None:
        for finding in findings:
            mark = {"problem": "!", "note": "-", "ok": " "}[finding.level]
            print(f"{mark} {finding.what}" + (f": {finding.do}" if finding.do else ""))

    call.out(findings, show)
    if any(f.level == "problem" for f in findings):
        raise typer.Exit(1)
