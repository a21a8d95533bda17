"""Whole tables of Matthews 2006 under a second reading: the paper's length, ten runs.

    INTEGERS   bar and off as whole numbers, as section 4.3.2 says. Our main reading divides
               them as Tesauro 1992 does, to whom section 5.4.1 refers
    FLOAT64    tables of undivided features in float64; of equally good plays the first, as in
               the main reading. Large inputs saturate hidden units, and in float32 more plays
               then look alike

They were defined after the results of the main reading had been seen (`data/CHANGES.md`), so
they explain differences and decide no verdict.
"""

from tdlib.papers.matthews2006 import sensitivity

GROUP = "second-readings"
RUNS = 10
TABLES = {  # by the end of their ids: a reading of `sensitivity`, and where it is tried
    "INTEGERS": ("plain-counts", ("A1", "A3", "A8", "A9", "A10", "A12")),
    "FLOAT64": ("float64", ("A4", "A6")),
}
_READINGS = {reading.name: reading for reading in sensitivity.READINGS}
EXPERIMENTS = tuple(
    sensitivity.under(
        _READINGS[name],
        sensitivity.main(table),
        id=f"M-{table}-{ending}",
        group=GROUP,
        runs=RUNS,
    )
    for ending, (name, where) in TABLES.items()
    for table in where
)
