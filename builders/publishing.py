"""A dataset folder on the Hugging Face Hub: the same files, byte for byte, and a tag for them."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders import layout
from builders.card import named, read_card, unmeasured
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import PublishError
from builders.files import write_whole
from builders.sounds.licenses import UNKNOWN, understand

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_DATASET = "dataset"
_GO_ON = "the same command goes on, and sends no file again that is there"


@dataclass(frozen=True, slots=True)
class Change:
    """What a push does, or would do.

    Attributes:
        repository: "ORG/NAME".
        exists: the repository is there already.
        add, update, remove: files, by their path in it.
        bytes_sent: of the files that are added or updated.
        parent: the commit that it changes; "" where the repository is not there.
    """

    repository: str
    exists: bool
    add: tuple[str, ...]
    update: tuple[str, ...]
    remove: tuple[str, ...]
    bytes_sent: int
    parent: str

    @property
    def nothing(self) -> bool:
        """Whether the files on the Hub are those of the folder."""
        return not (self.add or self.update or self.remove)


@dataclass(frozen=True, slots=True)
class Pushed:
    """What was pushed.

    Attributes:
        change: the difference that there was.
        commit: the commit that holds the folder's files, 40 hex digits; "" after a dry run.
        tag: its tag, if one was asked for.
        url: of the dataset's page.
        unmeasured: headings of the card under which nothing was measured yet.
    """

    change: Change
    commit: str
    tag: str
    url: str
    unmeasured: tuple[str, ...] = ()


def push(
    folder: Path | str,
    repository: str,
    *,
    private: bool = False,
    tag: str = "",
    dry_run: bool = False,
    token: str | None = None,
    num_proc: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Pushed:
    """Makes the files of a dataset on the Hub those of a folder. Files that are there already are not sent again.

    Where the card shows how to load the dataset, it names the repository: on the Hub, and after that in the folder.

    Args:
        folder: a finished dataset folder; it is checked first.
        repository: "ORG/NAME", made where it is not there.
        private: make it so that only you and your organisation see it; an existing one stays as it is.
        tag: a name for this state, "v1.0.0"; one that is there must be of the same files.
        dry_run: change nothing, and say what would be.
        token: of the Hub; else that of `hf auth login` or HF_TOKEN. It is neither printed nor stored.
        num_proc: processes for the check.
        progress: of the check: called with (files looked at, files in all).

    Raises:
        PublishError: the folder is damaged or holds recordings of unknown licence, or the Hub refuses.
        DatasetFolderError: it is no finished dataset folder.
    """
    from huggingface_hub import HfApi

    _require_names(repository, tag)
    opened = DatasetFolder.open(folder)
    _require_publishable(opened, num_proc, progress)
    api = HfApi(token=token)
    text = read_card(opened.path)
    blank = tuple(unmeasured(text))
    with plain_errors(api.endpoint, repository):
        _require_token(api)
        change = difference(api, opened, repository)
        url = f"{api.endpoint}/datasets/{repository}"
        commit = change.parent
        _require_free(api, change, tag)
        if dry_run:
            return Pushed(change, "", tag, url, blank)
        if not change.exists:
            api.create_repo(repository, repo_type=_DATASET, private=private)
            commit = str(api.repo_info(repository, repo_type=_DATASET).sha)
        if not change.nothing:
            with _staged(opened, repository) as staged:
                made = api.upload_folder(
                    repo_id=repository,
                    folder_path=staged,
                    repo_type=_DATASET,
                    commit_message=f"Recipe {opened.recipe_hash}, content {content_hash(opened.path)[:16]}",
                    delete_patterns=list(change.remove) or None,
                    parent_commit=commit,
                )
            commit = made.oid
        if tag and _tags(api, repository).get(tag) != commit:
            api.create_tag(repository, tag=tag, revision=commit, repo_type=_DATASET)
    if named(text, repository) != text:  # only now: a card of a push that failed would name what is not there
        write_whole(opened.path / layout.CARD, named(text, repository).encode())
    return Pushed(change, commit, tag, url, blank)


@contextmanager
def _staged(folder: DatasetFolder, repository: str) -> Iterator[Path]:
    """A folder of links to the files that are published, with a card of its own, which no other push can change."""
    with tempfile.TemporaryDirectory() as place:
        for name in _files(folder, repository):
            staged = Path(place) / name
            staged.parent.mkdir(parents=True, exist_ok=True)
            if name == layout.CARD:
                staged.write_bytes(_content(folder, name, repository))
            else:
                staged.symlink_to((folder.path / name).resolve())
        yield Path(place)


def look(folder: DatasetFolder, repository: str, token: str | None = None) -> tuple[Change, Mapping[str, str]]:
    """How the dataset on the Hub differs from a folder, and the commits of its tags. Changes nothing.

    Raises:
        PublishError: the Hub cannot be reached, or refuses.
    """
    from huggingface_hub import HfApi

    require_name(repository)
    api = HfApi(token=token)
    with plain_errors(api.endpoint, repository, "it cannot be looked at"):
        change = difference(api, folder, repository)
        return change, _tags(api, repository) if change.exists else {}


def difference(api: HfApi, folder: DatasetFolder, repository: str) -> Change:
    """How the dataset on the Hub differs from a folder, as `push` would leave it.

    Raises:
        PublishError: the repository holds something else than a dataset of this kind.
    """
    from huggingface_hub.errors import RepositoryNotFoundError

    files = _files(folder, repository)
    try:
        info = api.repo_info(repository, repo_type=_DATASET)
    except RepositoryNotFoundError:
        return Change(repository, False, tuple(sorted(files)), (), (), sum(size for size, _ in files.values()), "")
    there = dict(_there(api, repository, str(info.sha)))
    foreign = sorted(path for path in there if not path.startswith(".git"))
    if foreign and layout.MANIFEST not in there:
        raise PublishError(f"{repository} holds another dataset (with {foreign[0]}); choose another name. Nothing was changed")
    add = sorted(files.keys() - there.keys())
    update = sorted(
        path for path in files.keys() & there.keys() if there[path] not in _names(folder, path, files[path], repository)
    )
    remove = sorted(path for path in there.keys() - files.keys() if path.endswith(".parquet"))
    sent = sum(files[path][0] for path in (*add, *update))
    return Change(repository, True, tuple(add), tuple(update), tuple(remove), sent, str(info.sha))


_SMALL = 50_000_000  # bytes: larger files are always LFS objects, named by their SHA-256


def _files(folder: DatasetFolder, repository: str) -> Mapping[str, tuple[int, str]]:
    """Every file that is published: its size and SHA-256."""
    found = {name: ((folder.path / name).stat().st_size, digest) for name, digest in folder.manifest["files"].items()}
    for name in (*layout.ABOUT, layout.MANIFEST):
        content = _content(folder, name, repository)
        found[name] = len(content), hashlib.sha256(content).hexdigest()
    return found


def _content(folder: DatasetFolder, file: str, repository: str) -> bytes:
    """The bytes of a small file as they will be published: the card names the repository."""
    return named(read_card(folder.path), repository).encode() if file == layout.CARD else (folder.path / file).read_bytes()


def _names(folder: DatasetFolder, file: str, known: tuple[int, str], repository: str) -> tuple[str, ...]:
    """What the Hub may call a file: the SHA-256 of an LFS object, or Git's hash of any other."""
    size, digest = known
    if size > _SMALL:
        return (digest,)
    content = _content(folder, file, repository)
    return digest, hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # noqa: S324  # Git's name of a file


def _there(api: HfApi, repository: str, revision: str) -> Iterator[tuple[str, str]]:
    """The files of a commit, each with the SHA-256 of LFS objects and Git's hash of others."""
    from huggingface_hub import RepoFile

    for entry in api.list_repo_tree(repository, recursive=True, revision=revision, repo_type=_DATASET):
        if isinstance(entry, RepoFile):
            yield entry.path, entry.lfs.sha256 if entry.lfs else entry.blob_id


def _tags(api: HfApi, repository: str) -> Mapping[str, str]:
    return {one.name: one.target_commit for one in api.list_repo_refs(repository, repo_type=_DATASET).tags}


# --- before anything is sent ------------------------------------------------------------------------------------------


def _require_publishable(folder: DatasetFolder, num_proc: int, progress: Callable[[int, int], None] | None) -> None:
    from builders.check import check  # it loads scipy

    problems = check(folder.path, num_proc=num_proc, progress=progress)
    if problems:
        more = f" and {len(problems) - 1} more problems" if len(problems) > 1 else ""
        raise PublishError(
            f"{folder.path} is not published: {problems[0]}{more}; `reasonaudio check {folder.path}` lists everything"
        )
    unknown = sorted(
        recording.id
        for used in folder.sounds.values()
        for recording in used.recordings
        if understand(recording.license).kind == UNKNOWN
    )
    if unknown:
        raise PublishError(
            f"{folder.path} is not published: the licence of {len(unknown)} recordings is not known, as of {unknown[0]!r}; give "
            "the licences in the source's manifest, or build with --licenses"
        )


def require_name(repository: str) -> None:
    """Raises PublishError where it is no ORG/NAME."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository, re.ASCII):
        raise PublishError(f"{repository!r} is no name of a dataset; give ORG/NAME")


def _require_names(repository: str, tag: str) -> None:
    require_name(repository)
    refused = tag == "main" or tag.startswith("refs/") or ".." in tag or tag.endswith(("/", ".", ".lock"))
    if tag and (refused or not re.fullmatch(r"\w[\w./-]*", tag, re.ASCII)):
        raise PublishError(f"{tag!r} is no name of a tag; give one of letters, digits, dots and dashes, as v1.0.0")


def _require_token(api: HfApi) -> None:
    from huggingface_hub import get_token

    token = api.token or get_token()
    if isinstance(token, str) and token and not re.fullmatch(r"[!-~]+", token):
        raise PublishError("the token of the Hub holds characters that no token has; set HF_TOKEN to one that may write")
    if not token:
        raise PublishError("no token of the Hub: log in with `hf auth login`, or set HF_TOKEN to one that may write")


def _require_free(api: HfApi, change: Change, tag: str) -> None:
    """The tag that is asked for is not there, or names the very files."""
    if not tag or not change.exists:
        return
    of = _tags(api, change.repository).get(tag)
    if of is not None and not (change.nothing and of == change.parent):
        raise PublishError(
            f"{change.repository} has a tag {tag} already, of other files (commit {of[:12]}); give another. Nothing was changed"
        )


@contextmanager
def plain_errors(endpoint: str, repository: str, then: str = _GO_ON) -> Iterator[None]:
    """What the Hub answers, in one line; a token is never part of it. `then` is what to say of a lost connection."""
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        yield
    except HFValidationError as error:
        reason = str(error).partition(":")[0].partition("\n")[0]
        raise PublishError(f"{repository!r} is no name of a dataset ({reason}); give ORG/NAME") from None
    except PublishError:
        raise
    except Exception as error:
        cause = _of_the_net(error)
        if isinstance(cause, HfHubHTTPError):
            raise PublishError(_told(cause, endpoint, repository, then)) from None
        if cause is not None:
            raise PublishError(_lost(endpoint, cause, then)) from None
        raise


def _of_the_net(error: BaseException | None) -> BaseException | None:
    """The error itself, or what caused it, where that came of the Hub's answer or the connection."""
    while error is not None:
        of_system = isinstance(error, OSError) and not error.filename  # one with a name is about a file of ours
        if of_system or type(error).__module__.startswith(("huggingface_hub", "httpx", "httpcore")):
            return error
        error = error.__cause__
    return None


def _lost(endpoint: str, error: BaseException, then: str) -> str:
    reason = (str(error) or type(error).__name__).partition("\n")[0]
    if type(error).__name__ == "OfflineModeIsEnabled":
        return "HF_HUB_OFFLINE is set, so that the Hub is not asked; unset it"
    if not re.match(r"https?://[^/]", endpoint):
        return f"HF_ENDPOINT is {endpoint!r}, which is no address; unset it, or give one that begins with https://"
    return f"there is no connection to {endpoint}, or it was lost ({reason}); {then}"


def _told(error: Any, endpoint: str, repository: str, then: str) -> str:
    status = error.response.status_code if error.response is not None else 0
    said = str(getattr(error, "server_message", "") or "").partition("\n")[0]
    why = f" ({said})" if said else ""
    match status:
        case 401:
            return f"{endpoint} does not take the token{why}; log in with `hf auth login`, or set HF_TOKEN to one that may write"
        case 403:
            return f"the token may not write to {repository}{why}; use one that may, or another organisation"
        case 404:
            return f"{repository} is not to be had at {endpoint}{why}; look at its name, and at what the token may do"
        case 409:
            return f"{repository} is in the way{why}; choose another name or tag"
        case 422:
            return f"{endpoint} did not take a file{why}: the folder changed while it was sent; check it, then push again"
        case 412:
            return f"{repository} was changed by someone else meanwhile; look at what they did, then give the same command again"
        case _:
            return f"{endpoint} answered {status}{why}; {then}"


def loading_lines(pushed: Pushed) -> list[str]:
    """What to type to load what was pushed, and what a task of mteb needs."""
    name, revision = pushed.change.repository, pushed.tag or pushed.commit
    return [
        f'load_dataset("{name}", revision="{revision}")',
        f"reasonaudio run -m MODEL --data {name}@{revision}",
        f"commit {pushed.commit}",
    ]
