"""`--replay`: steps played over the described network, beside the closed formula and with what is tried."""

import re

from groundswell.errors import refuse
from groundswell.scale.exchange import travelling
from groundswell.scale.predict import Costs, step_of
from groundswell.scale.replay import Trial, replay

MOST_MESSAGES = 1_500_000  # that one replay plays


def factor_of(option, text, name, most):
    """{number: factor} of NUMBER:FACTOR."""
    found = re.fullmatch(r"(\d+):(\d+(?:\.\d+)?)", text or "")
    if text and (found is None or int(found[1]) >= most or not float(found[2]) >= 1.0):
        refuse(
            "command line", option, text,
            f"{name}:FACTOR, a {name.lower()} from 0 to {most - 1} and how many times as long it takes, such as 3:2",
        )  # fmt: skip
    return {int(found[1]): float(found[2])} if found else {}


def trial_of(options, machine):
    """Options of the command line to try, but for output, whose bytes are not known yet."""
    given = [
        name
        for name, value in (
            ("--aggregate", options.aggregate),
            ("--slow-rank", options.slow_rank),
            ("--slow-link", options.slow_link),
            ("--output-on-link", options.output_on_link),
        )
        if value
    ]
    if given and not options.replay:
        refuse("command line", given[0], None, "--replay with it: the formula cannot try this")
    smallest = min(options.parts or [hosts * machine.ranks_per_host for hosts in options.hosts or [1]])
    hosts = -(-smallest // machine.ranks_per_host)
    return {
        "aggregate": options.aggregate == "hosts",
        "slow_ranks": factor_of("--slow-rank", options.slow_rank, "RANK", smallest),
        "slow_links": factor_of("--slow-link", options.slow_link, "HOST", hosts),
        "output": options.output_on_link,
    }


def played(subject, plans, machine, trial, progress):
    """A row for each plan: {parts, step_seconds, formula_seconds, difference, exchange_seconds, link_share, messages, tried}."""
    rows = []
    for plan in plans:
        progress.update(f"replay of {plan.parts} parts")
        costs = Costs(subject.counted, plan, subject.speeds, machine)
        plan = travelling(plan, machine)
        formula = step_of(plan, machine, costs)[0]
        messages = sum(times * len(one.sender) for times, one in zip(plan.times(), plan.moments))
        steps = max(1, min(3, int(MOST_MESSAGES // max(1, messages))))
        alone = replay(plan, machine, costs.pack, costs.work, steps=1, early=costs.early)
        row = {
            "parts": plan.parts,
            "steps": steps,
            "formula_seconds": formula,
            "difference": alone.step_seconds / formula - 1,
            **told(alone),
            "tried": None,
        }
        record = subject.speeds.output * 3600.0 / costs.hosts  # an hour's, at once
        wanted = Trial(
            trial["aggregate"],
            trial["slow_ranks"],
            trial["slow_links"],
            record if trial["output"] else 0.0,
        )
        if wanted != Trial():
            found = replay(plan, machine, costs.pack, costs.work, wanted, steps, costs.early)
            several = replay(plan, machine, costs.pack, costs.work, None, steps, costs.early)
            row["tried"] = {**told(found), "ratio": found.step_seconds / several.step_seconds}
        rows.append(row)
    return rows


def told(outcome):
    keys = ("step_seconds", "exchange_seconds", "link_share", "messages")
    return {key: getattr(outcome, key) for key in keys}
