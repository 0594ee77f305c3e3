"""Animals."""

from __future__ import annotations

from builders.sounds.english.row import Row

ROWS: tuple[Row, ...] = (
    # In sets of clips a folder "dog" holds barks, and "cat" meows. In AudioSet they are classes with growls and purrs among their
    # kinds, so that these need words of their own ("any dog").
    Row("dog bark, dog, dog barking", "a dog barking", "a dog barks"),
    Row("bark, barking", "a dog's bark", "a dog's bark is heard"),
    Row("any dog", "a dog", "a dog is heard"),
    Row("cat meow, cat, cat meowing", "a cat meowing", "a cat meows"),
    Row("meow, meowing", "a cat's meow", "a cat's meow is heard"),
    Row("any cat", "a cat", "a cat is heard"),
    Row("purr, cat purr, purring", "a cat purring", "a cat purrs", True),
    Row("growling, growl", "an animal growling", "an animal growls"),
    Row("animal", "an animal", "an animal is heard"),
    Row("domestic animals pets, pet", "a pet", "a pet is heard"),
    Row("livestock farm animals working animals, farm animals", "a farm animal", "a farm animal is heard"),
    Row("wild animals", "a wild animal", "a wild animal is heard"),
    # Farm
    Row("pig oink, pig, oink", "a pig oinking", "a pig oinks"),
    Row("cow moo, cow, moo", "a cow mooing", "a cow moos"),
    Row("sheep bleat, sheep, bleat", "a sheep bleating", "a sheep bleats"),
    Row("goat bleat, goat", "a goat bleating", "a goat bleats"),
    Row("horse neigh, horse, neigh, neigh whinny", "a horse neighing", "a horse neighs"),
    Row("donkey bray, donkey", "a donkey braying", "a donkey brays"),
    Row("rooster crow, rooster, crowing, crowing cock a doodle doo", "a rooster crowing", "a rooster crows"),
    Row("hen cluck, hen, hen clucking, cluck", "a hen clucking", "a hen clucks"),
    Row("chicken rooster, chicken", "a chicken calling", "a chicken calls"),
    Row("duck quack, duck, quack", "a duck quacking", "a duck quacks"),
    Row("goose honk, goose", "a goose honking", "a goose honks"),
    Row("turkey gobble, turkey, gobble", "a turkey gobbling", "a turkey gobbles"),
    Row("fowl, poultry", "poultry calling", "poultry calls"),
    # Birds
    Row("bird", "a bird", "a bird is heard"),
    Row("bird vocalization bird call bird song", "a bird calling or singing", "a bird calls or sings"),
    Row("birdsong, bird song", "a bird singing", "a bird sings"),
    Row("bird call", "a bird calling", "a bird calls"),
    Row("chirping birds, birds chirping, bird chirp, chirp tweet", "birds chirping", "birds chirp"),
    Row("crow caw, crow, caw", "a crow cawing", "a crow caws"),
    Row("gull seagull, seagull, gull", "a seagull calling", "a seagull calls"),
    Row("owl hoot, owl, hoot", "an owl hooting", "an owl hoots"),
    Row("pigeon coo, pigeon, coo, pigeon dove", "a pigeon cooing", "a pigeon coos"),
    # Others
    Row("frog croak, frog, frog croaking, croak", "a frog croaking", "a frog croaks"),
    Row("insects, insect buzz, insects flying", "insects buzzing", "insects buzz", True),
    Row("any insect", "an insect", "an insect is heard"),
    Row("crickets, cricket chirp", "crickets chirping", "crickets chirp", True),
    Row("bee buzz, bee, bee wasp etc", "a bee buzzing", "a bee buzzes", True),
    Row("mosquito, mosquito buzz", "a mosquito whining", "a mosquito whines", True),
    Row("wolf howl, wolf, howl", "a wolf howling", "a wolf howls"),
    Row("lion roar, lion", "a lion roaring", "a lion roars"),
)
