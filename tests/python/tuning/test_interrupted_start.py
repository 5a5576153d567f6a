"""A signal that comes while a trial is being started ends that trial, too."""

import os
import signal
import subprocess

import pytest

from groundswell.trials import runner


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_a_trial_starts_ends_it(monkeypatch, tmp_path, number):
    started = []
    genuine = subprocess.Popen

    def start(*arguments, **options):
        os.kill(os.getpid(), number)
        started.append(genuine(*arguments, **options))
        return started[0]

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(number, stop)
    try:
        monkeypatch.setattr(runner.subprocess, "Popen", start)
        with pytest.raises(KeyboardInterrupt):
            runner.run_limited(["sleep", "60"], tmp_path / "log", 60)
    finally:
        signal.signal(number, before)
    assert started and started[0].poll() is not None
