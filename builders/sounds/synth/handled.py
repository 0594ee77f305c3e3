"""Small things in the hands: crockery, keys, paper, cards, pens, scissors, keyboards of the office."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    beats,
    count,
    curve,
    envelope,
    formants,
    noise,
    phase,
    place,
    ramp,
    saw,
    shaped_noise,
    sparse,
    unit,
    wander,
)
from builders.sounds.synth.contacts import blow
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import eased, firings, grains, shells, strokes, struck, thud, whine

family = Family()


def clatter(
    take: Take, seconds: float, things: list[Signal], rate: float, spread_db: float, bounces: int, apart: float
) -> Signal:
    """Things knocked together `rate` times a second, each then bouncing up to `bounces` times, some `apart` seconds apart."""
    hits = []
    for at in beats(take.rng, seconds - 0.3, rate, 0.4):
        thing, gain = things[int(take.rng.integers(len(things)))], 10 ** (take.rng.normal() * spread_db / 20)
        hits.append((float(at), thing * gain))
        for k in range(int(take.rng.integers(0, bounces + 1))):
            hits.append((float(at) + (k + 1) * apart * take.uniform(0.7, 1.3), thing * gain * 0.6 * 0.75**k))
    total = place(seconds, hits)
    stirred = shaped_noise(take.rng, seconds, (300, -10), (3000, 0), (12_000, -6))
    return np.asarray(total + 0.1 * total.std() * stirred)


@family.sound("dishes clattering", "dishes clattering", "dishes clatter", "/m/04brg2", confusable=("glass breaking",))
def dishes(take: Take) -> Signal:
    length, size = take.spread(1.3, 2.4), 1176 * take.spread(0.87, 1.15)
    sizes = [size * k for k in (1, 1.15, 1.3, 1.5, 1.7, 2)]
    plates = [blow(take, low, 10_750, 19, 0.1043 * take.uniform(0.6, 1.4), 0.31, 0.025) for low in sizes]
    return clatter(take, length, plates, 11.4 * take.spread(0.87, 1.15), 1.0, 5, 0.022)


@family.sound(
    "cutlery", "cutlery clinking", "cutlery clinks", "/m/023pjk", confusable=("dishes clattering", "keys jangling", "ratchet")
)
def cutlery(take: Take) -> Signal:
    length, size = take.spread(1.2, 2.2), take.spread(2200, 3000)
    forks = [blow(take, size * k, 6600, 13, take.uniform(0.04, 0.09), 0.5, 0.0085) for k in (1, 1.15, 1.3, 1.5, 1.7, 2)]
    return clatter(take, length, forks, take.spread(9, 13), 3, 2, 0.06)


@family.sound("keys jangling", "keys jangling", "keys jangle", "/m/03v3yw")
def keys_jangling(take: Take) -> Signal:
    length, low = take.spread(1.3, 2.4), 1793 * take.spread(0.87, 1.15)
    shake = (0.09 + strokes(take.rng, length, 2.19 * take.spread(0.85, 1.2), 0.8)) * envelope(length, 0.02, 0.1)
    total = np.zeros(count(length))
    for _ in range(4):
        knocks = sparse(take.rng, length, 30.6, 5.749) * shake
        total += struck(
            knocks, blow(take, take.uniform(low, 2 * low), 15_000, 12, 0.053 * take.uniform(0.5, 1.5), 0.9144, 0.006528)
        )
    return total


@family.sound(
    "electric toothbrush", "an electric toothbrush buzzing", "an electric toothbrush buzzes", "/m/04fgwm", sustained=True
)
def electric_toothbrush(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = take.spread(145, 205) * np.clip(wander(take.rng, length, 0.75, take.spread(0.02, 0.05)), 0.85, 1.15)
    tilt = take.spread(0.1, 0.5)
    motor = whine(take.rng, pitch, [k**-tilt * (1 if k % 2 else 0.72) for k in range(1, 40)], 0.08)
    bristles = bandpass(noise(take.rng, length), take.spread(3600, 5000), 13_000) * (1 + 0.8 * np.sin(2 * np.pi * phase(pitch)))
    press = eased(np.clip(wander(take.rng, length, 3, 0.05), 0.5, 1.5), 0.08)
    return (0.22 * motor + 0.85 * unit(bristles)) * press


@dataclass(frozen=True)
class Keys:
    """How a keyboard sounds: seconds from the finger's touch to the landing and on to the return, levels, the desk's tone."""

    down_s: float
    up_s: float
    touch: float
    release: float
    thump: float
    desk_hz: float
    hum: float

    def struck(self, take: Take, seconds: float, rate: float, jitter: float, frame: Signal, lever: Signal) -> Signal:
        """Keys struck `rate` times a second: the lever moves, the key lands on its frame and thumps the desk, and comes back."""
        hits = []
        desk = self.thump * thud(take.rng, 0.06, (100, 0), (self.desk_hz * take.spread(0.9, 1.12), 0), (950, -12))
        for at in beats(take.rng, seconds - 0.2, rate, jitter):
            force, down = take.uniform(0.6, 1), float(at) + self.down_s
            hits += [(float(at), lever * self.touch * take.uniform(0.5, 1)), (down, frame * force), (down, desk * force)]
            hits.append((down + self.up_s * take.uniform(0.8, 1.2), lever * self.release * take.uniform(0.4, 1)))
        total = place(seconds, hits)
        return np.asarray(total + self.hum * total.std() * shaped_noise(take.rng, seconds, (100, 0), (1000, -6), (8000, -12)))


@family.sound("scissors", "scissors snipping", "scissors snip", "/m/01lsmm", confusable=("typing",))
def scissors(take: Take) -> Signal:
    pace, cuts, snips = 1 / (1.971 * take.spread(0.87, 1.15)), int(take.choose(3, 4, 5, 4, 3)), []
    low, long = 2034 * take.spread(0.87, 1.15), 0.5437 * pace
    shut = blow(take, low, 12_000, 10, 0.09508, 0.31, 0.005)
    for k in range(cuts):
        edge = shaped_noise(take.rng, long, (500, -24), (2677, -8), (5354, 0), (13_000, -1))
        edge = edge * curve(long, (0, 0.2), (0.5056, 1), (1, 0.6))
        bite = 1.912 * grains(take.rng, long, 479.1, 3212.4, 11_000, length=0.005) * curve(long, (0, 0.2), (1, 1))
        open_ = 0.01511 * bandpass(noise(take.rng, 0.1), 2500, 9000) * envelope(0.1, 0.04, 0.04)
        snips += [(k * pace, 0.05 * (edge + bite) * envelope(long, 0.02, 0.015)), (k * pace + long + 0.05, open_)]
        snips.append((k * pace + 0.95 * long, 0.1954 * take.uniform(0.6, 1) * shut))
    return place(cuts * pace + 0.1, snips)


@family.sound("camera", "a camera clicking", "a camera clicks", "/m/0dv5r", confusable=("scissors",))
def camera(take: Take) -> Signal:
    pace, gap, wind = 1 / take.spread(2.2, 3.2), take.spread(0.045, 0.07), take.spread(0.07, 0.12)
    size, shots = take.spread(1800, 2500), []
    mirror, curtain = blow(take, size, 9000, 18, 0.018, 0.45, 0.006), blow(take, 1.1 * size, 11_000, 18, 0.012, 0.45, 0.004)
    gears = struck(
        firings(take.rng, np.full(count(wind), take.spread(95, 140)), rough=0.4, jitter=0.1),
        shells(take.rng, size, 9000, 14, 0.012),
    )
    film = unit(gears) * take.spread(0.25, 0.45) + 0.5 * shaped_noise(take.rng, wind, (500, -10), (3000, 0), (10_000, -8))
    number = int(take.choose(4, 5, 3, 4, 5))
    for k in range(number):
        at = k * pace
        shots += [(at, mirror), (at + gap, take.uniform(0.6, 0.9) * curtain), (at + gap + 0.015, 0.35 * mirror)]
        shots.append((at + gap + 0.03, 0.03 * film * envelope(wind, 0.02, 0.03)))
    return place(number * pace + 0.1, shots)


@family.sound(
    "crumpling paper",
    "someone crumpling paper",
    "someone crumples paper",
    "/t/dd00112",
    confusable=("fire", "paper tearing", "rustling leaves"),
)
def crumpling_paper(take: Take) -> Signal:
    length, stiff = take.spread(1.3, 2.4), take.spread(0.8, 1.25)
    squeeze = np.clip(wander(take.rng, length, 2.0, 0.2726), 0.2, 2)
    folds = np.zeros(count(length))
    for _ in range(6):
        crease = (200, -13.64), (take.uniform(1927, 7708) * stiff, 0), (8000, 0), (14_000, -8)
        fold = thud(take.rng, take.uniform(0.0071, 0.03025), *crease)
        folds += struck(sparse(take.rng, length, 11, 7.06), fold)
    rub = shaped_noise(take.rng, length, (300, -14), (2000 * stiff, -2), (5000, 0), (12_000, -10))
    rub = rub * np.clip(wander(take.rng, length, 31.84, 0.334), 0.03, 3)
    return (unit(folds) + 0.474 * rub) * squeeze * envelope(length, 0.02, 0.05)


@family.sound("record scratching", "a DJ scratching a record", "a DJ scratches a record", "/m/01hgjl")
def record_scratching(take: Take) -> Signal:
    length, rate = take.spread(1.4, 2.4), take.spread(3.6, 5.0)
    at = ramp(length)
    hand = np.sin(2 * np.pi * rate * at + take.spread(1.2, 1.8) * np.sin(np.pi * rate * at))
    speed = np.abs(hand) ** 0.88 + 0.02
    hiss = np.interp(np.cumsum(0.7 * speed), np.arange(count(length)), noise(take.rng, length))
    groove = saw(take.spread(1000, 1500) * speed) + 0.3 * hiss
    tone = formants(groove, [(445, 133, 0), (980, 220, -2), (1780, 445, -4)]) + 0.12 * groove
    fader = eased((np.sin(2 * np.pi * rate * at + take.spread(0.4, 1.0)) > -0.655).astype(float), 0.008)
    return tone * np.sqrt(speed) * fader


@family.sound("typing", "someone typing on a keyboard", "someone types on a keyboard", "/m/01m2v")
def typing(take: Take) -> Signal:
    length, rate = take.spread(1.5, 2.4), 4.7888 * take.spread(0.87, 1.15)
    cap = blow(take, 551 * take.spread(0.87, 1.15), 8271, 36, 0.12, 2.5, 0.0079)
    lever = blow(take, 1543, 9000, 10, 0.03, 0.27, 0.004)
    keys = Keys(down_s=0.0284, up_s=0.0761, touch=0.0407, release=0.79, thump=1.374, desk_hz=263, hum=0.0608)
    return keys.struck(take, length, rate, 0.074, cap, lever)
