"""Effect of the ways of partitioning, sending, stepping and writing on a step: ratios of predicted times, without over with."""

from groundswell.scale.exchange import travelling
from groundswell.scale.plan import Moment, Plan
from groundswell.scale.predict import Costs, output_seconds, step_of


def one_step_for_all(plan):
    """The same parts if all clusters stepped as the finest does: everything is exchanged and computed at each of its steps."""
    ticks = len(plan.order)
    whole = sum(times * moment.work for times, moment in zip(plan.times(), plan.moments))
    all_due = plan.moments[plan.order[0]]
    moment = Moment(
        whole / whole.sum() / ticks, all_due.inner, all_due.receiver, all_due.sender, all_due.bytes
    )
    return Plan(plan.parts, plan.method, (moment,), (0,) * ticks, plan.told)


def seconds_of(plan, machine, costs):
    return step_of(travelling(plan, machine), machine, costs)[0]


def of_clusters(subject, plan, machine):
    clusters = subject.counted["clusters"]
    costs = Costs(subject.counted, plan, subject.speeds, machine)
    together = Costs(subject.counted, plan, subject.speeds, machine)
    ticks = len(plan.order)
    faces = ticks * sum(clusters["fault_faces"]) * subject.speeds.face * costs.ratio
    together.work = together.early = (ticks * sum(clusters["cells"]) * costs.second + faces) / machine.threads
    return seconds_of(one_step_for_all(plan), machine, together) / seconds_of(plan, machine, costs)


def of_servers(subject, plan, machine, seconds):
    """One rank of a host writes and does not compute: what the others compute grows, and writing is hidden."""
    speeds, step = subject.speeds, subject.counted["step_seconds"]
    writing = output_seconds(speeds, machine, step)
    if writing == 0.0 or machine.ranks_per_host < 2:
        return None
    computing = Costs(subject.counted, plan, speeds, machine).work / plan.parts
    others = seconds + computing / (machine.ranks_per_host - 1)
    return (seconds + writing) / (others + output_seconds(speeds, machine, step, others))


def changes_of(subject, used, machine):
    """Rows {parts, what, ratio}: above 1, a step is so many times as long without it."""
    rows = []
    factor = 1.0 if subject.needed is None else subject.needed
    for plan in used:
        costs = Costs(subject.counted, plan, subject.speeds, machine)
        seconds = seconds_of(plan, machine, costs)

        def add(what, ratio, parts=plan.parts):
            rows.append({"parts": parts, "what": what, "ratio": ratio})

        for other in subject.plans:
            if other.parts == plan.parts and other.method != plan.method:
                name = {"plain": "parts in METIS' order", "scattered": "parts on random ranks"}[other.method]
                add(
                    f"{plan.method} parts, not {name}",
                    seconds_of(other.with_bytes(factor), machine, costs) / seconds,
                )
        if subject.needed is not None:
            add(
                "needed directions, not all",
                seconds_of(plan.with_bytes(1 / factor), machine, costs) / seconds,
            )
        if len(plan.order) > 1:
            add("clusters, not one step for all", of_clusters(subject, plan, machine))
        servers = of_servers(subject, plan, machine, seconds)
        if servers is not None:
            add("a server on each host, not all ranks writing", servers)
    return rows
