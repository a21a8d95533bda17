"""Which function judges which claim.

A paper's `claims` package marks its functions with `judge`; `find` imports these packages.

    @judge("choi-6.1-c")
    def traces(evidence: Evidence) -> Judgement:
        '''A higher lambda learns faster.'''
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from tdlib.claims.evidence import Evidence
from tdlib.claims.rules import Judgement

_Function = TypeVar("_Function", bound=Callable[..., Judgement])


class Judge(NamedTuple):
    """How one claim is judged."""

    function: Callable[..., Judgement]
    data: Mapping[str, Any]
    joint: bool

    def __call__(self, evidence: Evidence) -> Judgement:
        return self.function(evidence, **self.data)


_JUDGES: dict[str, Judge] = {}


def judge(*claims: str, joint: bool = False, **data: Any) -> Callable[[_Function], _Function]:
    """Let the function below judge these claims; it is called with `evidence` and the data.

    Several of these may stand above one function.

    Args:
      claims: ids of the ledger.
      joint: whether the claim is made of others, whose verdicts are in `evidence.verdicts`.
      data: keyword arguments of the function, such as which experiments to compare.
    """

    def register(function: _Function) -> _Function:
        for id in claims:
            if id in _JUDGES:
                raise ValueError(f"there are two judges of {id}")
            _JUDGES[id] = Judge(function, data, joint)
        return function

    return register


def find(claim: str) -> Judge | None:
    """Who judges the claim of that id, if anybody does."""
    importlib.import_module("tdlib.papers").load("claims")
    return _JUDGES.get(claim)
