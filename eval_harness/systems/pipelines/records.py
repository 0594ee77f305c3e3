"""A description as a record of JSON, in seconds: how files and shards hold it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from builders import layout
from builders.timeline import Event, Timeline
from eval_harness.systems.pipelines.describers import Description


def to_record(clip_id: str, description: Description) -> dict[str, Any]:
    """{"id", "caption"}, and where there is a timeline {"events": [{"label", "onset", "offset"}], "heard": {label: sure}}."""
    record: dict[str, Any] = {"id": clip_id, "caption": description.caption}
    if description.timeline is not None:
        record["events"] = [
            {"label": event.label, "onset": layout.seconds(event.onset_ms), "offset": layout.seconds(event.offset_ms)}
            for event in description.timeline
        ]
        record["heard"] = dict(description.heard)
    return record


def from_record(record: Mapping[str, Any], labels: Collection[str] | None = None) -> Description:
    """The description of a record; its other fields are not looked at.

    Args:
        record: as `to_record` makes it; "events" may be missing or None, and so may "heard" (all labels of events: 1).
        labels: those that events may have; None for any.

    Raises:
        ValueError: a field is missing or something else; the message says which.
    """
    caption = record.get("caption")
    if not isinstance(caption, str) or not caption.strip():
        raise ValueError(
            "the caption is empty" if caption in (None, "") or isinstance(caption, str) else "the caption is no text"
        )
    given = record.get("events")
    if given is None:
        return Description(caption)
    try:
        events = tuple(
            Event(str(one["label"]), layout.milliseconds(one["onset"]), layout.milliseconds(one["offset"])) for one in given
        )
        sure = {str(label): float(value) for label, value in (record.get("heard") or {}).items() if value is not None}
    except KeyError as error:
        raise ValueError(f"an event has no {error}; label, onset and offset (seconds) are needed") from None
    except (TypeError, AttributeError, OverflowError):
        raise ValueError("events: a list of {label, onset, offset} is needed, and heard: {label: number}") from None
    unknown = sorted({event.label for event in events} - set(labels)) if labels is not None else []
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no label of this dataset")
    return Description(caption, Timeline(events), sure or {event.label: 1.0 for event in events})
