"""What a check finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a dataset folder: `where` (a file, a clip, a query, a set) and `what`, in one line each."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"
