"""Atomic sounds made by synthesis, one module per family. A new sound is one decorated function; a new family one line here."""

from __future__ import annotations

from builders.sounds.synth import (
    animals,
    bells_and_struck,
    birds,
    blown_keyed,
    body,
    breath,
    crowds,
    doors,
    drums,
    electronics,
    engines,
    handled,
    household,
    impacts,
    insects,
    machines,
    plucked_bowed,
    signals,
    tools,
    vehicles,
    water,
    weather_fire,
    wild,
)
from builders.sounds.synth.declare import TAKES, SynthSound, render

__all__ = ["SOUNDS", "TAKES", "SynthSound", "render"]

_FAMILIES = (
    animals,
    wild,
    birds,
    insects,
    body,
    breath,
    crowds,
    water,
    weather_fire,
    plucked_bowed,
    blown_keyed,
    bells_and_struck,
    drums,
    doors,
    engines,
    vehicles,
    machines,
    tools,
    handled,
    household,
    signals,
    electronics,
    impacts,
)

SOUNDS: dict[str, SynthSound] = {
    sound.label: sound for sound in sorted((s for module in _FAMILIES for s in module.family.sounds), key=lambda s: s.label)
}
"""Every declared sound by its label, sorted."""
