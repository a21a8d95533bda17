"""Rows of tests as a store has them, made up by a test."""

from tdlib.study.experiment import test_hash as hash_of_test
from tdlib.study.experiment import training_hash
from tdlib.study.store import Test as Row


def row(e, run, games, wins):
    """A network that won so many games of its test."""
    counts = dict.fromkeys(Row._fields[7:14], 0)
    return Row(
        experiment=e.id, config=training_hash(e), test=hash_of_test(e), run=run, games=games,
        eval_games=e.eval_games, wins=wins, **counts, seconds_train=1.0, seconds_eval=0.1,
    )  # fmt: skip


def put(store, e, run, rates, checkpoints=None):
    """The tests of one run, in percent won, at the checkpoints of the experiment."""
    places = zip(checkpoints or e.checkpoints, rates, strict=True)
    store.add(e, [row(e, run, games, round(x / 100 * e.eval_games)) for games, x in places])
