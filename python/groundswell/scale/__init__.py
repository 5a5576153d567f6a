"""What a run costs on other numbers of ranks, and on other machines."""
