"""FSD50K's 200 classes, which are classes of AudioSet's ontology, and which of them is a kind of which.

These are facts about the ontology, so that they hold without its file. With the file, `related` asks it as well.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Class(NamedTuple):
    """A class of FSD50K.

    Attributes:
        id: in the ontology ("/m/05tny_").
        name: as the ontology writes it ("Chink, clink"); FSD50K's own tables write "Chink_and_clink".
        parents: names of the nearest of the 200 above it; classes of the ontology that FSD50K leaves out are passed over.
        said_as: the label that it is said as, where its name alone would mean one kind of it ("dog": a dog barking).
    """

    id: str
    name: str
    parents: tuple[str, ...] = ()
    said_as: str = ""


CLASSES: tuple[Class, ...] = (
    Class("/m/07q2z82", "Accelerating, revving, vroom", ("Engine",)),
    Class("/m/0mkg", "Accordion", ("Musical instrument",)),
    Class("/m/042v_gx", "Acoustic guitar", ("Guitar",)),
    Class("/m/0k5j", "Aircraft", ("Vehicle",)),
    Class("/m/07pp_mv", "Alarm"),
    Class("/m/0jbk", "Animal"),
    Class("/m/028ght", "Applause", ("Human group actions",)),
    Class("/m/05tny_", "Bark", ("Dog",)),
    Class("/m/0bm02", "Bass drum", ("Drum",)),
    Class("/m/018vs", "Bass guitar", ("Guitar",)),
    Class("/m/03dnzn", "Bathtub (filling or washing)", ("Domestic sounds, home sounds",)),
    Class("/m/0395lw", "Bell", ("Musical instrument",)),
    Class("/m/0199g", "Bicycle", ("Vehicle",)),
    Class("/m/0gy1t2s", "Bicycle bell", ("Alarm", "Bell", "Bicycle")),
    Class("/m/015p6", "Bird", ("Wild animals",)),
    Class("/m/020bb7", "Bird vocalization, bird call, bird song", ("Bird",)),
    Class("/m/019jd", "Boat, Water vehicle", ("Vehicle",)),
    Class("/m/0dv3j", "Boiling", ("Liquid",)),
    Class("/m/07qqyl4", "Boom", ("Explosion",)),
    Class("/m/0l14_3", "Bowed string instrument", ("Musical instrument",)),
    Class("/m/01kcd", "Brass instrument", ("Musical instrument",)),
    Class("/m/0lyf6", "Breathing", ("Respiratory sounds",)),
    Class("/m/03q5_w", "Burping, eructation"),
    Class("/m/01bjv", "Bus", ("Motor vehicle (road)",)),
    Class("/m/07pjwq1", "Buzz", ("Insect",)),
    Class("/m/0dv5r", "Camera", ("Mechanisms",)),
    Class("/m/0k4j", "Car", ("Motor vehicle (road)",), said_as="any car"),
    Class("/t/dd00134", "Car passing by", ("Car",)),
    Class("/m/01yrx", "Cat", ("Domestic animals, pets",), said_as="any cat"),
    Class("/m/07rkbfh", "Chatter", ("Human group actions",)),
    Class("/m/053hz1", "Cheering", ("Human group actions",)),
    Class("/m/03cczk", "Chewing, mastication"),
    Class("/m/09b5t", "Chicken, rooster", ("Fowl",)),
    Class("/m/0ytgt", "Child speech, kid speaking", ("Speech",)),
    Class("/m/0f8s22", "Chime", ("Bell",)),
    Class("/m/07q7njn", "Chink, clink", ("Glass",)),
    Class("/m/07pggtn", "Chirp, tweet", ("Bird vocalization, bird call, bird song",)),
    Class("/m/07rgt08", "Chuckle, chortle", ("Laughter",)),
    Class("/m/03w41f", "Church bell", ("Bell",)),
    Class("/m/0l15bq", "Clapping", ("Hands", "Human group actions")),
    Class("/m/01x3z", "Clock", ("Mechanisms",)),
    Class("/m/0242l", "Coin (dropping)", ("Domestic sounds, home sounds",)),
    Class("/m/01m2v", "Computer keyboard", ("Typing",)),
    Class("/m/01h8n0", "Conversation", ("Speech",)),
    Class("/m/01b_21", "Cough", ("Respiratory sounds",)),
    Class("/m/0239kh", "Cowbell", ("Bell", "Livestock, farm animals, working animals", "Percussion")),
    Class("/m/07qs1cx", "Crack", ("Wood",)),
    Class("/m/07pzfmf", "Crackle", ("Fire",)),
    Class("/m/0bm0k", "Crash cymbal", ("Cymbal",)),
    Class("/m/09xqv", "Cricket", ("Insect",)),
    Class("/m/04s8yn", "Crow", ("Bird",)),
    Class("/m/03qtwd", "Crowd", ("Human group actions",)),
    Class("/t/dd00112", "Crumpling, crinkling"),
    Class("/m/07plct2", "Crushing"),
    Class("/m/0463cq4", "Crying, sobbing", ("Human voice",)),
    Class("/m/0642b4", "Cupboard open or close", ("Domestic sounds, home sounds",)),
    Class("/m/023pjk", "Cutlery, silverware", ("Domestic sounds, home sounds",)),
    Class("/m/01qbl", "Cymbal", ("Percussion",)),
    Class("/m/04brg2", "Dishes, pots, and pans", ("Domestic sounds, home sounds",)),
    Class("/m/0bt9lr", "Dog", ("Domestic animals, pets",), said_as="any dog"),
    Class("/m/068hy", "Domestic animals, pets", ("Animal",)),
    Class("/t/dd00071", "Domestic sounds, home sounds"),
    Class("/m/02dgv", "Door", ("Domestic sounds, home sounds",)),
    Class("/m/03wwcy", "Doorbell", ("Alarm", "Door")),
    Class("/m/0fqfqc", "Drawer open or close", ("Domestic sounds, home sounds",)),
    Class("/m/01d380", "Drill", ("Power tool",)),
    Class("/m/07r5v4s", "Drip", ("Liquid",)),
    Class("/m/026t6", "Drum", ("Percussion",)),
    Class("/m/02hnl", "Drum kit", ("Percussion",)),
    Class("/m/02sgy", "Electric guitar", ("Guitar",)),
    Class("/m/02mk9", "Engine"),
    Class("/t/dd00130", "Engine starting", ("Engine",)),
    Class("/m/014zdl", "Explosion"),
    Class("/m/02_nn", "Fart"),
    Class("/t/dd00004", "Female singing", ("Singing",)),
    Class("/m/02zsn", "Female speech, woman speaking", ("Speech",)),
    Class("/m/07p7b8y", "Fill (with liquid)", ("Liquid",)),
    Class("/m/025_jnm", "Finger snapping", ("Hands",)),
    Class("/m/02_41", "Fire"),
    Class("/m/0g6b5", "Fireworks", ("Explosion",)),
    Class("/m/0cmf2", "Fixed-wing aircraft, airplane", ("Aircraft",)),
    Class("/m/025rv6n", "Fowl", ("Livestock, farm animals, working animals",)),
    Class("/m/09ld4", "Frog", ("Wild animals",)),
    Class("/m/0dxrf", "Frying (food)", ("Domestic sounds, home sounds",)),
    Class("/m/07s0dtb", "Gasp", ("Breathing",)),
    Class("/m/07r660_", "Giggle", ("Laughter",)),
    Class("/m/039jq", "Glass"),
    Class("/m/0dwtp", "Glockenspiel", ("Mallet percussion",)),
    Class("/m/0mbct", "Gong", ("Percussion",)),
    Class("/m/0ghcn6", "Growling", ("Cat", "Dog", "Wild animals")),
    Class("/m/0342h", "Guitar", ("Plucked string instrument",)),
    Class("/m/01dwxx", "Gull, seagull", ("Bird",)),
    Class("/m/032s66", "Gunshot, gunfire", ("Explosion",)),
    Class("/m/07swgks", "Gurgling", ("Water",)),
    Class("/m/03l9g", "Hammer", ("Tools",)),
    Class("/m/0k65p", "Hands"),
    Class("/m/03qjg", "Harmonica", ("Musical instrument",)),
    Class("/m/03m5k", "Harp", ("Musical instrument",)),
    Class("/m/03qtq", "Hi-hat", ("Cymbal",)),
    Class("/m/07rjwbb", "Hiss", ("Cat", "Water", "Wild animals")),
    Class("/t/dd00012", "Human group actions"),
    Class("/m/09l8g", "Human voice"),
    Class("/m/07pb8fc", "Idling", ("Engine",)),
    Class("/m/03vt0", "Insect", ("Wild animals",), said_as="any insect"),
    Class("/m/05148p4", "Keyboard (musical)", ("Musical instrument",)),
    Class("/m/03v3yw", "Keys jangling", ("Domestic sounds, home sounds",)),
    Class("/m/07r4wb8", "Knock", ("Door",)),
    Class("/m/01j3sz", "Laughter", ("Human voice",)),
    Class("/m/04k94", "Liquid"),
    Class("/m/0ch8v", "Livestock, farm animals, working animals", ("Animal",)),
    Class("/t/dd00003", "Male singing", ("Singing",)),
    Class("/m/05zppz", "Male speech, man speaking", ("Speech",)),
    Class("/m/0j45pbj", "Mallet percussion", ("Percussion",)),
    Class("/m/0dwsp", "Marimba, xylophone", ("Mallet percussion",)),
    Class("/m/02x984l", "Mechanical fan", ("Mechanisms",)),
    Class("/t/dd00077", "Mechanisms"),
    Class("/m/07qrkrw", "Meow", ("Cat",)),
    Class("/m/0fx9l", "Microwave oven", ("Domestic sounds, home sounds",)),
    Class("/m/012f08", "Motor vehicle (road)", ("Vehicle",)),
    Class("/m/04_sv", "Motorcycle", ("Motor vehicle (road)",)),
    Class("/m/04rlf", "Music"),
    Class("/m/04szw", "Musical instrument", ("Music",)),
    Class("/m/05kq4", "Ocean", ("Water",)),
    Class("/m/013y1f", "Organ", ("Keyboard (musical)",)),
    Class("/m/05mxj0q", "Packing tape, duct tape", ("Domestic sounds, home sounds",)),
    Class("/m/0l14md", "Percussion", ("Musical instrument",)),
    Class("/m/05r5c", "Piano", ("Keyboard (musical)",)),
    Class("/m/0fx80y", "Plucked string instrument", ("Musical instrument",)),
    Class("/m/07prgkl", "Pour", ("Liquid",)),
    Class("/m/0_ksk", "Power tool", ("Tools",)),
    Class("/m/01m4t", "Printer", ("Mechanisms",)),
    Class("/m/02yds9", "Purr", ("Cat",)),
    Class("/m/0ltv", "Race car, auto racing", ("Car",)),
    Class("/m/06d_3", "Rail transport", ("Vehicle",)),
    Class("/m/06mb1", "Rain", ("Water",)),
    Class("/m/07r10fb", "Raindrop", ("Rain",)),
    Class("/m/02bm9n", "Ratchet, pawl", ("Mechanisms",)),
    Class("/m/07qn4z3", "Rattle", ("Wild animals",)),
    Class("/m/05r5wn", "Rattle (instrument)", ("Percussion",)),
    Class("/m/09hlz4", "Respiratory sounds"),
    Class("/m/01hnzm", "Ringtone", ("Telephone",)),
    Class("/m/06h7j", "Run"),
    Class("/m/01b82r", "Sawing", ("Tools",)),
    Class("/m/01lsmm", "Scissors", ("Domestic sounds, home sounds",)),
    Class("/m/01hgjl", "Scratching (performance technique)", ("Musical instrument",)),
    Class("/m/03qc9zr", "Screaming", ("Human voice",)),
    Class("/m/07q8k13", "Screech"),
    Class("/m/07rn7sz", "Shatter", ("Glass",)),
    Class("/m/07p6fty", "Shout", ("Human voice",)),
    Class("/m/07plz5l", "Sigh", ("Human voice",)),
    Class("/m/015lz1", "Singing", ("Human voice",)),
    Class("/m/0130jx", "Sink (filling or washing)", ("Domestic sounds, home sounds",)),
    Class("/m/03kmc9", "Siren", ("Alarm",)),
    Class("/m/06_fw", "Skateboard", ("Vehicle",)),
    Class("/m/07rjzl8", "Slam", ("Door",)),
    Class("/m/02y_763", "Sliding door", ("Door",)),
    Class("/m/06rvn", "Snare drum", ("Drum",)),
    Class("/m/01hsr_", "Sneeze", ("Respiratory sounds",)),
    Class("/m/09x0r", "Speech", ("Human voice",)),
    Class("/m/0brhx", "Speech synthesizer", ("Speech",)),
    Class("/m/07rrlb6", "Splash, splatter", ("Liquid",)),
    Class("/m/07q6cd_", "Squeak", ("Door",)),
    Class("/m/0j6m2", "Stream", ("Water",)),
    Class("/m/07s0s5r", "Strum", ("Guitar",)),
    Class("/m/0195fx", "Subway, metro, underground", ("Rail transport",)),
    Class("/m/01p970", "Tabla", ("Drum",)),
    Class("/m/07brj", "Tambourine", ("Percussion",)),
    Class("/m/07qcpgn", "Tap", ("Door",)),
    Class("/m/07qcx4z", "Tearing"),
    Class("/m/07cx4", "Telephone", ("Alarm",), said_as="any telephone"),
    Class("/m/07qnq_y", "Thump, thud"),
    Class("/m/0ngt1", "Thunder", ("Thunderstorm",)),
    Class("/m/0jb2l", "Thunderstorm"),
    Class("/m/07qjznt", "Tick", ("Clock",)),
    Class("/m/07qjznl", "Tick-tock", ("Clock",)),
    Class("/m/01jt3m", "Toilet flush", ("Domestic sounds, home sounds",)),
    Class("/m/07k1x", "Tools"),
    Class("/m/0btp2", "Traffic noise, roadway noise", ("Motor vehicle (road)",)),
    Class("/m/07jdr", "Train", ("Rail transport",)),
    Class("/m/07pqc89", "Trickle, dribble", ("Pour",)),
    Class("/m/07r04", "Truck", ("Motor vehicle (road)",)),
    Class("/m/07gql", "Trumpet", ("Brass instrument",)),
    Class("/m/0c2wf", "Typewriter", ("Typing",)),
    Class("/m/0316dw", "Typing", ("Domestic sounds, home sounds",)),
    Class("/m/07yv9", "Vehicle"),
    Class("/m/0912c9", "Vehicle horn, car horn, honking", ("Alarm", "Car")),
    Class("/m/07pbtc8", "Walk, footsteps"),
    Class("/m/0838f", "Water"),
    Class("/m/02jz0l", "Water tap, faucet", ("Domestic sounds, home sounds",)),
    Class("/m/034srq", "Waves, surf", ("Ocean",)),
    Class("/m/02rtxlg", "Whispering", ("Human voice",)),
    Class("/m/07rqsjt", "Whoosh, swoosh, swish"),
    Class("/m/01280g", "Wild animals", ("Animal",)),
    Class("/m/03m9d0z", "Wind"),
    Class("/m/026fgl", "Wind chime", ("Chime",)),
    Class("/m/085jw", "Wind instrument, woodwind instrument", ("Musical instrument",)),
    Class("/m/083vt", "Wood"),
    Class("/m/081rb", "Writing", ("Domestic sounds, home sounds",)),
    Class("/m/07sr1lc", "Yell", ("Shout",)),
    Class("/m/01s0vc", "Zipper (clothing)", ("Domestic sounds, home sounds",)),
)


@cache
def class_by_id() -> dict[str, Class]:
    """Every class by its id."""
    return {found.id: found for found in CLASSES}


@cache
def ancestors_by_name() -> dict[str, frozenset[str]]:
    """The names of every class above each, without itself; a class may have several parents."""
    parents = {found.name: found.parents for found in CLASSES}
    found: dict[str, frozenset[str]] = {}

    def above(name: str) -> frozenset[str]:
        if name not in found:
            found[name] = frozenset(parents[name]).union(*(above(parent) for parent in parents[name]))
        return found[name]

    return {name: above(name) for name in parents}
