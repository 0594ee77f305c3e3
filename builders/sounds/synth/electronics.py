"""Electronic tones, noises and signals, games, and music from machines."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    count,
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
    pulse,
    ramp,
    room,
    saturate,
    saw,
    shaped_noise,
    sine,
    sparse,
    steps,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("test tone", "a test tone sounding", "a test tone sounds", "/m/01v_m0", sustained=True)
def test_tone(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    tone = sine(np.full(count(length), take.spread(750, 3000)))
    return tone + 0.003 * noise(take.rng, length)


@family.sound("mains hum", "a transformer humming", "a transformer hums", "/m/06xkwv", sustained=True, confusable=("test tone",))
def mains_hum(take: Take) -> Signal:
    length, mains = take.spread(4.2, 5.3), take.choose(50, 60, 50, 60, 50)
    # The core is magnetised twice a period: what is heard are the even harmonics, the higher ones by how hard it is driven.
    weights = [(0.25 if k % 2 else 1.0) * k ** -take.spread(0.5, 1.1) * take.uniform(0.5, 1) for k in range(1, 40)]
    hum = harmonics(mains * wander(take.rng, length, 1, 0.0004), weights)
    return unit(hum) * wander(take.rng, length, 3, 0.03) + take.spread(0.01, 0.06) * shaped_noise(
        take.rng, length, (60, 0), (8000, -12)
    )


@family.sound("drum machine", "a drum machine beating", "a drum machine beats", "/m/0cfdd", confusable=("rimshot",))
def drum_machine(take: Take) -> Signal:
    pace = take.spread(0.105, 0.15)
    length = 16 * pace
    kick = sine(take.spread(46, 62) * (1 + 5 * np.exp(-ramp(0.35) * 55))) * decay(0.35, 0.45, 0.001)
    snare = 0.6 * modes(0.25, [(185, 0.16, 1), (330, 0.1, 0.6)]) + 0.5 * highpass(noise(take.rng, 0.25), 1500) * decay(0.25, 0.22)
    metal = highpass(
        sum((pulse(np.full(count(0.2), f)) for f in (2050, 3040, 3690, 5220, 5400, 8000)), noise(take.rng, 0.2)), 7000
    )
    closed, open_hat = metal * decay(0.2, 0.06), metal * decay(0.2, 0.3)
    patterns = ("K.h.S.h.K.K.S.h.", "K.hhK.hoK.hhK.ho", "K.hhS.hKh.K.S.hh", "K..hS..hKK.hS.hh", "KhhhShhhKhKhShhh")
    voices = {"K": kick, "S": snare, "h": 0.16 * closed, "o": 0.2 * open_hat}
    hits = []
    for k, step in enumerate(patterns[take.number % 5]):
        hits += [(k * pace, voices[step])] if step != "." else []
        hits += [(k * pace, 0.1 * closed)]
    return saturate(place(length, hits), take.spread(0.4, 0.9))


@family.sound("video game", "a video game bleeping", "a video game bleeps", "/m/01z7dr", sustained=True)
def video_game(take: Take) -> Signal:
    length, pace, root = take.spread(4.2, 5.3), take.spread(0.085, 0.13), take.spread(220, 440)
    scale = (0, 2, 4, 7, 9, 12, 14, 16, 19)
    number, degree, lead, bass = int(length / pace) + 1, 4, [], []
    for k in range(number):
        degree = int(np.clip(degree + take.rng.choice([-2, -1, 1, 2, 0]), 0, 8))
        lead.append(2 * root * 2 ** (scale[degree] / 12))
        bass.append(root / 2 * 2 ** ((0, 0, 5, 7)[k // 8 % 4] / 12) * (1 + k % 2))
    melody = pulse(steps(number * pace, lead, 0.001), take.spread(0.12, 0.5))
    gate = 1 - 0.6 * ((ramp(number * pace) / pace) % 1)
    low = 2 * np.abs(2 * (phase(steps(number * pace, bass, 0.001)) % 1) - 1) - 1
    ticks = (ramp(number * pace) / pace % 2 > 1) * np.exp(-30 * (ramp(number * pace) % pace)) * noise(take.rng, number * pace)
    return (melody * gate + 0.9 * low + 0.25 * ticks)[: count(length)]


@family.sound("modem", "a modem screeching", "a modem screeches", sustained=True, confusable=("radio static",))
def modem(take: Take) -> Signal:
    # Two modems at once, each with its own pair of carriers, over the scrambled noise of their training.
    length, rate = take.spread(4.2, 5.3), take.spread(90, 300)
    voices = np.zeros(count(length))
    for carrier, shift in ((take.spread(1000, 1300), 200), (take.spread(1750, 2300), 200)):
        symbols = take.rng.integers(0, 2, int(length * rate) + 2) - 0.5
        voices += sine(carrier + shift * symbols[(ramp(length) * rate).astype(int)])
    scrambled = bandpass(noise(take.rng, length), 500, 3000) * (
        0.4 + take.spread(0.2, 0.6) * np.sin(2 * np.pi * 0.4 * ramp(length))
    )
    return bandpass(voices + scrambled, 350, 3300)


@family.sound("ray gun", "a ray gun zapping", "a ray gun zaps", confusable=("video game",))
def ray_gun(take: Take) -> Signal:
    zap, number, high = take.spread(0.16, 0.34), int(take.choose(3, 4, 5, 3, 4)), take.spread(1800, 4200)
    shots = []
    for k in range(number):
        fall = high * (take.spread(60, 200) / high) ** (ramp(zap) / zap) ** take.spread(0.4, 0.9)
        beam = pulse(fall, 0.3) + 0.5 * saw(1.5 * fall)
        shots.append((k * zap * take.uniform(0.95, 1.15), beam * envelope(zap, 0.002, 0.08)))
    return room(take.rng, lowpass(place(number * zap * 1.1 + 0.2, shots), 7000), 0.5, take.spread(0.1, 0.4))


@family.sound("geiger counter", "a Geiger counter clicking", "a Geiger counter clicks", sustained=True)
def geiger_counter(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(60, 140)
    clicks = sparse(take.rng, length, rate, 1.0)
    case = [(take.spread(1500, 2300), 500, 0), (take.spread(3600, 5200), 1200, 0), (700, 400, -6)]
    return formants(np.abs(clicks), case) + 0.003 * noise(take.rng, length)
