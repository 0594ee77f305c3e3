"""Where models run: the CPU or a GPU."""

from __future__ import annotations

from builders.errors import EvaluationError


def best_device() -> str:
    """A GPU where there is one."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def check_device(device: str | None) -> None:
    """Refuses a device that is not here; None leaves the choice to the model.

    Raises:
        EvaluationError: with what there is.
    """
    import torch

    if device is None or device == "cpu":
        return
    kind, _, number = device.partition(":")
    if kind == "cuda" and not torch.cuda.is_available():
        from eval_harness import doctor

        doctor.require("cuda")  # says why, and what repairs it
        raise EvaluationError(f"device {device!r}: torch finds no GPU here; use cpu, or see `reasonaudio doctor`")
    if kind == "cuda" and number and (not number.isdigit() or int(number) >= torch.cuda.device_count()):
        raise EvaluationError(f"device {device!r}: there are {torch.cuda.device_count()} GPUs, counted from cuda:0")
    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError):  # which one depends on the device and on torch's build
        raise EvaluationError(f"device {device!r} cannot be used here; give cpu, cuda or cuda:0") from None
