"""House and household."""

from __future__ import annotations

from builders.sounds.english.row import Row

ROWS: tuple[Row, ...] = (
    Row("domestic sounds home sounds", "household activity", "household activity is heard"),
    # Doors and furniture
    Row("door", "something happening at a door", "something happens at a door"),
    Row("door close, door closing", "a door closing", "a door closes"),
    Row("slam, door slam", "a door slamming", "a door slams"),
    Row("door wood knock, door knock, knock, knocking", "a knock on a door", "somebody knocks on a door"),
    Row("door wood creaks, door creak, creaking door", "a door creaking", "a door creaks"),
    Row("sliding door", "a sliding door moving", "a sliding door moves"),
    Row("doorbell", "a doorbell ringing", "a doorbell rings"),
    Row("cupboard open or close", "a cupboard being opened or closed", "a cupboard is opened or closed"),
    Row("drawer open or close", "a drawer being opened or closed", "a drawer is opened or closed"),
    # Kitchen and bathroom
    Row("dishes pots pans, dishes", "dishes clattering", "dishes clatter"),
    Row("cutlery silverware, cutlery", "cutlery clinking", "cutlery clinks"),
    Row("frying food, frying", "food being fried", "food is fried", True),
    Row("microwave oven, microwave", "a microwave oven running", "a microwave oven runs"),
    Row("water tap faucet, water tap, faucet", "a water tap running", "a water tap runs", True),
    Row("sink filling or washing, sink", "a sink being used", "a sink is used"),
    Row("bathtub filling or washing, bathtub", "a bathtub being used", "a bathtub is used"),
    Row("shower", "a shower running", "a shower runs", True),
    Row("toilet flush", "a toilet flushing", "a toilet flushes"),
    Row("can opening", "a can being opened", "a can is opened"),
    # Machines
    Row("washing machine", "a washing machine running", "a washing machine runs", True),
    Row("vacuum cleaner", "a vacuum cleaner running", "a vacuum cleaner runs", True),
    Row("mechanical fan, fan", "a fan running", "a fan runs", True),
    Row("air conditioner, air conditioning", "an air conditioner humming", "an air conditioner hums", True),
    Row("hair dryer", "a hair dryer blowing", "a hair dryer blows", True),
    Row("blender", "a blender running", "a blender runs", True),
    Row("clock", "a clock running", "a clock runs"),
    Row("clock alarm, alarm clock", "an alarm clock ringing", "an alarm clock rings"),
    Row("clock tick, clock ticking, tick tock", "a clock ticking", "a clock ticks"),
    Row("telephone, phone, telephone ringing, phone ringing", "a telephone ringing", "a telephone rings"),
    Row("any telephone", "a telephone", "a telephone is heard"),
    Row("ringtone", "a ringtone playing", "a ringtone plays"),
    Row("camera shutter, camera", "a camera shutter clicking", "a camera shutter clicks"),
    # Desk
    Row("mouse click", "a computer mouse clicking", "a computer mouse clicks"),
    Row("keyboard typing, computer keyboard", "a person typing on a keyboard", "a person types on a keyboard"),
    Row("typing", "a person typing", "a person types"),
    Row("typewriter", "a person typing on a typewriter", "a person types on a typewriter"),
    Row("writing", "a person writing", "a person writes"),
    Row("printer", "a printer printing", "a printer prints"),
    Row("scissors", "scissors cutting", "scissors cut"),
    Row("packing tape duct tape, packing tape", "tape being pulled off a roll", "tape is pulled off a roll"),
    Row("page turn, turning pages", "a page being turned", "a page is turned"),
    # Small things
    Row("coins", "coins clinking", "coins clink"),
    Row("coin dropping, coin drop", "a coin dropping", "a coin drops"),
    Row("keys jangling, keys", "keys jangling", "keys jangle"),
    Row("zipper clothing, zipper", "a zipper being pulled", "a zipper is pulled"),
    Row("card flip, card flipping", "a playing card being flipped", "a playing card is flipped"),
    Row("paint brush stroke, brush stroke", "a paint brush stroking a surface", "a paint brush strokes a surface"),
    Row("vinyl hiss", "a vinyl record hissing", "a vinyl record hisses", True),
    Row("vinyl scratch, scratching performance technique", "a vinyl record being scratched", "a vinyl record is scratched"),
)
