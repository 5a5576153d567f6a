"""`plot page`: a run in one HTML file that needs no server and no network: maps by time and field, values and series at a click."""
