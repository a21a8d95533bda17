"""Matthews 2006: TD(lambda) networks for backgammon, hypergammon, pachisi and Parcheesi."""
