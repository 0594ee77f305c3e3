"""Strings that are plucked and bowed."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    compress,
    count,
    curve,
    envelope,
    formants,
    highpass,
    lowpass,
    noise,
    place,
    pluck,
    pulse,
    resonate,
    room,
    saturate,
    saw,
    steps,
    unit,
    vibrato,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.tunes import MAJOR, picked, semitones, string, tongued, tune

family = Family()


@family.sound(
    "guitar strum",
    "someone strumming a guitar",
    "someone strums a guitar",
    "/m/07s0s5r",
    confusable=("harp", "harpsichord", "sitar", "ukulele"),
)
def guitar_strum(take: Take) -> Signal:
    length, key, speed = take.spread(1.5, 2.3), semitones(take.spread(-3, 4)), take.spread(0.02, 0.05)
    frets = (82.4, 123.5, 164.8, 207.7, 246.9, 329.6) if take.number % 2 else (87.3, 110.0, 164.8, 220.0, 261.6, 329.6)
    strums = []
    for stroke, at in enumerate(np.arange(0, length - 0.5, take.spread(0.38, 0.55))):
        order = range(6) if stroke % 2 == 0 else range(5, -1, -1)
        for k, which in enumerate(order):
            tone = pluck(take.rng, length - at - k * speed, frets[which] * key, 2.2, take.uniform(0.35, 0.55))
            strums.append((float(at + k * speed), tone * take.uniform(0.7, 1)))
    box = place(length, strums)
    return (box + 0.8 * resonate(box, 105, 30) + 0.5 * resonate(box, 210, 40)) * envelope(length, 0.001, 0.25)


@family.sound("harp", "a harp playing", "a harp plays", "/m/03m5k", confusable=("harpsichord",))
def harp(take: Take) -> Signal:
    root, pace, up = take.spread(125, 200), take.spread(0.055, 0.085), take.number % 2 == 0
    notes = [root * semitones(12 * (k // 7) + MAJOR[k % 7]) for k in range(18)]
    length = 18 * pace + 0.9
    tones = [
        (k * pace, pluck(take.rng, 1.6, note, 1.8, 0.3) * take.uniform(0.8, 1))
        for k, note in enumerate(notes if up else notes[::-1])
    ]
    return room(take.rng, lowpass(place(length, tones), 5000) * envelope(length, 0.001, 0.3), 0.8, 0.25)


@family.sound("violin", "a violin playing", "a violin plays", "/m/07y_7", sustained=True)
def violin(take: Take) -> Signal:
    length, notes = take.spread(4.2, 5.3), int(take.choose(5, 6, 7, 8, 6))
    pitch = steps(length, tune(take, notes, take.spread(380, 520)), 0.04) * vibrato(length, take.spread(4.7, 5.8), 0.009)
    pitch = pitch * wander(take.rng, length, 14, 0.001) * (1 - 0.03 * (1 - tongued(length, notes, 0, 0.07)))
    bowed = 0.7 * pulse(pitch, 0.09) + 0.3 * saw(pitch) + 0.01 * noise(take.rng, length)
    air = take.spread(380, 450)
    body = unit(formants(bowed, [(air, 95, 0), (1.4 * air, 130, 0), (3.7 * air, 190, 0), (5.9 * air, 290, 0)])) + 0.55 * unit(
        bowed
    )
    bow = tongued(length, notes, 0.22, 0.07) * np.clip(wander(take.rng, length, 3, 0.12), 0.5, 1.3)
    bright = 0.45 * bow**2
    return room(take.rng, (lowpass(body, 960) * (1 - bright) + body * bright) * bow * envelope(length, 0.06, 0.08), 0.8, 0.5)[
        : count(length)
    ]


@family.sound("ukulele", "someone strumming ukulele chords", "someone strums ukulele chords", "/m/07xzm")
def ukulele(take: Take) -> Signal:
    length, key, speed = take.spread(1.4, 2.4), semitones(take.spread(-2, 5)), take.spread(0.008, 0.025)
    chords = ((0, 0, 0, 3), (2, 0, 1, 0), (0, 2, 3, 2), (2, 0, 0, 0))
    notes, pace = [], take.spread(0.17, 0.27)
    for stroke, at in enumerate(np.arange(0, length - 0.4, pace)):
        if stroke % 8 in (1, 4):
            continue
        chord = chords[(stroke // 4 + take.number) % 4]
        order = (0, 1, 2, 3) if stroke % 2 == 0 else (3, 2, 1, 0)
        for k, i in enumerate(order):
            notes.append((float(at + k * speed), (392.0, 261.6, 329.6, 440.0)[i] * semitones(chord[i]) * key))
    nylon = picked(take, length, notes, 0.8, 0.9, 0.35, pick=0.2)
    return (nylon + 0.8 * resonate(nylon, 380, 60) + 0.5 * resonate(nylon, 720, 90)) * envelope(length, 0.001, 0.2)


@family.sound("sitar", "a sitar playing", "a sitar plays", "/m/0jtg0", sustained=True)
def sitar(take: Take) -> Signal:
    length, root = take.spread(4.2, 5.3), take.spread(115, 165)
    rate, at, events = take.spread(3.0, 4.5), 0.0, []
    pitches = tune(take, 32, root * 2)
    while at < length - 0.1:
        pitch = pitches[int(at * rate)]
        gap = float(take.rng.choice([1, 1, 2])) / rate
        ring = min(3 * gap + 0.3, length - at)
        pull = semitones(float(take.rng.choice([0, 0, 2, -1])))
        bend = curve(ring, (0, 1), (0.15, 1), (0.35, pull), (1, pull)) * vibrato(ring, 5, 0.004)
        for course in (1.0, 1.003):
            events.append((at, string(take.rng, ring, pitch * course, 3.0, 0.6, damp=0.25, pick=0.1, scrape=0.8, bend=bend)))
        at += gap
    for k, beat in enumerate(np.arange(0, length - 0.3, 0.55)):
        drone = root * (1.5, 2.0, 2.0, 1.0)[k % 4]
        events.append((float(beat), 0.5 * string(take.rng, length - beat, drone, 3.0, 0.6, damp=0.2, scrape=0.7)))
    strings = unit(compress(place(length, events), 0.4, 0.75))
    # The strings graze a broad bridge, which throws energy into the high partials time and again.
    buzz = highpass(np.abs(strings + 0.3 * strings**2), 900)
    return np.asarray(strings + 0.5 * unit(formants(buzz, [(1400, 400, 0), (2600, 700, 0), (4300, 1200, -3)])))


@family.sound(
    "electric guitar",
    "an electric guitar playing",
    "an electric guitar plays",
    "/m/02sgy",
    sustained=True,
    confusable=("guitar strum", "ukulele"),
)
def electric_guitar(take: Take) -> Signal:
    length, root, pace = take.spread(4.2, 5.3), take.spread(78, 130), take.spread(0.22, 0.36)
    notes, fret = [], 0
    for k in range(int(length / pace)):
        if k % 4 == 0:
            fret = (0, 3, 5, 7, 10)[int(take.rng.integers(5))]
        for up in (0, 7, 12):
            notes.append((k * pace + 0.003 * up / 7, root * semitones(fret + up)))
    chords = picked(take, length, notes, 1.4 * pace, 4.0, 0.8, damp=0.3, pick=0.17)
    driven = saturate(highpass(chords, 120), take.spread(2, 8))
    return lowpass(unit(driven) + 0.8 * resonate(unit(driven), 2400, 1500), 4800, 4)


@family.sound(
    "bass guitar",
    "a bass guitar playing",
    "a bass guitar plays",
    "/m/018vs",
    confusable=("electric guitar", "guitar strum", "ukulele"),
)
def bass_guitar(take: Take) -> Signal:
    pace, root = take.spread(0.2, 0.29), take.spread(40, 52)
    riff = ((0, 0, 7, 0, 10, 12, 7, 5), (0, 3, 5, 0, 3, 6, 5, 0), (0, 12, 0, 10, 12, 7, 10, 5))[take.number % 3]
    notes = [(k * pace, root * semitones(step) * detune) for k, step in enumerate(riff) for detune in (1.0, 1.003)]
    strings = picked(take, 8 * pace + 0.2, notes, 3 * pace, 1.5, 0.87, damp=0.47, pick=0.26, scrape=0.67)
    return lowpass(saturate(strings, take.spread(2, 4)), take.spread(2300, 3200))


@family.sound("cello", "a cello playing", "a cello plays", "/m/01xqw", sustained=True, confusable=("violin",))
def cello(take: Take) -> Signal:
    length, notes = take.spread(4.2, 5.3), int(take.choose(4, 5, 6, 7, 8))
    pitch = steps(length, tune(take, notes, 166.2 * take.spread(0.85, 1.18)), 0.06) * vibrato(length, 5.083, 0.00235)
    bowed = saw(pitch * wander(take.rng, length, 8, 0.0008526)) + 0.09219 * noise(take.rng, length)
    low = [(110, 30, -7.612), (210, 82.49, 0), (400, 50, -1.155), (620, 150, -3)]
    body = formants(bowed, [*low, (1100, 300, -5.965), (2000, 700, -7.002), (3200, 900, -14.1)])
    bow = np.clip(wander(take.rng, length, 1.97, 0.0767), 0.4, 1.5) * tongued(length, notes, 0.5723, 0.09886)
    tone = unit(body) + 0.0297 * unit(bowed)
    return room(take.rng, tone * bow * envelope(length, 0.1, 0.08), 0.9, 0.4981)[: count(length)]
