"""Settings as lines to read."""

from tdlib.study.registry import find
from tdlib.study.settings import settings


def test_each_setting_is_shown_with_its_source():
    lines = {line.name: line for line in settings(find("M-A11"))}
    assert lines["alpha"] == ("alpha", "0.3", "stated", "section 5.2")
    assert lines["checkpoints"].value == "15 from 0 to 50,000"
    assert lines["targets"].value == "0.1, 0.1, 0.6, 0.75, 0.9"
    assert lines["encoding_options"].value == "normalise=True"
    assert lines["game_options"].value == "none"
    assert (lines["bias"].value, lines["bias"].known) == ("True", "assumed")
    assert lines["choice"].value == ""  # no field of its own


def test_stated_settings_come_first():
    known = [line.known for line in settings(find("M-A1"))]
    assert known == sorted(known, reverse=True) and set(known) == {"stated", "assumed"}
