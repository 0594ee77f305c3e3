"""Sirens, telephones and other signals."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    RATE,
    Signal,
    bandpass,
    beats,
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
    resonate,
    room,
    saturate,
    series,
    shaped_noise,
    sine,
    sparse,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.resonators import tube
from builders.sounds.synth.textures import eased, engine

family = Family()

DIESEL = ((40, 0), (110, 4), (250, -4), (800, -14), (3000, -30))
"""Spectrum of a large idling diesel's exhaust: (frequency, dB)."""


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


@family.sound(
    "dial tone", "a dial tone humming", "a dial tone hums", "/m/015jpf", sustained=True, confusable=("mains hum", "test tone")
)
def dial_tone(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pairs = ((350, 440), (425, 425), (400, 450), (350, 450), (400, 400))  # North America, much of Europe, India, Britain, Japan
    low, high = pairs[take.number % len(pairs)]
    line = shaped_noise(take.rng, length, (200, -10), (400, 0), (3000, 0), (4000, -40)) * 0.01
    flat = np.ones(count(length))
    return sine(low * flat) + sine(high * flat * (1 + 1e-4)) + 0.05 * sine(2 * low * flat) + line


@family.sound(
    "alarm clock",
    "an alarm clock beeping",
    "an alarm clock beeps",
    "/m/046dlr",
    confusable=("bicycle bell", "buzzer", "fire alarm", "ringtone", "smoke detector", "telephone"),
)
def alarm_clock(take: Take) -> Signal:
    tone, beep, bursts = take.spread(1900, 2600), take.spread(0.06, 0.1), []
    for _ in range(2):
        bursts += [pulse(np.full(count(beep), tone), 0.4) * envelope(beep, 0.003, 0.003), np.zeros(count(beep * 0.8))] * 4
        bursts.append(np.zeros(count(take.uniform(0.12, 0.16))))
    return bandpass(np.concatenate(bursts), 1200, 9000)


@family.sound("doorbell", "a doorbell chiming", "a doorbell chimes", "/m/03wwcy", confusable=("tubular bells",))
def doorbell(take: Take) -> Signal:
    high, gap, bright = take.spread(430, 640), take.spread(0.5, 0.7), take.spread(-0.6, 0.2)
    ding, dong = tube(take, high, bright), tube(take, high / take.choose(1.26, 1.26, 1.2, 1.26, 1.33), bright)
    length = gap + 1.1
    return room(
        take.rng, place(length, [(0.0, ding), (gap, 1.1 * dong)]) * envelope(length, 0.001, 0.3), 0.5, take.spread(0.1, 0.3)
    )


@family.sound("sonar", "a sonar pinging", "a sonar pings", "/m/0790c", confusable=("test tone",))
def sonar(take: Take) -> Signal:
    length, tone = take.spread(1.4, 2.2), take.spread(900, 1450)
    ping = sine(np.full(count(length), tone)) * (decay(length, 2.6, 0.01) + 0.25 * np.exp(-((ramp(length) - 0.5) ** 2) / 0.02))
    echo = unit(resonate(noise(take.rng, length), tone, 25)) * decay(length, 2.6, 0.1) * 0.35
    return (ping + echo) * envelope(length, 0.005, 0.3)


@family.sound(
    "radio static",
    "a radio crackling with static",
    "a radio crackles with static",
    "/m/07rgkc5",
    sustained=True,
    confusable=("rain", "sandpaper", "steam"),
)
def radio_static(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    hiss = highpass(noise(take.rng, length), take.spread(2000, 5500)) * np.clip(wander(take.rng, length, 50, 0.4), 0.25, 3)
    crackle = highpass(sparse(take.rng, length, take.spread(80, 200), 3), 1500)
    return unit(hiss) + take.spread(0.6, 1) * unit(crackle)


@family.sound("smoke detector", "a smoke detector shrieking", "a smoke detector shrieks", "/m/01y3hg")
def smoke_detector(take: Take) -> Signal:
    # Three beeps and a rest, as ISO 8201 has it, at the resonance of a piezo disc.
    tone, beep = take.spread(2900, 3500), take.spread(0.35, 0.5)
    disc = pulse(np.full(count(beep), tone), take.spread(0.2, 0.5)) * envelope(beep, 0.01, 0.01)
    beeps = [(1.7 * beep * k, disc) for k in range(3)]
    return room(take.rng, place(1.7 * beep * 2 + beep, beeps), take.spread(0.2, 0.9), take.spread(0.1, 0.6))


@family.sound(
    "fire alarm",
    "a fire alarm blaring",
    "a fire alarm blares",
    "/m/0c3f7m",
    sustained=True,
    confusable=("siren", "smoke detector"),
)
def fire_alarm(take: Take) -> Signal:
    # A horn for halls: a shrill tone that a slower one chops, so that nobody takes it for a note.
    length, tone, chop = take.spread(4.2, 5.3), take.spread(2100, 3300), take.spread(18, 42)
    beat = phase(chop * wander(take.rng, length, 3, 0.01)) % 1 < take.spread(0.45, 0.75)
    horn = pulse(tone * wander(take.rng, length, 2, 0.004), 0.4) * lowpass(beat.astype(np.float64), 400, 1)
    return room(take.rng, horn, 1.0, take.spread(0.3, 0.7))[: count(length)]


@family.sound("car alarm", "a car alarm going off", "a car alarm goes off", "/m/02mfyn", sustained=True, confusable=("siren",))
def car_alarm(take: Take) -> Signal:
    length, low = take.spread(4.2, 5.3), take.spread(520, 800)
    at, high = ramp(length) * take.spread(2.4, 4.2), take.spread(1.9, 2.5)
    # Whoop, yelp, high and low, warble: it goes through what its maker could think of, each for a second or two.
    shapes = (at % 1, 0.5 - 0.5 * np.cos(2 * np.pi * at), np.round(at / 2 % 1), 0.5 - 0.5 * np.cos(6 * np.pi * at))
    turn = (np.floor(ramp(length) / take.spread(1.2, 1.9)) + take.number) % len(shapes)
    horn = pulse(low * high ** eased(np.choose(turn.astype(int), shapes), 0.006), 0.4)
    horn = formants(horn, [(1300, 900, 0), (2600, 900, 2), (3900, 1200, 0)])
    return room(take.rng, saturate(horn, 1.2), 0.9, take.spread(0.2, 0.5))[: count(length)]


@family.sound(
    "buzzer", "a buzzer buzzing", "a buzzer buzzes", "/m/030rvx", sustained=True, confusable=("fire alarm", "smoke detector")
)
def buzzer(take: Take) -> Signal:
    # An armature that the mains draw to and fro, against the lid of its box.
    length, rate = take.spread(4.2, 5.3), take.choose(100, 100, 120, 120, 110)
    contact = pulse(rate * wander(take.rng, length, 40, 0.003), take.spread(0.2, 0.4)) * wander(take.rng, length, 60, 0.03)
    peaks = [(take.spread(650, 950), 300, 0), (take.spread(1700, 2300), 500, 3), (take.spread(3000, 4000), 900, 3)]
    return np.asarray(saturate(formants(contact, peaks), 3))


@family.sound(
    "busy signal",
    "a busy signal beeping",
    "a busy signal beeps",
    "/m/01z47d",
    confusable=("dial tone", "morse code", "telephone", "touch tones"),
)
def busy_signal(take: Take) -> Signal:
    # North America, much of Europe, Britain, Japan, and the fast one of a congested line.
    low, high, beep = ((480, 620, 0.5), (425, 425, 0.48), (400, 400, 0.375), (400, 400, 0.5), (480, 620, 0.25))[take.number % 5]
    number = round(2.8 / (2 * beep))
    flat = np.ones(count(beep))
    tone = (sine(low * flat) + sine(high * flat) + 0.05 * sine(3 * low * flat)) * envelope(beep, 0.004, 0.004)
    length = beep * (2 * number - 1)
    line = shaped_noise(take.rng, length, (200, -10), (400, 0), (3000, 0), (4000, -40)) * 0.01
    return place(length, [(2 * beep * k, tone) for k in range(number)]) + line


@family.sound(
    "ringtone", "a mobile phone playing a ringtone", "a mobile phone plays a ringtone", "/m/01hnzm", confusable=("telephone",)
)
def ringtone(take: Take) -> Signal:
    pace, root, width = take.spread(0.09, 0.14), take.spread(880, 1300), take.spread(0.15, 0.5)
    tunes = (
        (12, 10, 3, 5, 9, 7, 0, 2),
        (0, 4, 7, 12, 7, 4),
        (12, 12, 7, 9, 12, 14),
        (0, 7, 0, 7, 5, 12),
        (16, 12, 9, 12, 16, 19, 16),
    )
    tune = tunes[take.number % 5] * 2
    pieces = []
    for step in tune:
        pitch = np.full(count(pace), root * 2 ** (step / 12))
        pieces.append(pulse(pitch, width) * envelope(pace, 0.004, 0.02) * decay(pace, take.spread(0.4, 1.5), 0.002))
    return bandpass(np.concatenate(pieces), 700, 9000)


@family.sound("touch tones", "someone dialling a telephone number", "someone dials a telephone number", "/m/02c8p")
def touch_tones(take: Take) -> Signal:
    key, gap = take.spread(0.09, 0.16), take.spread(0.05, 0.1)
    flat, tones = np.ones(count(key)), []
    for _ in range(int(take.choose(6, 7, 8, 9, 10))):
        low, high = take.rng.choice([697, 770, 852, 941]), take.rng.choice([1209, 1336, 1477])
        tones.append((sine(low * flat) + sine(high * flat)) * envelope(key, 0.003, 0.003))
    dialled = series(tones, gap)
    return dialled + 0.01 * bandpass(noise(take.rng, len(dialled) / RATE), 300, 3400)[: len(dialled)]


@family.sound(
    "kettle whistle",
    "a kettle whistling on the stove",
    "a kettle whistles on the stove",
    "/g/11b630rrvh",
    sustained=True,
    confusable=("smoke detector", "steam", "steam whistle", "tire squeal", "whistling"),
)
def kettle_whistle(take: Take) -> Signal:
    length, tone = take.spread(4.2, 5.3), take.spread(1700, 2900)
    rise = curve(length, (0, take.spread(0.8, 0.97)), (0.6, 1), (1, 1.01)) * wander(take.rng, length, 9, 0.008)
    jet = shaped_noise(take.rng, length, (500, -20), (2000, -4), (5000, 0), (12000, -6))
    reed = harmonics(tone * rise, (1, take.spread(0.1, 0.5), 0.15, 0.05)) + 0.5 * sine(tone * take.spread(1.17, 1.27) * rise)
    return unit(reed) * wander(take.rng, length, 25, 0.08) + take.spread(0.08, 0.3) * jet


@family.sound("ice cream van", "an ice cream van playing its tune", "an ice cream van plays its tune", "/m/03cl9h")
def ice_cream_van(take: Take) -> Signal:
    pace, root = take.spread(0.15, 0.22), take.spread(620, 1000)
    tunes = ((0, 4, 7, 12, 7, 9, 7, 4, 5, 2, 0), (7, 4, 7, 4, 5, 2, 4, 7, 12, 11, 12), (12, 9, 7, 9, 5, 7, 4, 0, 2, 4, 0))
    notes = []
    for k, step in enumerate(tunes[take.number % 3]):
        f = root * 2 ** (step / 12) * take.uniform(0.997, 1.003)
        tine = modes(0.9, [(f, 1.1, 1), (2.01 * f, 0.7, 0.6), (3.0 * f, 0.5, 0.5), (5.8 * f, 0.25, 0.35)])
        notes.append((k * pace, tine * take.uniform(0.7, 1)))
        if k % 2 == 0:
            notes.append((k * pace, 0.5 * modes(0.9, [(f / 2, 1, 1), (f * 1.003, 0.6, 0.5)])))
    # An amplifier that is too loud for its horn.
    length = notes[-1][0] + 0.6
    horn = bandpass(saturate(place(length, notes), 1.6), 450, 5000)
    motor = engine(
        take.rng, take.spread(24, 36) * wander(take.rng, length, 2, 0.02), rough=0.2, uneven=0.15, pipe=DIESEL, hiss=0.3
    )
    return room(take.rng, unit(horn) + take.spread(0.15, 0.35) * unit(motor), 0.8, 0.4)


@family.sound("morse code", "a telegraph bleeping in code", "a telegraph bleeps in code", "/m/02fs_r", confusable=("test tone",))
def morse_code(take: Take) -> Signal:
    tone, dot = take.spread(700, 1500), take.spread(0.04, 0.06)
    code, pieces = ("-.-. --.-", ".-. .- -..", "--. -.-- .-", "... --- ...", "-.. . -..-")[take.number % 5], []
    for mark in f"{code} {code}":
        length = {".": dot, "-": 3 * dot, " ": 0.0}[mark]
        if length:
            pieces.append(harmonics(np.full(count(length), tone), (1, 0.1, 0.2)) * envelope(length, 0.004, 0.004))
        pieces.append(np.zeros(count(dot if length else 2 * dot)))
    keyed = np.concatenate(pieces)
    return keyed + 0.02 * bandpass(noise(take.rng, len(keyed) / RATE + 0.01), 300, 3000)[: len(keyed)]
