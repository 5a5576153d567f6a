"""Spread of runs of the same setting, and the causes seen in those that stand out."""

import statistics

OUTLIER = (
    3.5  # standard deviations from the median, by the median of the deviations (Iglewicz & Hoaglin 1993)
)
LEAST = 0.05  # of the median: less is no outlier, however alike the others are


def spread_of(values):
    """{"min", "mean", "max", "std", "cv"}; std and cv are None for a single value."""
    mean = statistics.fmean(values)
    std = statistics.stdev(values) if len(values) > 1 else None
    return {
        "min": min(values),
        "mean": mean,
        "max": max(values),
        "std": std,
        "cv": std / mean if std is not None and mean > 0 else None,
    }


def statistic(values):
    return {"min": min(values), "mean": statistics.fmean(values), "max": max(values)}


def outliers_of(trials):
    """[{"run", "seconds", "ratio", "why"}]: runs far from the others of their setting, and what differed in them."""
    if len(trials) < 3:
        return []
    values = [trial.seconds for trial in trials]
    middle = statistics.median(values)
    scale = statistics.median(abs(value - middle) for value in values) / 0.6745
    found = []
    for number, trial in enumerate(trials):
        far = abs(trial.seconds - middle)
        if far > OUTLIER * scale and far > LEAST * middle:
            others = [other for other in trials if other is not trial]
            found.append(
                {
                    "run": number,
                    "seconds": trial.seconds,
                    "ratio": trial.seconds / middle,
                    "why": differences(trial, others),
                }
            )
    return found


def differences(trial, others):
    """Texts: findings that the others did not have, the phases that took most of the difference, the machine's load."""
    common = {finding["code"] for other in others for finding in findings_of(other)}
    texts = [finding["message"] for finding in findings_of(trial) if finding["code"] not in common]
    excess = trial.seconds - statistics.median(other.seconds for other in others)
    grown = []
    for phase, value in trial.report.get("phases", {}).items():
        usual = [other.report.get("phases", {}).get(phase, {}).get("mean", 0.0) for other in others]
        more = value["mean"] - statistics.median(usual)
        if phase != "setup" and excess != 0 and more / excess > 0.2:
            grown.append((more / excess, f"{phase} {more:+.3g} s"))
    if grown:
        texts.append("of the difference: " + ", ".join(text for _, text in sorted(grown, reverse=True)[:3]))
    usual = statistics.median(other.load for other in others)
    if trial.load > usual + 0.5:
        texts.append(f"load average {trial.load:.1f}, otherwise {usual:.1f}")
    return texts or ["nothing in its report differs"]


def findings_of(trial):
    return trial.report.get("cores", {}).get("findings", [])
