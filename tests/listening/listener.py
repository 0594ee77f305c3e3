"""The listening page as people use it: the server as a process, and listeners who judge in a browser by a rule of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from builders.dataset_folder import DatasetFolder
from builders.logic import Truth
from eval_harness.listening.study import Study, Trial, fitting
from tests.browser import Browser
from tests.corpus_fixture import ROOT

Judge = Callable[[Trial, str], str]
"""What a listener says of a clip of a trial."""


@contextmanager
def served(folder: Path, answers: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`reasonaudio listen` on a port that is free: its address, and the process."""
    command = [sys.executable, "-m", "eval_harness.cli", "listen", str(folder), "--answers", str(answers)]
    if "--port" not in options:
        options = (*options, "--port", "0")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url.startswith("http://"), process.communicate(timeout=10)
            yield url, process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.communicate(timeout=20)


def follows_the_rule(folder: DatasetFolder, study: Study) -> Judge:
    """A listener who hears what the timelines say."""
    fit = {trial.id: fitting(folder, trial) for trial in study.trials}
    return lambda trial, clip: "fits" if clip in fit[trial.id] else "not"


def hears_sounds_only(folder: DatasetFolder, study: Study) -> Judge:
    """A listener for whom a clip fits that holds every sound of the sentence, in whatever order."""
    from builders.logic import labels_of

    def judge(trial: Trial, clip: str) -> str:
        named = [trial.sound] if trial.kind == "catch" else labels_of(folder.queries[trial.query].formula)
        held = folder.clips[clip].timeline.labels
        known = all(any(folder.relations.holds(label, wanted) is Truth.TRUE for label in held) for wanted in named)
        return "fits" if known else "not"

    return judge


class Listener:
    """A person at a page.

    Attributes:
        page: their browser.
        study: what they are asked.
        judge: how they judge.
    """

    def __init__(self, page: Browser, study: Study, judge: Judge) -> None:
        self.page = page
        self.judge = judge
        self._trials = {trial.id: trial for trial in study.trials}

    def begin(self, place: str | Path, name: str, again: bool = False) -> None:
        """Opens the page, gives a name, sets the volume."""
        self.page.open(place)
        self.shown("welcome")
        self.page.evaluate("document.getElementById('name').value = ''")
        self.page.click("#name")
        self.page.type(name)
        self.page.click("#enter button")
        if again:
            self.page.wait("!document.getElementById('again').hidden")
            self.page.click("#again-yes")
        self.shown("level")
        self.page.click("#level-next")
        self.page.wait("document.getElementById('level').hidden")

    def shown(self, section: str) -> None:
        """Waits for a part of the page."""
        self.page.wait(f"document.getElementById('{section}') && !document.getElementById('{section}').hidden")

    @property
    def trial(self) -> Trial:
        """The question on the page."""
        return self._trials[self.page.evaluate("document.getElementById('clips').dataset.trial")]

    @property
    def clips(self) -> list[str]:
        """The clips on the page, in their order there."""
        return self.page.evaluate("[...document.querySelectorAll('#clips li.clip')].map(one => one.dataset.clip)")  # type: ignore[no-any-return]

    def play(self, number: int) -> None:
        """Starts a clip, counted from 0."""
        button = f"document.querySelectorAll('#clips .player button')[{number}]"
        self.page.click(f"#clips li:nth-child({number + 1}) .player button")
        self.page.wait(f"{button}.textContent != '▶ Play'")

    def answer(self, number: int, verdict: str) -> None:
        """Plays a clip and judges it."""
        self.play(number)
        self.page.click(f"#clips li:nth-child({number + 1}) input[value={verdict}]")

    def answer_trial(self) -> None:
        """Judges all clips on the page, or chooses the first that fits."""
        trial, clips = self.trial, self.clips
        if self.page.evaluate("document.querySelector('#clips input[value=best]') != null"):
            for number in range(len(clips)):
                self.play(number)
            best = next((number for number, clip in enumerate(clips) if self.judge(trial, clip) == "fits"), 0)
            self.page.click(f"#clips li:nth-child({best + 1}) input[value=best]")
            return
        for number, clip in enumerate(clips):
            self.answer(number, self.judge(trial, clip))

    def go_on(self) -> None:
        """To the next question, past the feedback of practice."""
        self.page.click("#next")
        if self.page.evaluate("document.querySelector('.feedback') != null"):
            self.page.click("#next")

    def all(self) -> None:
        """Everything from the question on the page to the end."""
        while self.page.evaluate("document.getElementById('done').hidden"):
            self.answer_trial()
            self.go_on()

    def saved(self) -> None:
        """Waits until the page says that all is saved."""
        self.page.wait("document.getElementById('saved').textContent == 'Saved'")
