"""`groundswell scale --measure`: a description of this machine, as far as it can be measured from here."""

import os
import pathlib
import re
import shlex
import sys

from groundswell import report
from groundswell.errors import refuse
from groundswell.scale import gauge
from groundswell.scale.machine import INSTRUCTIONS
from groundswell.trials.program import Failed, answer_of
from groundswell.whole_files import write_text

PATCH = "200x200"  # hexagons that two ranks share, for long messages
BYTES = 5040  # of a cell: 36 directions x 35 frequencies
TINY = ("--hexagons", "2x1", "--layers", 1, "--bytes-per-cell", 8)  # one number either way


def cores_here():
    """Cores, not hardware threads of one, that this process may use."""
    known = set()
    for cpu in os.sched_getaffinity(0):
        place = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology")
        try:
            known.add(tuple((place / name).read_text() for name in ("physical_package_id", "core_id")))
        except OSError:
            known.add(cpu)
    return len(known)


def cache_here():
    """Bytes of the last levels of all processors, or None."""
    last = {}
    for folder in pathlib.Path("/sys/devices/system/cpu").glob("cpu[0-9]*/cache/index*"):
        try:
            level = int((folder / "level").read_text())
            size = re.fullmatch(r"(\d+)K", (folder / "size").read_text().strip())
            last.setdefault(level, {})[(folder / "shared_cpu_list").read_text()] = int(size[1]) * 1024
        except (OSError, TypeError, ValueError):
            continue
    return sum(last[max(last)].values()) if last else None


def memory_here():
    text = pathlib.Path("/proc/meminfo").read_text(encoding="ascii")
    return int(re.search(r"MemTotal:\s+(\d+) kB", text)[1]) * 1024


def link_by(launch, transport=None):
    """(latency, bandwidth) between the two ranks that `launch` starts, both of which send at once: by this transport, or by the one that
    a run would choose. Packing is left out, which a prediction adds itself."""
    chosen = ["--transport", transport] if transport else []

    def times(*patch):
        found = gauge.result_of("halo", *patch, *chosen, "--repeats", 200, "--quiet", launcher=launch)
        name = transport or found["auto_choice"]
        one = next(one for one in found["transports"] if one["name"] == name)
        return one["wait"]["p10"] + one["unpack"]["p10"], found["received_bytes"]["mean"]

    for _ in range(5):
        latency, _ = times(*TINY)
        seconds, received = times("--hexagons", PATCH, "--bytes-per-cell", BYTES)
        if seconds > 2 * latency:
            break  # else other programs have held up the small messages
    return latency, received / max(seconds - latency, 1e-9)


def number(value):
    return f"{value:.3g}"


def link_text(name, link, comment):
    latency, bandwidth = link
    return (
        f'[{name}]\nlatency = "{number(1e6 * latency)} us"\n'
        f'bandwidth = "{number(bandwidth / 1e9)} GB/s"    # {comment}\n'
    )


def text_of(cores, isa, limits, inside, network):
    peak, stream = limits
    memory, cache = memory_here(), cache_here()
    told = [f'instructions = "{isa}"    # of the kernels'] if isa in INSTRUCTIONS else []
    lines = [
        f'name = "{os.uname().nodename}"',
        f'about = "{report.cpu_model()}; measured by groundswell scale --measure"',
        "hosts = 1                  # how many there are alike",
        "",
        "[host]",
        f"cores = {cores}",
        *told,
        f'memory = "{number(memory / 2**30)} GiB"',
        f'peak = "{number(peak / 1e9)} GFLOP/s"    # double precision, all cores together',
        f'stream = "{number(stream / 1e9)} GB/s"    # all cores together',
    ]
    if cache:
        lines.append(f'cache = "{number(cache / 2**20)} MiB"    # last levels, all processors together')
    lines += ["", "[job]", f"ranks_per_host = {cores}", "threads = 1", ""]
    lines.append(link_text("inside", inside, "for each rank, both ways at once"))
    if network:
        lines.append(link_text("network", network, "of a host's link, each way"))
    else:
        lines.append(
            "# What one host cannot measure of the others: fill it in and set hosts, or measure with\n"
            '# --launch "srun -N 2 -n 2" or what starts two ranks on two hosts here.\n'
            '# [network]\n# latency = "2 us"          # of a small message\n# bandwidth = "25 GB/s"     # of a host\'s link; Gb/s are bits\n'
        )
    lines.append(
        '# [file_system]\n# bandwidth = "10 GB/s"     # that all hosts together write; groundswell doctor --output DIR tells what it is\n'
    )
    return "\n".join(lines)


def describe(options):
    target = pathlib.Path(options.measure)
    if target.suffix != ".toml":
        refuse("command line", "--measure", options.measure, "a file name that ends in .toml")
    if target.exists():
        refuse("command line", "--measure", options.measure, "a new file; this one is there already")
    progress = report.Progress(not options.quiet)
    cores = cores_here()
    progress.update("arithmetic and memory")
    try:
        answer = answer_of(
            *("proxy", "--model", "quake", "--order", 4, "--precision", "double"),
            *("--cells", 1000 * cores, "--threads", cores, "--repeats", 5),
        )
        found = answer["result"]
        limits = found["peak_gflops"] * 1e9, found["stream_gigabytes_per_second"] * 1e9
        progress.update("messages inside the host")
        inside = link_by(gauge.launched(2))
        network = None
        if options.launch:
            progress.update("messages between hosts")
            network = link_by(shlex.split(options.launch), "posted")
    except Failed as failed:
        return failed.code
    load = os.getloadavg()[0] - 1.0  # without what was measured
    if load > 0.3 * cores:
        print(
            f"groundswell: warning: other programs keep {load:.1f} of {cores} cores busy: measure again when they are done",
            file=sys.stderr,
        )
    write_text(target, text_of(cores, answer["machine"]["isa"], limits, inside, network))
    progress.done(f"wrote {target}")
    return 0
