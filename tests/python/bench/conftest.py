"""The modules of the bench on GPUs, for tests, on the played device."""

import importlib
import os
import pathlib
import sys
import types

import pytest
from pages import ROOT

PROGRAMS = pathlib.Path(os.environ.get("GROUNDSWELL_BENCH_BIN", ROOT / "build/release/bin"))
MODULES = ("evaluation", "machine", "measure", "plan", "pictures", "proxy", "report", "evaluate")


@pytest.fixture(scope="module")
def modules():
    """The modules of the bench; other evaluations have some of the same names, so they do not stay."""
    folders = [str(ROOT / "bench/gpu"), str(ROOT / "bench")]
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.path[:0] = folders
    try:
        yield types.SimpleNamespace(**{name: importlib.import_module(name) for name in MODULES})
    finally:
        for folder in folders:
            sys.path.remove(folder)
        for name in MODULES:
            sys.modules.pop(name, None)


@pytest.fixture
def gpu(modules, monkeypatch):
    """These, with programs of the tests on the played device."""
    monkeypatch.setenv("GROUNDSWELL_BENCH_BIN", str(PROGRAMS))
    monkeypatch.setenv("GROUNDSWELL_PLAYED_DEVICE", "3")
    return modules
