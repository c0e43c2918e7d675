from tests.ffmpegs import any_programs, media, programs  # noqa: F401 - fixtures
