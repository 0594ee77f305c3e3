"""Weather, water, fire."""

from __future__ import annotations

from builders.sounds.english.row import Row

ROWS: tuple[Row, ...] = (
    Row("rain, rainfall, rain falling", "rain falling", "rain falls", True),
    Row("raindrop", "raindrops pattering", "raindrops patter"),
    Row("wind, wind blowing", "wind blowing", "the wind blows", True),
    Row("thunder, thunder rolling", "thunder rolling", "thunder rolls"),
    Row("thunderstorm", "a thunderstorm raging", "a thunderstorm rages"),
    Row("tree falling, falling tree", "a tree falling", "a tree falls"),
    # Water
    Row("water", "water moving", "water moves"),
    Row("ocean, sea", "the ocean roaring", "the ocean roars", True),
    Row("sea waves, ocean waves, waves, waves surf", "sea waves breaking", "sea waves break", True),
    Row("stream, creek", "a stream flowing", "a stream flows", True),
    Row("water flowing, flowing water, running water", "water flowing", "water flows", True),
    Row("waterfall", "a waterfall rushing", "a waterfall rushes", True),
    Row("water drops, water dripping, drip, dripping", "water dripping", "water drips"),
    Row("pouring water, water pouring", "water being poured", "water is poured", True),
    Row("liquid", "a liquid moving", "a liquid moves"),
    Row("pour, pouring", "a liquid being poured", "a liquid is poured", True),
    Row("trickle dribble, trickle", "a liquid trickling", "a liquid trickles", True),
    Row("gurgling, gurgle", "a liquid gurgling", "a liquid gurgles"),
    Row("boiling, boiling water", "water boiling", "water boils", True),
    # The pitch rises while it fills: a part of it is another sound.
    Row("fill with liquid", "a container being filled with liquid", "a container is filled with liquid"),
    Row("splash splatter, splash", "something splashing", "something splashes"),
    # Fire
    Row("fire crackling, crackling fire, fire", "a fire crackling", "a fire crackles", True),
    Row("fuse burning, fuse", "a fuse burning", "a fuse burns", True),
)
