"""Vehicles, aircraft, boats and trains, and their horns and brakes."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    compress,
    count,
    curve,
    envelope,
    formants,
    harmonics,
    noise,
    phase,
    place,
    pulse,
    room,
    saw,
    shaped_noise,
    sine,
    sparse,
    train,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import (
    eased,
    engine,
    firings,
    passing,
    shells,
    struck,
    thud,
    whine,
)

family = Family()


@family.sound(
    "helicopter", "a helicopter hovering", "a helicopter hovers", "/m/09ct_", sustained=True, confusable=("propeller plane",)
)
def helicopter(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(10.5, 16)
    cycle = phase(rate * wander(take.rng, length, 0.5, 0.01)) % 1
    chop = np.exp(-(((cycle - 0.4) / 0.18) ** 2))
    thump = bandpass(noise(take.rng, length), 45, 220) * (0.12 + chop)
    swish = shaped_noise(take.rng, length, (150, 0), (500, -2), (1500, -8), (6000, -24)) * (0.3 + 0.7 * chop)
    turbine = sine(take.spread(900, 1500) * wander(take.rng, length, 1, 0.003)) * 0.04
    return compress(unit(thump) + 0.7 * swish + turbine, 0.06, 0.35)


@family.sound("propeller plane", "a propeller plane droning", "a propeller plane drones", "/m/0cmf2", sustained=True)
def propeller_plane(take: Take) -> Signal:
    length, peak, swing = take.spread(4.2, 5.3), take.spread(320, 880), take.spread(0.45, 0.75)
    rate = take.spread(78, 108) * wander(take.rng, length, 3, take.spread(0.001, 0.003))
    pipe = [(32, -7), (90, -3), (180, 0), (350, -6.5), (700, -13), (1400, -20), (2800, -27), (8000, -37)]
    near = firings(take.rng, rate, rough=take.spread(0.02, 0.08), uneven=0.05, group=3, jitter=take.spread(0.004, 0.018))
    far = firings(take.rng, rate * take.uniform(1.01, 1.03), rough=0.1, jitter=0.004)
    wash = shaped_noise(take.rng, length, (40, -8), (peak, 0), (2 * peak, -7), (9000, -36))
    wash *= 1 - swing + swing * np.cos(2 * np.pi * phase(rate))
    dry = unit(struck(near, thud(take.rng, take.spread(0.014, 0.029), *pipe, attack=0.0015))) + take.spread(0.35, 0.65) * wash
    dry += 0.4 * unit(struck(far, thud(take.rng, 0.02, *pipe, attack=0.001)))
    return room(take.rng, dry, take.spread(0.9, 1.5), take.spread(0.3, 1.0))[: len(dry)]


@family.sound("train whistle", "a train whistle blowing", "a train whistle blows", "/m/04zmvq")
def train_whistle(take: Take) -> Signal:
    length, root = take.spread(1.3, 2.2), take.spread(290, 390)
    scoop = curve(length, (0, 0.94), (0.1, 1), (0.88, 1), (1, 0.93))
    chime = sum(harmonics(root * ratio * scoop, (1, 0.5, 0.35, 0.2, 0.12)) for ratio in (1, 1.19, 1.49, 1.78))
    blast = shaped_noise(take.rng, length, (300, -10), (1200, 0), (4000, -4), (10000, -16))
    return (unit(np.asarray(chime)) + 0.3 * blast) * envelope(length, 0.09, 0.22)


@family.sound("car horn", "a car horn honking", "a car horn honks", "/m/0912c9", confusable=("foghorn", "train whistle"))
def car_horn(take: Take) -> Signal:
    low, honks = take.spread(350, 460), []
    lengths = ((0.3, 0.3), (0.9,), (0.2, 0.6), (0.25, 0.25, 0.5))[take.number % 4]
    at = 0.0
    for length in lengths:
        length *= take.uniform(0.95, 1.1)
        flat = np.full(count(length), low)
        horn = pulse(flat, 0.2) + pulse(flat * 1.255, 0.2)
        horn = formants(horn, [(1000, 700, 0), (2300, 900, 1), (3500, 1000, -4)]) + 0.2 * horn
        honks.append((at, horn * envelope(length, 0.015, 0.03)))
        at += length + take.uniform(0.08, 0.14)
    return place(at, honks)


@family.sound("foghorn", "a foghorn blowing", "a foghorn blows", "/m/04fq5q", confusable=("steam whistle", "train whistle"))
def foghorn(take: Take) -> Signal:
    length, low = take.spread(1.8, 2.9), take.spread(82, 128)
    pitch = low * curve(length, (0, 0.9), (0.08, 1), (0.92, 1), (1, 0.9)) * wander(take.rng, length, 4, 0.003)
    horn = formants(saw(pitch) + 0.5 * saw(pitch * 1.003), [(180, 90, 0), (380, 120, -3), (750, 250, -12)])
    return (unit(horn) + 0.03 * noise(take.rng, length)) * envelope(length, 0.15, 0.25)


@family.sound(
    "motorcycle", "a motorcycle running", "a motorcycle runs", "/m/04_sv", sustained=True, confusable=("race car", "traffic")
)
def motorcycle(take: Take) -> Signal:
    length, peak = take.spread(4.2, 5.3), take.spread(170, 320)
    rate = take.spread(17, 24) * wander(take.rng, length, 4, take.spread(0.008, 0.04))
    dry = engine(
        take.rng,
        rate,
        rough=0.2,
        uneven=0.15,
        group=int(take.choose(1, 4, 2, 4, 6)),
        pipe=[(32, -10), (60, -5), (peak / 2, 0), (peak, 4), (2 * peak, -13), (1000, -26), (2000, -34), (4000, -43), (8000, -52)],
        ring=take.spread(0.035, 0.055),
        soft=0.001,
        clatter=take.spread(0.035, 0.07),
        knock=(1500, 5000),
        hiss=take.spread(0.1, 0.19),
        jitter=take.spread(0.003, 0.025),
        breath=0.35,
    )
    return room(take.rng, compress(np.tanh(dry / 1.5), 0.06, 0.4), 0.5, 0.2)[: len(dry)]


@family.sound("race car", "a race car racing", "a race car races", "/m/0ltv", sustained=True, confusable=("traffic",))
def race_car(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    gears = int(take.choose(2, 3, 4, 3, 2))
    x = np.linspace(0, gears, count(length)) + take.uniform(0, 0.5)
    rate = take.spread(170, 330) * (0.75 + 0.5 * (x % 1) ** 0.8) * wander(take.rng, length, 8, 0.006)
    return engine(
        take.rng,
        eased(rate),
        rough=0.2,
        uneven=0.15,
        group=8,
        pipe=[(100, -6), (300, 0), (800, 2), (2000, -2), (6000, -12), (14000, -26)],
        ring=0.012,
        clatter=0.1,
        hiss=0.35,
        hiss_points=[(60, 0), (500, -2), (2000, -6), (9000, -20)],
        jitter=0.01,
    )


@family.sound(
    "jet engine",
    "a jet engine roaring",
    "a jet engine roars",
    "/m/04229",
    sustained=True,
    confusable=("propeller plane", "train ride", "wind"),
)
def jet_engine(take: Take) -> Signal:
    length, centre, slope = take.spread(4.2, 5.3), take.spread(300, 980), take.spread(-4, -2)
    roar = shaped_noise(take.rng, length, (40, -8), (centre, 0), (2 * centre, slope), (14000, slope * np.log2(14000 / centre)))
    spool = take.spread(2250, 4300) * curve(length, (0, 0.97), (1, 1.02))
    fan = whine(take.rng, spool, (1, 0.4, 0.2), 0.18) + 0.1 * whine(take.rng, spool * take.uniform(0.2, 0.7), (1, 0.3), 0.1)
    blast = unit(bandpass(noise(take.rng, length), 1800, 6500))
    dry = roar * np.clip(wander(take.rng, length, 6, 0.13), 0.2, 2) + take.spread(0.2, 0.6) * fan + 0.1 * blast
    return room(take.rng, dry, 0.9, 0.7)[: len(dry)]


@family.sound("train ride", "a train rolling over the rails", "a train rolls over the rails", "/m/01g50p", sustained=True)
def train_ride(take: Take) -> Signal:
    length, pace, axle = take.spread(4.3, 5.4), take.spread(0.5, 1.1), take.uniform(0.1, 0.15)
    centre = take.spread(240, 530)
    roll = shaped_noise(take.rng, length, (40, -5), (centre, 0), (2 * centre, -7), (8 * centre, -24), (14000, -40))
    clack = thud(take.rng, take.spread(0.05, 0.19), (60, -1), (200, 0), (700, -2), (2500, -11), (9000, -30), attack=0.002)
    at = np.concatenate(
        [np.arange(take.uniform(0, pace), length, pace) + k for k in (0.0, axle, 0.45 * pace, 0.45 * pace + axle)]
    )
    joints = struck(train(length, at, take.rng.uniform(0.4, 1, len(at))), clack)
    rattle = struck(sparse(take.rng, length, 12), shells(take.rng, take.spread(200, 1300), 4000, 16, 0.06))
    hum = whine(take.rng, take.spread(66, 140) * wander(take.rng, length, 1, 0.004), (1, 0.7, 0.5, 0.4, 0.3, 0.2), 0.15)
    rub = whine(take.rng, take.spread(1350, 2400) * wander(take.rng, length, 2, 0.006), (1, 0.4, 0.2), 0.3)
    dry = roll * np.clip(wander(take.rng, length, 9, 0.22), 0.2, 2) + take.spread(0.14, 0.4) * unit(joints) + 0.07 * unit(rattle)
    dry += 0.055 * hum + 0.15 * rub * np.clip(wander(take.rng, length, 1.5, 0.6), 0, 2)
    return room(take.rng, dry, 0.6, 0.5)[: len(dry)]


@family.sound(
    "subway train",
    "a subway train rushing by",
    "a subway train rushes by",
    "/m/0195fx",
    sustained=True,
    confusable=("train ride",),
)
def subway_train(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    roll = shaped_noise(take.rng, length, (50, 0), (150, 2), (400, 2), (900, -1), (2500, -8), (8000, -24))
    motor = whine(take.rng, take.spread(260, 620) * curve(length, (0, 0.92), (1, 1.08)), (1, 0.6, 0.5, 0.3, 0.2), 0.15)
    screech = take.spread(2200, 3600) * wander(take.rng, length, 3, 0.006)
    wheel = whine(take.rng, screech, (1, 0.5, 0.2), 0.3) * np.clip(wander(take.rng, length, 1.2, 0.7), 0, 2)
    rattle = struck(sparse(take.rng, length, 22), thud(take.rng, 0.1, (100, 0), (600, 0), (3000, -10)))
    dry = roll * wander(take.rng, length, 2.5, 0.15) + take.spread(0.15, 0.4) * motor + 0.12 * wheel + 0.4 * unit(rattle)
    return room(take.rng, dry, 1.0, 0.9)[: len(dry)]


@family.sound(
    "steam locomotive",
    "a steam locomotive chuffing",
    "a steam locomotive chuffs",
    sustained=True,
    confusable=("subway train", "train ride"),
)
def steam_locomotive(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    turns = phase(take.spread(2.6, 6.0) * wander(take.rng, length, 0.7, 0.02))
    beat = np.exp(-(((turns % 1) - 0.25) ** 2) / 0.02) * np.array([1.0, 0.75, 0.9, 0.7])[np.floor(turns).astype(int) % 4]
    blast = shaped_noise(take.rng, length, (60, -2), (200, 2), (600, 0), (1500, -3), (5000, -10), (12000, -24))
    wheels = shaped_noise(take.rng, length, (40, 0), (150, 0), (600, -10), (3000, -26))
    leak = shaped_noise(take.rng, length, (800, -20), (3000, 0), (9000, -4))
    return compress(blast * (0.05 + beat) + 0.25 * wheels + 0.06 * leak, 0.15, 0.3)


@family.sound("traffic", "traffic flowing by", "traffic flows by", "/m/0btp2", sustained=True)
def traffic(take: Take) -> Signal:
    length, bed, slope = take.spread(4.4, 5.4), take.spread(105, 148), take.spread(-8, -4.5)
    total = shaped_noise(take.rng, length, (40, 0), (bed, 0), (2 * bed, slope), (14000, slope * np.log2(14000 / bed)))
    total *= take.spread(0.15, 0.8)
    tread, humming, near = take.spread(700, 1400), take.spread(0.03, 0.5), take.spread(5, 16)
    for _ in range(int(take.choose(4, 5, 6, 5, 4))):
        tyres = shaped_noise(take.rng, length, (60, -6), (tread / 3, -4), (tread, 0), (2 * tread, -7), (5000, -22), (12000, -40))
        motor = whine(take.rng, take.uniform(60, 120) * wander(take.rng, length, 1, 0.01), (1, 0.8, 0.5), 0.3)
        closest, speed, distance = take.uniform(0, length), take.uniform(10, 22), near * take.uniform(0.9, 1.7)
        total += take.uniform(0.3, 0.9) * passing(tyres + humming * motor, closest, speed, distance)
    return room(take.rng, compress(total, 0.6, take.spread(0.15, 0.5)), 1.15, take.spread(0.3, 0.5))[: len(total)]


@family.sound(
    "bus",
    "a bus pulling away",
    "a bus pulls away",
    "/m/01bjv",
    confusable=("car passing by", "engine idling", "lawn mower", "motorcycle", "traffic"),
)
def bus(take: Take) -> Signal:
    length, peak = take.spread(2.4, 3.3), take.spread(85, 400)
    rate = (
        take.spread(20, 34) * curve(length, (0, 0.6), (0.2, 0.65), (1, take.spread(1.1, 1.5))) * wander(take.rng, length, 3, 0.01)
    )
    motor = engine(
        take.rng,
        rate,
        rough=0.15,
        uneven=0.2,
        group=6,
        pipe=[(32, -2), (peak / 2, 0), (peak, 8), (2 * peak, -6), (1000, -24), (2000, -31), (8000, -46)],
        ring=take.spread(0.04, 0.07),
        soft=0.003,
        clatter=0.065,
        hiss=0.2,
        jitter=0.003,
    )
    gears = whine(take.rng, rate * take.uniform(6, 16), (1, 0.5, 0.3), 0.15)
    road = shaped_noise(take.rng, length, (60, -6), (1100, 0), (4400, -12), (12000, -34))
    dry = (motor + take.spread(0.05, 0.2) * gears + take.spread(0.1, 0.25) * road) * curve(length, (0, 0.5), (0.3, 0.8), (1, 1))
    return room(take.rng, dry * envelope(length, 0.1, 0.3), 0.5, 0.5)


@family.sound("car passing by", "a car passing by", "a car passes by", "/t/dd00134", confusable=("race car", "traffic"))
def car_passing_by(take: Take) -> Signal:
    length, tread, dull = take.spread(2.4, 3.3), take.spread(580, 1250), take.spread(-8, -3)
    tyres = shaped_noise(
        take.rng, length, (50, -7), (tread / 3, -4), (tread, 0), (2 * tread, dull), (6 * tread, -24), (14000, -50)
    )
    motor = whine(take.rng, take.spread(63, 111) * wander(take.rng, length, 1, 0.01), (1, 0.8, 0.6, 0.4, 0.3), 0.3)
    car = tyres + take.spread(0.45, 1) * motor
    by = passing(car, length * take.uniform(0.45, 0.55), take.spread(22, 32), take.spread(3.2, 6.8))
    return room(take.rng, by, take.spread(0.35, 1.3), 0.3)


@family.sound("tire squeal", "tires squealing", "tires squeal", "/m/0h9mv")
def tire_squeal(take: Take) -> Signal:
    length = take.spread(0.9, 1.9)
    tone = take.spread(760, 1120) * curve(length, (0, 0.88), (0.2, 1.03), (0.7, 1), (1, 0.83))
    total = 0.35 * shaped_noise(take.rng, length, (100, -10), (take.spread(700, 1700), 0), (5000, -8), (14000, -24))
    # Three bands of the tread stick and slip, each on its own: their pitches are shaken some eighty times a second.
    for ratio, gain in ((1.0, 1.0), (take.uniform(1.03, 1.08), 0.7), (take.spread(1.3, 2.0), 0.35)):
        shaken = tone * ratio * wander(take.rng, length, 80, 0.045)
        total += gain * whine(take.rng, shaken, (1, 0.35, 0.12, 0.04), 0.1)
    total = total * np.clip(wander(take.rng, length, 15, 0.27), 0.2, 2)
    total += 0.05 * shaped_noise(take.rng, length, (40, 0), (150, 0), (500, -8), (3000, -30))
    return room(take.rng, total * envelope(length, 0.05, 0.2), 0.6, 0.5)


@family.sound("steam whistle", "a steam whistle shrilling", "a steam whistle shrills", "/m/06hck5", confusable=("train whistle",))
def steam_whistle(take: Take) -> Signal:
    length = take.spread(1.2, 2.3)
    blown = curve(length, (0, 0.8), (take.spread(0.08, 0.25), 1), (0.85, 1), (1, take.uniform(0.8, 0.9)))
    pitch, tone = take.spread(300, 1000) * blown, np.zeros(count(length))
    for ratio, gain in (
        (1.0, 1.0),
        (take.spread(1.18, 1.3), take.spread(0.1, 0.4)),
        (take.spread(1.4, 1.95), take.uniform(0.1, 0.4)),
    ):
        voice = harmonics(pitch * ratio * wander(take.rng, length, 8, 0.001), (1, 0.12, 0.15, 0.08))
        tone += gain * voice * np.clip(wander(take.rng, length, 30, 0.1), 0.3, 2)
    jet = shaped_noise(take.rng, length, (300, -14), (take.spread(1100, 2200), 0), (9000, -4), (14000, -10))
    return room(take.rng, (unit(tone) + take.spread(0.12, 0.6) * jet) * envelope(length, 0.06, 0.2), take.spread(0.4, 1.5), 0.6)
