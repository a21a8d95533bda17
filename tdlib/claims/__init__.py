"""Judge what the papers claim, by the rules of the ledger, from stored results alone.

    ledger      what is claimed and how it is tested: data/published/claims.yaml
    evidence    what the store, or a paper's appendix, says about an experiment
    rules       the statistical decision rules, as pure functions
    matthews    which rule judges which claim of Matthews 2006
    friedman    the same for Friedman & Ibarra 2004
    choi        the same of Choi 2013
    scorecard   all verdicts in one table
    report      the scorecard of a store: on the screen, as CSV, as a picture

`JUDGES` and `NOT_YET` together name every claim of the ledger; a test holds that.
"""

from tdlib.claims import choi, friedman, matthews

JUDGES = {**matthews.JUDGES, **friedman.JUDGES, **choi.JUDGES}
JOINT = matthews.JOINT
PAPERS_TO_COME = {  # nothing of them is judged so far
    "leenoh": "its experiments are not there yet",
    "abalearn2003": "its experiments are not there yet",
}
NOT_YET = {**matthews.NOT_YET, **choi.NOT_YET}
