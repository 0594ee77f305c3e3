"""Tools, machines, signals."""

from __future__ import annotations

from builders.sounds.english.row import Row

ROWS: tuple[Row, ...] = (
    Row("tools", "a tool being used", "a tool is used"),
    Row("power tool", "a power tool running", "a power tool runs", True),
    Row("drill, drilling", "an electric drill running", "an electric drill runs", True),
    Row("jackhammer", "a jackhammer pounding", "a jackhammer pounds", True),
    Row("chainsaw, chain saw", "a chainsaw running", "a chainsaw runs", True),
    Row("hand saw, sawing", "a person sawing wood", "a person saws wood"),
    Row("hammer, hammering", "a person hammering", "a person hammers"),
    Row("mechanisms", "a mechanism working", "a mechanism works"),
    Row("ratchet pawl, ratchet", "a ratchet clicking", "a ratchet clicks"),
    Row("sewing machine", "a sewing machine stitching", "a sewing machine stitches", True),
    Row("lawn mower", "a lawn mower running", "a lawn mower runs", True),
    Row("3d printer", "a 3D printer running", "a 3D printer runs", True),
    Row("mining machinery", "mining machinery working", "mining machinery works", True),
    Row("electric sparking, sparks", "electric sparks crackling", "electric sparks crackle", True),
    # Signals
    Row("alarm", "an alarm sounding", "an alarm sounds"),
    Row("smoke alarm, smoke detector", "a smoke alarm beeping", "a smoke alarm beeps"),
    Row("beep, beeping", "something beeping", "something beeps"),
    Row("morse code", "Morse code beeping", "Morse code beeps"),
)
