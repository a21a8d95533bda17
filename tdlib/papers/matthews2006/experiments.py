"""All that is trained for Matthews 2006: the tables of the thesis, and other readings of it."""

from tdlib.papers.matthews2006 import (
    pachisi_readings,
    retests,
    second_readings,
    sensitivity,
    tables,
)
from tdlib.study import registry

registry.register(
    experiments=(
        *tables.EXPERIMENTS,
        *second_readings.EXPERIMENTS,
        *sensitivity.EXPERIMENTS,
        *pachisi_readings.EXPERIMENTS,
    ),
    retests=retests.RETESTS,
)
