"""Which of FSD50K's 200 classes are kinds of which others: facts about the dataset, which need no file of the user's."""

from __future__ import annotations

from functools import cache

_KINDS: dict[str, str] = {
    "Aircraft": "Fixed-wing_aircraft_and_airplane",
    "Alarm": "Bicycle_bell Doorbell Siren Telephone Vehicle_horn_and_car_horn_and_honking",
    "Animal": "Domestic_animals_and_pets Livestock_and_farm_animals_and_working_animals Wild_animals",
    "Bell": "Bicycle_bell Chime Church_bell Cowbell",
    "Bicycle": "Bicycle_bell",
    "Bird": "Bird_vocalization_and_bird_call_and_bird_song Crow Gull_and_seagull",
    "Bird_vocalization_and_bird_call_and_bird_song": "Chirp_and_tweet",
    "Brass_instrument": "Trumpet",
    "Breathing": "Gasp",
    "Car": "Car_passing_by Race_car_and_auto_racing Vehicle_horn_and_car_horn_and_honking",
    "Cat": "Growling Hiss Meow Purr",
    "Chime": "Wind_chime",
    "Clock": "Tick Tick-tock",
    "Cymbal": "Crash_cymbal Hi-hat",
    "Dog": "Bark Growling",
    "Domestic_animals_and_pets": "Cat Dog",
    "Domestic_sounds_and_home_sounds": (
        "Bathtub_(filling_or_washing) Coin_(dropping) Cupboard_open_or_close Cutlery_and_silverware Dishes_and_pots_and_pans "
        "Door Drawer_open_or_close Frying_(food) Keys_jangling Microwave_oven Packing_tape_and_duct_tape Scissors "
        "Sink_(filling_or_washing) Toilet_flush Typing Water_tap_and_faucet Writing Zipper_(clothing)"
    ),
    "Door": "Doorbell Knock Slam Sliding_door Squeak Tap",
    "Drum": "Bass_drum Snare_drum Tabla",
    "Engine": "Accelerating_and_revving_and_vroom Engine_starting Idling",
    "Explosion": "Boom Fireworks Gunshot_and_gunfire",
    "Fire": "Crackle",
    "Fowl": "Chicken_and_rooster",
    "Glass": "Chink_and_clink Shatter",
    "Guitar": "Acoustic_guitar Bass_guitar Electric_guitar Strum",
    "Hands": "Clapping Finger_snapping",
    "Human_group_actions": "Applause Chatter Cheering Clapping Crowd",
    "Human_voice": "Crying_and_sobbing Laughter Screaming Shout Sigh Singing Speech Whispering",
    "Insect": "Buzz Cricket",
    "Keyboard_(musical)": "Organ Piano",
    "Laughter": "Chuckle_and_chortle Giggle",
    "Liquid": "Boiling Drip Fill_(with_liquid) Pour Splash_and_splatter",
    "Livestock_and_farm_animals_and_working_animals": "Cowbell Fowl",
    "Mallet_percussion": "Glockenspiel Marimba_and_xylophone",
    "Mechanisms": "Camera Clock Mechanical_fan Printer Ratchet_and_pawl",
    "Motor_vehicle_(road)": "Bus Car Motorcycle Traffic_noise_and_roadway_noise Truck",
    "Music": "Musical_instrument",
    "Musical_instrument": (
        "Accordion Bell Bowed_string_instrument Brass_instrument Harmonica Harp Keyboard_(musical) Percussion "
        "Plucked_string_instrument Scratching_(performance_technique) Wind_instrument_and_woodwind_instrument"
    ),
    "Ocean": "Waves_and_surf",
    "Percussion": "Cowbell Cymbal Drum Drum_kit Gong Mallet_percussion Rattle_(instrument) Tambourine",
    "Plucked_string_instrument": "Guitar",
    "Pour": "Trickle_and_dribble",
    "Power_tool": "Drill",
    "Rail_transport": "Subway_and_metro_and_underground Train",
    "Rain": "Raindrop",
    "Respiratory_sounds": "Breathing Cough Sneeze",
    "Shout": "Yell",
    "Singing": "Female_singing Male_singing",
    "Speech": (
        "Child_speech_and_kid_speaking Conversation Female_speech_and_woman_speaking Male_speech_and_man_speaking "
        "Speech_synthesizer"
    ),
    "Telephone": "Ringtone",
    "Thunderstorm": "Thunder",
    "Tools": "Hammer Power_tool Sawing",
    "Typing": "Computer_keyboard Typewriter",
    "Vehicle": "Aircraft Bicycle Boat_and_Water_vehicle Motor_vehicle_(road) Rail_transport Skateboard",
    "Water": "Gurgling Hiss Ocean Rain Stream",
    "Wild_animals": "Bird Frog Growling Hiss Insect Rattle",
    "Wood": "Crack",
}
"""A class, and those directly below it among the 200 (classes of the ontology that FSD50K lacks are passed over)."""


def is_leaf(label: str) -> bool:
    """Whether no class of FSD50K is a kind of this one."""
    return label not in _KINDS


@cache
def ancestors(label: str) -> frozenset[str]:
    """All classes of FSD50K that this one is a kind of, near and far."""
    parents = [parent for parent, kinds in _KINDS.items() if label in kinds.split()]
    return frozenset(parents).union(*map(ancestors, parents))


def most_specific(labels: tuple[str, ...]) -> tuple[str, ...]:
    """The labels without those that another of them is a kind of: those before propagation, as far as it can be told.

    A clip labelled both "Dog" and "Bark" cannot be told from one labelled "Bark".
    """
    above: frozenset[str] = frozenset().union(*map(ancestors, labels))
    return tuple(label for label in labels if label not in above)
