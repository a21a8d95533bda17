"""The tests; a package, so that `tests.reference` always means the one here."""
