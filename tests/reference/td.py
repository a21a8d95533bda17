"""TD(lambda) for a network of one hidden layer as a plain loop over numbers, without arrays.

Written from equations 2.2-2.5 of Matthews 2006 and 2-4 of Campos & Langlois 2003: predict every
position of a game in turn, update after each, never look at a vector.
"""

import math


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


class Learner:
    """Weights [unit][input], the last input of every unit being a bias of 1."""

    def __init__(self, hidden, output, *, alpha, lam, gamma=1.0, kappa=0.0, penalty=0.0,
                 reevaluate=False, observe_end=False):  # fmt: skip
        self.hidden = [list(map(float, unit)) for unit in hidden]
        self.output = [list(map(float, unit)) for unit in output]
        self.alpha, self.lam, self.gamma = alpha, lam, gamma
        self.kappa, self.penalty, self.reevaluate = kappa, penalty, reevaluate
        self.observe_end = observe_end
        self.forget()

    def forget(self):
        outputs = range(len(self.output))
        self.hidden_trace = [[[0.0] * len(u) for u in self.hidden] for _ in outputs]
        self.output_trace = [[[0.0] * len(u) for u in self.output] for _ in outputs]
        self.latest = None

    def predict(self, x):
        """Values of the inputs, hidden and output units, and the weights between the latter."""
        inputs = [*x, 1.0]
        middle = [
            sigmoid(sum(w * v for w, v in zip(u, inputs, strict=True))) for u in self.hidden
        ]
        middle.append(1.0)
        v = [sigmoid(sum(w * h for w, h in zip(u, middle, strict=True))) for u in self.output]
        return inputs, middle, v, [list(unit) for unit in self.output]

    def reach(self, x, *, over=False, final=None, reward=None):
        """Learn from reaching a position."""
        if over and self.observe_end:  # like any other, and then from how it ended
            self.reach(x, reward=reward)
            given = reward or [0.0] * len(final)
            final = [z - r for z, r in zip(final, given, strict=True)]
        seen = self.predict(x)
        if self.latest is not None:
            for o, before in enumerate(self.latest):
                target = final[o] if over else self._bootstrap(seen[2], reward, o)
                self._update(o, target - before)
        if over:
            self.forget()
            return
        if self.reevaluate:
            seen = self.predict(x)
        self._fade_and_add(*seen)
        self.latest = seen[2]

    def _bootstrap(self, following, reward, o):
        return (reward[o] if reward else 0.0) - self.penalty + self.gamma * following[o]

    def _update(self, o, error):
        error *= (1 - self.kappa) if error > 0 else (1 + self.kappa)
        for weights, trace in (
            (self.hidden, self.hidden_trace[o]),
            (self.output, self.output_trace[o]),
        ):
            for unit, unit_trace in zip(weights, trace, strict=True):
                for i, e in enumerate(unit_trace):
                    unit[i] += self.alpha * error * e

    def _fade_and_add(self, inputs, middle, v, output):
        for o, y in enumerate(v):
            slope = y * (1 - y)
            for k, unit_trace in enumerate(self.output_trace[o]):
                for h, seen in enumerate(middle):
                    unit_trace[h] = self.lam * unit_trace[h] + (slope * seen if k == o else 0)
            for h, unit_trace in enumerate(self.hidden_trace[o]):
                back = slope * output[o][h] * middle[h] * (1 - middle[h])
                for i, seen in enumerate(inputs):
                    unit_trace[i] = self.lam * unit_trace[i] + back * seen
