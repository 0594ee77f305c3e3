"""How known labels are said in English: data for `phrases`, by family.

The labels are those of ESC-50, UrbanSound8K and FSD50K (and so of 200 classes of AudioSet), and those of common sample packs.
Nouns and clauses are unique over all of them, and so are labels: how they are spelt makes no difference (`phrases.label_key`).
"""

from __future__ import annotations

from builders.sounds.english import animals, house, impacts, machines, music, nature, people, traffic
from builders.sounds.english.row import Row

ROWS: tuple[Row, ...] = (
    *animals.ROWS,
    *nature.ROWS,
    *people.ROWS,
    *house.ROWS,
    *traffic.ROWS,
    *machines.ROWS,
    *impacts.ROWS,
    *music.ROWS,
)
