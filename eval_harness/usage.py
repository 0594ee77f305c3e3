"""Wrong usage in one line, as all other errors are: what is wrong, and where to read more."""

from __future__ import annotations

import re
import sys
from typing import Any

from typer.core import TyperGroup

from eval_harness.ui import print_error

_WORDS = (
    (r"^Invalid value for '([^']+)': (?:Value error, )?", r"\1: "),
    (r"^Invalid value: (?:Value error, )?", ""),
    (r"Input should be greater than or equal to (\S+)", r"the least is \1"),
    (r"Input should be less than or equal to (\S+)", r"the most is \1"),
    (r"Input should be a valid integer.*", "a whole number is needed"),
    (r"^Missing argument '([^']+)'\.?", r"\1 is missing"),
    (r"^Missing option '([^']+)'\.?", r"\1 is missing"),
    (r"^No such option: (\S+?)\.?(?= |$)", r"there is no option \1"),
    (r"^No such command '([^']+)'\.?", r"there is no command '\1'"),
    (r" Did you mean (.*)\?$", r", did you mean \1?"),
    (r" \(Possible options: (.*)\)$", r", did you mean \1?"),
    (r"^Got unexpected extra arguments? \((.*)\)", r"too many arguments: \1"),
)
"""What typer and pydantic say -> what people say."""


class OneLineGroup(TyperGroup):
    """The commands; wrong usage is one line on stderr and exit code 2, without a box around it."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Runs a command line, and ends the process with its exit code unless it comes with standalone_mode=False."""
        if not extra.get("standalone_mode", True):
            return super().main(*args, **extra)
        try:
            code = super().main(*args, **(extra | {"standalone_mode": False}))
        except Exception as error:
            # Not by class: typer's are click's in some versions and its own in others.
            if not (hasattr(error, "format_message") and hasattr(error, "exit_code")):
                raise
            message = in_words(error.format_message())
            if message:  # without a command, the help has been printed, and that is all
                print_error(f"error: {message}; see {_command(error)} --help")
            sys.exit(error.exit_code)
        sys.exit(code if isinstance(code, int) else 0)


def in_words(message: str) -> str:
    """A message of typer in the words of this command, as one line without a full stop."""
    message = " ".join(message.split())
    for pattern, words in _WORDS:
        message = re.sub(pattern, words, message)
    return message.rstrip(".")


def _command(error: Any) -> str:
    """The command that was wrongly used, as it is called: "reasonaudio plan"."""
    names = []
    context = getattr(error, "ctx", None)
    while context is not None and context.parent is not None:
        names.append(str(context.info_name))
        context = context.parent
    return " ".join(["reasonaudio", *reversed(names)])
