"""Impacts, and sounds that are called by what they sound like."""

from __future__ import annotations

from builders.sounds.english.row import Row

ROWS: tuple[Row, ...] = (
    # Blows and breaks
    Row("crash", "a loud crash", "a loud crash is heard"),
    Row("thump thud, thump, thud", "a dull thud", "a dull thud is heard"),
    Row("boom", "something booming", "something booms"),
    Row("explosion", "an explosion going off", "an explosion goes off"),
    Row("fireworks", "fireworks going off", "fireworks go off"),
    Row("gunshot, gun shot, gunshot gunfire", "a gun being fired", "a gun is fired"),
    Row("bow shot, arrow", "an arrow being shot from a bow", "an arrow is shot from a bow"),
    Row("glass", "glass clinking or breaking", "glass clinks or breaks"),
    Row("glass breaking, breaking glass, shatter", "glass breaking", "glass breaks"),
    Row("chink clink, clink", "glasses clinking", "glasses clink"),
    Row("wood", "wood being struck or broken", "wood is struck or broken"),
    Row("crack", "something cracking", "something cracks"),
    Row("tap, tapping", "something being tapped", "something is tapped"),
    Row("basketball bounce", "a basketball bouncing", "a basketball bounces"),
    # By what they sound like
    Row("crackle, crackling", "something crackling", "something crackles"),
    Row("crumpling crinkling, crumpling", "something being crumpled", "something is crumpled"),
    Row("crushing", "something being crushed", "something is crushed"),
    Row("tearing, paper tearing", "something being torn", "something is torn"),
    Row("rattle, rattling", "something rattling", "something rattles"),
    Row("squeak, squeaking", "something squeaking", "something squeaks"),
    Row("screech, screeching", "something screeching", "something screeches"),
    Row("tick, ticking", "something ticking", "something ticks"),
    Row("buzz, buzzing", "something buzzing", "something buzzes", True),
    Row("hiss, hissing", "something hissing", "something hisses", True),
    Row("whoosh, swoosh, whoosh swoosh swish", "something whooshing past", "something whooshes past"),
)
