"""Water: falling, flowing, poured, boiling."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    bubble,
    compress,
    count,
    curve,
    envelope,
    lowpass,
    noise,
    phase,
    place,
    ramp,
    resonate,
    room,
    shaped_noise,
    sparse,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import (
    bubbles,
    grains,
    strokes,
)

family = Family()


@family.sound(
    "rain",
    "rain falling",
    "rain falls",
    "/m/06mb1",
    sustained=True,
    confusable=("rustling leaves", "shower", "steam", "stream", "waterfall"),
)
def rain(take: Take) -> Signal:
    length, heavy = take.spread(4.2, 5.4), take.spread(0.25, 1.0)
    hiss = shaped_noise(take.rng, length, (100, -24), (500, -8), (1500, -2), (4000, 0), (9000, -6), (15000, -12))
    drops = np.zeros(count(length))
    for frequency in take.rng.uniform(900, 6500, 6):
        drops += resonate(sparse(take.rng, length, 160 * heavy), frequency, frequency * 0.25)
    splat = bandpass(sparse(take.rng, length, 900 * heavy, 5), 1500, 11_000)
    return unit(hiss) * (0.5 + 0.4 * heavy) + 0.5 * unit(drops) + 0.6 * unit(splat)


@family.sound("stream", "a stream babbling", "a stream babbles", "/m/0j6m2", sustained=True, confusable=("waterfall",))
def stream(take: Take) -> Signal:
    length, size, events = take.spread(4.2, 5.3), take.spread(0.75, 1.4), []
    for _ in range(int(length * 110)):
        frequency = float(np.exp(take.rng.uniform(np.log(380), np.log(2600)))) / size
        gain = (600 / frequency) ** 0.7 * 10 ** (take.rng.normal(0, 5) / 20)
        events.append((take.uniform(0, length - 0.05), gain * bubble(0.06, frequency, take.uniform(0, 0.3))))
    flow = shaped_noise(take.rng, length, (100, -14), (400, -2), (900, 0), (2500, -10), (8000, -26))
    return compress(unit(place(length, events)) + 0.3 * flow, 0.25, 0.6)


@family.sound("splash", "something splashing into water", "something splashes into water", "/m/07rrlb6")
def splash(take: Take) -> Signal:
    length, size = take.spread(0.9, 1.5), take.spread(0.8, 1.4)
    water = shaped_noise(take.rng, length, (100, -8), (500 / size, 0), (2000, -2), (6000, -6), (14000, -16))
    at = ramp(length)
    water = (
        water * (np.exp(-at * 6) + 0.4 * np.exp(-((at - 0.3) ** 2) / 0.02)) * np.clip(wander(take.rng, length, 50, 0.4), 0.2, 2.5)
    )
    water *= envelope(length, 0.012, 0.2)
    drops = [
        (float(when), bubble(0.08, take.uniform(450, 2200) / size, 0.3) * take.uniform(0.3, 1) * np.exp(-2 * when))
        for when in take.rng.uniform(0.05, length - 0.15, 90)
    ]
    plunge = bandpass(noise(take.rng, length), 80, 350 / size) * np.exp(-at * 12) * 1.5
    return water + place(length, drops) + plunge


@family.sound("dripping", "water dripping", "water drips", "/m/07r5v4s", confusable=("splash",))
def dripping(take: Take) -> Signal:
    length = take.spread(1.2, 2.1)
    drops = bubbles(take.rng, length, take.spread(22, 44), take.spread(410, 560), 2200, tilt=0.2, rise=0.3, spread_db=5)
    ticks = grains(take.rng, length, 26, 1200, 7000, length=take.spread(0.008, 0.011))
    air = shaped_noise(take.rng, length, (60, -16), (take.spread(500, 1000), 0), (1800, -5), (14000, -16))
    dry = drops + take.spread(0.4, 0.8) * ticks + take.spread(0.06, 0.1) * air
    return room(take.rng, dry * envelope(length, 0.01, 0.1), take.spread(0.2, 0.4), take.spread(0.3, 1))


@family.sound("waterfall", "a waterfall roaring", "a waterfall roars", "/m/0j2kx", sustained=True)
def waterfall(take: Take) -> Signal:
    length = take.spread(4.3, 5.4)
    near = take.spread(0.5, 2.0)
    roar = shaped_noise(take.rng, length, (50, -8), (200, -1), (600, 0), (1800, -3), (5000, -8), (12000, -18))
    plunge = bubbles(take.rng, length, 700, 180 * near, 1500)
    return roar * wander(take.rng, length, 3, 0.05) + 0.3 * near * plunge


@family.sound(
    "ocean waves",
    "ocean waves breaking",
    "ocean waves break",
    "/m/034srq",
    sustained=True,
    confusable=("rowing boat", "waterfall", "wind"),
)
def ocean_waves(take: Take) -> Signal:
    length, centre = take.spread(4.4, 5.4), take.spread(180, 480)
    at, apart, rise, fall = take.uniform(-0.8, 0.0), take.spread(1.3, 2.8), take.spread(0.45, 0.8), take.uniform(1.45, 1.95)
    foam = take.spread(0.02, 0.3)
    total = take.spread(0.04, 0.17) * shaped_noise(take.rng, length, (60, 0), (200, 0), (2000, -18), (9000, -40))
    while at < length:
        since = ramp(length) - at
        swell = np.exp(-np.where(since < 0, (since / rise) ** 2, since / fall))
        body = shaped_noise(take.rng, length, (60, -3), (centre, 0), (2 * centre, -6), (14000, -6 * np.log2(14000 / centre)))
        fizz = shaped_noise(take.rng, length, (600, -20), (2500, -2), (6000, 0), (12000, -8))
        late = np.clip(since / 1.5, 0, 1)
        total += take.uniform(0.7, 1) * swell * (body * (1 - 0.6 * late) + foam * fizz * late)
        at += apart * take.uniform(0.85, 1.15)
    return compress(total, 1.2, 0.3)


@family.sound(
    "boiling water", "water boiling", "water boils", "/m/0dv3j", sustained=True, confusable=("gurgling drain", "rustling leaves")
)
def boiling_water(take: Take) -> Signal:
    length, low, peak = take.spread(4.2, 5.3), take.spread(215, 490), take.spread(455, 720)
    big = bubbles(take.rng, length, take.spread(48, 125), low, take.spread(2.9, 4.9) * low, tilt=0.75, rise=0.25, spread_db=3)
    simmer = shaped_noise(take.rng, length, (60, -7), (peak, 0), (2 * peak, -6), (14000, -6 * np.log2(14000 / peak)))
    simmer *= np.clip(wander(take.rng, length, 17, take.spread(0.04, 0.25)), 0.3, 2)
    pot = unit(resonate(simmer, take.spread(200, 258), 40))
    fizz = grains(take.rng, length, take.spread(60, 260), 1000, 7000, length=0.0083)
    dry = 0.5 * (simmer + take.spread(0.4, 1) * pot) + take.spread(0.05, 0.18) * big + take.spread(0.2, 0.6) * fizz
    return room(take.rng, compress(dry, 0.15, 0.3), 0.4, 0.3)[: len(dry)]


@family.sound("running tap", "a tap running", "a tap runs", "/m/02jz0l", sustained=True, confusable=("shower", "stream"))
def running_tap(take: Take) -> Signal:
    length, size, peak = take.spread(4.2, 5.3), take.spread(0.7, 1.5), take.spread(1200, 3600)
    jet = shaped_noise(take.rng, length, (60, -16), (peak, 0), (2 * peak, -4), (14000, -12))
    basin = resonate(noise(take.rng, length), take.spread(170, 300), 100)
    drops = bubbles(take.rng, length, take.spread(12, 36), 600 / size, 2000 / size, tilt=0.5, rise=0.3)
    spatter = grains(take.rng, length, take.spread(70, 240), 1000, 7000, length=0.008)
    dry = unit(jet + take.spread(0.25, 1) * unit(basin)) + take.spread(0.5, 1.1) * drops + take.spread(0.8, 2.4) * spatter
    return room(take.rng, dry, take.spread(0.22, 0.7), take.spread(0.55, 1))[: len(dry)]


@family.sound(
    "pouring",
    "water trickling into a bowl",
    "water trickles into a bowl",
    "/m/07pqc89",
    sustained=True,
    confusable=("running tap", "stream"),
)
def pouring(take: Take) -> Signal:
    length, low, peak = take.spread(4.2, 5.3), take.spread(360, 550), take.spread(680, 1700)
    plops = bubbles(take.rng, length, take.spread(22, 100), low, take.spread(5, 7.8) * low, tilt=0.6, rise=0.4, spread_db=3)
    flow = shaped_noise(take.rng, length, (60, -14), (peak, 0), (2 * peak, -4), (14000, -18))
    patter = grains(take.rng, length, take.spread(150, 390), 1000, 7000, length=0.007)
    dry = compress(plops + take.spread(0.35, 0.8) * flow + 0.5 * patter, 0.08, 0.45)
    return room(take.rng, dry, 0.5, 0.18)[: len(dry)]


@family.sound(
    "glass filling",
    "a glass filling with water",
    "a glass fills with water",
    "/m/07p7b8y",
    confusable=("pouring", "running tap", "stream"),
)
def glass_filling(take: Take) -> Signal:
    length, peak = take.spread(2.2, 3.2), take.spread(600, 1500)
    air = take.spread(380, 700) * curve(length, (0, 1), (0.6, 1.25), (1, take.uniform(1.7, 2.4)))
    glug = bubbles(take.rng, length, take.spread(66, 180), take.spread(580, 900), 3500, tilt=0.42, rise=0.3)
    flow = shaped_noise(take.rng, length, (60, -16), (peak / 2, -4), (peak, 0), (2 * peak, -4), (14000, -18))
    patter = grains(take.rng, length, take.spread(140, 450), 1000, 7000, length=0.007)
    # The column of air above the water rings, ever higher: noise of narrow band moved to the rising pitch.
    column = np.zeros(len(air))
    for ratio, gain in ((1, 1.0), (3, 0.5), (5, 0.25)):
        column += gain * np.sin(2 * np.pi * phase(air * ratio)) * lowpass(noise(take.rng, length), 170)[: len(air)]
    dry = take.spread(0.35, 0.6) * glug + 0.2 * flow + take.spread(0.25, 0.7) * patter + 0.25 * unit(column)
    return room(take.rng, dry * envelope(length, 0.05, 0.2), 0.45, 0.65)


@family.sound("toilet flush", "a toilet flushing", "a toilet flushes", "/m/01jt3m", sustained=True)
def toilet_flush(take: Take) -> Signal:
    length, peak, pipe = take.spread(4.2, 5.3), take.spread(900, 1900), take.spread(160, 340)
    rush = shaped_noise(take.rng, length, (60, -20), (peak, 0), (2 * peak, -3), (14000, -11)) * wander(take.rng, length, 5, 0.06)
    bowl = unit(resonate(rush, pipe, 50)) + 0.5 * unit(resonate(rush, 2.3 * pipe, 150))
    swirl = bubbles(take.rng, length, take.spread(10, 40), take.spread(220, 360), 1100, tilt=0.45, rise=0.2)
    force = curve(length, (0, 0.6), (0.1, 1), (0.6, 0.9), (1, 0.5))
    dry = compress((unit(rush + bowl) + take.spread(0.6, 1.6) * swirl) * force, 0.15, 0.3)
    return room(take.rng, dry, 0.6, 0.7)[: len(dry)]


@family.sound(
    "gurgling drain",
    "a drain gurgling",
    "a drain gurgles",
    "/m/07swgks",
    sustained=True,
    confusable=("pouring", "stream", "toilet flush"),
)
def gurgling_drain(take: Take) -> Signal:
    length, size, dull = take.spread(4.2, 5.3), take.spread(0.8, 1.2), take.spread(260, 1200)
    glugs = bubbles(
        take.rng, length, take.spread(34, 125), 500 / size, take.spread(1200, 2600) / size, tilt=0.5, rise=0.32, spread_db=3
    )
    suck = shaped_noise(take.rng, length, (60, -10), (dull, 0), (2 * dull, -6), (14000, -6 * np.log2(14000 / dull)))
    pipe = unit(resonate(suck, take.spread(270, 800), 120))
    spatter = grains(take.rng, length, 160, 1000, 7000, length=0.007)
    dry = compress(glugs + 0.3 * (suck + 0.3 * pipe) + take.spread(0.1, 0.8) * spatter, 0.15, 0.45)
    return room(take.rng, dry, 0.7, 0.2)[: len(dry)]


@family.sound("shower", "a shower running", "a shower runs", sustained=True, confusable=("steam", "stream", "waterfall"))
def shower(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    spray = shaped_noise(take.rng, length, (100, -14), (400, -7), (1500, -2), (4000, 0), (9000, -3), (15000, -9))
    patter = grains(take.rng, length, take.spread(300, 800), 800, 6000, length=0.008, spread_db=5)
    tray = bubbles(take.rng, length, 300, 350, 1800)
    dry = spray + 0.4 * patter + take.spread(0.1, 0.4) * tray
    return room(take.rng, dry, 0.6, 0.5)[: len(dry)]


@family.sound(
    "rowing boat",
    "oars splashing through water",
    "oars splash through water",
    "/m/056ks2",
    sustained=True,
    confusable=("splash",),
)
def rowing_boat(take: Take) -> Signal:
    length, centre = take.spread(4.3, 5.4), take.spread(230, 355)
    pull = take.spread(0.25, 0.48) + strokes(take.rng, length, take.spread(0.6, 0.76), take.uniform(0.25, 0.6))
    lap = bubbles(take.rng, length, take.spread(104, 270), take.spread(340, 480), take.spread(1500, 2900), tilt=0.4, rise=0.3)
    swirl = shaped_noise(take.rng, length, (60, -7), (centre, 0), (2 * centre, -7), (14000, -7 * np.log2(14000 / centre)))
    swirl *= np.clip(wander(take.rng, length, take.spread(3, 12), 0.4), 0.2, 2)
    dry = compress((lap + take.spread(0.8, 1.3) * swirl) * pull, 0.4, 0.2)
    return room(take.rng, dry, 0.7, 0.12)[: len(dry)]
