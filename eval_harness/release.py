"""The steps of a release, in order: each is looked at, none is remembered."""

from __future__ import annotations

import shlex
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from builders.card import read_card, section, unmeasured
from builders.check import check
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import DatasetFolderError, EvaluationError, PublishError
from builders.publishing import look
from builders.release import Release, differences
from eval_harness import published

STEPS = ("build", "check", "card", "push", "tag", "defaults", "package")
"""What each does: a folder of this very corpus; its check with the audio measured; scores of the scale and a sound audit in its
card; its files on the Hub; their tag; id and commit as the tasks' default; a wheel that holds these."""


@dataclass(frozen=True, slots=True)
class Step:
    """What was found of a step.

    Attributes:
        name: one of `STEPS`.
        done: it holds; None where it was not looked at, as an earlier one is open.
        evidence: what shows it, or what is missing.
        command: what does it.
    """

    name: str
    done: bool | None
    evidence: str
    command: str


@dataclass(frozen=True)
class Place:
    """Where a release is made.

    Attributes:
        folder: of the corpus; None before there is one.
        sounds: the folder of the source's files.
        repository: "ORG/NAME" on the Hub; "" where it is not chosen.
        wheels: where packages are built.
        num_proc: processes of the check.
        progress: of the check.
    """

    folder: Path | None = None
    sounds: str = ""
    repository: str = ""
    wheels: Path = Path("dist")
    num_proc: int = 1
    progress: Callable[[int, int], None] | None = None


def commands(release: Release, place: Place) -> dict[str, str]:
    """What does each step; capitals stand for what is not known."""
    folder = shlex.quote(str(place.folder)) if place.folder else "FOLDER"
    repository = place.repository or f"ORG/{release.name}"
    options = " ".join(map(shlex.quote, release.options(place.sounds or "PATH")))
    return {
        "build": f"reasonaudio build {folder} {options}",
        "check": f"reasonaudio check {folder} --deep",
        "card": f"reasonaudio card {folder}",
        "push": f"reasonaudio push {folder} {repository} --tag {release.tag}",
        "tag": f"reasonaudio push {folder} {repository} --tag {release.tag}",
        "defaults": f"reasonaudio release {folder} --to {repository} --write",
        "package": "python -m build --wheel",
    }


def steps(release: Release, place: Place, known: Sequence[Step] = ()) -> list[Step]:
    """All steps, looked at in order up to the first that is open. Changes nothing.

    Args:
        release: what is to be released.
        place: where.
        known: the first steps, where they need not be looked at again.
    """
    what = commands(release, place)
    found = list(known)
    for name, look_at in list(_LOOKS.items())[len(known) :]:
        if place.folder is None or (found and not found[-1].done):
            found.append(Step(name, None, "", what[name]))
            continue
        try:
            missing, evidence = look_at(release, place)
        except (DatasetFolderError, PublishError, EvaluationError) as error:
            missing, evidence = str(error), ""
        found.append(Step(name, not missing, missing or evidence, what[name]))
    return found


def write_default(release: Release, place: Place, found: Sequence[Step]) -> published.Published:
    """Makes what is on the Hub the default of the tasks.

    Raises:
        PublishError: a step before it is open, or the package cannot be written.
    """
    before = found[: STEPS.index("defaults")]
    open_ = next((step for step in before if not step.done), None)
    if open_ is not None or place.folder is None:
        step = open_ or before[0]
        raise PublishError(f"nothing was written: the step {step.name!r} is open ({step.evidence or 'no folder is given'})")
    if not (published.FILE.parents[1] / "setup.cfg").is_file():
        raise PublishError(f"nothing was written: {published.FILE.parent} is an installed package; run from a checkout")
    change, _ = look(DatasetFolder.open(place.folder), place.repository)
    made = published.Published(
        path=place.repository, revision=change.parent, version=release.version, content=content_hash(place.folder)
    )
    try:
        published.write(made)
    except OSError as error:
        raise PublishError(f"{published.FILE} cannot be written ({error.strerror or error}); run from a checkout") from None
    return made


# --- looking: each gives what is missing ("" for nothing), and what shows that it holds ---------------------------------------

Looked = tuple[str, str]


def _build(release: Release, place: Place) -> Looked:
    folder = _folder(place)
    wrong = list(differences(release, folder))
    more = f" ({len(wrong) - 1} more)" if len(wrong) > 1 else ""
    return (f"{folder.path} is not this release: {wrong[0]}{more}" if wrong else ""), f"content {content_hash(folder.path)[:16]}"


def _check(release: Release, place: Place) -> Looked:
    problems = check(_folder(place).path, deep=True, num_proc=place.num_proc, progress=place.progress)
    return (f"{len(problems)} problems, first {problems[0]}" if problems else ""), "sound, events measured in the audio"


def _card(release: Release, place: Place) -> Looked:
    from eval_harness.analysis.audit_card import HEADING, says_sound

    text = read_card(_folder(place).path)
    blank = unmeasured(text)
    if blank:
        return f"not measured yet: {', '.join(blank)}", ""
    audit = section(text, HEADING) or ""
    verdict = audit.partition("\n")[0]
    return ("" if says_sound(audit) else f"the audit rules no shortcut out: {verdict}"), verdict


def _push(release: Release, place: Place) -> Looked:
    if not place.repository:
        return "the dataset's name on the Hub is not chosen (--to ORG/NAME)", ""
    change, _ = look(_folder(place), place.repository)
    if not change.exists:
        return f"{place.repository} is not on the Hub", ""
    differing = (*change.add, *change.update, *change.remove)
    missing = f"{len(differing)} files differ on the Hub, first {differing[0]}" if differing else ""
    return missing, f"{place.repository}, commit {change.parent}"


def _tag(release: Release, place: Place) -> Looked:
    change, tags = look(_folder(place), place.repository)
    of = tags.get(release.tag)
    if of is None:
        return f"{place.repository} has no tag {release.tag}", ""
    return ("" if of == change.parent else f"{release.tag} is the tag of another commit, {of}"), release.tag


def _defaults(release: Release, place: Place) -> Looked:
    change, _ = look(_folder(place), place.repository)
    found = published.published()
    if found is None:
        return "the tasks have no default dataset", ""
    expected = (place.repository, change.parent, release.version, content_hash(_folder(place).path))
    same = (found.path, found.revision, found.version, found.content) == expected
    return ("" if same else f"the tasks' default is {found.name}, version {found.version}"), found.name


def _package(release: Release, place: Place) -> Looked:
    wanted = published.FILE.read_bytes()
    for wheel in _wheels(place.wheels):
        with zipfile.ZipFile(wheel) as opened:
            name = f"eval_harness/{published.FILE.name}"
            if name in opened.namelist() and opened.read(name) == wanted:
                return "", str(wheel)
    return f"no wheel in {place.wheels} holds this default", ""


def _wheels(place: Path) -> Iterator[Path]:
    return (path for path in sorted(place.glob("reasonaudio-*.whl"), reverse=True) if zipfile.is_zipfile(path))


def _folder(place: Place) -> DatasetFolder:
    assert place.folder is not None
    return DatasetFolder.open(place.folder)


_LOOKS: dict[str, Callable[[Release, Place], Looked]] = dict(
    zip(STEPS, (_build, _check, _card, _push, _tag, _defaults, _package), strict=True)
)
