"""The settings of a run that are fastest on this machine, found by measured trials."""
