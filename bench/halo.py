#!/usr/bin/env python3
"""Every transport against one memcpy of the same bytes: bench/halo.py [FOLDER] → halo.json, halo.png.

Two ranks on one host, see halo.cpp.
"""

from common import (
    COLOURS,
    launch,
    machine_text,
    new_figure,
    output_folder,
    program,
    read_json,
    save,
    write_json,
)

REPEATS = 2000


def draw(report, path):
    result = report["result"]
    transports = result["transports"]
    figure, axes = new_figure(1, 8.5, 1.9 + 0.75 * len(transports))
    copy = 1e6 * result["memcpy_seconds"]["median"]
    axes.barh(0, copy, 0.6, color=COLOURS[4])
    axes.text(copy, 0, f"  {copy:.0f} µs, p10 {1e6 * result['memcpy_seconds']['p10']:.0f}", va="center")
    longest = copy
    for i, transport in enumerate(transports, start=1):
        left = 0.0
        # The phases of the slowest rank; what they leave of the whole is bookkeeping.
        for phase, colour in zip(["pack", "wait", "unpack"], [COLOURS[1], COLOURS[2], COLOURS[3]]):
            length = 1e6 * transport[phase]["median"]
            axes.barh(i, length, 0.6, left=left, color=colour, label=phase if i == 1 else None)
            left += length
        whole = 1e6 * transport["whole"]["median"]
        axes.plot(whole, i, "d", color="black", markersize=6, label="whole" if i == 1 else None)
        end = max(whole, left)
        axes.text(
            end,
            i,
            f"   {whole:.0f} µs, p10 {1e6 * transport['whole']['p10']:.0f}, "
            f"{transport['ratio_to_memcpy']:.1f} × memcpy",
            va="center",
        )
        longest = max(longest, end)
    axes.set_yticks(range(len(transports) + 1), ["memcpy"] + [t["name"] for t in transports])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.75 * longest)
    axes.set_xlabel("microseconds of the slowest rank, median of repetitions")
    axes.set_title(
        f"One exchange of {1e-6 * result['memcpy_bytes']:.1f} MB each way between {report['machine']['ranks']} ranks of one host\n"
        f"{machine_text(report['machine'])}; {result['cells']} cells, {result['layers']} rings, "
        f"{result['bytes_per_cell']} bytes a cell",
        loc="left",
        fontsize=11,
    )
    axes.legend(frameon=False, ncols=4, loc="upper right", fontsize=9)
    save(figure, path)


def main():
    folder = output_folder()
    launch(2, program("bench_halo"), REPEATS, folder / "halo.json")
    report = read_json(folder / "halo.json")
    write_json(folder / "halo.json", report)
    draw(report, folder / "halo.png")


if __name__ == "__main__":
    main()
