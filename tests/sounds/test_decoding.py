"""Files as they are found in the wild: each is read, or refused for one plain reason."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import soundfile

from builders.errors import UnusableRecordingError
from builders.sounds.decoding import MAX_READ_S, read_audio

RATE = 32_000

USABLE = {
    "11127hz.ogg": 1.37,
    "8012hz_stereo.ogg": 1.17,
    "96khz_camera-shutter.oga": 0.87,
    "Hund bellt – äöü 犬 #1 (50%).wav": 1.83,
    "UPPER.WAV": 1.83,
    "dc_offset_diesel.ogg": 9.10,
    "dc_offset_rain.ogg": 5.00,
    "drip_quiet.ogg": 0.24,  # long enough to read; screening finds it too short
    "float_over_1.wav": 1.83,
    "garbage_tail.wav": 1.83,
    "gsm.wav": 5.52,
    "long_67s_dc_offset.ogg": 67.29,
    "ms_adpcm.wav": 3.27,
    "ok.caf": 1.83,
    "ok.wav": 1.83,
    "ok_opus.ogg": 1.83,
    "pcm32.wav": 1.83,
    "peak_plus6dBFS.ogg": 1.57,
    "quote'and,comma;semi.wav": 1.83,
    "same_audio_badger.ogg": 6.98,
    "same_audio_beaver.ogg": 6.98,
    "streamed_ffffffff.wav": 1.83,
    "two_events.wav": 5.65,
    "u8.wav": 1.83,
    "ulaw.wav": 1.83,
}
"""File, and its length in seconds."""

UNUSABLE = {
    "almost_empty.ogg": "too short: 0.1 ms",
    "chained.ogg": "several Ogg streams follow each other",
    "corrupt_middle.ogg": "damaged or truncated: 197312 frames are promised",
    "data_size_zero.wav": "its header says that it holds no audio, though 161074 bytes follow",
    "digital_silence_giraffe.ogg": "digital silence",
    "digital_silence_iguana.ogg": "digital silence",
    "hard_clipped.wav": "hard clipped: 29% of the samples",
    "header_only.ogg": "damaged: its header cannot be read",
    "id3_only.mp3": "holds no audio that can be decoded",
    "nan_inf.wav": "101 samples are not numbers",
    "near_silence.wav": "nearly silent: its loudest 20 ms reach -80 dBFS",
    "speech_5000hz.ogg": "sampling rate 5000 Hz",
    "stereo_antiphase.wav": "its 2 channels cancel each other",
    "ten_ms.wav": "too short: 10.0 ms",
    "text.wav": "not audio in a known format, whatever its suffix .wav says",
    "truncated.flac": "damaged or truncated: flac decoder lost sync",
    "truncated.mp3": "truncated: the file ends inside an MP3 frame",
    "truncated_half.wav": "truncated: its header promises 161074 bytes of audio, the file holds 80516",
    "zero_frames.wav": "holds no audio (0 frames)",
}
"""File, and how the reason begins."""


def tone(seconds: float = 1.0, rate: int = 44_100, frequency: float = 440.0, amplitude: float = 0.3) -> np.ndarray:
    return (amplitude * np.sin(2 * np.pi * frequency * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def reason(path: Path) -> str:
    with pytest.raises(UnusableRecordingError) as caught:
        read_audio(path, RATE)
    message = str(caught.value)
    assert "\n" not in message
    assert str(path.parent) not in message
    return message


def test_every_nasty_file_is_expected(shared: Path) -> None:
    assert {path.name for path in (shared / "sounds/nasty").iterdir()} == USABLE.keys() | UNUSABLE.keys()


@pytest.mark.parametrize("name", USABLE)
def test_usable(shared: Path, name: str) -> None:
    samples = read_audio(shared / "sounds/nasty" / name, RATE)
    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert np.isfinite(samples).all()
    assert len(samples) / RATE == pytest.approx(USABLE[name], abs=0.01)


@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable(shared: Path, name: str) -> None:
    assert reason(shared / "sounds/nasty" / name).startswith(UNUSABLE[name])


def test_bytes_are_read_as_their_file_is(shared: Path) -> None:
    for name in USABLE:
        path = shared / "sounds/nasty" / name
        np.testing.assert_array_equal(read_audio(path.read_bytes(), RATE), read_audio(path, RATE))
    said = {"text.wav": "not audio in a known format", "id3_only.mp3": "not audio in a known format"}
    for name in UNUSABLE:
        data = (shared / "sounds/nasty" / name).read_bytes()
        with pytest.raises(UnusableRecordingError) as caught:
            read_audio(data, RATE)
        assert str(caught.value) == said.get(name, reason(shared / "sounds/nasty" / name))
    with pytest.raises(UnusableRecordingError, match=r"^the file is empty \(0 bytes\)$"):
        read_audio(b"", RATE)


@pytest.mark.parametrize("rate", [8000, 11_025, 22_050, 32_000, 44_100, 48_000, 96_000])
def test_resampling_keeps_the_wave(tmp_path: Path, rate: int) -> None:
    soundfile.write(tmp_path / "a.wav", tone(rate=rate), rate, subtype="FLOAT")
    samples = read_audio(tmp_path / "a.wav", RATE)
    assert len(samples) == RATE
    inner = slice(RATE // 10, -RATE // 10)
    np.testing.assert_allclose(samples[inner], tone(rate=RATE)[inner], atol=1e-3)


def test_channels_are_averaged(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", np.stack([tone(rate=RATE), 0 * tone(rate=RATE)], axis=1), RATE, subtype="FLOAT")
    np.testing.assert_allclose(read_audio(tmp_path / "a.wav", RATE), tone(rate=RATE) / 2, atol=1e-6)


def test_one_live_channel_of_sixteen_is_no_cancellation(tmp_path: Path) -> None:
    channels = np.zeros((RATE, 16), np.float32)
    channels[:, 5] = tone(rate=RATE)
    soundfile.write(tmp_path / "a.wav", channels, RATE, subtype="FLOAT")
    assert np.abs(read_audio(tmp_path / "a.wav", RATE)).max() == pytest.approx(0.3 / 16, rel=1e-3)


def test_opposite_phase_with_an_offset_is_seen(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", np.stack([tone() + 0.2, 0.2 - tone()], axis=1), 44_100, subtype="FLOAT")
    assert "cancel" in reason(tmp_path / "a.wav")


def test_a_square_wave_below_full_scale_is_not_clipped(tmp_path: Path) -> None:
    square = np.sign(tone())
    soundfile.write(tmp_path / "quiet.wav", 0.8 * square, 44_100)
    soundfile.write(tmp_path / "loud.wav", square, 44_100)
    read_audio(tmp_path / "quiet.wav", RATE)
    assert reason(tmp_path / "loud.wav").startswith("hard clipped")


def test_offset_does_not_ring_at_the_ends(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", tone() + 0.5, 44_100, subtype="FLOAT")
    samples = read_audio(tmp_path / "a.wav", RATE) - 0.5
    assert np.abs(samples).max() < 0.32


@pytest.mark.parametrize("kept", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("suffix", ["wav", "aiff", "ogg", "flac", "mp3"])
def test_truncated_files_are_never_taken_for_whole(tmp_path: Path, suffix: str, kept: float) -> None:
    rng = np.random.default_rng(1)
    path = tmp_path / f"a.{suffix}"
    soundfile.write(path, rng.normal(0, 0.1, 88_200), 44_100)
    read_audio(path, RATE)
    whole = path.read_bytes()
    path.write_bytes(whole[: round(len(whole) * kept) | 1])
    assert "truncated" in reason(path)


def without_stated_length(path: Path, mode: str) -> None:
    """An MP3 of five seconds without the frame that gives its length, and with an ID3v1 tag at its end."""
    with soundfile.SoundFile(path, "w", 44_100, 1, format="MP3", bitrate_mode=mode, compression_level=0.5) as file:
        file.write(tone(5) * np.linspace(0, 1, 220_500, dtype=np.float32))
    whole = path.read_bytes()
    path.write_bytes(whole[whole.index(whole[:2], 100) :] + b"TAG" + bytes(125))


def test_mp3_without_a_stated_length(tmp_path: Path) -> None:
    without_stated_length(tmp_path / "a.mp3", "CONSTANT")
    assert len(read_audio(tmp_path / "a.mp3", RATE)) / RATE == pytest.approx(5, abs=0.1)


def test_mp3_whose_end_the_decoder_does_not_reach(tmp_path: Path) -> None:
    without_stated_length(tmp_path / "a.mp3", "VARIABLE")
    assert "does not state its length" in reason(tmp_path / "a.mp3")


def test_long_files_are_read_to_a_limit_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.wav"
    with soundfile.SoundFile(path, "w", 8000, 2) as file:
        for _ in range(MAX_READ_S // 10 + 2):
            file.write(np.stack([tone(10, 8000)] * 2, axis=1))
    tracemalloc.start()
    try:
        assert len(read_audio(path, 8000)) == MAX_READ_S * 8000
        assert tracemalloc.get_traced_memory()[1] < 150e6
    finally:
        tracemalloc.stop()


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "empty.wav").touch()
    (tmp_path / "dangling.wav").symlink_to(tmp_path / "gone.wav")
    assert reason(tmp_path / "none.wav") == "there is no such file"
    assert reason(tmp_path / "dangling.wav") == "there is no such file"
    assert reason(tmp_path) == "there is no such file"
    assert reason(tmp_path / "empty.wav") == "the file is empty (0 bytes)"
