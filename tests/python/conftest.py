"""Beside the tests, so that those in folders find the helpers that stand here."""

import os
import tempfile

# What `doctor` stores for runs is not the user's, and is gone with the tests.
CACHE = tempfile.TemporaryDirectory(prefix="groundswell-")
os.environ["GROUNDSWELL_LIMITS"] = CACHE.name + "/limits.json"
