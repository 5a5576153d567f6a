"""Results of a bench on GPUs: gpu.json, and tables for people."""

import json
import os


def write(folder, result):
    """Writes all that there is so far: a later part may take long, or end the program."""
    result["load_average_at_end"] = os.getloadavg()[0]
    report = {"command": "bench gpu", "result": result}
    (folder / "gpu.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def show_kernels(result):
    for limit in next(filter(None, result["limits"]), []):
        print(
            f"{limit['device']['name']}, {limit['model']}: triad {limit['stream_gigabytes_per_second']:.0f} GB/s, "
            f"{limit['peak_gflops'] / 1e3:.1f} TFLOP/s in its precision"
        )
    cores = f"{result['cores']} cores"
    print(
        f"{'kernel':28} {'cells':>9} {'rate':>12} {'deviation':>9} {'outliers':>8} {'bandwidth':>9} {'peak':>6} "
        f"{'energy':>9} {cores:>9}"
    )
    for row in result["kernels"]:
        energy = "" if row["joules"] is None else f"{1e9 * row['joules']:.3g} nJ"
        times = "" if row["over_processor"] is None else f"{row['over_processor']:.3g} x"
        print(
            f"{row['kernel']:28} {row['cells']:>9} {spread_text(row)} {row['share_of_bandwidth']:9.1%} "
            f"{row['share_of_peak']:6.1%} {energy:>9} {times:>9}"
        )


def spread_text(row):
    return f"{row['mean']:12.4g} {row['deviation'] / row['mean']:9.2%} {len(row['outliers']):8}"


def show_settings(result):
    mpi = result["mpi"]
    takes = "takes" if mpi["takes_gpu_memory"] else "does not take"
    print(f"\n{mpi['name']} {mpi['version']}, {mpi['transport']}; it {takes} memory of a GPU")
    if result["settings"]:
        row = result["settings"][0]
        print(f"rock, {row['cells']} elements on {row['ranks']} ranks, {result['gpus']} GPU(s)")
        print(
            f"{'setting':38} {'updates/s':>12} {'deviation':>9} {'outliers':>8} {'worst':>9} {'best':>9} {'runs':>4} "
            f"{'beside':>13} {'start, s':>8} {'ms alone':>9} {'ms waited':>9}"
        )
    for row in result["settings"]:
        beside = "" if row["times"] is None else f"{row['beside']} x {row['times']:.3f}"
        print(
            f"{row['setting']:38} {spread_text(row)} {row['worst']:9.4g} {row['best']:9.4g} {row['runs']:4} {beside:>13} "
            f"{row['start_seconds']:8.2f} {1e3 * row['alone_seconds']:9.3f} {1e3 * row['waiting_seconds']:9.3f}"
        )
        if row["problem"]:
            print(f"{row['setting']}: no more than {row['runs']} runs: {row['problem']}")
    for one in result["left_out"]:
        print(f"{one['setting']:38} left out: {one['why']}")


def show_scaling(result):
    print()
    if result["gpus"] == 1:
        print("one GPU is here, so how the models scale over several cannot be seen")
    print(
        f"{'model':6} {'scaling':8} {'GPUs':>4} {'cells':>9} {'rate':>12} {'deviation':>9} {'outliers':>8} {'runs':>4} "
        f"{'efficiency':>10} {'start, s':>8}"
    )
    for row in result["scaling"]:
        efficiency = "" if row["efficiency"] is None else f"{row['efficiency']:.1%}"
        print(
            f"{row['model']:6} {row['scaling']:8} {row['gpus']:4} {row['cells']:>9} {spread_text(row)} {row['runs']:4} "
            f"{efficiency:>10} {row['start_seconds']:8.2f}"
        )
    for one in result["failed"]:
        print(f"{one['run']}: {one['why']}")
