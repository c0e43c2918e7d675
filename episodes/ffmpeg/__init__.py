"""Sound and video through the programs ffmpeg and ffprobe: found, run under limits, asked, copied.

``find_programs`` says which are there, ``run`` starts one, ``probe`` tells what a file holds or
refuses it in words for an editor, ``remux`` puts streams that cannot be cut well into an MP4.
Nothing here knows a model.
"""

from .failures import FfmpegFailed, Reason
from .probing import probe
from .programs import Programs, find_programs, missing_parts
from .refusals import MediaRefused
from .remuxing import remux
from .running import Limits, Ran, run
from .safe import BASE, cut_input, safe_input, seconds
from .streams import AudioStream, Probed, VideoStream

__all__ = [
    "BASE",
    "AudioStream",
    "FfmpegFailed",
    "Limits",
    "MediaRefused",
    "Probed",
    "Programs",
    "Ran",
    "Reason",
    "VideoStream",
    "cut_input",
    "find_programs",
    "missing_parts",
    "probe",
    "remux",
    "run",
    "safe_input",
    "seconds",
]
