"""Solutions: right by plain Python and by known values; kept, resumed and refused."""

from random import Random

import numpy as np
import pytest

from tdlib import exact
from tdlib.exact import iteration, places, sweeps
from tests.reference import backgammon as rules
from tests.reference import hypergammon as twin


@pytest.mark.parametrize("objective", exact.OBJECTIVES)
def test_one_chequer_by_plain_python(small, objective):
    found = small(objective, 1)
    for position, value in twin.solved(objective).items():
        assert found.value(*twin.places(position)) == pytest.approx(value, abs=1e-7)


@pytest.mark.parametrize("objective", exact.OBJECTIVES)
def test_bellmans_equation_holds_with_the_plays_of_the_plain_rules(small, objective):
    found, rng = small(objective, 2), Random(7)
    where = places.configurations(2).tolist()
    assert found.residual <= exact.TOLERANCE
    compared = 0
    while compared < 60:
        own, other = rng.choice(where[1:]), rng.choice(where[1:])
        position = twin.position(own, other)
        if position is None:
            continue
        right = twin.expected(
            twin.choices(position), objective, lambda p: found.value(*twin.places(p))
        )
        assert found.value(own, other) == pytest.approx(right, abs=3e-8)
        compared += 1


def test_known_values(small):
    # one chequer each on its six point: 27 of 36 rolls bear it off at once, and so on
    wins, money = small("wins", 2), small("money", 2)
    assert wins.value((6, 0), (6, 0)) == pytest.approx(0.8125)  # 1 - 9/36 * 27/36
    assert money.value((6, 0), (6, 0)) == pytest.approx(0.625)
    # the opponent is off in a roll: a gammon, and a backgammon if 13 of 36 rolls fail to get
    # the chequer from the bar to 18 (die 1 is blocked)
    assert wins.value((25, 1), (1, 1)) == pytest.approx(0.0, abs=1e-8)
    assert money.value((25, 1), (1, 1)) == pytest.approx(-2 - 13 / 36)
    assert wins.after((0, 0), (5, 3)) == 1 and money.after((0, 0), (5, 3)) == 2
    assert money.after((0, 0), (5, 19)) == 3 and money.after((0, 0), (25, 0)) == 1


def test_both_players_values_add_up_to_what_there_is(small):
    found = small("wins", 2)
    assert (found.values >= -1e-9).all() and (found.values <= 1 + 1e-9).all()
    assert found.value((12, 3), (20, 9)) + found.after((20, 9), (12, 3)) == 1


class Killed(Exception):
    pass


def test_a_killed_computation_goes_on_and_gives_the_same_numbers(small, tmp_path):
    heard = []

    def die(residual):
        heard.append(residual)
        if len(heard) == exact.ROUNDS + 3:
            raise Killed

    with pytest.raises(Killed):
        exact.solve("wins", 2, folder=tmp_path, tell=die)
    with pytest.raises(
        ValueError, match="is not finished; the same command goes on: python -m"
    ):
        exact.load("wins", 2, folder=tmp_path)
    resumed, whole = exact.solve("wins", 2, folder=tmp_path), small("wins", 2)
    assert (resumed.values == whole.values).all() and resumed.sweeps == whole.sweeps
    assert exact.solve("wins", 2, folder=tmp_path, tell=die).date == resumed.date  # no sweeps


def test_what_is_missing_is_refused_with_advice(tmp_path):
    command = "python -m tdlib solve hypergammon --objective money --chequers 3"
    with pytest.raises(
        ValueError, match=f"not solved here yet .*hypergammon-3-money.* {command}"
    ):
        exact.load("money", folder=tmp_path)


@pytest.mark.parametrize("harm", ["cut", "flip", "foreign", "text"])
def test_damaged_and_foreign_files_are_refused_by_name(small, tmp_path, harm):
    path = exact.file("wins", 1, tmp_path)
    other = exact.file("money", 1, tmp_path)
    for objective in exact.OBJECTIVES:
        exact.solve(objective, 1, folder=tmp_path)
    good = path.read_bytes()
    middle = len(good) // 2
    bad = {
        "cut": good[:-100],
        "flip": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :],
        "foreign": other.read_bytes(),
        "text": b"no solution",
    }
    path.write_bytes(bad[harm])
    for use in (exact.load, exact.solve):
        with pytest.raises(
            ValueError, match=rf"{path.name}: it .*Delete it to have it computed"
        ):
            use("wins", 1, folder=tmp_path)
    path.unlink()
    assert (exact.solve("wins", 1, folder=tmp_path).values == small("wins", 1).values).all()


def test_whatever_a_flipped_bit_does_to_the_file_it_is_refused_or_read_alike(tmp_path):
    path = exact.file("wins", 1, tmp_path)
    whole = exact.solve("wins", 1, folder=tmp_path)
    good, refusals = path.read_bytes(), 0
    places = [*range(0, 400, 3), *range(len(good) - 400, len(good), 3)]
    for at in places:  # of the headers and the directory of the zip
        for bit in (1, 8, 64):
            path.write_bytes(good[:at] + bytes([good[at] ^ bit]) + good[at + 1 :])
            try:
                assert (exact.load("wins", 1, folder=tmp_path).values == whole.values).all()
            except ValueError as error:
                assert str(error).startswith(str(path))
                refusals += 1
    assert refusals > 100


def test_bad_requests_are_refused(small):
    with pytest.raises(ValueError, match="unknown objective 'cube'; expected wins or money"):
        exact.solve("cube", 1)
    with pytest.raises(ValueError, match=r"expected the places of 2 chequers, not \(6,\)"):
        small("wins", 2).value((6,), (6, 0))


def test_a_mixture_is_the_shortest_sum():
    # of (3, 0) and (0, 4), with weights 16/25 and 9/25 the sum is (48, 36)/25, of length 2.4
    weights = iteration.mixture(np.array([[9.0, 0.0], [0.0, 16.0]]))
    assert weights == pytest.approx([16 / 25, 9 / 25])


def test_start_knows_finished_games_only():
    game = exact.rules("money", 1)
    values = np.asarray(sweeps.start(game))
    assert values[0, 5] == 2 and values[5, 0] == -2 and values[0, 25] == 3
    assert values[5, 6] == 0 and (values[-1] == 0).all()
    assert rules.points(twin.position([0], [5])) == 2
