"""Board games, and the learners that five papers taught to play them, in JAX.

A layer imports only what stands above it, or to its left (`tests/test_layers.py` checks that):

    types  stats  paths  files  cache  jax_settings   the ground: records, intervals, files
    kernels                               what makes XLA fast; random numbers
    games                                 RULES: six games, their options, exact chances
    exact                                 hypergammon and endgames of Kalah, solved
    encodings  values  search  players    what is seen, how good it looks, who moves
    play  learning  teaching              the game loop, TD(lambda), the same by hand
    study                                 experiments, scales, the store; knows no paper
    claims                                judging what was published; knows no paper
    papers                                one folder each: experiments, measurements, claims
    show                                  boards, notation, charts
    parameters  keep  reproduce  interrupts  cli      notebooks in order; python -m tdlib

Where to begin:

    tdlib.types              the records every layer shares, and the letters of array axes
    tdlib.games.kalah        one game, its rules and nothing else
    tdlib.teaching.one_game  a single game that learns, written out
    notebooks/00_overview    what the papers claim, and what we found
    python -m tdlib --help   all commands
"""
