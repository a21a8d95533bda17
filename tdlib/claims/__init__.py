"""Judge what the papers claim, by the rules of the ledger, from stored results alone.

    ledger      what is claimed, and how each claim is tested
    published   the numbers that the papers print
    evidence    what one claim is judged by
    rules       verdicts, and the ledger's decision rules
    judges      which function judges which claim; papers mark theirs with `@judge`
    scorecard   all verdicts in one table

A new claim is an entry of the ledger and one function in the paper's `claims`.
"""
