"""Doors, clocks, things that are typed on, torn, dropped and broken."""

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
    place,
    ramp,
    random_modes,
    room,
    shaped_noise,
    sparse,
    train,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("door knock", "someone knocking on a door", "someone knocks on a door", "/m/07r4wb8")
def door_knock(take: Take) -> Signal:
    pace, panel, knocks = take.spread(0.17, 0.26), take.spread(0.8, 1.35), []
    number = int(take.choose(4, 5, 6, 4))
    for k in range(number):
        wood = modes(0.22, [(130 * panel, 0.16, 1.0), (265 * panel, 0.12, 0.9), (430 * panel, 0.08, 0.6), (900 * panel, 0.04, 0.4)])
        knuckle = bandpass(noise(take.rng, 0.22), 400, 2500) * decay(0.22, 0.025)
        knocks.append((k * pace * take.uniform(0.97, 1.03), (wood + 0.7 * knuckle) * take.uniform(0.8, 1)))
    return room(take.rng, place(number * pace + 0.1, knocks), 0.25, 0.2)


@family.sound("door slam", "a door slamming", "a door slams", "/m/07rjzl8")
def door_slam(take: Take) -> Signal:
    panel, latch = take.spread(0.75, 1.3), take.spread(0.03, 0.08)
    boom = modes(0.5, [(62 * panel, 0.5, 2.0), (110 * panel, 0.35, 1.5), (190 * panel, 0.22, 1.0), (420 * panel, 0.1, 0.6)])
    crash = shaped_noise(take.rng, 0.5, (100, 0), (600, -4), (3000, -12), (9000, -26)) * decay(0.5, 0.18)
    click = modes(0.15, random_modes(take.rng, 1200, 5000, 12, 0.06)) * 0.5
    return room(take.rng, place(0.6, [(latch, boom + 1.2 * crash), (0.0, click), (latch + 0.07, 0.6 * click)]), take.spread(0.6, 1.0), 0.7)


@family.sound("door creak", "a door creaking", "a door creaks", "/m/07qh7jl")
def door_creak(take: Take) -> Signal:
    length, tone = take.spread(1.1, 1.9), take.spread(520, 820)
    # Stick and slip: the hinge lets go some 40 to 200 times a second, faster as the door gathers speed.
    slips = take.spread(50, 85) * curve(length, (0, 0.6), (0.35, 1.6), (0.7, 2.2), (1, 0.8)) * wander(take.rng, length, 14, 0.12)
    cycle = np.diff(np.floor(np.cumsum(slips) / 32_000), prepend=0.0) * wander(take.rng, length, 20, 0.3)
    hinge = [(tone, 60, 0), (tone * 1.57, 80, -2), (tone * 2.36, 110, -4), (tone * 3.9, 200, -8)]
    return formants(cycle + 0.002 * noise(take.rng, length), hinge) * envelope(length, 0.06, 0.15)


@family.sound("clock tick", "a clock ticking", "a clock ticks", "/m/07qjznl")
def clock_tick(take: Take) -> Signal:
    rate, tone = take.spread(4.4, 6.2), take.spread(0.85, 1.2)
    number = int(take.choose(8, 9, 10, 11))
    pair = [modes(0.1, [(f * tone, 0.03, 1), (f * 1.7 * tone, 0.04, 0.6), (f * 3.1 * tone, 0.02, 0.4), (420, 0.05, 0.3)]) for f in (1500, 1150)]
    return place(number / rate + 0.1, [(k / rate, pair[k % 2] * take.uniform(0.85, 1)) for k in range(number)])


@family.sound("typing", "someone typing on a keyboard", "someone types on a keyboard", "/m/01m2v")
def typing(take: Take) -> Signal:
    length, rate = take.spread(1.4, 2.3), take.spread(7, 11)
    keys = []
    for at in beats(take.rng, length - 0.12, rate, 0.15):
        press = modes(0.09, random_modes(take.rng, 700, 5000, 10, 0.03))
        tap = bandpass(noise(take.rng, 0.09), 1200, 6000) * decay(0.09, 0.03) * 0.8
        keys.append((float(at), (press + tap) * take.uniform(0.6, 1)))
        keys.append((float(at) + 0.06, (press * 0.35 + 0.3 * tap) * take.uniform(0.5, 1)))
    return place(length, keys)


@family.sound("zipper", "a zipper closing", "a zipper closes", "/m/01s0vc")
def zipper(take: Take) -> Signal:
    length, speed = take.spread(0.65, 1.2), take.spread(110, 190)
    rate = speed * curve(length, (0, 0.5), (0.5, 1.2), (1, 1.7))
    teeth = np.diff(np.floor(np.cumsum(rate * wander(take.rng, length, 30, 0.05)) / 32_000), prepend=0.0)
    slide = formants(teeth * wander(take.rng, length, 40, 0.2), [(2300, 600, 0), (3800, 900, 2), (6500, 1500, 0)])
    brush = highpass(noise(take.rng, length), 2500) * 0.25
    return (unit(slide) + brush) * curve(length, (0, 0.4), (0.6, 1), (1, 0.9)) * envelope(length, 0.02, 0.05)


@family.sound("paper tearing", "paper tearing", "paper tears", "/m/07qcx4z")
def paper_tearing(take: Take) -> Signal:
    length = take.spread(0.7, 1.3)
    fibres = sparse(take.rng, length, take.spread(900, 2200), 7)
    rip = bandpass(fibres, 900, 9000) * curve(length, (0, 0.3), (0.3, 0.8), (0.85, 1.2), (1, 0.6)) * np.abs(wander(take.rng, length, 12, 0.35))
    sheet = shaped_noise(take.rng, length, (400, -10), (1500, 0), (5000, -2), (12000, -14)) * 0.15
    return (unit(rip) + sheet) * envelope(length, 0.02, 0.05)


@family.sound("glass breaking", "glass breaking", "glass breaks", "/m/07rn7sz")
def glass_breaking(take: Take) -> Signal:
    length, size = take.spread(0.9, 1.5), take.spread(0.8, 1.25)
    crash = highpass(noise(take.rng, 0.4), 1200) * decay(0.4, 0.22) * 1.5
    pane = modes(0.5, random_modes(take.rng, 900 / size, 9000, 40, 0.45)) * 0.5
    shards = [
        (0.04 + float(at), modes(0.3, random_modes(take.rng, 2200 / size, 9500, 5, 0.22)) * np.exp(-1.8 * at) * take.uniform(0.4, 1))
        for at in take.rng.uniform(0, 1, 34) ** 1.5 * (length - 0.3)
    ]
    return place(length, [(0.0, crash), (0.0, pane), *shards]) * envelope(length, 0.001, 0.1)


@family.sound("coin drop", "a coin dropping", "a coin drops", "/m/0242l")
def coin_drop(take: Take) -> Signal:
    tone, gap, shrink = take.spread(2500, 3300), take.spread(0.2, 0.28), take.spread(0.72, 0.8)
    at, gain, hits = 0.0, 1.0, []
    while gap > 0.012:
        ring = modes(0.35, [(tone, 0.5, 1), (tone * 1.013, 0.5, 0.7), (tone * 2.31, 0.3, 0.5), (tone * 3.7, 0.2, 0.3), (tone * 0.44, 0.06, 0.3)])
        hits.append((at, ring * gain * take.uniform(0.85, 1)))
        at, gap, gain = at + gap, gap * shrink, max(gain * 0.88, 0.25)
    return place(at + 0.35, hits) * envelope(at + 0.35, 0.001, 0.15)


@family.sound("basketball bounce", "a basketball bouncing", "a basketball bounces", "/m/018w8")
def basketball_bounce(take: Take) -> Signal:
    tone, gap, shrink = take.spread(85, 125), take.spread(0.36, 0.46), take.spread(0.8, 0.86)
    at, gain, hits = 0.0, 1.0, []
    for _ in range(int(take.choose(5, 6, 5, 6))):
        thud = modes(0.3, [(tone, 0.22, 1.4), (tone * 2.1, 0.12, 0.8), (tone * 4.6, 0.06, 0.4)])
        ping = modes(0.3, [(tone * 9.5, 0.18, 0.3), (tone * 14.2, 0.12, 0.15)])
        slap = bandpass(noise(take.rng, 0.3), 300, 2500) * decay(0.3, 0.03) * 0.6
        hits.append((at, (thud + ping + slap) * gain))
        at, gap, gain = at + gap, gap * shrink, gain * 0.88
    return room(take.rng, place(at + 0.2, hits), 0.6, 0.35)


@family.sound("gunshot", "a gun firing", "a gun fires", "/m/032s66")
def gunshot(take: Take) -> Signal:
    length, echo = take.spread(0.8, 1.3), take.spread(0.09, 0.2)
    blast = shaped_noise(take.rng, length, (60, 2), (400, 0), (2000, -3), (8000, -10)) * decay(length, take.spread(0.18, 0.35), 0.0003)
    boom = modes(length, [(70, 0.3, 2), (120, 0.25, 1.5)])
    shot = place(length, [(0.0, blast * 2 + boom), (echo, 0.25 * lowpass(blast, 2500)), (2.3 * echo, 0.15 * lowpass(blast, 1500))])
    return room(take.rng, shot, length, 0.35)[: count(length)] * envelope(length, 0.0005, 0.25)


@family.sound("firework", "a firework going off", "a firework goes off", "/m/0g6b5")
def firework(take: Take) -> Signal:
    rise, length = take.spread(0.6, 0.9), take.spread(1.9, 2.7)
    whistle = np.sin(2 * np.pi * np.cumsum(take.spread(1500, 2200) * curve(rise, (0, 0.75), (1, 1.3)) * wander(take.rng, rise, 25, 0.01)) / 32_000)
    rocket = (whistle + 0.3 * bandpass(noise(take.rng, rise), 1000, 5000)) * envelope(rise, 0.1, 0.05) * 0.45
    bang = shaped_noise(take.rng, 0.7, (50, 4), (200, 0), (1000, -8), (5000, -18)) * decay(0.7, 0.6, 0.002)
    crackle = bandpass(sparse(take.rng, length - rise, 70, 5), 1500, 9000) * curve(length - rise, (0, 0), (0.25, 1), (1, 0.3))
    return place(length, [(0.0, rocket), (rise + 0.03, bang), (rise + 0.05, 0.5 * unit(crackle))]) * envelope(length, 0.01, 0.15)


@family.sound("footsteps", "someone walking", "someone walks", "/m/07pbtc8")
def footsteps(take: Take) -> Signal:
    pace, number, steps_ = take.spread(0.4, 0.5), int(take.choose(4, 5, 4, 5)), []
    for k in range(number):
        heel = modes(0.2, [(110, 0.12, 1.5), (240, 0.08, 1), (620, 0.05, 0.5)]) + bandpass(noise(take.rng, 0.2), 500, 4000) * decay(0.2, 0.05)
        toe = bandpass(noise(take.rng, 0.2), 700, 5000) * decay(0.2, 0.08, 0.01) * 0.5
        steps_ += [(k * pace, heel * take.uniform(0.8, 1)), (k * pace + 0.11, toe * take.uniform(0.8, 1))]
    return room(take.rng, place(number * pace, steps_), 0.4, 0.25)


