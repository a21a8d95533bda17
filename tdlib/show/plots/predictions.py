"""Charts of what networks say about positions, beside what is true."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from tdlib.show.plots import INK, PALETTE


def against_truth(ax: Axes, margin: ArrayLike, value: ArrayLike, chosen: ArrayLike) -> Axes:
    """Moves by their exact margins and the chances that a network gives them.

    chosen: the moves that it takes, which are filled. The truth is dashed: 0 for a loss, 1/2
    for a draw, 1 for a win.
    """
    margin, value, taken = (np.asarray(x) for x in (margin, value, chosen))
    widest = np.abs(margin).max() + 1
    ax.plot([-widest, 0, 0, widest], [0, 0, 1, 1], color=INK.paper, ls="--", lw=1.4,
            label="truth")  # fmt: skip
    ax.plot(margin[~taken], value[~taken], "o", color=INK.ours, mfc="white", ms=5,
            label="other moves")  # fmt: skip
    ax.plot(margin[taken], value[taken], "o", color=INK.ours, ms=6, label="its moves")
    ax.set(xlim=(-widest, widest), ylim=(-0.03, 1.03))
    ax.legend(loc="center right", fontsize="small")
    ax.grid()
    ax.set_axisbelow(True)
    return ax


def right_over_wrong(ax: Axes, wrong: ArrayLike, right: ArrayLike) -> Axes:
    """In each decision the value of the best right move over that of the best wrong one."""
    wrong, right = np.asarray(wrong), np.asarray(right)
    ax.plot([0, 1], [0, 1], color=INK.text, lw=0.8)
    ax.plot(wrong, right, "o", color=PALETTE[2], ms=4, alpha=0.5, mec="none")
    share = 100 * np.mean(right > wrong)
    words = f"{share:.0f} % of {len(right):,} decisions\nabove the line"
    ax.text(0.97, 0.05, words, ha="right", transform=ax.transAxes)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    ax.grid()
    ax.set_axisbelow(True)
    return ax
