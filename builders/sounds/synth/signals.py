"""Sirens, telephones and other signals."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    beats,
    count,
    decay,
    envelope,
    formants,
    highpass,
    modes,
    noise,
    place,
    pulse,
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

family = Family()


@family.sound("siren", "a siren wailing", "a siren wails", "/m/03kmc9", sustained=True)
def siren(take: Take) -> Signal:
    length, sweep = take.spread(4.2, 5.3), take.spread(0.28, 0.62)
    position = 0.5 - 0.5 * np.cos(2 * np.pi * (sweep * ramp(length) + take.uniform(0, 1)))
    pitch = take.spread(520, 680) * (1 + take.spread(0.8, 1.2) * position)
    horn = formants(pulse(pitch, 0.35), [(900, 500, 0), (1700, 700, 0), (2900, 900, -4)])
    return room(take.rng, unit(horn) + 0.02 * noise(take.rng, length), 0.7, 0.3)[: count(length)]


@family.sound("telephone", "a telephone ringing", "a telephone rings", "/m/07pp8cl", sustained=True)
def telephone(take: Take) -> Signal:
    length, rate, tone = take.spread(4.2, 5.3), take.spread(18, 25), take.spread(1050, 1500)
    ratios = ((1, 0.7, 1), (2.02, 0.5, 0.8), (2.9, 0.35, 0.6), (4.2, 0.2, 0.4))
    gongs = [modes(0.6, [(tone * high * r * split, t, a) for r, t, a in ratios for split in (1, 1.006)]) for high in (1, 1.19)]
    strikes = []
    for k, at in enumerate(beats(take.rng, length + 0.3, rate, 0.03)):
        clapper = highpass(noise(take.rng, 0.05), 2000) * decay(0.05, 0.02, 0.0003)
        strikes += [(float(at), gongs[k % 2] * take.uniform(0.7, 1)), (float(at), clapper)]
    return place(length + 0.3, strikes)[count(0.3) :]


@family.sound("dial tone", "a dial tone humming", "a dial tone hums", "/m/015jpf", sustained=True)
def dial_tone(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pairs = ((350, 440), (425, 425), (400, 450), (350, 450), (400, 400))  # North America, much of Europe, India, Britain, Japan
    low, high = pairs[take.number % len(pairs)]
    line = shaped_noise(take.rng, length, (200, -10), (400, 0), (3000, 0), (4000, -40)) * 0.01
    flat = np.ones(count(length))
    return sine(low * flat) + sine(high * flat * (1 + 1e-4)) + 0.05 * sine(2 * low * flat) + line


@family.sound("alarm clock", "an alarm clock beeping", "an alarm clock beeps", "/m/046dlr")
def alarm_clock(take: Take) -> Signal:
    tone, beep, bursts = take.spread(1900, 2600), take.spread(0.06, 0.1), []
    for _ in range(2):
        bursts += [pulse(np.full(count(beep), tone), 0.4) * envelope(beep, 0.003, 0.003), np.zeros(count(beep * 0.8))] * 4
        bursts.append(np.zeros(count(take.uniform(0.12, 0.16))))
    return bandpass(np.concatenate(bursts), 1200, 9000)


@family.sound("doorbell", "a doorbell chiming", "a doorbell chimes", "/m/03wwcy")
def doorbell(take: Take) -> Signal:
    high, gap = take.spread(590, 800), take.spread(0.42, 0.65)
    bars = [
        modes(1.1, [(f, 1.3, 1), (f * 2.756, 0.5, 0.25), (f * 5.4, 0.2, 0.1), (f * 2.0, 0.9, 0.15)]) for f in (high, high / 1.26)
    ]
    length = gap + 1.1
    return place(length, [(0.0, bars[0]), (gap, 1.1 * bars[1])]) * envelope(length, 0.001, 0.3)


@family.sound("sonar", "a sonar pinging", "a sonar pings", "/m/0790c")
def sonar(take: Take) -> Signal:
    length, tone = take.spread(1.4, 2.2), take.spread(900, 1450)
    ping = sine(np.full(count(length), tone)) * (decay(length, 2.6, 0.01) + 0.25 * np.exp(-((ramp(length) - 0.5) ** 2) / 0.02))
    echo = unit(resonate(noise(take.rng, length), tone, 25)) * decay(length, 2.6, 0.1) * 0.35
    return (ping + echo) * envelope(length, 0.005, 0.3)


@family.sound("radio static", "a radio crackling with static", "a radio crackles with static", "/m/07rgkc5", sustained=True)
def radio_static(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    hiss = shaped_noise(take.rng, length, (150, -14), (400, 0), (3000, 0), (4500, -14), (9000, -30))
    fading = np.clip(wander(take.rng, length, 1.5, 0.15), 0.6, 1.5)
    # Another station's carrier beats with the receiver's: a faint whistle that drifts.
    whistle = sine(take.spread(600, 1800) * wander(take.rng, length, 0.8, 0.2)) * np.clip(wander(take.rng, length, 1, 0.3), 0, 2)
    bursts = bandpass(sparse(take.rng, length, take.spread(5, 18), 4), 400, 4000)
    return np.asarray(np.tanh(0.7 * (hiss * fading + 0.35 * whistle + 0.25 * bursts / bursts.std())))
