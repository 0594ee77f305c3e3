"""Tools, by hand and by motor."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    beats,
    convolve,
    count,
    curve,
    decay,
    envelope,
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
    saturate,
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
    whine,
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


@family.sound("jackhammer", "a jackhammer pounding", "a jackhammer pounds", "/m/03p19w", sustained=True)
def jackhammer(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(17, 26)
    at = beats(take.rng, length, rate, 0.05)
    blows = train(length, at, take.rng.uniform(0.75, 1, len(at)))
    steel = modes(0.08, [(take.spread(1100, 1500), 0.05, 0.8), (2750, 0.04, 0.5), (4100, 0.03, 0.3)])
    thud = modes(0.08, [(85, 0.09, 2.0), (170, 0.07, 1.2)])
    grit = shaped_noise(take.rng, 0.08, (200, 0), (1500, 0), (6000, -8)) * decay(0.08, 0.07) * 0.8
    exhaust = shaped_noise(take.rng, length, (300, -6), (1500, 0), (6000, -8)) * 0.12
    return saturate(convolve(blows, steel + thud + grit)[: count(length)] + exhaust, 0.7)


@family.sound("hand saw", "a hand saw cutting wood", "a hand saw cuts wood", "/m/01b82r")
def hand_saw(take: Take) -> Signal:
    length, rate = take.spread(1.5, 2.3), take.spread(2.3, 3.2)
    stroke = np.sin(np.pi * (2 * rate * ramp(length))) ** 2
    forward = np.floor(2 * rate * ramp(length)).astype(int) % 2 == 0
    teeth = train(
        length, np.cumsum(1 / take.rng.uniform(180, 320, int(length * 300))), take.rng.uniform(0.5, 1, int(length * 300))
    )
    wood = formants(teeth + 0.12 * noise(take.rng, length), [(650, 250, -6), (1900, 700, 0), (3100, 900, 1), (5200, 1500, -4)])
    return wood * (0.06 + stroke) * np.where(forward, 1.0, 0.7)


@family.sound("ratchet", "a ratchet clicking", "a ratchet clicks", "/m/02bm9n")
def ratchet(take: Take) -> Signal:
    length, rate = take.spread(0.9, 1.6), take.spread(17, 30)
    steel = random_modes(take.rng, 1500, 7500, 14, 0.03)
    clicks = []
    for at in beats(take.rng, length, rate, 0.04):
        click = modes(0.04, [(f * take.uniform(0.97, 1.03), t, a) for f, t, a in steel])
        scrape = highpass(noise(take.rng, 0.04), 2000) * decay(0.04, 0.02, 0.0003) * 2
        clicks.append((float(at), (click + scrape) * take.uniform(0.7, 1)))
    return room(take.rng, place(length + 0.05, clicks), 0.2, 0.2)


@family.sound("hammering", "a hammer hitting a nail", "a hammer hits a nail", "/m/03l9g")
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


@family.sound("filing", "a file rasping on metal", "a file rasps on metal", "/m/02p01q", sustained=True)
def filing(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    level = 0.08 + strokes(take.rng, length, take.spread(1.3, 2.4), take.uniform(0.25, 0.5))
    teeth = take.spread(350, 900) * (0.5 + level)
    bite = struck(firings(take.rng, teeth, rough=0.5, jitter=0.15), shells(take.rng, 1500, 9000, 16, 0.02))
    rub = shaped_noise(take.rng, length, (300, -26), (1500, -6), (4000, 0), (9000, -4), (14000, -12))
    bar = struck(noise(take.rng, length) * level, shells(take.rng, 900, 7000, 10, 0.12))
    return (unit(bite) + 0.8 * rub) * level + 0.25 * unit(bar)


@family.sound("circular saw", "a circular saw cutting a board", "a circular saw cuts a board", sustained=True)
def circular_saw(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    load = curve(length, (0, 1.04), (0.25, take.spread(0.8, 0.92)), (0.8, 0.9), (1, 1.04)) * wander(take.rng, length, 4, 0.01)
    pitch = take.spread(420, 900) * load
    blade = whine(take.rng, pitch, (1, 0.7, 0.9, 0.4, 0.6, 0.3, 0.4, 0.2, 0.3, 0.2), 0.12)
    scream = whine(take.rng, take.spread(2400, 4200) * load, (1, 0.5, 0.3), 0.25)
    wood = shaped_noise(take.rng, length, (150, -14), (700, -4), (2500, 0), (6000, -3), (14000, -14))
    return blade + take.spread(0.2, 0.7) * scream + 0.9 * wood * np.clip(wander(take.rng, length, 12, 0.2), 0.4, 1.8)


@family.sound("angle grinder", "an angle grinder grinding steel", "an angle grinder grinds steel", sustained=True)
def angle_grinder(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    press = np.clip(wander(take.rng, length, 1.5, 0.3), 0.3, 1.6)
    pitch = take.spread(150, 260) * (1.1 - 0.12 * press)
    motor = whine(take.rng, pitch, (0.5, 1, 0.4, 0.7, 0.3, 0.8, 0.3, 0.4, 0.3, 0.5, 0.2, 0.3), 0.2)
    sparks = shaped_noise(take.rng, length, (400, -24), (1500, -8), (3500, 0), (8000, 2), (15000, -4))
    steel = struck(noise(take.rng, length), shells(take.rng, 1200, 8000, 14, 0.15))
    return 0.6 * motor + (sparks + take.spread(0.3, 0.9) * unit(steel)) * press


@family.sound("spray can", "a spray can spraying paint", "a spray can sprays paint", "/m/07qlf79", sustained=True)
def spray_can(take: Take) -> Signal:
    length, low = take.spread(4.2, 5.3), take.spread(1800, 4200)
    jet = shaped_noise(take.rng, length, (200, -34), (low * 0.5, -12), (low, 0), (low * 2, -1), (15000, -7))
    spit = grains(take.rng, length, 160, low, 11_000, length=0.005)
    sweep = np.clip(wander(take.rng, length, 1.4, 0.25), 0.4, 1.5)
    return (jet * np.clip(wander(take.rng, length, 30, 0.08), 0.5, 1.5) + 0.12 * spit) * sweep


@family.sound("wood chopping", "an axe chopping wood", "an axe chops wood", "/m/07pczhz")
def wood_chopping(take: Take) -> Signal:
    pace, log, blows = take.spread(0.42, 0.62), take.spread(140, 260), []
    for k in range(int(take.choose(3, 4, 3, 4, 3))):
        low = modes(0.25, [(log * r * take.uniform(0.98, 1.02), 0.12, a) for r, a in ((1, 1.0), (1.9, 0.6), (2.7, 0.4), (4.2, 0.2))])
        crack = bandpass(noise(take.rng, 0.25), 500, 5000) * decay(0.25, take.uniform(0.04, 0.09), 0.0005)
        chips = 0.4 * grains(take.rng, 0.25, 160, 900, 5000, length=0.01) * decay(0.25, 0.25, 0.02)
        blows.append((k * pace * take.uniform(0.96, 1.04), (unit(low) + 1.2 * unit(crack) + chips) * take.uniform(0.75, 1)))
    return room(take.rng, place(len(blows) * pace, blows), 0.4, 0.35)


@family.sound("scraping", "metal scraping on stone", "metal scrapes on stone", "/m/07qv4k0")
def scraping(take: Take) -> Signal:
    length = take.spread(0.9, 1.9)
    pull = np.clip(curve(length, (0, 0.3), (0.3, 1), (0.8, take.uniform(0.6, 1.1)), (1, 0.3)) * wander(take.rng, length, 9, 0.2), 0.1, 2)
    grit = struck(sparse(take.rng, length, 900, 6) * pull, shells(take.rng, 500 * take.spread(0.7, 1.8), 6000, 20, 0.04))
    rub = shaped_noise(take.rng, length, (200, -18), (900, -4), (2500, 0), (7000, -6), (14000, -18)) * pull
    return (unit(grit) + 0.6 * rub) * envelope(length, 0.06, 0.12)
