"""Portraits and artwork, drawn: flat shapes from a few colours, the same every time."""

import io
import math

from PIL import Image, ImageDraw

from publishing.images import ReadImage, read_image

ARTWORK, PORTRAIT = 1400, 640  # pixels a side; directories ask for 1400
FINER = 2  # drawn larger and scaled down, for smooth edges

INK, PAPER, AMBER, CORAL, TEAL, GREEN = "#14213d", "#f6efe0", "#f4a259", "#ee6c5b", "#2a7f86", "#1f4d3f"
PORTRAITS = {  # ground, sun, shoulders, face, hair
    "ada": (INK, AMBER, "#d1495b", "#8d5a3b", "#0b1020"),
    "tomas": ("#cfe8ef", "#5fa8d3", GREEN, "#d9a679", "#5c4033"),
    "miriam": (PAPER, "#c8102e", INK, "#e3b690", "#b8b2a7"),
    "noor": ("#e9d8a6", "#7b4b94", "#3d2c5e", "#b97a56", "#3d2c5e"),
    "ilse": (GREEN, CORAL, "#f1c6a8", "#a5673f", "#2b1d14"),
    "lena": (TEAL, "#f2b5b0", "#123c44", "#edc9a7", "#7a3b1d"),
    "samuel": ("#d9a441", INK, "#7a2e1d", "#6b442c", "#1a1a1a"),
}

Draw = ImageDraw.ImageDraw


def portrait(key: str) -> ReadImage:
    """Return a head and shoulders before a sun, in the person's colours."""
    ground, sun, shoulders, face, hair = PORTRAITS[key]
    turn = (sum(key.encode()) % 7 - 3) / 50  # to the left or right

    def paint(draw: Draw, side: int) -> None:
        middle = side * (0.5 + turn)
        _disc(draw, side * (0.5 - 3 * turn), side * 0.42, side * 0.36, sun)
        _disc(draw, middle, side * 0.40, side * 0.215, hair)
        draw.rectangle((middle - side * 0.07, side * 0.5, middle + side * 0.07, side * 0.72), fill=face)
        _disc(draw, side / 2, side * 1.06, side * 0.39, shoulders)
        draw.ellipse((middle - side * 0.155, side * 0.27, middle + side * 0.155, side * 0.64), fill=face)
        draw.chord(
            (middle - side * 0.175, side * 0.2, middle + side * 0.175, side * 0.56),
            180 + 200 * turn,
            360 + 200 * turn,
            fill=hair,
        )

    return _picture(PORTRAIT, ground, paint)


def artwork(key: str) -> ReadImage:
    """Return the square cover of a show or an episode."""
    ground, paint = {
        "load": (INK, _bars),
        "second": (GREEN, _rings),
        "grid": ("#0b1a2f", _bolt),
        "timetable": (PAPER, _lines),
        "room": ("#5b1f26", _arches),
    }[key]
    return _picture(ARTWORK, ground, paint)


def _picture(side: int, ground: str, paint) -> ReadImage:
    canvas = Image.new("RGB", (side * FINER, side * FINER), ground)
    paint(ImageDraw.Draw(canvas), side * FINER)
    file = io.BytesIO()
    canvas.resize((side, side), Image.Resampling.BOX).save(file, "JPEG", quality=92)
    file.seek(0)
    return read_image(file)


def _disc(draw: Draw, x: float, y: float, radius: float, colour: str) -> None:
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def _bars(draw: Draw, side: int) -> None:
    """A load curve: bars with two humps, and a line through them."""
    count, left, width = 15, side * 0.1, side * 0.8 / 15
    heights = [0.2 + 0.3 * math.exp(-((n - 4) ** 2) / 5) + 0.48 * math.exp(-((n - 11) ** 2) / 6) for n in range(count)]
    for n, height in enumerate(heights):
        colour = AMBER if n != 11 else CORAL
        draw.rounded_rectangle(
            (left + n * width, side * (0.88 - height), left + (n + 0.68) * width, side * 0.88),
            radius=width * 0.3,
            fill=colour,
        )
    tops = [(left + (n + 0.34) * width, side * (0.82 - height)) for n, height in enumerate(heights)]
    draw.line(tops, fill=PAPER, width=side // 130, joint="curve")


def _rings(draw: Draw, side: int) -> None:
    """Rings that are heard twice: the second set a step behind."""
    for n in range(9, 0, -1):
        _disc(draw, side * 0.43, side * 0.52, side * 0.041 * n, CORAL if n % 2 else GREEN)
    for n in range(9, 0, -2):
        x, y, radius = side * 0.57, side * 0.48, side * 0.041 * n
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=PAPER, width=side // 110)


def _bolt(draw: Draw, side: int) -> None:
    draw.rectangle((side * 0.08, side * 0.38, side * 0.40, side * 0.9), fill="#1d3557")
    draw.rectangle((side * 0.60, side * 0.22, side * 0.92, side * 0.9), fill="#27476e")
    for row in range(4):
        for column in range(3):
            x, y = side * (0.65 + column * 0.09), side * (0.3 + row * 0.13)
            draw.rectangle(
                (x, y, x + side * 0.045, y + side * 0.06), fill="#ffd166" if (row + column) % 3 == 0 else "#1d3557"
            )
    points = [(0.56, 0.06), (0.30, 0.54), (0.47, 0.54), (0.40, 0.94), (0.70, 0.42), (0.52, 0.42), (0.66, 0.06)]
    draw.polygon([(side * x, side * y) for x, y in points], fill="#ffd166")


def _lines(draw: Draw, side: int) -> None:
    """Routes that part and meet again, with their stops."""
    for n in range(7):
        bow = (n - 3) * 0.105
        route = [
            (side * (0.06 + 0.88 * t / 60), side * (0.5 + bow * math.sin(math.pi * t / 60) ** 2 + (n - 3) * 0.018))
            for t in range(61)
        ]
        colour = "#c8102e" if n != 3 else INK
        draw.line(route, fill=colour, width=side // 75, joint="curve")
        for x, y in route[12 + 2 * n : 55 : 14]:
            _disc(draw, x, y, side * 0.017, PAPER)
            draw.ellipse(
                (x - side * 0.017, y - side * 0.017, x + side * 0.017, y + side * 0.017),
                outline=colour,
                width=side // 200,
            )


def _arches(draw: Draw, side: int) -> None:
    for n, colour in enumerate((CORAL, PAPER, "#c9503f", "#f2c9a1", "#8c2f2f", PAPER)):
        half, top = side * (0.43 - 0.066 * n), side * (0.09 + 0.075 * n)
        draw.pieslice((side / 2 - half, top, side / 2 + half, top + 2 * half), 180, 360, fill=colour)
        draw.rectangle((side / 2 - half, top + half, side / 2 + half, side), fill=colour)
