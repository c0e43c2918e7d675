import io

import pytest
from django.core.exceptions import ValidationError
from PIL import Image

from quotes.clips import make_watermark
from quotes.clips.lettering import Line
from quotes.clips.watermark import HEIGHT, WIDTH, fit_mark, watermark_key

TEXTS = ["Pullquote", "日本語ポッドキャスト", "بودكاست", "x" * 60, "🎧", " ", "a\nb", "{%s} 'it' \\N"]


def opened(png):
    return Image.open(io.BytesIO(png))


def picture(size=(900, 300), colour=(255, 0, 0, 128), format="PNG"):
    out = io.BytesIO()
    Image.new("RGBA", size, colour).save(out, format=format)
    return io.BytesIO(out.getvalue())


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_becomes_a_mark_that_fits(text):
    mark = opened(make_watermark(text=text).png)

    assert (mark.mode, mark.format) == ("RGBA", "PNG")
    assert mark.width <= WIDTH
    assert mark.height <= HEIGHT
    assert mark.getchannel("A").getextrema()[0] == 0


def test_another_name_is_another_mark():
    one, other = make_watermark(text="Pullquote"), make_watermark(text="Signal Path")

    assert one.png != other.png
    assert one.key != other.key
    assert one == make_watermark(text="Pullquote")


def test_a_picture_is_taken_in_place_of_the_text():
    mark = make_watermark(text="Pullquote", image=picture())

    image = opened(mark.png)
    assert (image.size, image.getpixel((9, 9))) == ((480, 160), (255, 0, 0, 128))
    assert mark.key == watermark_key("anything", picture().getvalue())


def test_what_is_no_picture_is_refused():
    with pytest.raises(ValidationError):
        make_watermark(text="x", image=io.BytesIO(b"%!PS-Adobe-3.0 EPSF-3.0"))


def test_a_mark_is_made_as_small_as_the_clip_is(tmp_path):
    (tmp_path / "whole.png").write_bytes(make_watermark(text="", image=picture()).png)

    fit_mark(tmp_path / "whole.png", 720, tmp_path / "mark.png")

    assert Image.open(tmp_path / "mark.png").size == (240, 80)


def test_a_line_that_is_too_long_is_cut_with_an_ellipsis():
    line = Line("The grid nobody sees: batteries, buses and the evening peak", 40, most_width=400)

    assert line.width <= 400
    assert line.text.endswith("…")
    assert Line("Short", 40, most_width=400).text == "Short"
