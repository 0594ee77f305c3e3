"""What is described once is not described again: over runs, after damage, and after a kill in the middle."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eval_harness.data import open_data
from eval_harness.systems.pipelines.describers import Description, HeardClip, PerfectDescriber
from eval_harness.systems.pipelines.store import BATCH, SHARD, DescriptionStore

ROOT = Path(__file__).parents[2]


class Counting:
    """Says the length of each clip's id, and counts what it was asked."""

    name = "counting"
    gives_timelines = False
    listens = True

    def __init__(self, revision="1", fails_after=None):
        self.revision = revision
        self.asked = []
        self.fails_after = fails_after

    def describe(self, clips):
        assert len(clips) <= BATCH
        if self.fails_after is not None and len(self.asked) >= self.fails_after:
            raise KeyboardInterrupt
        self.asked += [clip.id for clip in clips]
        return [Description(f"It is {clip.id}.") for clip in clips]


CLIPS = [HeardClip(f"c{n}", {}) for n in range(250)]


def test_the_second_run_describes_nothing(tmp_path):
    first, second = Counting(), Counting()
    found = DescriptionStore(tmp_path, first, "h").describe(CLIPS)
    assert list(found) == first.asked == [clip.id for clip in CLIPS]
    assert DescriptionStore(tmp_path, second, "h").describe(CLIPS) == found
    assert second.asked == []


@pytest.mark.parametrize(("revision", "content"), [("2", "h"), ("1", "other")])
def test_another_revision_or_dataset_is_described_anew(tmp_path, revision, content):
    DescriptionStore(tmp_path, Counting(), "h").describe(CLIPS)
    other = Counting(revision)
    DescriptionStore(tmp_path, other, content).describe(CLIPS)
    assert len(other.asked) == len(CLIPS)


def test_an_interrupted_run_keeps_what_it_has(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        DescriptionStore(tmp_path, Counting(fails_after=140), "h").describe(CLIPS)
    again = Counting()
    DescriptionStore(tmp_path, again, "h").describe(CLIPS)
    assert again.asked == [clip.id for clip in CLIPS[140:]]


@pytest.mark.parametrize("damage", ["cut", "other", "empty"])
def test_a_damaged_shard_is_made_again(tmp_path, damage):
    store = DescriptionStore(tmp_path, Counting(), "h")
    found = store.describe(CLIPS)
    shards = sorted(store.folder.glob("*.jsonl"))
    assert len(shards) == 3
    lines = shards[0].read_text().splitlines(keepends=True)
    shards[0].write_text({"cut": "".join(lines[:-3]), "other": "[1]\n{}\n", "empty": ""}[damage])
    again = Counting()
    assert DescriptionStore(tmp_path, again, "h").describe(CLIPS) == found
    assert len(again.asked) == len(lines) - 1


def test_who_does_not_listen_is_not_kept(tmp_path, folder):
    data = open_data(folder)
    clips = [HeardClip(clip, {}) for clip in data.folder.clips]
    store = DescriptionStore(tmp_path / "store", PerfectDescriber(data), data.content_hash)
    assert [one.caption for one in store.describe(clips).values()] == [data.folder.caption(clip.id) for clip in clips]
    assert not (tmp_path / "store").exists()


SLOW = """
import sys, time
from pathlib import Path
from tests.systems.test_pipelines_store import CLIPS, Counting
from eval_harness.systems.pipelines.store import DescriptionStore

class Slow(Counting):
    def describe(self, clips):
        time.sleep(0.1)
        return super().describe(clips)

DescriptionStore(Path(sys.argv[1]), Slow(), "h").describe(CLIPS)
"""


def test_a_killed_run_describes_no_clip_of_a_finished_shard_again(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", SLOW, str(tmp_path)], cwd=ROOT, env=environment)
    try:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob("*/*.jsonl")) and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.005)
    finally:
        process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    again = Counting()
    found = DescriptionStore(tmp_path, again, "h").describe(CLIPS)
    assert len(found) == len(CLIPS)
    assert again.asked in ([clip.id for clip in CLIPS[SHARD:]], [clip.id for clip in CLIPS[2 * SHARD :]])
