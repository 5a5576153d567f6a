"""Cost of a run on other numbers of ranks and on other machines."""
