"""What the command prints, and where: results on stdout, everything else on stderr; progress; errors in one line."""

from __future__ import annotations

import errno
import functools
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeAlias, TypeVar

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from builders.errors import EvaluationError, ReasonAudioError

Report: TypeAlias = Callable[[int, int], None]
"""Called with (done, total) as work goes on."""

_P = ParamSpec("_P")
_R = TypeVar("_R")

SIGNALLED = 128
"""Added to the number of the signal that ended a command."""
FAILED = 1
WRONG_USAGE = 2


class UsageError(ReasonAudioError):
    """An option or argument has a value that cannot be; the message names it."""


class StoppedError(KeyboardInterrupt):
    """SIGTERM or SIGHUP, handled as Ctrl-C is."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def stop_cleanly() -> None:
    """From now on SIGTERM and SIGHUP end worker processes and remove work files, as Ctrl-C does; a second one ends at once."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup has SIGHUP ignored, and so it stays
            signal.signal(number, _stop)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(number: int, frame: object) -> None:
    _received.append(number)
    raise KeyboardInterrupt


_received: list[int] = []
"""The signal that has come. Python drops an exception that is raised while an object is being deleted, this is not dropped."""


def _stop(number: int, frame: object) -> None:
    signal.signal(number, signal.SIG_DFL)
    _received.append(number)
    raise StoppedError(number)


def _checked(report: Report) -> Report:
    """`report`, which first stops if a signal has come and its exception was lost."""

    def checked(done: int, total: int) -> None:
        if _received:
            raise StoppedError(_received[0])
        report(done, total)

    return checked


class Screen:
    """The two streams of one command.

    Attributes:
        quiet: only results and errors are printed.
    """

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        # Labels and names of folders may hold ":one:" or "[bold]", which rich would take for its own.
        self._out = Console(highlight=False, emoji=False, markup=False)
        self._err = Console(highlight=False, emoji=False, markup=False, stderr=True)

    @property
    def width(self) -> int:
        return self._out.width

    def result(self, *renderables: RenderableType) -> None:
        """Prints what was asked for, on stdout. Text is not wrapped, so that other programs can read its lines."""
        for renderable in renderables:
            self._out.print(renderable, soft_wrap=isinstance(renderable, str))

    def view(self, renderable: RenderableType) -> None:
        """Prints something laid out for people, on stdout, wrapped to the terminal."""
        self._out.print(renderable)

    def note(self, renderable: RenderableType = "") -> None:
        """Prints something worth knowing, on stderr, unless quiet."""
        if not self.quiet:
            self._err.print(renderable, soft_wrap=isinstance(renderable, str))

    @contextmanager
    def progress(self, what: str) -> Iterator[Report]:
        """Shows how far `what` is: a bar on a terminal, else a few plain lines; nothing when quiet."""
        if self.quiet:
            yield _checked(lambda done, total: None)
        elif self._err.is_terminal:
            with self._bars() as bars:
                task = bars.add_task(what, total=None)
                yield _checked(lambda done, total: bars.update(task, completed=done, total=total))
                count = bars.tasks[0].total or 1
                bars.update(task, completed=count, total=count)
        else:
            lines = PlainProgress(what, self.note)
            yield _checked(lines.report)
            lines.finish()

    def _bars(self) -> Progress:
        return Progress(
            TextColumn("{task.description:<20}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._err,
        )


class PlainProgress:
    """Progress as plain lines, ever more rarely: for logs. Says nothing of what takes less than a second."""

    def __init__(self, what: str, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._write = write
        self._clock = clock
        self._start = clock()
        self._next = 5.0

    def report(self, done: int, total: int) -> None:
        elapsed = self._clock() - self._start
        if elapsed >= self._next and done < total:
            self._write(f"{self._what}: {done} of {total} ({done / total:.0%}), {elapsed:.0f} s")
            self._next = 5.0 + 1.5 * elapsed

    def finish(self) -> None:
        elapsed = self._clock() - self._start
        if elapsed >= 1:
            self._write(f"{self._what}: done, {elapsed:.1f} s")


def plain_errors(command: Callable[_P, _R], *, group: str = "", bad_input: int = FAILED) -> Callable[_P, _R]:
    """A command whose foreseen errors are one line on stderr and an exit code, without a traceback.

    1 for a `ReasonAudioError` or what the operating system refuses, 2 for a `UsageError` or `EvaluationError`, 128 and the
    signal's number for Ctrl-C (130), SIGTERM and SIGHUP. `bad_input` is the code of all other `ReasonAudioError`s. Everything
    else is a bug and keeps its traceback. `group` is the group that the command is in, if any: it is part of what a user types.
    """

    @functools.wraps(command)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return command(*args, **kwargs)
        except UsageError as error:
            name = command.__name__.strip("_").replace("_", "-")
            print_error(f"error: {error}; see {' '.join(filter(None, ('reasonaudio', group, name)))} --help")
            raise typer.Exit(WRONG_USAGE) from None
        except EvaluationError as error:
            raise _fail(str(error), WRONG_USAGE) from None
        except ReasonAudioError as error:
            raise _fail(str(error), bad_input) from None
        except BrokenPipeError:  # the reader of a pipe has gone, as in `reasonaudio show OUT | head`
            raise
        except OSError as error:
            raise _fail(_of_system(error)) from None
        except KeyboardInterrupt as stop:
            raise _ended(stop.number if isinstance(stop, StoppedError) else int(signal.SIGINT)) from None
        except Exception:
            if not _received:
                raise
            raise _ended(_received[0]) from None  # compiled modules turn a Ctrl-C while they are imported into an ImportError

    return run


def _ended(number: int) -> typer.Exit:
    how = "interrupted" if number == signal.SIGINT else f"stopped by {signal.Signals(number).name}"
    print_error(f"{how}; the same command can be given again; what build, run and push finished is kept")
    return typer.Exit(SIGNALLED + number)


def bad_input_is_2(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """As `plain_errors`, for commands that only read: whatever they refuse was given to them."""
    return plain_errors(command, bad_input=WRONG_USAGE)


def _fail(message: str, code: int = FAILED) -> typer.Exit:
    print_error(f"error: {message}")
    return typer.Exit(code)


def print_error(message: str) -> None:
    """One line on stderr."""
    Console(stderr=True, highlight=False).print(Text(" ".join(message.split()), style="red"), soft_wrap=True)


def _of_system(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    what = (error.strerror or str(error) or type(error).__name__).lower()
    hints = {
        errno.ENOSPC: "; free some space and run the same command again: what is finished is kept",
        errno.EDQUOT: "; free some space and run the same command again: what is finished is kept",
        errno.EACCES: "; choose a folder that you may write to, or change its permissions",
        errno.EROFS: "; choose a folder that you may write to",
    }
    return f"{where}{what}{hints.get(error.errno or 0, '')}"
