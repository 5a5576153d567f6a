"""Beside the tests, so that those in folders find the helpers that stand here."""
