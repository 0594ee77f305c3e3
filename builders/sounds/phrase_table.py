"""How known labels are said in English: data for `phrases`.

Every noun fits "... before ...", "without ...", "the sound of ... lasts longer"; every clause fits "first ..., then ...".
Nouns and clauses are unique. `sustained` is True for sounds that go on evenly, so that a part of them is still the same sound.
"""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    labels: str
    """The label and other labels for the same sound, separated by commas; the first is the one that `related` uses."""
    noun: str
    clause: str
    sustained: bool = False


ROWS: tuple[Row, ...] = (
    # Animals
    Row("dog bark, dog, dog barking", "a dog barking", "a dog barks"),
    Row("rooster crow, rooster, crowing", "a rooster crowing", "a rooster crows"),
    Row("pig oink, pig, oink", "a pig oinking", "a pig oinks"),
    Row("cow moo, cow, moo", "a cow mooing", "a cow moos"),
    Row("frog croak, frog, frog croaking", "a frog croaking", "a frog croaks"),
    Row("cat meow, cat, meow", "a cat meowing", "a cat meows"),
    Row("hen cluck, hen, hen clucking", "a hen clucking", "a hen clucks"),
    Row("insects, insect buzz, insects flying", "insects buzzing", "insects buzz", True),
    Row("sheep bleat, sheep, bleat", "a sheep bleating", "a sheep bleats"),
    Row("crow caw, crow, caw", "a crow cawing", "a crow caws"),
    Row("horse neigh, horse, neigh", "a horse neighing", "a horse neighs"),
    Row("crickets, cricket chirp", "crickets chirping", "crickets chirp", True),
    Row("chirping birds, birds chirping", "birds chirping", "birds chirp"),
    Row("birdsong, bird song", "a bird singing", "a bird sings"),
    Row("bird call", "a bird calling", "a bird calls"),
    Row("bird", "a bird making a sound", "a bird makes a sound"),
    Row("owl hoot, owl", "an owl hooting", "an owl hoots"),
    Row("duck quack, duck, quack", "a duck quacking", "a duck quacks"),
    # Weather, water, fire
    Row("rain, rainfall, rain falling", "rain falling", "rain falls", True),
    Row("sea waves, ocean waves, waves", "sea waves breaking", "sea waves break", True),
    Row("fire crackling, crackling fire, fire", "a fire crackling", "a fire crackles", True),
    Row("water drops, water dripping, drip", "water dripping", "water drips"),
    Row("water flowing, flowing water, running water, stream", "water flowing", "water flows", True),
    Row("pouring water, water pouring", "water being poured", "water is poured", True),
    Row("shower", "a shower running", "a shower runs", True),
    Row("wind, wind blowing", "wind blowing", "the wind blows", True),
    Row("thunderstorm, thunder", "thunder rolling", "thunder rolls"),
    Row("tree falling, falling tree", "a tree falling", "a tree falls"),
    # People
    Row("baby cry, crying baby, baby crying", "a baby crying", "a baby cries"),
    Row("sneeze, sneezing", "a person sneezing", "a person sneezes"),
    Row("cough, coughing", "a person coughing", "a person coughs"),
    Row("burp, burping", "a person burping", "a person burps"),
    Row("breathing, breath", "a person breathing", "a person breathes"),
    Row("laughing, laughter, laugh", "a person laughing", "a person laughs"),
    Row("snoring, snore", "a person snoring", "a person snores"),
    Row("drinking sipping, drinking, sipping", "a person sipping a drink", "a person sips a drink"),
    Row("brushing teeth, toothbrushing", "a person brushing teeth", "a person brushes teeth"),
    Row("clapping, hand clap", "hands clapping", "hands clap"),
    Row("applause", "an audience applauding", "an audience applauds", True),
    Row("footsteps", "footsteps passing", "footsteps pass"),
    Row("footsteps on ice", "footsteps crunching on ice", "footsteps crunch on ice"),
    Row("whistling", "a person whistling", "a person whistles"),
    # House
    Row("door close, door closing", "a door closing", "a door closes"),
    Row("door wood knock, door knock, knock", "a knock on a door", "somebody knocks on a door"),
    Row("door wood creaks, door creak, creaking door", "a door creaking", "a door creaks"),
    Row("mouse click", "a computer mouse clicking", "a computer mouse clicks"),
    Row("keyboard typing, typing", "a person typing on a keyboard", "a person types on a keyboard"),
    Row("can opening", "a can being opened", "a can is opened"),
    Row("washing machine", "a washing machine running", "a washing machine runs", True),
    Row("vacuum cleaner", "a vacuum cleaner running", "a vacuum cleaner runs", True),
    Row("clock alarm, alarm clock", "an alarm clock ringing", "an alarm clock rings"),
    Row("clock tick, clock ticking, tick tock", "a clock ticking", "a clock ticks"),
    Row("glass breaking, breaking glass", "glass breaking", "glass breaks"),
    Row("toilet flush", "a toilet flushing", "a toilet flushes"),
    Row("telephone, phone, telephone ringing", "a telephone ringing", "a telephone rings"),
    Row("coins", "coins clinking", "coins clink"),
    Row("card flip, card flipping", "a playing card being flipped", "a playing card is flipped"),
    Row("paint brush stroke, brush stroke", "a paint brush stroking a surface", "a paint brush strokes a surface"),
    Row("camera shutter", "a camera shutter clicking", "a camera shutter clicks"),
    Row("vinyl hiss", "a vinyl record hissing", "a vinyl record hisses", True),
    Row("vinyl scratch", "a vinyl record being scratched", "a vinyl record is scratched"),
    # Traffic
    Row("car horn, car honk, honk", "a car horn honking", "a car horn honks"),
    Row("truck horn, air horn", "a truck horn blaring", "a truck horn blares", True),
    Row("bus", "a bus driving", "a bus drives", True),
    Row("truck", "a truck driving", "a truck drives", True),
    Row("car, car passing", "a car driving", "a car drives", True),
    Row("motorcycle", "a motorcycle driving", "a motorcycle drives", True),
    Row("engine, engine idling", "an engine idling", "an engine idles", True),
    Row("siren", "a siren wailing", "a siren wails", True),
    Row("train", "a train passing", "a train passes", True),
    Row("steam train, steam locomotive", "a steam train puffing", "a steam train puffs", True),
    Row("train whistle, train horn", "a train whistle blowing", "a train whistle blows"),
    Row("level crossing bell, railway crossing bell", "a level crossing bell ringing", "a level crossing bell rings"),
    Row("tyre screech, tire screech, tire squeal", "tyres screeching", "tyres screech"),
    Row("helicopter", "a helicopter flying", "a helicopter flies", True),
    Row("airplane, aeroplane", "an airplane flying past", "an airplane flies past", True),
    Row("jet plane, jet, jet engine", "a jet plane roaring", "a jet plane roars", True),
    Row("canal lock gate", "a canal lock gate moving", "a canal lock gate moves"),
    # Tools, machines, signals
    Row("3d printer", "a 3D printer running", "a 3D printer runs", True),
    Row("chainsaw, chain saw", "a chainsaw running", "a chainsaw runs", True),
    Row("hand saw, sawing", "a person sawing wood", "a person saws wood"),
    Row("mining machinery", "mining machinery working", "mining machinery works", True),
    Row("drill, drilling", "an electric drill running", "an electric drill runs", True),
    Row("electric sparking, sparks", "electric sparks crackling", "electric sparks crackle", True),
    Row("fuse burning, fuse", "a fuse burning", "a fuse burns", True),
    Row("morse code", "Morse code beeping", "Morse code beeps"),
    # Impacts and effects
    Row("bow shot, arrow", "an arrow being shot from a bow", "an arrow is shot from a bow"),
    Row("crash", "a loud crash", "a loud crash is heard"),
    Row("whoosh, swoosh", "something whooshing past", "something whooshes past"),
    Row("fireworks", "fireworks going off", "fireworks go off"),
    Row("explosion", "an explosion going off", "an explosion goes off"),
    Row("gunshot, gun shot", "a gun being fired", "a gun is fired"),
    # Bells and instruments
    Row("church bells", "church bells ringing", "church bells ring"),
    Row("bell", "a bell ringing", "a bell rings"),
    Row("drum", "a drum being played", "a drum is played"),
    Row("drum roll, snare roll", "a drum roll", "a drum roll sounds", True),
    Row("tom drum, tom", "a tom drum being hit", "a tom drum is hit"),
    Row("cymbal", "a cymbal being played", "a cymbal is played"),
    Row("cymbal crash, crash cymbal", "a cymbal crashing", "a cymbal crashes"),
    Row("splash cymbal", "a splash cymbal being hit", "a splash cymbal is hit"),
    Row("hi-hat", "a hi-hat being hit", "a hi-hat is hit"),
    Row("shaker", "a shaker being shaken", "a shaker is shaken"),
    Row("electric guitar", "an electric guitar being played", "an electric guitar is played"),
    Row("guitar", "a guitar being played", "a guitar is played"),
    Row("piano", "a piano being played", "a piano is played"),
    Row("violin", "a violin being played", "a violin is played"),
)
