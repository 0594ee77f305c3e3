"""The two streams, progress, and signals."""

from __future__ import annotations

import signal

import pytest
from rich.table import Table

from eval_harness import ui
from eval_harness.ui import PlainProgress, Screen, StoppedError


def test_names_are_printed_as_they_are(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    name = ":one: [bold]x[/bold] :ox:"
    table = Table("sound")
    table.add_row(name)
    screen = Screen()
    screen.result(name)
    screen.view(table)
    screen.note(name)
    screen.note(table)
    out, err = capsys.readouterr()
    assert out.count(name) == err.count(name) == 2
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Screen().progress(name) as report:
        report(1, 2)
    assert name in capsys.readouterr().err


def test_plain_progress_is_a_few_lines() -> None:
    now = 0.0
    lines: list[str] = []
    progress = PlainProgress("rendering", lines.append, clock=lambda: now)
    for done in range(1, 1001):
        now = done * 0.6
        progress.report(done, 1000)
    progress.finish()
    assert lines[0] == "rendering: 9 of 1000 (1%), 5 s"
    assert lines[-1] == "rendering: done, 600.0 s"
    assert len(lines) < 12
    quick: list[str] = []
    PlainProgress("planning", quick.append, clock=lambda: 0.0).finish()
    assert quick == []


def test_progress_is_a_bar_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with Screen().progress("rendering") as report:
        report(1, 2)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Screen().progress("rendering") as report:
        report(1, 2)
    out, err = capsys.readouterr()
    assert out == ""
    assert "rendering" in err
    assert "2/2" in err
    with Screen(quiet=True).progress("rendering") as report:
        report(1, 2)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("quiet", [True, False])
def test_a_signal_whose_exception_was_lost_stops_at_the_next_report(quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui, "_received", [int(signal.SIGTERM)])
    with pytest.raises(StoppedError) as stopped, Screen(quiet).progress("rendering") as report:
        report(1, 2)
    assert stopped.value.number == signal.SIGTERM
