#!/usr/bin/env python3
"""Rates that described GPUs would allow the kernels by bytes and operations alone: bench/roofline.py [FOLDER] → roofline.json.

A rate is predicted, not measured: the lesser of bandwidth over the bytes and peak over the operations that `groundswell proxy` counts of
a bin or an element (S. Williams, A. Waterman and D. Patterson 2009, doi:10.1145/1498765.1498785). No kernel reaches it; the shares that
one GPU did reach stand in docs/how-to/gpu.md.
"""

import tempfile

from common import launch, output_folder, program, read_json, write_json

# By the makers' data sheets: GB/s, and TFLOP/s of float and double without matrix units. Of an MI250 both dies.
GPUS = {
    "NVIDIA A100, 80 GB": (2039, {"float": 19.5, "double": 9.7}),
    "NVIDIA H100, 80 GB, SXM": (3350, {"float": 67.0, "double": 34.0}),
    "AMD MI250": (3277, {"float": 45.3, "double": 45.3}),
}
SEA = ("--cells", "2000", "--scheme", "both")
QUAKE = ("--model", "quake", "--cells", "2000", "--precision", "double", "--order")
ORDERS = (3, 4, 5, 6)
# Of a bin's propagation: its state read and written in float. A processor reads too what it is about to write; a GPU does not.
PROPAGATED = 8.0


def counted(folder, *words):
    """Rows of a proxy, by kernel: bytes and operations of a bin or an element."""
    path = f"{folder}/proxy.json"
    launch(1, program("groundswell"), "proxy", *words, "--threads", "1", "--repeats", "5", "--json", path)
    for row in read_json(path)["result"]["kernels"]:
        rate = row.get("bin_steps_per_second") or row.get("updates_per_second")
        if rate and row.get("gflops") and row.get("gigabytes_per_second"):
            yield row, 1e9 * row["gigabytes_per_second"] / rate, 1e9 * row["gflops"] / rate


def predicted(name, real, unit, size, flops):
    """A row of the table; `size`: bytes."""
    rates = {
        gpu: min(1e9 * bandwidth / size, 1e12 * peak[real] / flops) for gpu, (bandwidth, peak) in GPUS.items()
    }
    return {"kernel": name, "unit": unit, "bytes": size, "flops": flops, "predicted": rates}


def main():
    """See above."""
    folder, table = output_folder(), []
    with tempfile.TemporaryDirectory() as scratch:
        for row, size, flops in counted(scratch, *SEA):
            if row["name"] in ("propagation", "source"):
                moves = row["name"] == "propagation"
                name = f"propagation, {row['scheme']}" if moves else "source terms, st4"
                table.append(predicted(name, "float", "bins/s", PROPAGATED if moves else size, flops))
        for order in ORDERS:
            both = {row["name"]: (size, flops) for row, size, flops in counted(scratch, *QUAKE, order)}
            size, flops = (both["local"][i] + both["neighbour"][i] for i in range(2))
            table.append(predicted(f"rock, order {order}", "double", "updates/s", size, flops))
    unique = list({row["kernel"]: row for row in table}.values())
    write_json(folder / "roofline.json", {"command": "bench roofline", "result": {"kernels": unique}})
    print("Predicted by bytes and operations, not measured, in thousand millions a second:")
    print(f"{'kernel':26} {'bytes':>8} {'operations':>10} " + " ".join(f"{gpu:>24}" for gpu in GPUS))
    for row in unique:
        rates = " ".join(f"{1e-9 * rate:24.4g}" for rate in row["predicted"].values())
        print(f"{row['kernel']:26} {row['bytes']:8.1f} {row['flops']:10.1f} {rates}")


if __name__ == "__main__":
    main()
