"""mteb's records of the systems that have a name: what `mteb.get_model("reasonaudio/oracle")` finds."""

from __future__ import annotations

from mteb.models.model_meta import ModelMeta


def metas() -> tuple[ModelMeta, ...]:
    """All of them."""
    from eval_harness.systems.scale import SCALE, meta_of

    return tuple(meta_of(system) for system in SCALE)
