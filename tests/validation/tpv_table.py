"""What tests/validation/tpv.py finds, as the tables of its page."""

# By the keys of its sums: what stands above the column; in brackets what is not judged.
SUMS = {
    "elastic_energy": "elastic energy",
    "elastic_kinetic_energy": "kinetic energy",
    "seismic_moment": "moment of the jump",
    "moment": "(moment along the stress)",
    "total_frictional_work": "(released work)",
}


def percent(value):
    return "–" if value is None else f"{100 * value:+.1f} %"


def table_of(rows):
    """Markdown."""
    lines = []
    for row in rows:
        lines += [
            f"### {row['name'].upper()}, order {row['order']}"
            + (", by default settings" if row["usual"] else ""),
            "",
            f"{row['seconds']:.0f} s on two cores; steps from {1e3 * row['step']:.4g} ms, clusters of {', '.join(map(str, row['clusters']))} cells.",
        ]
        if row["front"]:
            lines.append(
                f"Rupture time over the fault: {row['front']['rms']:.3f} s rms, {row['front']['mean']:+.3f} s on average."
            )
        lines += [
            "",
            "| place on the fault | breaks | slip | largest slip rate | slip rate | traction |",
            "|---|---|---|---|---|---|",
        ]
        lines += [
            f"| {', '.join(f'{round(v) / 1e3:.3g}' for v in one['place'])} km | {one['rupture_time']:+.3f} s | {percent(one['slip'])} | {percent(one['peak_slip_rate'])} | {100 * one['slip_rate']:.1f} % | {percent(one['traction']).lstrip('+')} |"
            for one in row["fault"]
        ]
        worst = max((one["volume_series"] for one in row["volume"]), default=None)
        if worst is not None and row["sees_rupture"]:
            lines += ["", f"Velocities in the volume: at most {100 * worst:.1f} %."]
        lines += ["", f"| time | {' | '.join(SUMS.values())} |", "|---|---|---|---|---|---|"]
        lines += [
            f"| {one['time']:g} s | {' | '.join(percent(one[key]) for key in SUMS)} |" for one in row["sums"]
        ]
        lines.append("")
    return "\n".join(lines)
