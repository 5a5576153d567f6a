"""Errors of predictions where they could be checked: `checked.json`, which `bench/predict.py --keep` writes."""

import json
import pathlib

KEPT = pathlib.Path(__file__).with_name("checked.json")
WHAT = ("step", "communication", "start")


def summary(rows):
    """Summary of checks {model, step, communication, start}, errors as shares: by model, how many, and of each the median and the largest."""
    told = {}
    for model in sorted({row["model"] for row in rows}):
        mine = [row for row in rows if row["model"] == model]
        told[model] = {"combinations": len(mine)}
        for what in WHAT:
            found = sorted(abs(row[what]) for row in mine)
            told[model][what] = {"median": found[len(found) // 2], "largest": found[-1]}
    return told


def errors_of(model):
    """Kept checks of this model, or None."""
    if not KEPT.exists():
        return None
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    return {"machine": kept["machine"], **kept["models"][model]} if model in kept["models"] else None


def text(errors):
    if errors is None:
        return "errors: this was never checked on any machine"
    step, talking, start = (errors[what] for what in WHAT)
    return (
        f"errors of {errors['combinations']} predictions that were checked ({errors['machine']}): a step "
        f"{100 * step['median']:.0f} %, at most {100 * step['largest']:.0f} %; share of messages "
        f"{100 * talking['median']:.0f}, at most {100 * talking['largest']:.0f} points; start "
        f"{100 * start['median']:.0f} %, at most {100 * start['largest']:.0f} %. Never checked: more than one real host"
    )
