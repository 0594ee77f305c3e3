"""Something to be done as soon as a module is imported, now if it has been."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def when_imported(name: str, then: Callable[[], None]) -> None:
    """Calls `then` once after the module `name` has been imported for the first time in this process."""
    if name in sys.modules:
        then()
    else:
        sys.meta_path.insert(0, _Finder(name, then))


class _Finder(MetaPathFinder):
    def __init__(self, name: str, then: Callable[[], None]) -> None:
        self._name = name
        self._then = then
        self._looking = False

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self._name or self._looking:
            return None
        self._looking = True  # the other finders are asked through the same list
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._looking = False
        if spec and spec.loader:  # may be found several times before it is loaded, as `python -m` does
            spec.loader = _Loader(spec.loader, self, self._then)
        return spec


class _Loader(Loader):
    def __init__(self, loader: Loader, finder: _Finder, then: Callable[[], None]) -> None:
        self._loader = loader
        self._finder = finder
        self._then = then

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
            self._then()

    def __getattr__(self, name: str) -> object:  # get_code, is_package, ...: as the real loader's
        return getattr(self._loader, name)
