"""Whatever is chosen, the results are the same to the bit: checked for one pair of settings by `groundswell compare`."""

import subprocess

from groundswell.trials.program import program


def without_clusters(setting):
    """Steps of elements belong to the solution: whoever changes them changes its last digits."""
    kept = {key: None for key, _ in setting.keys if key.startswith("solver.")}
    return setting.with_keys(**{key.replace(".", "__"): value for key, value in kept.items()})


def same_bits(runner, one, other, length):
    """True or False, None where there was nothing to compare."""
    trials = [runner.run(without_clusters(setting), length, keep=True) for setting in (one, other)]
    if any(trial.problem for trial in trials):
        return None
    folders = [trial.folder for trial in trials]
    if not all(list(folder.glob("*.nc")) for folder in folders):
        return None
    answer = subprocess.run(
        [program(), "compare", *map(str, folders)], check=False, capture_output=True, text=True
    )
    return {0: True, 1: False}.get(answer.returncode)
