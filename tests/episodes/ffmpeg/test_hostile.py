"""Files that ask for other files, and names that a parser could misread; with what refuses them taken away
one by one, so that the lists are known to be needed and not only the look at the first bytes."""

import socket
import subprocess
import threading

import pytest

from episodes.ffmpeg import MediaRefused, probe, probing, run
from episodes.ffmpeg.running import Limits
from episodes.ffmpeg.safe import BASE, SAFE, cut_input, safe_input

NAMES = [
    "-i.mp4",
    "http:x.mp4",
    "concat:a|b.mp4",
    "it's 50% [done];, v=1.mp4",
    "épisode №7 “fin”.mp4",
    "%03d.mp4",
    "a\nb.mp4",
    "$(touch x).mp4",
    "file:x.mp4",
    "pipe:0.mp4",
]


@pytest.fixture
def listener():
    """A port on loopback, and the list of who called."""
    calls, server = [], socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.05)
    ended = threading.Event()

    def listen():
        while not ended.is_set():
            try:
                calls.append(server.accept()[0])
            except TimeoutError:
                continue

    thread = threading.Thread(target=listen)
    thread.start()
    yield server.getsockname()[1], calls
    ended.set()
    thread.join()
    server.close()


def hostile_files(folder, port):
    """Return files that name their neighbour ``other.mp4`` or the port, with media suffixes."""
    hls = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:6.0,\n{}\n#EXT-X-ENDLIST\n"
    texts = {
        "hls-local.mp4": hls.format("other.ts"),
        "hls-absolute.mp3": hls.format(f"file://{folder}/other.ts"),
        "hls-remote.mp4": hls.format(f"http://127.0.0.1:{port}/x.ts"),
        "hls-master.m4a": f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://127.0.0.1:{port}/x.m3u8\n",
        "ffconcat.mp4": "ffconcat version 1.0\nfile other.mp4\n",
        "ffconcat-remote.mp3": f"ffconcat version 1.0\nfile 'http://127.0.0.1:{port}/x.mp4'\n",
        "dash.mp4": f"<?xml version='1.0'?><MPD xmlns='urn:mpeg:dash:schema:mpd:2011'><Period><AdaptationSet>"
        f"<Representation><BaseURL>http://127.0.0.1:{port}/x</BaseURL></Representation></AdaptationSet></Period></MPD>",
        "sdp.mp3": f"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nm=audio {port} RTP/AVP 0\r\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


def test_a_file_that_names_others_opens_none(programs, media, tmp_path, listener, monkeypatch):
    """Neither is its neighbour read, nor anybody called; even where its first bytes gave nothing away."""
    port, calls = listener
    (tmp_path / "other.mp4").write_bytes(media.get("25.mp4").read_bytes())
    (tmp_path / "other.ts").write_bytes(media.get("25.ts").read_bytes())

    for source in hostile_files(tmp_path, port):
        with pytest.raises(MediaRefused):
            probe(source, programs)
        monkeypatch.setattr(probing, "refuse_at_sight", lambda source: None)
        with pytest.raises(MediaRefused):
            probe(source, programs)
        ran = run(
            [programs.ffmpeg, *BASE, *safe_input(source), "-f", "null", "-"],
            folder=tmp_path,
            limits=Limits(),
            check=False,
        )
        assert ran.code != 0, source.name
        monkeypatch.undo()

    assert calls == []


def test_the_list_of_protocols_alone_would_let_a_script_through(programs, media, tmp_path):
    """Why there are two lists: if this fails one day, ffmpeg has changed, and only this test is to go."""
    (tmp_path / "other.mp4").write_bytes(media.get("25.mp4").read_bytes())
    script = tmp_path / "ffconcat.mp4"
    script.write_text("ffconcat version 1.0\nfile other.mp4\n")
    command = [programs.ffmpeg, "-v", "error", "-nostdin", *SAFE[:2], "-i", f"file:{script}", "-f", "null", "-"]

    assert subprocess.run(command, check=False).returncode == 0  # noqa: S603 - our own command


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_only_a_name(programs, media, tmp_path, name):
    source = tmp_path / name
    source.write_bytes(media.get("silent.mp4").read_bytes())

    assert probe(source, programs).video.fps == 25
    assert sorted(tmp_path.iterdir()) == [source]


def test_each_input_is_opened_behind_both_lists(tmp_path):
    for arguments in (safe_input(tmp_path / "-i.mp4"), cut_input(tmp_path / "-i.mp4", 1, 2)):
        assert arguments[:4] == list(SAFE)
        assert arguments[-2:] == ["-i", f"file:{tmp_path}/-i.mp4"]
