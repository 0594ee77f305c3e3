"""The five tasks. A new task is one new module and one line here."""

from __future__ import annotations

from builders.tasks.duration import DURATION
from builders.tasks.forms import Task
from builders.tasks.mix import MIX
from builders.tasks.negation import NEGATION
from builders.tasks.order import ORDER
from builders.tasks.overlap import OVERLAP

TASKS: dict[str, Task] = {task.name: task for task in (NEGATION, ORDER, OVERLAP, DURATION, MIX)}
