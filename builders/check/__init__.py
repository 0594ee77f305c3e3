"""A finished dataset folder -> what is wrong with it."""

from builders.check.folder import check
from builders.check.problems import Problem

__all__ = ["Problem", "check"]
