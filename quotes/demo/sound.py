"""Two short sounds, made from sine waves: 16 kHz, one channel, 16 bits."""

import array
import io
import math
import sys
import wave

RATE = 16_000  # samples a second
SECONDS = 12
FADE = 0.8  # seconds, at both ends
PEAK = 22_000  # of 32,767

Partial = tuple[float, float, float]  # hertz, loudness, beats a second

SOUNDS: dict[str, list[Partial]] = {
    # Mains hum: twice fifty hertz and its relatives, each swelling at its own pace.
    "hum": [(100, 1.0, 0.17), (200, 0.5, 0.25), (300, 0.22, 0.4), (401, 0.12, 0.7), (600, 0.07, 1.1), (50, 0.5, 0.1)],
    # A ferry: the basin's deep note, the engine, a slow chord of the shores coming back.
    "ferry": [
        (82.4, 1.0, 0.12),
        (123.5, 0.55, 0.2),
        (164.8, 0.4, 0.33),
        (247, 0.24, 0.27),
        (329.6, 0.16, 0.5),
        (493.9, 0.08, 0.8),
    ],
}


def make_sound(key: str) -> bytes:
    """Return a WAV file of twelve seconds, under 400 kB."""
    total = sum(loudness for _hertz, loudness, _beats in SOUNDS[key])
    samples = array.array("h", bytes(2 * RATE * SECONDS))
    for n in range(len(samples)):
        at = n / RATE
        level = sum(_partial(at, *partial) for partial in SOUNDS[key]) / total
        samples[n] = int(PEAK * _fade(at) * level)
    if sys.byteorder == "big":
        samples.byteswap()
    return _as_wave(samples.tobytes())


def _partial(at: float, hertz: float, loudness: float, beats: float) -> float:
    swell = 0.65 + 0.35 * math.sin(2 * math.pi * beats * at)
    return loudness * swell * math.sin(2 * math.pi * hertz * at)


def _fade(at: float) -> float:
    edge = min(at, SECONDS - at, FADE) / FADE
    return 0.5 - 0.5 * math.cos(math.pi * edge)


def _as_wave(frames: bytes) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(frames)
    return out.getvalue()
