"""Short runs of a case that are timed: how they are started, in which order, and what their times are worth."""
