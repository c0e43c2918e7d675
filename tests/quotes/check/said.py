"""Words for tests of the check: one every 400 ms, each 300 ms long."""


def said(text, *, speaker=None, start_ms=0):
    words = []
    for place, word in enumerate(text.split()):
        begin = start_ms + 400 * place
        words.append({"w": word, "start_ms": begin, "end_ms": begin + 300})
        if speaker:
            words[-1]["speaker"] = speaker
    return words


def talk(*turns):
    """Return the words of ``(speaker, text)`` turns, one after the other."""
    words = []
    for speaker, text in turns:
        words += said(text, speaker=speaker, start_ms=400 * len(words))
    return words
