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
    decay,
    envelope,
    formants,
    lowpass,
    noise,
    phase,
    place,
    ramp,
    resonate,
    room,
    shaped_noise,
    sine,
    sparse,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import (
    bubbles,
    grains,
    shells,
    strokes,
    struck,
)

family = Family()


@family.sound(
    "rain", "rain falling", "rain falls", "/m/06mb1", sustained=True, confusable=("stream", "steam", "radio static", "applause")
)
def rain(take: Take) -> Signal:
    length, heavy = take.spread(4.2, 5.4), take.spread(0.25, 1.0)
    hiss = shaped_noise(take.rng, length, (100, -24), (500, -8), (1500, -2), (4000, 0), (9000, -6), (15000, -12))
    drops = np.zeros(count(length))
    for frequency in take.rng.uniform(900, 6500, 6):
        drops += resonate(sparse(take.rng, length, 160 * heavy), frequency, frequency * 0.25)
    splat = bandpass(sparse(take.rng, length, 900 * heavy, 5), 1500, 11_000)
    return unit(hiss) * (0.5 + 0.4 * heavy) + 0.5 * unit(drops) + 0.6 * unit(splat)


@family.sound("stream", "a stream babbling", "a stream babbles", "/m/0j6m2", sustained=True)
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


@family.sound("dripping", "water dripping", "water drips", "/m/07r5v4s")
def dripping(take: Take) -> Signal:
    length, rate, tone = take.spread(1.2, 2.0), take.spread(4.4, 6.0), take.spread(800, 1300)
    drops = []
    for at in np.arange(0, length - 0.15, 1 / rate):
        rise = tone * take.uniform(0.8, 1.25) * curve(0.12, (0, 0.7), (1, 1.5))
        plink = sine(rise) * decay(0.12, 0.14, 0.004)
        tick = bandpass(noise(take.rng, 0.12), 1500, 8000) * decay(0.12, 0.015, 0.0003) * 0.7
        second = bubble(0.12, tone * take.uniform(1.4, 2.2), 0.4) * 0.4
        drops.append((float(at + take.uniform(0, 0.25 / rate)), (plink + tick + second) * take.uniform(0.6, 1)))
    return room(take.rng, place(length, drops), 0.5, 0.35)


@family.sound("waterfall", "a waterfall roaring", "a waterfall roars", "/m/0j2kx", sustained=True)
def waterfall(take: Take) -> Signal:
    length = take.spread(4.3, 5.4)
    near = take.spread(0.5, 2.0)
    roar = shaped_noise(take.rng, length, (50, -8), (200, -1), (600, 0), (1800, -3), (5000, -8), (12000, -18))
    plunge = bubbles(take.rng, length, 700, 180 * near, 1500)
    return roar * wander(take.rng, length, 3, 0.05) + 0.3 * near * plunge


@family.sound("ocean waves", "ocean waves breaking", "ocean waves break", "/m/034srq", sustained=True)
def ocean_waves(take: Take) -> Signal:
    length = take.spread(4.4, 5.4)
    total = 0.35 * shaped_noise(take.rng, length, (50, 0), (200, 0), (800, -5), (2500, -10), (9000, -22))
    at, apart = take.uniform(-1.0, 0.0), take.spread(1.3, 2.6)
    while at < length:
        swell = np.exp(-np.where(ramp(length) < at, ((ramp(length) - at) / 0.5) ** 2, ((ramp(length) - at) / take.uniform(1.2, 1.8))))
        body = shaped_noise(take.rng, length, (60, 0), (250, 0), (800, -2), (2500, -5), (7000, -11), (14000, -20))
        fizz = shaped_noise(take.rng, length, (600, -20), (2500, -2), (6000, 0), (12000, -8))
        late = np.clip((ramp(length) - at) / 1.5, 0, 1)
        total += take.uniform(0.6, 1) * swell * (body * (1 - 0.7 * late) + 0.5 * fizz * late)
        at += apart * take.uniform(0.8, 1.2)
    return compress(total, 1.2, 0.35)


@family.sound("boiling water", "water boiling", "water boils", "/m/0dv3j", sustained=True)
def boiling_water(take: Take) -> Signal:
    length, size = take.spread(4.2, 5.3), take.spread(0.6, 1.7)
    big = bubbles(take.rng, length, take.spread(50, 160), 150 / size, 900 / size, rise=0.3, spread_db=5)
    small = bubbles(take.rng, length, 500, 900 / size, 4000, rise=0.2)
    simmer = shaped_noise(take.rng, length, (60, -2), (250, 0), (800, -6), (3000, -14), (9000, -28))
    return compress(big + 0.3 * small + 0.6 * simmer * np.clip(wander(take.rng, length, 12, 0.25), 0.4, 1.8), 0.15, 0.5)


@family.sound("running tap", "a tap running", "a tap runs", "/m/02jz0l", sustained=True)
def running_tap(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    jet = shaped_noise(take.rng, length, (100, -16), (400, -6), (1200, -1), (3500, 0), (8000, -5), (14000, -14))
    basin = resonate(noise(take.rng, length), take.spread(250, 900), 120)
    drops = bubbles(take.rng, length, take.spread(150, 500), 500, 3500, tilt=0.5)
    return jet * wander(take.rng, length, 10, 0.08) + 0.35 * unit(basin) + 0.5 * drops


@family.sound("pouring", "water trickling into a bowl", "water trickles into a bowl", "/m/07pqc89", sustained=True)
def pouring(take: Take) -> Signal:
    length, size = take.spread(4.2, 5.3), take.spread(0.6, 1.7)
    plinks = bubbles(take.rng, length, take.spread(40, 130), 450 / size, 2600 / size, rise=0.3, spread_db=5)
    trickle = shaped_noise(take.rng, length, (200, -20), (800, -4), (2000, 0), (6000, -8), (13000, -20))
    return compress(plinks + 0.15 * trickle * np.clip(wander(take.rng, length, 9, 0.3), 0.3, 1.8), 0.2, 0.5)


@family.sound("glass filling", "a glass filling with water", "a glass fills with water", "/m/07p7b8y")
def glass_filling(take: Take) -> Signal:
    length = take.spread(2.2, 3.2)
    air = take.spread(420, 800) * curve(length, (0, 1), (0.6, 1.5), (1, 2.6))
    glug = bubbles(take.rng, length, 170, 500, 3500, tilt=0.5, rise=0.3)
    stream_ = shaped_noise(take.rng, length, (200, -14), (700, -4), (2000, 0), (6000, -8), (13000, -18))
    # The column of air above the water rings, ever higher: noise of narrow band moved to the rising pitch.
    column = np.zeros(len(air))
    for ratio, gain in ((1, 1.0), (3, 0.5), (5, 0.25)):
        column += gain * np.sin(2 * np.pi * phase(air * ratio)) * lowpass(noise(take.rng, length), 25)[: len(air)]
    return (glug + 0.35 * stream_ + 0.9 * unit(column)) * envelope(length, 0.05, 0.2)


@family.sound("toilet flush", "a toilet flushing", "a toilet flushes", "/m/01jt3m", sustained=True)
def toilet_flush(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    rush = shaped_noise(take.rng, length, (60, -4), (250, 0), (700, 0), (2000, -3), (6000, -10), (13000, -24))
    swirl = bubbles(take.rng, length, 300, 130, 1200, rise=0.3) * np.clip(wander(take.rng, length, 5, 0.4), 0.1, 2)
    force = curve(length, (0, 0.5), (0.1, 1), (0.5, 0.9), (1, 0.3))
    refill = shaped_noise(take.rng, length, (500, -20), (2500, 0), (6000, -3), (13000, -12))
    dry = (rush * wander(take.rng, length, 9, 0.12) + take.spread(0.5, 1.0) * swirl) * force + take.spread(0.05, 0.2) * refill
    return room(take.rng, dry, 0.5, 0.5)[: len(dry)]


@family.sound("gurgling drain", "a drain gurgling", "a drain gurgles", "/m/07swgks", sustained=True)
def gurgling_drain(take: Take) -> Signal:
    length, size = take.spread(4.2, 5.3), take.spread(0.6, 1.6)
    glugs = bubbles(take.rng, length, take.spread(14, 40), 120 / size, 700 / size, rise=0.5, spread_db=4, tilt=0.4)
    pipe = formants(glugs, [(280 / size, 80, 0), (700 / size, 150, -3), (1500, 300, -10)])
    suck = shaped_noise(take.rng, length, (100, -4), (400, 0), (1200, -6), (5000, -22)) * np.clip(
        wander(take.rng, length, 8, 0.5), 0.1, 2.5
    )
    return compress(glugs + unit(pipe) + 0.3 * suck, 0.15, 0.6)


@family.sound("shower", "a shower running", "a shower runs", sustained=True, confusable=("rain",))
def shower(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    spray = shaped_noise(take.rng, length, (100, -14), (400, -7), (1500, -2), (4000, 0), (9000, -3), (15000, -9))
    patter = grains(take.rng, length, take.spread(300, 800), 800, 6000, length=0.008, spread_db=5)
    tray = bubbles(take.rng, length, 300, 350, 1800)
    dry = spray + 0.4 * patter + take.spread(0.1, 0.4) * tray
    return room(take.rng, dry, 0.6, 0.5)[: len(dry)]


@family.sound("rowing boat", "oars rowing through water", "oars row through water", "/m/056ks2", sustained=True)
def rowing_boat(take: Take) -> Signal:
    length = take.spread(4.3, 5.4)
    pull = 0.25 + strokes(take.rng, length, take.spread(0.45, 0.8), 0.5)
    lap = bubbles(take.rng, length, 90, 250, 1800, rise=0.3)
    swirl = shaped_noise(take.rng, length, (80, -6), (300, 0), (900, -2), (3000, -9), (9000, -22))
    return compress((lap + 0.7 * swirl * np.clip(wander(take.rng, length, 9, 0.3), 0.3, 2)) * pull, 0.4, 0.3)


@family.sound("tin roof rain", "rain drumming on a tin roof", "rain drums on a tin roof", sustained=True, confusable=("rain", "hail"))
def tin_roof_rain(take: Take) -> Signal:
    length, heavy = take.spread(4.2, 5.3), take.spread(150, 900)
    tin = struck(sparse(take.rng, length, heavy, 6), shells(take.rng, 350 * take.spread(0.7, 1.6), 4500, 30, 0.07))
    hiss = shaped_noise(take.rng, length, (100, -18), (600, -6), (2000, 0), (5000, -3), (12000, -12))
    return unit(tin) + take.spread(0.2, 0.6) * hiss


@family.sound("squishing", "mud squishing", "mud squishes", "/m/07qlwh6")
def squishing(take: Take) -> Signal:
    pace, squelches = take.spread(0.3, 0.5), []
    for k in range(int(take.choose(2, 3, 4, 3, 2))):
        length = pace * take.uniform(0.7, 0.95)
        open_ = curve(length, (0, 0.3), (0.5, take.uniform(0.7, 1)), (1, 0.2))
        wet = noise(take.rng, length) * np.clip(wander(take.rng, length, 60, 0.8), 0, 3)
        blend = formants(wet, [(400, 120, 0), (1000, 200, -4)]) * (1 - open_) + formants(wet, [(900, 200, 0), (2200, 400, -2)]) * open_
        pops = bubbles(take.rng, length, 90, 300, 2200, rise=0.5)
        squelches.append((k * pace, (unit(blend) + 0.5 * pops) * envelope(length, 0.04, 0.1) * take.uniform(0.7, 1)))
    return place(len(squelches) * pace, squelches)
