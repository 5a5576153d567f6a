"""`groundswell proxy`: its report, kernels held against their plain forms, and the same phases as in a run of the case.

Nothing here depends on how fast the machine is.
"""

import json

import netCDF4
import pytest
from launching import PROGRAM, groundswell, head_is_sane, refused, run, storm_case, write_case
from profiling import breaking_fault


def test_report_of_proxy(tmp_path):
    outcome = groundswell(
        "proxy",
        "--cells",
        "500,4000",
        "--repeats",
        "5",
        "--directions",
        "24",
        "--frequencies",
        "25",
        "--json",
        tmp_path / "p.json",
    )
    assert outcome.code == 0, outcome.stderr
    result = head_is_sane(json.loads((tmp_path / "p.json").read_text()), "proxy", 1)
    assert (
        result["stream_gigabytes_per_second"] > 0
        and result["peak_gflops"] > 0
        and result["bytes_per_bin"] >= 0  # so few cells hide behind other memory
    )
    names = {kernel["name"] for kernel in result["kernels"]}
    assert {"propagation", "source", "both"} <= names
    assert {kernel["scheme"] for kernel in result["kernels"]} == {"upwind", "second-order"}
    for kernel in result["kernels"]:
        assert kernel["verified"] is True, kernel["name"]
        assert kernel["variation"] == pytest.approx(
            kernel["standard_deviation_seconds"] / kernel["mean_seconds"]
        )
        assert kernel["best_seconds"] <= kernel["median_seconds"] and kernel["repeats"] >= 5
        assert set(kernel) >= {
            "name",
            "cells",
            "bins",
            "threads",
            "p10_seconds",
            "median_seconds",
            "bin_steps_per_second",
            "gflops",
            "gigabytes_per_second",
            "share_of_peak",
            "share_of_stream",
        }
        assert 0 < kernel["p10_seconds"] <= kernel["median_seconds"]


def test_report_of_proxy_of_earthquakes(tmp_path):
    outcome = groundswell(
        *(
            "proxy",
            "--model",
            "quake",
            "--order",
            "2,4",
            "--precision",
            "float",
            "--cells",
            "320",
            "--repeats",
            "5",
        ),
        *("--json", tmp_path / "p.json"),
        ranks=2,
    )
    assert outcome.code == 0, outcome.stderr
    result = head_is_sane(json.loads((tmp_path / "p.json").read_text()), "proxy", 2)
    assert result["model"] == "quake" and result["peak_gflops"] > 0
    assert [(kernel["name"], kernel["order"]) for kernel in result["kernels"]] == [
        (name, order)
        for order in (2, 4)
        for name in ("predictor", "local", "neighbour", "all", "fault sides", "fault friction", "fault")
    ]
    for kernel in result["kernels"]:
        # Of 4 x 4 x 4 cubes every other plane between is a fault, two triangles a cube.
        count = 64 if kernel["name"].startswith("fault") else 320
        assert (kernel["cells"], kernel["precision"], kernel["threads"]) == (count, "float", 1)
        assert kernel["updates_per_second"] == pytest.approx(count / kernel["median_seconds"])
        assert 0 < kernel["p10_seconds"] <= kernel["median_seconds"] and kernel["verified"] is True
        assert count == 64 or kernel["gflops"] > 0
    refused(groundswell("proxy", "--model", "quake", "--order", "8"), "--order", "8")


def test_a_proxy_of_earthquakes_has_rock_that_attenuates(tmp_path):
    work = []
    for mechanisms in (0, 1, 3):
        report = tmp_path / f"{mechanisms}.json"
        outcome = groundswell(
            *("proxy", "--model", "quake", "--order", "3", "--cells", "320", "--repeats", "5"),
            *("--mechanisms", mechanisms, "--json", report),
        )
        assert outcome.code == 0, outcome.stderr
        kernels = head_is_sane(json.loads(report.read_text()), "proxy", 1)["kernels"]
        assert {kernel["mechanisms"] for kernel in kernels} == {mechanisms}
        work.append({k["name"]: k["gflops"] * k["median_seconds"] for k in kernels if k["gflops"]})
    for name in work[0]:
        none, one, three = (each[name] for each in work)
        if name == "neighbour":  # no wave that enters changes what mechanisms remember
            assert 0 < none == pytest.approx(one) == pytest.approx(three)
        else:
            assert 0 < none < one < three
    refused(groundswell("proxy", "--model", "quake", "--mechanisms", "9"), "--mechanisms", "9")


@pytest.mark.parametrize(
    "law", [pytest.param("linear-slip-weakening", marks=pytest.mark.long), "fast-weakening"]
)
def test_a_proxy_of_earthquakes_has_faults(tmp_path, law):
    report = tmp_path / "proxy.json"
    outcome = groundswell(
        *("proxy", "--model", "quake", "--order", "3", "--cells", "320", "--repeats", "5"),
        *("--fault", law, "--json", report),
        ranks=2,
    )
    assert outcome.code == 0, outcome.stderr
    kernels = {k["name"]: k for k in head_is_sane(json.loads(report.read_text()), "proxy", 2)["kernels"]}
    for name in ("fault sides", "fault friction", "fault"):
        # 4 × 4 × 4 cubes have two planes of 16 squares, of two faces each.
        assert kernels[name]["cells"] == 64 and kernels[name]["friction"] == law
        assert kernels[name]["updates_per_second"] == pytest.approx(64 / kernels[name]["median_seconds"])
    assert kernels["all"]["cells"] == 320
    refused(groundswell("proxy", "--model", "quake", "--fault", "glue"), "--fault", "glue")


QUICK = ("--repeats", "5", "--spin-up", "1")


@pytest.fixture(scope="module")
def case(tmp_path_factory, coast_mesh, wind_file):
    table = storm_case(coast_mesh, wind_file, hours=1)
    return write_case(tmp_path_factory.mktemp("proxy") / "case.toml", table)


@pytest.fixture(scope="module")
def report_of_run(case):
    run(case)
    return case.parent / "output/run.json"


def proxy(tmp_path, *arguments, ranks=0, env=None):
    outcome = groundswell("proxy", *arguments, "--json", tmp_path / "p.json", ranks=ranks, env=env or {})
    assert outcome.code == 0, outcome.stderr
    return json.loads((tmp_path / "p.json").read_text())["result"], outcome.stdout


def test_limits_are_measured_before_between_and_after_kernels(tmp_path):
    result, text = proxy(
        tmp_path,
        *QUICK,
        "--cells",
        "500,1000",
        "--spectra",
        "12x10",
        "--scheme",
        "upwind",
        "--threads",
        "1,2",
    )
    assert [entry["threads"] for entry in result["limits"]] == [1, 2]
    for entry in result["limits"]:
        for key, unit in (("stream", "gigabytes_per_second"), ("peak", "gflops")):
            samples = entry[f"{key}_samples"]
            assert len(samples) == 3 and entry[f"{key}_{unit}"] == max(samples)
            assert entry[f"{key}_spread"] == pytest.approx(max(samples) / min(samples) - 1)
    wide = any(entry[key] > 0.1 for entry in result["limits"] for key in ("stream_spread", "peak_spread"))
    assert ("varied by more than 10 %" in text) == wide
    for kernel in result["kernels"]:
        limit = next(entry for entry in result["limits"] if entry["threads"] == kernel["threads"])
        if kernel["gflops"]:
            assert kernel["share_of_peak"] == pytest.approx(kernel["gflops"] / limit["peak_gflops"])


def test_spectra_and_doublings(tmp_path):
    result, _ = proxy(
        tmp_path, *QUICK, "--cells", "500..2000", "--spectra", "12x10,16x8", "--scheme", "second-order"
    )
    rows = [kernel for kernel in result["kernels"] if kernel["name"] == "propagation"]
    assert {row["bins"] for row in rows} == {120, 128} and len(rows) == 6
    cells = sorted({row["cells"] for row in rows})
    # The globe has land, and only some numbers of cells.
    for wanted, had in zip((500, 1000, 2000), cells, strict=True):
        assert 0.8 * wanted < had < 1.2 * wanted


def test_sizes_beyond_memory_are_left_out_of_ranges_and_refused_alone(tmp_path):
    small = {"GROUNDSWELL_TEST_MEMORY": "20000000"}
    result, text = proxy(tmp_path, *QUICK, "--cells", "500..8000", "--scheme", "upwind", env=small)
    assert [one["cells"] for one in result["left_out"]] == [2000, 4000, 8000]
    assert "left out: 8000 cells" in text
    alone = groundswell("proxy", *QUICK, "--cells", "8000", env=small)
    refused(alone, "--cells", "8000", "MiB")


# In `make test` one of each model, the last that is looked at.
@pytest.mark.parametrize(
    "kernel",
    [
        *(pytest.param(name, marks=pytest.mark.long) for name in ("propagation", "neighbour")),
        *("four_wave", "fault friction"),
    ],
)
def test_a_wrong_kernel_ends_the_command_and_is_named(kernel, tmp_path):
    model = "sea" if kernel in ("propagation", "four_wave") else "quake"
    outcome = groundswell(
        *("proxy", "--model", model, "--cells", "500", *QUICK, "--json", tmp_path / "p.json"),
        env={"GROUNDSWELL_TEST_WRONG_KERNEL": kernel},
        ranks=2,
    )
    assert outcome.code == 4 and kernel in outcome.stderr and not (tmp_path / "p.json").exists()


@pytest.mark.parametrize("arguments", [("--mechanisms", 3), ("--fault", "ageing"), ("--precision", "float")])
def test_kernels_of_earthquakes_agree_with_their_plain_forms(tmp_path, arguments):
    result, _ = proxy(tmp_path, "--model", "quake", "--order", "2,5", "--cells", "320", *QUICK, *arguments)
    assert {check["kernel"] for check in result["verified"]} == {
        "predictor",
        "local",
        "neighbour",
        "fault sides",
        "fault friction",
    }
    for check in result["verified"]:
        assert 0 <= check["error"] <= check["allowed"] and check["cells"] > 0
        # Faces are added up in one order, alone and in packs.
        assert check["error"] > 0 or check["kernel"] == "fault friction"
    assert all(kernel["verified"] for kernel in result["kernels"])


def test_a_case_is_timed_on_its_mesh_and_compared_with_its_run(tmp_path, case, report_of_run):
    with netCDF4.Dataset(report_of_run.parent / "hourly.nc") as data:
        cells = len(data.dimensions["nFace"])
    result, text = proxy(tmp_path, "--case", case, "--compare", report_of_run, *QUICK)
    assert {kernel["cells"] for kernel in result["kernels"]} == {cells} and result["case"] == str(case)
    of_run = json.loads(report_of_run.read_text())["result"]
    phases = {row["phase"]: row for row in result["comparison"]}
    assert set(phases) == {"propagation", "source"}
    for phase, row in phases.items():
        seconds = of_run["phases"][phase]["max"] / of_run["steps"]
        assert row["run_seconds"] == pytest.approx(seconds)
        assert row["ratio"] == pytest.approx(row["proxy_seconds"] / seconds) and phase in text


GROUND = """
model = "quake"
region = { x = [-4e3, 4e3], y = [-3e3, 3e3], depth = 6e3 }
size = { coarsest = 2500.0 }
[[layer]]
[[fault]]
trace = [[-2000.0, 0.0], [2000.0, 0.0]]
bottom = 3e3
size = 900.0
"""
RUPTURE = {
    "model": "quake",
    "time": {"end": "0.5s"},
    "solver": {"order": 3},
    "material": {"rock": [{"density": 2700, "vp": 6000, "vs": 3464}]},
    "fault": breaking_fault({"x": [-800, 800], "z": [-2300, -700]}),
    "output": {"energies": {"file": "energy.nc", "every": "0.1s"}},
}


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        (2, "symmetric"),
        *(pytest.param(1, points, marks=pytest.mark.long) for points in ("symmetric", "conical")),
    ],
)
def test_a_rupture_in_clusters_is_timed_and_compared_with_its_run(tmp_path, ranks, points):
    pytest.importorskip("gmsh", exc_type=ImportError)
    (tmp_path / "ground.toml").write_text(GROUND)
    made = groundswell("mesh", "make", tmp_path / "ground.toml", "--output", tmp_path / "ground.msh")
    assert made.code == 0, made.stderr
    own = {"mesh": {"file": str(tmp_path / "ground.msh")}, "fault": {**RUPTURE["fault"], "points": points}}
    case = write_case(tmp_path / "case.toml", {**RUPTURE, **own})
    run(case, ranks=ranks)
    report = tmp_path / "output/run.json"
    of_run = json.loads(report.read_text())["result"]
    assert len(of_run["clusters"]) > 1
    result, _ = proxy(tmp_path, "--case", case, "--compare", report, *QUICK, ranks=ranks)
    assert {row["phase"] for row in result["comparison"]} == {"local", "neighbour", "rupture"}
    kernels = {kernel["name"]: kernel for kernel in result["kernels"]}
    assert all(kernel["verified"] for kernel in kernels.values())
    # From one meeting of all clusters to the next the run has so many updates of elements, and of faces.
    updates = of_run["element_updates"] / of_run["steps"]
    for name in ("local", "neighbour", "all"):
        kernel = kernels[name]
        assert kernel["updates_per_second"] * kernel["median_seconds"] == pytest.approx(updates)
    faces = of_run["rupture"]["faces"]
    assert kernels["fault"]["cells"] == kernels["fault sides"]["cells"] == faces
    other = groundswell("proxy", "--case", case, "--set", "solver.order=4", "--compare", report, *QUICK)
    refused(other, str(report), "order")


def test_a_run_of_another_case_is_refused(tmp_path, case, report_of_run):
    other = ("--set", "spectrum.directions=16")
    refused(
        groundswell("proxy", "--case", case, *other, "--compare", report_of_run, *QUICK),
        str(report_of_run),
        "bins",
    )
    refused(
        groundswell("proxy", "--case", case, "--threads", 2, "--compare", report_of_run, *QUICK),
        str(report_of_run),
        "machine.threads",
    )
    no_report = tmp_path / "none.json"
    refused(
        groundswell("proxy", "--case", case, "--compare", no_report, *QUICK),
        str(no_report),
        "report of a run",
    )
    no_report.write_text('{"command": "halo", "result": {}}')
    refused(
        groundswell("proxy", "--case", case, "--compare", no_report, *QUICK),
        str(no_report),
        "command",
        "halo",
    )


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"phases": {"propagation": 3.0}}, "result.phases.propagation"),
        ({"phases": "none"}, "result.phases"),
        ({"steps": "many"}, "result.steps"),
        ({"bins": "many"}, "result.bins"),
    ],
)
def test_a_damaged_report_of_a_run_is_refused(tmp_path, case, report_of_run, change, word):
    report = json.loads(report_of_run.read_text())
    report["result"].update(change)
    damaged = tmp_path / "damaged.json"
    damaged.write_text(json.dumps(report))
    refused(groundswell("proxy", "--case", case, "--compare", damaged, *QUICK), str(damaged), word)


def test_builds_are_compared_by_a_tool(tmp_path):
    missing = tmp_path / "no-such-build"
    with_tools = groundswell("proxy", "--cells", "500", "--compilers", f"{PROGRAM},{missing}")
    refused(with_tools, "--compilers", str(missing))
    without = groundswell("proxy", "--compilers", "a,b", env={"PATH": "/usr/bin:/bin"})
    refused(without, "--compilers", "groundswell-tools", "PATH")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--cells", "512..16"], ["--cells", "512..16"]),
        (["--cells", "many"], ["--cells", "many"]),
        (["--spectra", "36"], ["--spectra", "36", "36x35"]),
        (["--compare", "run.json"], ["--compare", "--case"]),
        (["--case", "a.toml", "--mesh", "b.nc"], ["--mesh", "b.nc"]),
        (["--case", "none.toml"], ["none.toml"]),
        (["--mesh", "none.nc"], ["none.nc"]),
        (["--mesh", "m.nc", "--cells", "500"], ["--cells", "500"]),
        (["--model", "quake", "--mesh", "m.nc"], ["--mesh", "m.nc", "--case"]),
    ],
)
@pytest.mark.parametrize("ranks", [pytest.param(0, marks=pytest.mark.long), 2])
def test_what_cannot_be_timed_is_refused(arguments, words, ranks):
    refused(groundswell("proxy", *arguments, ranks=ranks), *words)
