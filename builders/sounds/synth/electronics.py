"""Electronic tones, noises and signals, games, and music from machines."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
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
from builders.sounds.synth.textures import eased

family = Family()


@family.sound(
    "test tone",
    "a test tone sounding",
    "a test tone sounds",
    "/m/01v_m0",
    sustained=True,
    confusable=("dial tone", "tuning fork"),
)
def test_tone(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    tone = sine(np.full(count(length), take.spread(750, 3000)))
    return tone + 0.003 * noise(take.rng, length)


@family.sound("mains hum", "a transformer humming", "a transformer hums", "/m/06xkwv", sustained=True)
def mains_hum(take: Take) -> Signal:
    length, mains = take.spread(4.2, 5.3), take.choose(50, 60, 50, 60, 50)
    # The core is magnetised twice a period: what is heard are the even harmonics, the higher ones by how hard it is driven.
    weights = [(0.25 if k % 2 else 1.0) * k ** -take.spread(0.5, 1.1) * take.uniform(0.5, 1) for k in range(1, 40)]
    hum = harmonics(mains * wander(take.rng, length, 1, 0.0004), weights)
    return unit(hum) * wander(take.rng, length, 3, 0.03) + take.spread(0.01, 0.06) * shaped_noise(
        take.rng, length, (60, 0), (8000, -12)
    )


@family.sound(
    "white noise",
    "a loudspeaker hissing with white noise",
    "a loudspeaker hisses with white noise",
    "/m/0chx_",
    sustained=True,
    confusable=("radio static", "waterfall"),
)
def white_noise(take: Take) -> Signal:
    return noise(take.rng, take.spread(4.2, 5.3))


@family.sound("drum machine", "a drum machine beating", "a drum machine beats", "/m/0cfdd")
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


@family.sound("modem", "a modem screeching", "a modem screeches", sustained=True)
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


@family.sound("ray gun", "a ray gun zapping", "a ray gun zaps")
def ray_gun(take: Take) -> Signal:
    zap, number, high = take.spread(0.16, 0.34), int(take.choose(3, 4, 5, 3, 4)), take.spread(1800, 4200)
    shots = []
    for k in range(number):
        fall = high * (take.spread(60, 200) / high) ** (ramp(zap) / zap) ** take.spread(0.4, 0.9)
        beam = pulse(fall, 0.3) + 0.5 * saw(1.5 * fall)
        shots.append((k * zap * take.uniform(0.95, 1.15), beam * envelope(zap, 0.002, 0.08)))
    return room(take.rng, lowpass(place(number * zap * 1.1 + 0.2, shots), 7000), 0.5, take.spread(0.1, 0.4))


@family.sound("phone vibrating", "a phone vibrating on a table", "a phone vibrates on a table")
def phone_vibrating(take: Take) -> Signal:
    buzz, rest, rate = take.spread(0.35, 0.6), take.spread(0.2, 0.4), take.spread(150, 210)
    pieces = []
    for _ in range(3):
        spin = rate * curve(buzz, (0, 0.6), (0.15, 1), (0.95, 1), (1, 0.8)) * wander(take.rng, buzz, 12, 0.01)
        taps = np.diff(np.floor(phase(spin)), prepend=0.0) * np.clip(wander(take.rng, buzz, 60, 0.35), 0, 2)
        table = formants(taps, [(rate, 60, 6), (420, 150, 0), (950, 300, -2), (2300, 600, -6), (4200, 1200, -10)])
        pieces += [table * envelope(buzz, 0.03, 0.03), np.zeros(count(rest))]
    return np.concatenate(pieces[:-1])


@family.sound("techno", "techno music playing", "techno music plays", "/m/07gxw", sustained=True)
def techno(take: Take) -> Signal:
    length, pace, root = take.spread(4.2, 5.3), take.spread(0.42, 0.5), take.spread(42, 62)
    kick = sine(root * 0.95 * (1 + 6 * np.exp(-ramp(0.35) * 45))) * decay(0.35, 0.4, 0.001)
    hat = highpass(noise(take.rng, 0.15), 6000) * decay(0.15, 0.15)
    clap = bandpass(noise(take.rng, 0.2), 900, 4000) * decay(0.2, 0.18)
    hits = []
    for k in range(int(length / pace) + 2):
        hits += [(k * pace, 2.2 * kick), ((k + 0.5) * pace, 0.35 * hat)]
        hits += [(k * pace, 0.3 * clap)] if k % 2 else []
    # The bass ducks under every kick and comes back.
    steady, since = np.ones(count(length)), ramp(length) / pace % 1
    riff = np.array([0, 0, 3, 0, 7, 0, 5, 3, 0, 12, 0, 3, 0, 5, 0, 10])[(ramp(length) / pace * 4).astype(int) % 16]
    line = lowpass(saw(eased(4 * root * 2 ** (riff / 12), 0.004)), take.spread(700, 2600)) * (
        1 - 0.6 * (ramp(length) / pace * 4 % 1)
    )
    pad = lowpass(saw(8 * root * steady) + saw(8.05 * root * 1.1892 * steady) + saw(12 * root * steady), 1200)
    duck = 0.35 + 0.65 * since
    return saturate(place(length, hits) + duck * (0.8 * unit(line) + take.spread(0.2, 0.5) * unit(pad)), 0.8)


@family.sound("heart monitor", "a heart monitor beeping", "a heart monitor beeps", confusable=("busy signal", "reversing beeps"))
def heart_monitor(take: Take) -> Signal:
    rate, tone, beep = take.spread(1.9, 2.9), take.spread(900, 1350), take.spread(0.08, 0.2)
    number = int(take.choose(4, 5, 6, 5, 6))
    one = sine(np.full(count(beep), tone)) * envelope(beep, 0.006, 0.01)
    return room(
        take.rng, place((number - 1) / rate + beep, [(k / rate, one) for k in range(number)]), 0.4, take.spread(0.05, 0.3)
    )


@family.sound("geiger counter", "a geiger counter clicking", "a geiger counter clicks", sustained=True)
def geiger_counter(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(60, 140)
    clicks = sparse(take.rng, length, rate, 1.0)
    case = [(take.spread(1500, 2300), 500, 0), (take.spread(3600, 5200), 1200, 0), (700, 400, -6)]
    return formants(np.abs(clicks), case) + 0.003 * noise(take.rng, length)


@family.sound("electric arc", "an electric arc buzzing and crackling", "an electric arc buzzes and crackles", sustained=True)
def electric_arc(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.choose(100, 120, 100, 120, 140)
    cycle = phase(rate * wander(take.rng, length, 8, 0.002)) % 1
    strikes = np.exp(-cycle * take.spread(5, 14)) * np.clip(wander(take.rng, length, 50, 0.5), 0.05, 3)
    sparks = highpass(sparse(take.rng, length, take.spread(60, 160), 6), 1500)
    air = highpass(noise(take.rng, length), take.spread(700, 2000))
    return (
        unit(air * strikes)
        + take.spread(0.2, 0.5) * unit(sparks)
        + 0.3 * unit(harmonics(rate * np.ones(count(length)), [1] * 12))
    )
