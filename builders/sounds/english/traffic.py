"""Traffic: on roads and rails, in the air, on water."""

from __future__ import annotations

from builders.sounds.english.row import Row

ROWS: tuple[Row, ...] = (
    Row("vehicle", "a vehicle", "a vehicle is heard"),
    # Road
    Row("motor vehicle road, motor vehicle", "a motor vehicle", "a motor vehicle is heard"),
    Row("traffic noise roadway noise, traffic, traffic noise", "road traffic passing", "road traffic passes", True),
    Row("car", "a car driving", "a car drives", True),
    Row("any car", "a car", "a car is heard"),
    # Nearer, then farther: a part of it is another sound.
    Row("car passing by, car passing", "a car passing by", "a car passes by"),
    Row("race car auto racing, race car", "a race car speeding past", "a race car speeds past"),
    Row("bus", "a bus driving", "a bus drives", True),
    Row("truck", "a truck driving", "a truck drives", True),
    Row("motorcycle", "a motorcycle driving", "a motorcycle drives", True),
    Row("car horn, car honk, honk, vehicle horn car horn honking", "a car horn honking", "a car horn honks"),
    Row("truck horn, air horn", "a truck horn blaring", "a truck horn blares", True),
    Row("siren", "a siren wailing", "a siren wails", True),
    Row("tyre screech, tire screech, tire squeal", "tyres screeching", "tyres screech"),
    Row("bicycle", "a bicycle", "a bicycle is heard"),
    Row("bicycle bell", "a bicycle bell ringing", "a bicycle bell rings"),
    Row("skateboard", "a skateboard rolling", "a skateboard rolls"),
    # Engines
    Row("engine", "an engine running", "an engine runs", True),
    Row("idling, engine idling", "an engine idling", "an engine idles", True),
    Row("engine starting", "an engine starting", "an engine starts"),
    Row("accelerating revving vroom, engine revving", "an engine revving", "an engine revs"),
    # Rails
    Row("rail transport", "a rail vehicle moving", "a rail vehicle moves", True),
    Row("train", "a train passing", "a train passes", True),
    Row("subway metro underground, subway", "a subway train passing", "a subway train passes", True),
    Row("steam train, steam locomotive", "a steam train puffing", "a steam train puffs", True),
    Row("train whistle, train horn", "a train whistle blowing", "a train whistle blows"),
    Row("whistle, whistle blowing", "a whistle blowing", "a whistle blows"),
    Row("level crossing bell, railway crossing bell", "a level crossing bell ringing", "a level crossing bell rings"),
    # Air and water
    Row("aircraft", "an aircraft flying", "an aircraft flies", True),
    Row("helicopter", "a helicopter flying", "a helicopter flies", True),
    Row("airplane, aeroplane, fixed wing aircraft airplane", "an airplane flying past", "an airplane flies past", True),
    Row("jet plane, jet, jet engine", "a jet plane roaring", "a jet plane roars", True),
    Row("boat water vehicle, boat", "a boat moving on water", "a boat moves on water"),
    Row("canal lock gate", "a canal lock gate moving", "a canal lock gate moves"),
    Row("ship horn, foghorn", "a ship's horn blowing", "a ship's horn blows"),
)
