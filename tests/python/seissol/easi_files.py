"""What the tests of easi's models and of SeisSol's cases share."""

import numpy as np

from groundswell.easi.tree import Model


def model_of(folder, text, name="model.yaml"):
    (folder / name).write_text(text)
    return Model(folder / name)


def at(model, places, *names, group=1):
    """[name][point]."""
    found = model.at(np.array(places, float), group, names)
    return [found[name].tolist() for name in names]
