"""Sessions of listeners that are made up: each answers by a function of what is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from builders.dataset_folder import DatasetFolder
from eval_harness.listening.answers import FORMAT, Answer, Session, latest
from eval_harness.listening.study import Study, StudySettings, Trial, fitting, make_study

Says = Callable[[Trial, str], str]
"""(trial, clip) -> verdict; in the mode "best" the first clip that is said to be "fits" is chosen, else the first of all."""


def study_of(folder: DatasetFolder, **settings: object) -> Study:
    """A study of the whole smoke corpus, without practice, so that every form is asked."""
    return make_study(folder, StudySettings(**({"queries": 30, "practice": 0} | settings)))  # type: ignore[arg-type]


def by_rule(folder: DatasetFolder) -> Says:
    """A listener who follows the rule."""
    return lambda trial, clip: "fits" if clip in fitting(folder, trial) else "not"


def session(study: Study, says: Says, name: str = "Ann", trials: int | None = None, heard_ms: int = 10_000) -> Session:
    """Answers to the first `trials` trials, each clip 5 s after the one before."""
    answers = []
    for trial in study.trials[:trials]:
        said = {clip: says(trial, clip) for clip in trial.clips}
        if study.mode == "best":
            clip = next((clip for clip, verdict in said.items() if verdict == "fits"), trial.clips[0])
            said = {clip: "best"}
        for number, (clip, verdict) in enumerate(said.items(), 1):
            fields = {"ms": 5000 * number, "plays": 1, "heard_ms": heard_ms, "at": number}
            answers.append(Answer(trial=trial.id, clip=clip, verdict=verdict, **fields))  # type: ignore[arg-type]
    return Session(study, name, f"key of {name} {study.mode}"[:64], latest(study, answers), Path(f"{name}.json"))


def download(one: Session, file: Path) -> Path:
    """The session as the file that a page gives."""
    content = {
        "format": FORMAT,
        "study": one.study.model_dump(mode="json"),
        "listener": one.listener,
        "key": one.key,
        "answers": [answer.model_dump(mode="json") for answer in one.answers],
    }
    file.write_text(json.dumps(content))
    return file
