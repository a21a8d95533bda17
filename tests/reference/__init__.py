"""Slow twins: every game's rules a second time, in plain Python.

The library computes legal plays with array programs that are fast and hard to check by eye. The
modules here say the same rules in the plainest way we know (tuples, strings, sets, recursion;
the standard library only). They were written from the rules of the games alone, by someone who
had not read the array programs, so a mistake has to be made twice to go unseen. Tests compare
the two on positions from random play.

    backgammon.py   backgammon and hypergammon: plays, end and score
    kalah.py        Kalah(m, n), with or without empty capture: plays, score, perft, exact value
    abalone.py      Abalone: layouts, plays, kinds of move, score, perft
    pachisi.py      pachisi: plays of a throw
    parcheesi.py    Parcheesi: plays of a roll

The first three offer `plays`, a start position, `over`, a score and `random_positions(rng, n)`
with a `random.Random`; `test_twins_known_values.py` holds them in turn to published and
independently computed numbers.
"""
