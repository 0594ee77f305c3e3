"""Tools, by hand and by motor."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    beats,
    compress,
    curve,
    decay,
    formants,
    highpass,
    lowpass,
    modes,
    noise,
    phase,
    place,
    ramp,
    random_modes,
    room,
    saw,
    shaped_noise,
    sparse,
    train,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import (
    firings,
    grains,
    shells,
    strokes,
    struck,
    thud,
)

family = Family()


@family.sound("power drill", "a power drill whirring", "a power drill whirs", "/m/01d380", sustained=True)
def power_drill(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = take.spread(150, 260) * curve(length, (0, 0.8), (0.08, 1), (1, 0.95)) * wander(take.rng, length, 6, 0.03)
    gears = saw(pitch) + 0.6 * saw(pitch * 4.37) + 0.5 * noise(take.rng, length) * (phase(pitch / 2) % 1)
    whirr = formants(gears, [(700, 500, -3), (1700, 700, 0), (3100, 1000, 0), (5200, 1800, -4)])
    bite = bandpass(noise(take.rng, length), 1500, 8000) * np.clip(wander(take.rng, length, 25, 0.3), 0.3, 2)
    return unit(whirr) + 0.6 * unit(bite)


@family.sound(
    "jackhammer",
    "a jackhammer pounding",
    "a jackhammer pounds",
    "/m/03p19w",
    sustained=True,
    confusable=("motorcycle", "power drill", "sewing machine"),
)
def jackhammer(take: Take) -> Signal:
    length, peak = take.spread(4.2, 5.3), take.spread(900, 1900)
    rate = take.spread(19.5, 28) * wander(take.rng, length, 4, 0.006)
    blows = firings(take.rng, rate, rough=0.28, jitter=take.spread(0.008, 0.028), group=1)
    steel = struck(blows, shells(take.rng, take.spread(700, 2000), 7000, 14, 0.011))
    ground = struck(blows, thud(take.rng, take.spread(0.02, 0.028), (60, 0), (140, 4), (1000, -8), (4000, -16), (9000, -30)))
    exhaust = shaped_noise(take.rng, length, (60, -8), (peak, 0), (3 * peak, -8), (14000, -20))
    dry = take.spread(0.12, 0.5) * unit(steel) + unit(ground) + take.spread(0.15, 0.5) * exhaust
    return room(take.rng, np.tanh(dry * take.uniform(0.5, 1.4)), take.spread(0.2, 0.8), 0.15)[: len(dry)]


@family.sound("hand saw", "a hand saw cutting wood", "a hand saw cuts wood", "/m/01b82r", confusable=("sandpaper",))
def hand_saw(take: Take) -> Signal:
    length, rate = take.spread(1.5, 2.3), take.spread(2.3, 3.2)
    stroke = np.sin(np.pi * (2 * rate * ramp(length))) ** 2
    forward = np.floor(2 * rate * ramp(length)).astype(int) % 2 == 0
    teeth = train(
        length, np.cumsum(1 / take.rng.uniform(180, 320, int(length * 300))), take.rng.uniform(0.5, 1, int(length * 300))
    )
    wood = formants(teeth + 0.12 * noise(take.rng, length), [(650, 250, -6), (1900, 700, 0), (3100, 900, 1), (5200, 1500, -4)])
    return wood * (0.06 + stroke) * np.where(forward, 1.0, 0.7)


@family.sound("ratchet", "a ratchet clicking", "a ratchet clicks", "/m/02bm9n", confusable=("zipper",))
def ratchet(take: Take) -> Signal:
    length, rate = take.spread(0.9, 1.6), take.spread(17, 30)
    steel = random_modes(take.rng, 1500, 7500, 14, 0.03)
    clicks = []
    for at in beats(take.rng, length, rate, 0.04):
        click = modes(0.04, [(f * take.uniform(0.97, 1.03), t, a) for f, t, a in steel])
        scrape = highpass(noise(take.rng, 0.04), 2000) * decay(0.04, 0.02, 0.0003) * 2
        clicks.append((float(at), (click + scrape) * take.uniform(0.7, 1)))
    return room(take.rng, place(length + 0.05, clicks), 0.2, 0.2)


@family.sound("hammering", "a hammer hitting a nail", "a hammer hits a nail", "/m/03l9g", confusable=("wood chopping",))
def hammering(take: Take) -> Signal:
    number, pace, nail, strikes = int(take.choose(4, 5, 6, 5)), take.spread(0.24, 0.34), take.spread(1900, 2700), []
    for k in range(number):
        ring = modes(
            0.2, [(nail * (1 + 0.04 * k) * r, t, a) for r, t, a in ((1, 0.07, 0.5), (1.52, 0.05, 0.4), (2.31, 0.04, 0.3))]
        )
        board = lowpass(noise(take.rng, 0.2), 700) * decay(0.2, 0.1, 0.0005) * 2
        smack = highpass(noise(take.rng, 0.2), 700) * decay(0.2, 0.04, 0.0003)
        strikes.append((k * pace * take.uniform(0.98, 1.02), (ring + board + smack) * take.uniform(0.8, 1)))
    return room(take.rng, place(number * pace, strikes), 0.35, 0.35)


@family.sound("sandpaper", "sandpaper rubbing wood", "sandpaper rubs wood", "/m/023vsd", sustained=True)
def sandpaper(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    level = 0.12 + strokes(take.rng, length, take.spread(1.2, 2.8), take.uniform(0.6, 0.95))
    grit = take.spread(0.7, 1.5)
    rub = shaped_noise(take.rng, length, (200, -22), (800, -8), (2000 * grit, 0), (5000 * grit, -3), (14000, -16))
    grain = grains(take.rng, length, 500, 1200 * grit, 6000, length=0.006, spread_db=5)
    return (rub + 0.4 * grain) * level


@family.sound(
    "filing",
    "a file rasping on metal",
    "a file rasps on metal",
    "/m/02p01q",
    sustained=True,
    confusable=("hand saw", "sandpaper"),
)
def filing(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    level = 0.08 + strokes(take.rng, length, take.spread(1.3, 2.4), take.uniform(0.25, 0.5))
    teeth = take.spread(350, 900) * (0.5 + level)
    bite = struck(firings(take.rng, teeth, rough=0.5, jitter=0.15), shells(take.rng, 1500, 9000, 16, 0.02))
    rub = shaped_noise(take.rng, length, (300, -26), (1500, -6), (4000, 0), (9000, -4), (14000, -12))
    bar = struck(noise(take.rng, length) * level, shells(take.rng, 900, 7000, 10, 0.12))
    return compress((unit(bite) + 0.8 * rub) * level + 0.25 * unit(bar), 0.12, 0.3)


@family.sound("wood chopping", "an axe chopping wood", "an axe chops wood", "/m/07pczhz")
def wood_chopping(take: Take) -> Signal:
    pace, log, blows = take.spread(0.42, 0.62), take.spread(130, 280), []
    heavy, edge, split = take.spread(0.06, 0.2), take.spread(900, 1550), take.spread(0.06, 0.14)
    thump, splinters = take.spread(0.35, 1.2), take.spread(0.12, 0.45)
    for k in range(int(take.choose(3, 4, 3, 4, 3))):
        body = thud(take.rng, heavy, (60, 3), (log, 0), (3 * log, -6), (3000, -20), (9000, -36))
        crack = shaped_noise(take.rng, 0.3, (100, -14), (edge / 2, -4), (edge, 0), (3 * edge, -10), (14000, -30))
        crack *= decay(0.3, split, 0.0005)
        flying = sparse(take.rng, 0.3, 115, 5) * decay(0.3, 0.33, 0.015)
        chips = struck(flying, shells(take.rng, take.uniform(1100, 1500), 6000, 18, 0.025))
        parts = [(0.0, thump * unit(body)), (0.0, unit(crack)), (take.uniform(0.006, 0.025), splinters * unit(chips))]
        blows.append((k * pace * take.uniform(0.96, 1.04), place(0.36, parts) * take.uniform(0.75, 1)))
    yard = shaped_noise(take.rng, len(blows) * pace, (50, 0), (300, -6), (3000, -16), (12000, -30))
    return room(take.rng, place(len(blows) * pace, blows) + 0.004 * yard, take.spread(0.2, 0.45), 0.15)
