"""Runs inside gnubg, which provides the module `gnubg`: list all moves of many positions.

Reads [[position, dice], ...] from the file $QUERIES, writes [[move, ...], ...] to $ANSWERS. The
answers appear only when every position has been set and listed.
"""

import json
import os

import gnubg

MOST = 5000  # more than any roll has moves
SETTINGS = (
    "set display off",
    "set player 0 human",
    "set player 1 human",
    "set automatic game off",
    "set automatic roll off",
    "set automatic move off",
    "set automatic bearoff off",
    "set confirm new off",
    "set evaluation chequerplay evaluation plies 0",
    "set evaluation chequerplay evaluation cubeful off",
    "new session",
    "set turn 1",
)


def moves(position, dice):
    """All moves of one roll; [] if there is none."""
    points, bar, their_bar = position[:24], position[24], position[25]
    simple = [bar, *points, their_bar]
    gnubg.command("set board simple " + " ".join(map(str, simple)))
    gnubg.command("set dice {} {}".format(*dice))
    own = [max(count, 0) for count in points] + [bar]
    theirs = [max(-count, 0) for count in reversed(points)] + [their_bar]
    assert [list(side) for side in gnubg.board()] == [theirs, own], "board not taken over"
    assert sorted(gnubg.posinfo()["dice"]) == sorted(dice), "dice not taken over"
    listed = gnubg.hint(MOST)["hint"]
    assert len(listed) < MOST, "list cut short"
    return [each["move"] for each in listed]


for setting in SETTINGS:
    gnubg.command(setting)
with open(os.environ["QUERIES"]) as file:
    queries = json.load(file)
answers = [moves(position, dice) for position, dice in queries]
with open(os.environ["ANSWERS"], "w") as file:
    json.dump(answers, file)
