"""Doors, drawers and hinges."""

from __future__ import annotations

from builders.sounds.synth.blocks import (
    Signal,
    envelope,
    modes,
    place,
    room,
    shaped_noise,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import shells, thud

family = Family()


@family.sound(
    "door knock",
    "someone knocking on a door",
    "someone knocks on a door",
    "/m/07r4wb8",
    confusable=("door slam", "hammering", "wood chopping"),
)
def door_knock(take: Take) -> Signal:
    pace, panel, number, knocks = take.spread(0.17, 0.26), take.spread(0.8, 1.35), int(take.choose(4, 5, 6, 4)), []
    wood = [
        (127.5 * panel * ratio, 0.09392 / ratio**0.5, level)
        for ratio, level in ((1, 1.0), (2.04, 0.9), (3.3, 0.6), (6.9, 0.3748))
    ]
    for k in range(number):
        knuckle = thud(take.rng, 0.05758, (100, -4), (662.3 * panel, 0), (4 * 662.3, -6.351), (9000, -18.351))
        knocks.append((k * pace * take.uniform(0.97, 1.03), modes(0.3, wood) * take.uniform(0.8, 1)))
        knocks.append((k * pace * take.uniform(0.99, 1.01), 1.635 * knuckle))
    return room(take.rng, place(number * pace + 0.1, knocks), 0.2298, 0.2)


@family.sound("door slam", "a door slamming", "a door slams", "/m/07rjzl8", confusable=("gunshot",))
def door_slam(take: Take) -> Signal:
    panel, shut = take.spread(0.8, 1.25), take.spread(0.34, 0.46)
    slam = thud(take.rng, 0.16, (40, -4), (190 * panel, 2), (760 * panel, -1.5), (3000, -23), (10_000, -39))
    frame = shells(take.rng, 150 * panel, 1800, 16, 0.28)
    latch = shells(take.rng, 900, 7000, 12, 0.04)
    swing = shaped_noise(take.rng, shut, (80, 0), (400, -3), (2000, -14)) * envelope(shut, 0.6 * shut, 0.02)
    parts = [(0.0, 0.006 * swing), (shut, slam), (shut, take.uniform(0.2, 0.35) * frame)]
    parts += [
        (shut, 0.15 * latch),
        (shut + take.spread(0.012, 0.06), 0.1 * latch),
        (shut + take.spread(0.18, 0.26), 0.25 * latch),
        (shut + 0.3, 0.2 * latch),
    ]
    return room(take.rng, place(shut + 0.5, parts), take.spread(1.0, 1.6), 0.15)
