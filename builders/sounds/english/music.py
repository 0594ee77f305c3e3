"""Bells and instruments."""

from __future__ import annotations

from builders.sounds.english.row import Row

ROWS: tuple[Row, ...] = (
    Row("music", "music playing", "music plays"),
    Row("street music", "street musicians playing", "street musicians play"),
    Row("musical instrument", "a musical instrument being played", "a musical instrument is played"),
    # Bells
    Row("bell", "a bell ringing", "a bell rings"),
    Row("church bells", "church bells ringing", "church bells ring"),
    Row("cowbell", "a cowbell clanking", "a cowbell clanks"),
    Row("chime", "a chime ringing", "a chime rings"),
    Row("wind chime", "wind chimes tinkling", "wind chimes tinkle", True),
    # Drums and percussion
    Row("percussion", "percussion being played", "percussion is played"),
    Row("drum", "a drum being played", "a drum is played"),
    Row("drum kit", "a drum kit being played", "a drum kit is played"),
    Row("drum roll, snare roll", "a drum roll", "a drum roll sounds", True),
    Row("tom drum, tom", "a tom drum being hit", "a tom drum is hit"),
    Row("bass drum, kick drum", "a bass drum being hit", "a bass drum is hit"),
    Row("snare drum, snare", "a snare drum being hit", "a snare drum is hit"),
    Row("tabla", "a tabla being played", "a tabla is played"),
    Row("cymbal", "a cymbal being played", "a cymbal is played"),
    Row("cymbal crash, crash cymbal", "a cymbal crashing", "a cymbal crashes"),
    Row("splash cymbal", "a splash cymbal being hit", "a splash cymbal is hit"),
    Row("hi-hat", "a hi-hat being hit", "a hi-hat is hit"),
    Row("gong", "a gong being struck", "a gong is struck"),
    Row("shaker", "a shaker being shaken", "a shaker is shaken"),
    Row("rattle instrument", "a percussion rattle being shaken", "a percussion rattle is shaken"),
    Row("tambourine", "a tambourine being shaken", "a tambourine is shaken"),
    Row("mallet percussion", "a mallet instrument being played", "a mallet instrument is played"),
    Row("glockenspiel", "a glockenspiel being played", "a glockenspiel is played"),
    Row("marimba xylophone, marimba, xylophone", "a marimba or xylophone being played", "a marimba or xylophone is played"),
    # Strings
    Row("plucked string instrument", "a plucked string instrument being played", "a plucked string instrument is played"),
    Row("guitar", "a guitar being played", "a guitar is played"),
    Row("acoustic guitar", "an acoustic guitar being played", "an acoustic guitar is played"),
    Row("electric guitar", "an electric guitar being played", "an electric guitar is played"),
    Row("bass guitar", "a bass guitar being played", "a bass guitar is played"),
    Row("strum, guitar strum", "a guitar being strummed", "a guitar is strummed"),
    Row("harp", "a harp being played", "a harp is played"),
    Row("bowed string instrument", "a bowed string instrument being played", "a bowed string instrument is played"),
    Row("violin, violin fiddle", "a violin being played", "a violin is played"),
    Row("cello", "a cello being played", "a cello is played"),
    # Keys
    Row("keyboard musical", "a keyboard instrument being played", "a keyboard instrument is played"),
    Row("piano", "a piano being played", "a piano is played"),
    Row("organ", "an organ being played", "an organ is played"),
    Row("accordion", "an accordion being played", "an accordion is played"),
    # Wind
    Row("wind instrument woodwind instrument, wind instrument", "a wind instrument being played", "a wind instrument is played"),
    Row("flute", "a flute being played", "a flute is played"),
    Row("clarinet", "a clarinet being played", "a clarinet is played"),
    Row("saxophone", "a saxophone being played", "a saxophone is played"),
    Row("harmonica", "a harmonica being played", "a harmonica is played"),
    Row("brass instrument", "a brass instrument being played", "a brass instrument is played"),
    Row("trumpet", "a trumpet being played", "a trumpet is played"),
    Row("trombone", "a trombone being played", "a trombone is played"),
)
