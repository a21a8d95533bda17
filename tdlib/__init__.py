"""Board games and the learners that five papers taught to play them, in JAX.

Layers; a module imports only from lines above its own (`tests/test_layers.py` holds that):

    types  paths  compilation_cache    records and letters; where files are; kept programs
    picks  fusion  chance  schedules   how to be fast; random numbers; numbers that change
    files                              written whole or not at all
    games                              RULES          State, plays, outcome
    notation   perft                   TEXT           positions in and out; counts of plays
    exact                              SOLVE          hypergammon; endgames of Kalah
    queries                            ANSWER         what may be played here
    encodings                          WHAT IT SEES   state -> features [F]
    values                             HOW GOOD       features [F] -> value [P]
    search     classical               LOOK AHEAD     minimax, alpha-beta; the same to be read
    players                            WHO MOVES      state, roll -> play
    endgames                           EXAMINE        solved positions of Kalah to learn from
    kalah_records                      REMEMBER ALL   games of Kalah, every position kept
    rollout                            PLAY           the only game loop of all games
    learning   arena   mistakes        LEARN          MEASURE
    bench      bench_search            HOW FAST       as ratios; searches
    experiments                        WHAT EACH PAPER DID, data only
    store      published               REMEMBER       our rows and weights; the papers' numbers
    run                                DRIVE          train, evaluate, store
    trained                            PLAY AGAIN     stored networks as players
    stats                              UNCERTAINTY    intervals and tests
    complexity                         HOW LARGE      width, length, number of positions
    curves     matches                 TABULATE       learning curves; games by name
    plots      boards                  SHOW           charts; one drawing per game
    attributes                         DESCRIBE       four games by the thesis's table 3.1
    claims                             JUDGE          what the papers claim; the scorecard
    effects                            DOUBT          what another reading would change
    reproduce  keep                    EXECUTE        the notebooks, in order; take them over
    cli                                COMMAND LINE   python -m tdlib
"""
