"""Blows, bounces, snaps and what swings, rolls or grinds."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    convolve,
    count,
    curve,
    decay,
    envelope,
    formants,
    harmonics,
    highpass,
    lowpass,
    modes,
    noise,
    phase,
    place,
    ramp,
    random_modes,
    room,
    shaped_noise,
    sine,
    sparse,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.resonators import tap
from builders.sounds.synth.textures import shells

family = Family()

PIPE = (
    (1, 0.9, 0.7),
    (1.6, 0.8, 0.8),
    (2.76, 0.9, 1),
    (3.4, 0.7, 0.9),
    (5.4, 0.6, 0.9),
    (7.1, 0.4, 0.6),
    (8.9, 0.4, 0.5),
    (11.3, 0.2, 0.4),
)
"""(ratio, T60, amplitude) of the modes of a bar that is held."""


@family.sound("metal clang", "a steel pipe clanging", "a steel pipe clangs", "/m/07rv4dm")
def metal_clang(take: Take) -> Signal:
    low, pace = take.spread(300, 800), take.spread(0.35, 0.6)
    pipe = modes(1.4, [(low * r * s, t, a) for r, t, a in PIPE for s in (1, 1.006)])
    hits = []
    for k in range(int(take.choose(2, 3, 2, 3, 1))):
        hits.append(
            (k * pace * take.uniform(0.9, 1.1), (pipe + 1.5 * tap(take.rng, 1.4, 1500, 9000, 0.03)) * take.uniform(0.6, 1))
        )
    return room(take.rng, place(hits[-1][0] + 1.2, hits), 0.9, take.spread(0.2, 0.5))


@family.sound("thud", "a heavy sack thudding to the floor", "a heavy sack thuds to the floor", "/m/07qnq_y")
def thud(take: Take) -> Signal:
    low, pace = take.spread(55, 95), take.spread(0.3, 0.5)
    hits = []
    for k in range(int(take.choose(2, 3, 2, 3, 2))):
        body = modes(0.5, [(low * r, t, a) for r, t, a in ((1, 0.22, 1), (1.7, 0.14, 0.6), (2.9, 0.08, 0.3))])
        slap = lowpass(noise(take.rng, 0.5), take.spread(500, 1500)) * decay(0.5, 0.12, 0.002)
        hits.append((k * pace, (body + 0.9 * slap) * 0.8**k))
    return room(take.rng, place(hits[-1][0] + 0.4, hits), 0.5, take.spread(0.2, 0.6))


@family.sound("slap", "a hand slapping skin", "a hand slaps skin", "/m/07ryjzk", confusable=("hand clapping",))
def slap(take: Take) -> Signal:
    pace, low = take.spread(0.22, 0.45), take.spread(600, 1300)
    hits = []
    for k in range(int(take.choose(3, 4, 3, 4, 2))):
        palm = bandpass(noise(take.rng, 0.3), low, 5 * low) * decay(0.3, take.spread(0.04, 0.1), 0.0004)
        flesh = bandpass(noise(take.rng, 0.3), 150, 600) * decay(0.3, 0.09, 0.001)
        hits.append((k * pace * take.uniform(0.9, 1.1), (palm + 0.5 * flesh) * take.uniform(0.6, 1)))
    return room(take.rng, place(hits[-1][0] + 0.3, hits), 0.4, take.spread(0.05, 0.3))


@family.sound("spring boing", "a spring boinging", "a spring boings", "/t/dd00121")
def spring_boing(take: Take) -> Signal:
    length, low, wobble = take.spread(0.8, 1.6), take.spread(90, 220), take.spread(9, 18)
    sway = np.sin(2 * np.pi * phase(wobble * curve(length, (0, 1), (1, 1.7)))) * np.exp(-2.2 * ramp(length) / length)
    pitch = low * (1 + 0.45 * sway) * curve(length, (0, 1), (1, take.spread(1.1, 1.6)))
    twang = harmonics(pitch, (1, 0.8, 0.6, 0.6, 0.4, 0.4, 0.3, 0.2, 0.2, 0.15))
    return room(take.rng, twang * decay(length, 1.3 * length, 0.002), 0.4, take.spread(0.05, 0.2))


@family.sound(
    "table tennis", "a table tennis ball bouncing", "a table tennis ball bounces", "/m/07pqn27", confusable=("basketball bounce",)
)
def table_tennis(take: Take) -> Signal:
    tone, gap, shrink = take.spread(3000, 5200), take.spread(0.28, 0.42), take.spread(0.78, 0.86)
    at, gain, hits = 0.0, 1.0, []
    while gap > 0.02:
        shell = modes(0.1, [(tone, 0.012, 1), (1.6 * tone, 0.008, 0.5), (0.31 * tone, 0.02, 0.5)])
        table = modes(0.1, [(210, 0.05, 0.5), (430, 0.04, 0.4), (780, 0.03, 0.3)]) + 0.2 * tap(take.rng, 0.1, 600, 5000, 0.008)
        hits.append((at, (shell + table) * gain * take.uniform(0.9, 1)))
        at, gap, gain = at + gap, gap * shrink, max(gain * 0.9, 0.2)
    return room(take.rng, place(at + 0.1, hits), 0.6, take.spread(0.1, 0.4))


@family.sound("whip", "a whip cracking", "a whip cracks", "/m/07rbp7_")
def whip(take: Take) -> Signal:
    pace = take.spread(0.55, 0.75)
    lashes = []
    for k in range(int(take.choose(2, 1, 2, 3, 2))):
        swing = take.uniform(0.25, 0.35)
        sweep = phase(curve(swing, (0, 200), (1, 1600)))
        air = lowpass(noise(take.rng, swing), 2500) * np.sin(2 * np.pi * sweep) * curve(swing, (0, 0), (0.9, 1), (1, 0.8)) ** 2
        crack = highpass(noise(take.rng, 0.2), take.spread(700, 2000)) * decay(0.2, 0.03, 0.0001)
        lashes += [(k * pace, 0.15 * unit(air)), (k * pace + swing, 6 * crack), (k * pace + swing + 0.004, 3 * crack)]
    return room(take.rng, place(lashes[-1][0] + 0.3, lashes), 0.8, take.spread(0.2, 0.5))


@family.sound("swish", "a stick swishing through the air", "a stick swishes through the air", "/m/07rqsjt")
def swish(take: Take) -> Signal:
    pace, high = take.spread(0.32, 0.55), take.spread(1000, 2600)
    swings = []
    for k in range(int(take.choose(3, 4, 3, 2, 4))):
        length = take.uniform(0.25, 0.38)
        speed = curve(length, (0, 0), (0.55, 1), (1, 0))
        air = np.zeros(count(length))
        for level in (0.5, 0.75, 1.0):
            air += bandpass(noise(take.rng, length), 0.6 * level * high, 1.4 * level * high) * speed ** (1 + 4 * level)
        swings.append((k * pace * take.uniform(0.92, 1.08), air * take.uniform(0.7, 1)))
    return place(swings[-1][0] + 0.45, swings)


@family.sound("bowling strike", "a bowling ball scattering the pins", "a bowling ball scatters the pins")
def bowling_strike(take: Take) -> Signal:
    roll, tone = take.spread(0.6, 1.1), take.spread(420, 650)
    ball = shaped_noise(take.rng, roll, (40, 0), (150, 0), (600, -14), (3000, -30)) * curve(roll, (0, 0.25), (1, 0.6))
    hits: list[tuple[float, Signal]] = [(0.0, 0.5 * ball)]
    for at in [0.0, *np.abs(take.rng.normal(0, 0.12, 12)), *take.rng.uniform(0.1, 0.6, 12)]:
        f = tone * take.uniform(0.8, 1.25)
        pin = modes(0.2, [(f, 0.1, 1), (2.6 * f, 0.06, 0.7), (4.9 * f, 0.04, 0.4)]) + tap(take.rng, 0.2, 800, 5000, 0.02)
        hits.append((roll + float(at), pin * take.uniform(0.3, 1) * np.exp(-1.5 * at) * 2.5))
    return room(take.rng, place(roll + 0.9, hits), 1.0, take.spread(0.3, 0.6))


@family.sound("ruler twang", "a ruler twanging on a table", "a ruler twangs on a table", "/m/07rpk1c")
def ruler_twang(take: Take) -> Signal:
    length, low = take.spread(0.7, 1.3), take.spread(55, 110)
    pitch = low * curve(length, (0, 1), (0.5, 1.2), (1, take.spread(1.8, 3)))
    slaps = np.diff(np.floor(phase(pitch)), prepend=0.0) * decay(length, 1.2 * length, 0.001)
    table = formants(slaps, [(180, 80, 0), (420, 120, 2), (900, 250, 2), (2100, 500, 0), (3800, 900, -4)])
    return table + 0.05 * unit(sine(pitch) * decay(length, length))


@family.sound(
    "drumming fingers", "fingers tapping on a table", "fingers tap on a table", "/m/07qcpgn", confusable=("door knock",)
)
def drumming_fingers(take: Take) -> Signal:
    tone, pace, step = take.spread(180, 340), take.spread(0.34, 0.5), take.spread(0.06, 0.085)
    hits = []
    for k in range(int(take.choose(3, 4, 5, 4, 3))):
        for finger in range(4):
            board = modes(
                0.15,
                [(tone * r * take.uniform(0.97, 1.03), t, a) for r, t, a in ((1, 0.05, 1), (2.3, 0.03, 0.6), (4.1, 0.02, 0.4))],
            )
            nail = tap(take.rng, 0.15, 1500, 7000, 0.006)
            hits.append((k * pace + finger * step * take.uniform(0.9, 1.1), (board + 0.8 * nail) * take.uniform(0.5, 1)))
    return room(take.rng, place(hits[-1][0] + 0.2, hits), 0.3, take.spread(0.1, 0.3))


@family.sound("baseball bat", "a bat whacking a ball", "a bat whacks a ball", "/m/07rdhzs")
def baseball_bat(take: Take) -> Signal:
    tone, pace = take.spread(900, 1700), take.spread(0.45, 0.58)
    hits = []
    for k in range(int(take.choose(2, 3, 2, 3, 2))):
        wood = modes(0.25, [(tone, 0.06, 1), (1.9 * tone, 0.04, 0.7), (3.3 * tone, 0.03, 0.4), (0.19 * tone, 0.08, 0.8)])
        hits.append((k * pace, (wood + 1.5 * tap(take.rng, 0.25, 700, 7000, 0.012)) * take.uniform(0.7, 1)))
    return room(take.rng, place(hits[-1][0] + 0.3, hits), 1.2, take.spread(0.3, 0.7))


@family.sound("shelf collapse", "a shelf crashing down", "a shelf crashes down", "/m/07pjjrj")
def shelf_collapse(take: Take) -> Signal:
    length, low = take.spread(1.0, 1.8), take.spread(120, 260)
    hits = []
    for at in [0.0, *(take.rng.uniform(0, 1, 45) ** 2.2 * (length - 0.4))]:
        kind = take.uniform(0, 1)
        if kind < 0.5:
            piece = modes(0.4, random_modes(take.rng, low, 2500, 12, 0.12)) + tap(take.rng, 0.4, 200, 4000, 0.05)
        else:
            piece = modes(0.4, random_modes(take.rng, 6 * low, 9000, 14, 0.3)) + tap(take.rng, 0.4, 2000, 10_000, 0.03)
        hits.append((float(at), piece * take.uniform(0.3, 1) * np.exp(-1.6 * float(at) / length)))
    blast = shaped_noise(take.rng, 0.5, (60, 0), (400, 0), (2000, -4), (9000, -12)) * decay(0.5, 0.4, 0.001)
    return room(take.rng, place(length, [*hits, (0.0, 1.5 * blast)]), 0.6, take.spread(0.3, 0.6))


@family.sound("can crushing", "a tin can crumpling", "a tin can crumples", "/m/07plct2")
def can_crushing(take: Take) -> Signal:
    length, low = take.spread(0.8, 1.5), take.spread(900, 1800)
    buckles = np.zeros(count(length))
    for _ in range(8):
        sheet = shells(take.rng, low, 9000, 14, take.uniform(0.03, 0.1))
        buckles += convolve(sparse(take.rng, length, take.spread(10, 22), 8), sheet)[: len(buckles)]
    rustle = highpass(noise(take.rng, length), 2500) * np.clip(wander(take.rng, length, 40, 0.8), 0, 4)
    return (unit(buckles) + 0.25 * unit(rustle)) * curve(length, (0, 0.7), (0.3, 1), (1, 0.5)) * envelope(length, 0.01, 0.1)


@family.sound("branch snapping", "a branch splintering", "a branch splinters", "/m/07pl1bw", confusable=("ice cracking",))
def branch_snapping(take: Take) -> Signal:
    length, tone = take.spread(0.7, 1.4), take.spread(500, 1100)
    hits = []
    for at in [0.0, *np.sort(take.rng.uniform(0, 1, int(take.spread(14, 34))) ** 1.5 * (length - 0.2))]:
        fibre = modes(0.15, random_modes(take.rng, tone, 6000, 8, 0.05)) + 1.2 * tap(take.rng, 0.15, 900, 9000, 0.012)
        hits.append((float(at), fibre * take.uniform(0.15, 0.7)))
    snap = modes(0.3, random_modes(take.rng, 0.4 * tone, 5000, 14, 0.1)) + 2 * tap(take.rng, 0.3, 500, 8000, 0.02)
    return room(take.rng, place(length, [*hits, (take.spread(0.1, 0.5) * length, 1.5 * snap)]), 0.6, take.spread(0.1, 0.4))


@family.sound("metronome", "a metronome ticking", "a metronome ticks", "/m/07qjznt", confusable=("clock tick",))
def metronome(take: Take) -> Signal:
    rate, tone, number = take.spread(2.1, 3.4), take.spread(1500, 2300), int(take.choose(5, 6, 7, 6, 5))
    hits = []
    for k in range(number):
        f = tone * (1, 0.86)[k % 2]
        knock = modes(0.12, [(f, 0.04, 1), (0.37 * f, 0.05, 0.7), (2.3 * f, 0.02, 0.5)]) + tap(take.rng, 0.12, 1500, 8000, 0.005)
        hits.append((k / rate, knock * take.uniform(0.9, 1)))
    return room(take.rng, place((number - 1) / rate + 0.15, hits), 0.4, take.spread(0.1, 0.3))


@family.sound("machine gun", "a machine gun rattling", "a machine gun rattles", confusable=("gunshot", "jackhammer"))
def machine_gun(take: Take) -> Signal:
    rate, number = take.spread(9, 14), int(take.choose(9, 12, 14, 16, 11))
    hits = []
    for k in range(number):
        blast = shaped_noise(take.rng, 0.3, (80, 2), (500, 0), (2500, -4), (9000, -12)) * decay(
            0.3, take.spread(0.1, 0.25), 0.0002
        )
        hits.append((k / rate * take.uniform(0.995, 1.005), blast * take.uniform(0.8, 1)))
    return np.tanh(room(take.rng, place(number / rate + 0.3, hits), 1.2, take.spread(0.3, 0.7)) * 0.7)


@family.sound("millstone", "a millstone grinding", "a millstone grinds", "/m/07pt6mm", sustained=True)
def millstone(take: Take) -> Signal:
    length, turn = take.spread(4.2, 5.3), take.spread(0.7, 1.6)
    pressure = 0.65 + 0.35 * np.sin(2 * np.pi * phase(turn * wander(take.rng, length, 1, 0.05)))
    grit = bandpass(sparse(take.rng, length, take.spread(600, 1800), 8), 300, take.spread(3500, 7000))
    rumble = shaped_noise(take.rng, length, (40, 0), (200, -2), (900, -14), (4000, -34))
    return (unit(grit) + take.spread(0.3, 0.9) * rumble) * pressure * wander(take.rng, length, 8, 0.1)


@family.sound("rolling ball", "a ball rolling over floorboards", "a ball rolls over floorboards", sustained=True)
def rolling_ball(take: Take) -> Signal:
    length, spin, low = take.spread(4.2, 5.3), take.spread(2.2, 5), take.spread(90, 190)
    wood = modes(0.15, random_modes(take.rng, low, 2500, 18, 0.12))
    bumps = sparse(take.rng, length, take.spread(150, 400), 5) * (
        0.7 + 0.3 * np.sin(2 * np.pi * phase(spin * np.ones(count(length))))
    )
    return convolve(bumps, wood)[: count(length)]


@family.sound("marbles", "marbles pouring into a bowl", "marbles pour into a bowl", sustained=True)
def marbles(take: Take) -> Signal:
    length, rate, tone = take.spread(4.2, 5.3), take.spread(45, 120), take.spread(1800, 3200)
    total = np.zeros(count(length))
    for _ in range(16):
        f = tone * take.uniform(0.7, 2.2)
        click = modes(0.12, [(f, 0.09, 1), (1.6 * f, 0.06, 0.6), (2.9 * f, 0.03, 0.5)]) + 0.5 * tap(
            take.rng, 0.12, 3000, 12_000, 0.004
        )
        total += convolve(sparse(take.rng, length, rate / 16, 5), click)[: len(total)]
    bowl = formants(total, [(take.spread(700, 1200), 60, -6)])
    return total + bowl + 0.01 * noise(take.rng, length)


@family.sound("chains", "chains rattling", "chains rattle", sustained=True)
def chains(take: Take) -> Signal:
    length, rate, tone = take.spread(4.2, 5.3), take.spread(28, 70), take.spread(1400, 2600)
    total = np.zeros(count(length))
    swing = np.clip(wander(take.rng, length, 3, 0.35), 0.3, 2.2)
    for _ in range(14):
        link = shells(take.rng, tone * take.uniform(0.8, 1.4), 10_000, 9, take.uniform(0.06, 0.18))
        total += convolve(sparse(take.rng, length, rate / 14 * 3, 7) * swing, link)[: len(total)]
    return unit(total) + 0.01 * highpass(noise(take.rng, length), 2000)


@family.sound("squeaky toy", "a rubber toy squeaking", "a rubber toy squeaks", "/m/07q6cd_")
def squeaky_toy(take: Take) -> Signal:
    tone, pace = take.spread(900, 1900), take.spread(0.28, 0.45)
    squeaks = []
    for k in range(int(take.choose(2, 3, 4, 3, 2))):
        length = take.uniform(0.16, 0.28)
        pitch = tone * curve(length, (0, 0.7), (0.3, 1.1), (0.7, 1.0), (1, 0.6)) * wander(take.rng, length, 30, 0.02)
        reed = harmonics(pitch, (1, 0.5, 0.6, 0.3, 0.3, 0.2, 0.15)) + 0.2 * bandpass(noise(take.rng, length), tone, 4 * tone)
        squeaks.append((k * pace * take.uniform(0.9, 1.1), reed * envelope(length, 0.015, 0.06)))
    return room(take.rng, place(squeaks[-1][0] + 0.35, squeaks), 0.3, take.spread(0.05, 0.2))
