"""Birds."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    count,
    curve,
    envelope,
    place,
    ramp,
    room,
    series,
    shaped_noise,
    sine,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.syrinx import note, outdoors
from builders.sounds.synth.voices import Call, beast, calls

family = Family()


@family.sound("rooster crow", "a rooster crowing", "a rooster crows", "/m/07qn5dc")
def rooster_crow(take: Take) -> Signal:
    base, tempo, size = take.spread(738.4, 926.2), take.spread(1.0179, 1.2768), take.spread(0.9, 1.12)
    throat = ((990, 0.0), (2290, 2.11), (2660, -11.6), (5500, -9.03))
    shut = [(f / size, 0.173 * f, gain) for f, gain in throat]
    wide = [(1.16 * f, width, gain) for f, width, gain in shut]
    parts = []
    # Cock-a-doodle-doo: seconds, pitch at the start, in the middle and at the end, how far the beak opens, level.
    for length, first, top, last, beak, level in (
        (0.157, 0.838, 0.845, 0.583, 0.147, 0.504),
        (0.0997, 0.916, 1.09, 0.667, 0.276, 0.549),
        (0.177, 1.3, 1.09, 0.803, 0.581, 1.06),
        (0.892, 1.17, 1.1, 0.733, 1.0, 1.0),
    ):
        length *= tempo * take.uniform(0.93, 1.07)
        pitch = base * curve(length, (0, first), (0.3, top), (0.6, top * take.uniform(0.95, 1.05)), (1, last))
        opening = beak * curve(length, (0, 0.2), (0.3, 1), (1, 0.4))
        crow = beast(take.rng, pitch, shut, wide, opening, slope=4.3, breath=0.762, rough=0.12, doubled=0.0393)
        parts.append(level * crow * envelope(length, 0.0393, 0.0723))
    return outdoors(take.rng, room(take.rng, series(parts, 0.0685 * tempo), take.spread(0.225, 0.441), 0.254), -22.8)


@family.sound("duck quack", "a duck quacking", "a duck quacks", "/m/07qdb04")
def duck_quack(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.17,
            pitch=240,
            contour=((0, 0.87), (0.3, 1.3), (0.7, 1.4), (1, 0.59)),
            shut=(720, 1280, 1710, 3710),
            wide=(1300, 1620, 3840, 4390),
            opening=((0, 0.15), (0.3, 0.8), (0.7, 0.69), (1, 0.59)),
            gains=(0.0, 0.0, -4, -10),
            narrow=0.16,
            number=(3, 4, 4, 5),
            slope=3.8,
            breath=0.42,
            doubled=0.3,
            attack=0.0069,
            release=0.082,
            fall=2.6,
            tremble=(7.7, 0.0, 0.0),
            air=-38,
        ),
        0.18,
    )


@family.sound("owl hoot", "an owl hooting", "an owl hoots", "/m/07r_80w", confusable=("pigeon coo",))
def owl_hoot(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.32,
            pitch=360,
            contour=((0, 0.89), (0.3, 1.2), (0.7, 1.0), (1, 0.9)),
            shut=(380, 820, 1800, 2810),
            wide=(470, 860, 1800, 3200),
            opening=((0, 1.0), (0.3, 0.57), (0.7, 0.73), (1, 0.2)),
            gains=(0.0, -14, -24, -29),
            narrow=0.21,
            number=(3, 4, 3, 4),
            gap=0.15,
            slope=-4.7,
            breath=0.15,
            attack=0.054,
            release=0.073,
            tremble=(8, 0.0, 0.01),
            air=-32,
        ),
        0.18,
    )


@family.sound("bird chirp", "a bird chirping", "a bird chirps", "/m/07pggtn", confusable=("chick cheep", "squeaky toy"))
def bird_chirp(take: Take) -> Signal:
    base, tempo, chirps = take.spread(2500, 3300), take.spread(0.8, 1.25), []
    shape = [(take.uniform(0.8, 1.2), take.uniform(0.85, 1.25), take.uniform(0.75, 1.1)) for _ in range(3)]
    for k in range(int(take.choose(7, 8, 9, 10))):
        length = tempo * take.uniform(0.08, 0.13)
        a, b, c = shape[k % 3]
        trill = 1 + 0.05 * np.sin(2 * np.pi * 38 * ramp(length)) * (k % 3 == 2)
        chirps.append(sine(base * trill * curve(length, (0, a), (0.4, b), (1, c))) * envelope(length, 0.012, 0.05))
        chirps.append(np.zeros(count(tempo * take.uniform(0.03, 0.09))))
    return np.concatenate(chirps)


@family.sound("crow caw", "a crow cawing", "a crow caws", "/m/07r5c2p")
def crow_caw(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.34,
            pitch=510,
            contour=((0, 0.78), (0.18, 1), (0.62, 1.2), (1, 0.65)),
            shut=(1280, 1770, 2500, 4950),
            wide=(1970, 2320, 2550, 4950),
            opening=((0, 0.028), (0.18, 0.83), (0.62, 0.53), (1, 0.0)),
            gains=(0.0, 2.8, -1.5, -25.0),
            narrow=0.19,
            slope=2.4,
            breath=0.94,
            rough=0.1,
            doubled=0.046,
            attack=0.02,
            release=0.13,
            fall=2.3,
            air=-30.0,
            number=(4, 5, 4, 5),
            gap=0.21,
            tremble=(7.9, 0.0, 0.012),
        ),
        0.22,
    )


@family.sound("woodpecker", "a woodpecker drumming", "a woodpecker drums", None)
def woodpecker(take: Take) -> Signal:
    rate, length, tone = take.spread(15, 22), take.spread(0.9, 1.5), take.spread(850, 1250)
    at = np.arange(0, length, 1 / rate)
    knocks = []
    for when in at:
        ring = 0.09
        knock = sum(
            a * np.sin(2 * np.pi * tone * r * ramp(ring)) * np.exp(-ramp(ring) * d)
            for a, r, d in ((1.0, 1.0, 70), (0.7, 1.63, 90), (0.4, 2.7, 130))
        )
        knocks.append(
            (
                float(when),
                (knock + 0.5 * shaped_noise(take.rng, ring, (300, 0), (4000, -10)) * np.exp(-300 * ramp(ring)))
                * take.uniform(0.85, 1.1)
                * (1 - 0.4 * when / length),
            )
        )
    return place(length + 0.1, knocks)


@family.sound("cuckoo", "a cuckoo calling", "a cuckoo calls", None, confusable=("owl hoot", "pigeon coo"))
def cuckoo(take: Take) -> Signal:
    base, parts = take.spread(520, 720), []
    for _ in range(2):
        high = note(
            take.rng, take.uniform(0.16, 0.2), base * take.spread(1.18, 1.34), ((0, 0.95), (0.4, 1.03), (1, 0.98)), second=0.05
        )
        low = note(take.rng, take.uniform(0.24, 0.32), base, ((0, 0.98), (0.3, 1.0), (1, 0.97)), second=0.05, release=0.1)
        parts += [high, np.zeros(count(0.1)), low * 0.85, np.zeros(count(take.spread(0.25, 0.5)))]
    return outdoors(take.rng, room(take.rng, np.concatenate(parts[:-1]), 1.0, 0.4), -32)


@family.sound("chick cheep", "a chick cheeping", "a chick cheeps", None)
def chick_cheep(take: Take) -> Signal:
    base, pace, parts = take.spread(3100, 4300), take.spread(0.8, 1.3), []
    for _ in range(int(take.choose(4, 5, 6, 5))):
        length = pace * take.uniform(0.1, 0.17)
        fall = take.uniform(0.6, 0.75)
        cheep = note(
            take.rng, length, base * take.uniform(0.92, 1.08), ((0, 1.1), (0.25, 1.15), (1, fall)), second=0.3, release=0.05
        )
        parts += [cheep, np.zeros(count(pace * take.uniform(0.12, 0.24)))]
    return outdoors(take.rng, room(take.rng, np.concatenate(parts[:-1]), 0.25, 0.2), -36)


@family.sound("hawk screech", "a hawk screeching", "a hawk screeches", None)
def hawk_screech(take: Take) -> Signal:
    length = take.spread(0.9, 1.7)
    pitch = take.spread(2100, 3100) * curve(length, (0, 0.75), (0.12, 1.15), (0.4, 1.05), (1, take.uniform(0.55, 0.75)))
    beak = [(2600, 1200, 0.0), (5200, 2000, -4), (8000, 3000, -12)]
    scream = beast(take.rng, pitch, beak, beak, 0.0, breath=take.spread(0.1, 0.4), rough=take.spread(0.03, 0.2))
    return outdoors(take.rng, room(take.rng, scream * envelope(length, 0.05, 0.5), 1.2, 0.35), -30)


@family.sound("loon call", "a loon wailing", "a loon wails", None, confusable=("owl hoot", "whale song", "wolf howl"))
def loon_call(take: Take) -> Signal:
    base, tremolo = take.spread(620, 950), take.spread(5, 8)
    length = take.spread(1.5, 2.3)
    shake = np.sin(2 * np.pi * tremolo * ramp(length)) * curve(length, (0.35, 0), (0.5, 1), (0.85, 0.8), (1, 0.3))
    pitch = base * curve(length, (0, 0.75), (0.15, 0.8), (0.35, 1.3), (0.7, 1.4), (1, 1.0)) * (1 + 0.09 * shake)
    throat = [(1000, 500, 0.0), (2000, 900, -10), (3200, 1200, -20)]
    wail = beast(take.rng, pitch, throat, throat, 0.0, slope=-6, breath=0.03, rough=0.01)
    return outdoors(take.rng, room(take.rng, wail * envelope(length, 0.15, 0.35), 1.6, 0.5), -32)


@family.sound("turkey gobble", "a turkey gobbling", "a turkey gobbles", "/m/07svc2k")
def turkey_gobble(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.96,
            pitch=590,
            contour=((0, 1.1), (0.2, 1.5), (0.7, 1.1), (1, 1.1)),
            shut=(1160, 1410, 2770, 2110),
            wide=(730, 1800, 1670, 5790),
            opening=((0, 0.0), (0.2, 0.044), (0.7, 0.13), (1, 0.0)),
            gains=(2.8, 3.2, -9.8, -12),
            narrow=0.29,
            slope=2.3,
            breath=0.27,
            rough=0.78,
            doubled=0.23,
            attack=0.017,
            release=0.26,
            fall=4.8,
            tremble=(17, 1.0, 0.12),
            air=-35,
        ),
        0.15,
    )


@family.sound("pigeon coo", "a pigeon cooing", "a pigeon coos", "/m/07r_25d")
def pigeon_coo(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.27,
            pitch=580,
            contour=((0, 0.63), (0.3, 1.1), (0.7, 0.97), (1, 0.71)),
            shut=(220, 610, 2180, 4030),
            wide=(420, 1880, 2070, 2830),
            opening=((0, 0.19), (0.3, 0.35), (0.7, 0.76), (1, 0.63)),
            gains=(5.6, -18, -19, -24),
            narrow=0.34,
            number=(3, 4, 3, 4),
            slope=0.34,
            breath=0.19,
            rough=0.95,
            doubled=0.75,
            attack=0.069,
            release=0.12,
            tremble=(22, 0.64, 0.017),
            air=-30,
        ),
        0.15,
    )
