"""A page in a headless Chromium, driven over a pipe by the DevTools protocol."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --mute-audio --disable-dev-shm-usage --window-size=1280,800 "
    "--autoplay-policy=no-user-gesture-required --remote-debugging-pipe"
)
_PATIENCE_S = 25
_ARROWS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Browser:
    """One page. `evaluate` runs JavaScript in it, `press` a key as a person does."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._last, self._rest, self._session, self._target = 0, b"", "", ""
        self.requests: list[str] = []
        self.errors: list[str] = []

    def open(self, place: Path | str) -> None:
        """A file or an address, in a page of its own."""
        self._session = ""
        self._target = self._send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._send("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self._send(f"{domain}.enable")
        self._send("Page.navigate", url=place.as_uri() if isinstance(place, Path) else place)
        self.wait("location.protocol != 'about:' && document.readyState == 'complete'")

    def close(self) -> None:
        """Closes the page, as a person closes a tab."""
        self._session = ""
        self._send("Target.closeTarget", targetId=self._target)

    def evaluate(self, code: str) -> Any:
        """The value of an expression (awaited, where it is a promise)."""
        answer = self._send("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True, userGesture=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, code: str) -> None:
        """Until an expression is true."""
        end = time.monotonic() + _PATIENCE_S
        while not self.evaluate(code):
            assert time.monotonic() < end, f"never true: {code}"
            time.sleep(0.02)

    def press(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            more: dict[str, object] = {"text": key} if kind == "keyDown" and len(key) == 1 else {}
            if key in _ARROWS:  # scrolling goes by the number
                more["windowsVirtualKeyCode"] = _ARROWS[key]
            self._send("Input.dispatchKeyEvent", type=kind, key=key, code="Space" if key == " " else key, **more)

    def type(self, text: str) -> None:
        """Text into the field that has the focus, as if pasted."""
        self._send("Input.insertText", text=text)

    def allow_downloads(self, folder: Path) -> None:
        """Files that pages hand out go there, without asking."""
        session, self._session = self._session, ""  # a setting of the browser, not of a page
        self._send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        self._session = session

    def names(self) -> list[tuple[str, str]]:
        """(role, name) of everything on the page that a screen reader lets a person act on."""
        nodes = self._send("Accessibility.getFullAXTree")["nodes"]
        roles = {"button", "radio", "textbox", "slider", "link", "checkbox", "DisclosureTriangle"}
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node["ignored"] and node["role"]["value"] in roles
        ]

    def click(self, selector: str) -> None:
        place = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._send("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def resize(self, width: int, height: int = 800, phone: bool = False, dark: bool = False) -> None:
        """The page as a window of this size shows it, or a phone, on a light or dark system."""
        self._send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._send("Emulation.setEmulatedMedia", features=[scheme])

    def _send(self, method: str, **parameters: object) -> Any:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._last:
                assert "error" not in answer, (method, answer)
                return answer["result"]
            if answer.get("method") == "Network.requestWillBeSent":
                self.requests.append(answer["params"]["request"]["url"].split(":", 1)[0])
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(str(answer["params"]["exceptionDetails"]))

    def _receive(self) -> Any:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._answers], [], [], _PATIENCE_S)
            assert ready, "Chromium does not answer"
            received = os.read(self._answers, 1 << 20)
            assert received, "Chromium has ended"
            self._rest += received
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A Chromium with a profile of its own; skips the test where there is none."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium: install Debian's package `chromium`")
    theirs_in, commands = os.pipe()
    answers, theirs_out = os.pipe()
    # Chromium reads commands from file descriptor 3 and answers on 4.
    shell = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
    process = subprocess.Popen(
        ["/bin/bash", "-c", shell, program, *_FLAGS.split(), f"--user-data-dir={profile}"],
        pass_fds=(theirs_in, theirs_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(commands, answers)
    finally:
        os.close(commands)
        os.close(answers)
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()
