"""The bench on GPUs (bench/gpu): its numbers, that it goes on where something fails, and its runs on the played device."""

import dataclasses
import json
import time

import pytest
from made_up_gpus import OWN, Played, made_up, result, run_result, with_tool

# ----------------------------------------------------------------------------------------------------- kernels


def test_energy_is_power_over_the_rate_and_the_processor_that_of_the_first_run(gpu):
    runs = [[result(300.0, 2e6)], [result(100.0, 1e6)], [result(None, 4e6)]]
    # The processor's mesh has not quite as many cells.
    beside = result(40.0, 5e5)
    beside["kernels"][0]["cells"] = 79
    row = gpu.proxy.summarise(runs, [beside])[0]
    assert row["kernel"] == "local, order 4 double" and row["cells"] == 80 and row["runs"] == 3
    assert row["joules"] == pytest.approx((300.0 / 2e6 + 100.0 / 1e6) / 2)
    assert row["over_processor"] == 4.0
    assert row["best"] == 4e6 and row["mean"] == pytest.approx(7e6 / 3)
    alone = gpu.proxy.summarise([[result(None, 1e6)]], [])[0]
    assert alone["joules"] is None and alone["over_processor"] is None


def test_kernels_that_fail_leave_the_others(gpu, monkeypatch, tmp_path, capsys):
    with_tool(
        monkeypatch,
        tmp_path,
        "groundswell",
        f"case $3 in sea) echo 'no memory' >&2; exit 2;; esac\necho '{json.dumps({'result': result(None, 2e6)})}'",
    )
    monkeypatch.setenv("GROUNDSWELL_BENCH_BIN", str(tmp_path))
    results = gpu.proxy.run_once([("--model", "sea"), ("--model", "quake")])
    assert results[0] is None and "kernels, --model sea: no memory" in capsys.readouterr().err
    assert [row["mean"] for row in gpu.proxy.summarise([results], [])] == [2e6, 2e6]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("while :; do echo 250.00; echo '[N/A]'; sleep 0.02; done", [250.0]),
        ("echo 'Unable to determine the device handle'; exit 6", []),
        ("exit 0", []),
    ],
)
def test_power_is_the_mean_of_what_is_read(gpu, tmp_path, monkeypatch, script, expected):
    with_tool(monkeypatch, tmp_path, "nvidia-smi", script)
    with gpu.proxy.power() as watts:
        time.sleep(0.5)
    assert watts == expected


def test_without_the_tool_there_is_no_power(gpu, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with gpu.proxy.power() as watts:
        pass
    assert watts == []


# ----------------------------------------------------------------------------------------------------- several runs


def test_a_row_has_mean_deviation_and_outliers(gpu):
    row = gpu.measure.row_of([run_result(rate, rate / 100) for rate in (100.0, 101.0, 99.0, 100.0, 60.0)])
    assert row["runs"] == 5 and row["mean"] == 92.0 and row["best"] == 101.0 and row["worst"] == 60.0
    assert row["deviation"] == pytest.approx((64 + 81 + 49 + 64 + 1024) ** 0.5 / 5**0.5)
    assert row["outliers"] == [60.0] and row["start_seconds"] == pytest.approx(0.92)


def test_all_are_run_in_each_round_and_one_that_fails_is_told_once(gpu, capsys):
    called = []

    def once(number):
        called.append(number)
        if number == 2 or called[-2:] == [1, 3]:
            raise gpu.evaluation.Failure("status 1:\n no\n  such thing")
        return run_result(number)

    found, failed = gpu.measure.in_rounds({"one": 1, "two": 2, "three": 3, "four": 4}, 3, once)
    assert called == [1, 2, 3, 4, 1, 3, 4, 1, 4]
    assert [len(results) for results in found.values()] == [3, 0, 1, 3]
    assert failed == {"two": "status 1: no such thing", "three": "status 1: no such thing"}
    assert capsys.readouterr().err.count(" fails, and is not run again: status 1: no such thing") == 2


# ----------------------------------------------------------------------------------------------------- several GPUs


def test_counts_of_gpus_are_powers_of_two_and_all(gpu):
    assert [gpu.plan.counts(gpus) for gpus in (1, 2, 6, 8)] == [[1], [1, 2], [1, 2, 4, 6], [1, 2, 4, 8]]


def test_one_mesh_stays_and_the_other_grows_with_the_gpus(gpu):
    keys = {(p.model, p.scaling, p.gpus): dict(p.keys) for p in gpu.plan.points(gpu.plan.FULL, 4)}
    assert len(keys) == 12
    assert {keys["rock", "strong", count]["mesh.box.cubes"] for count in (1, 2, 4)} == {"[40, 40, 40]"}
    assert keys["rock", "weak", 4]["mesh.box.cubes"] == "[28, 28, 112]"
    assert keys["rock", "weak", 4]["mesh.box.length"] == "[2.0, 2.0, 8.0]"
    assert {keys["sea", "strong", count]["mesh.file"] for count in (1, 2, 4)} == {"sea-96.nc"}
    cells = [10 * p.parts**2 for p in gpu.plan.points(gpu.plan.FULL, 4) if p.parts and p.scaling == "weak"]
    assert cells[1:] == pytest.approx([2 * cells[0], 4 * cells[0]], rel=0.02)


def test_efficiency_is_beside_as_many_times_one_gpu(gpu):
    def rate(case, ranks, keys, variables):
        if case == "sea" and ranks == 1:
            raise gpu.evaluation.Failure("too large")
        return {1: 100.0, 2: 180.0, 4: 200.0}[ranks]

    bench = Played(gpu, dataclasses.replace(gpu.plan.QUICK, runs=3), 4, rate)
    rows, failed = gpu.evaluate.run_scaling(bench)
    efficiency = {(row["model"], row["scaling"], row["gpus"]): row["efficiency"] for row in rows}
    assert [efficiency["rock", "strong", count] for count in (1, 2, 4)] == [1.0, 0.9, 0.5]
    assert [efficiency["rock", "weak", count] for count in (1, 2, 4)] == [1.0, 0.9, 0.5]
    assert efficiency["sea", "weak", 4] is None and ("sea", "weak", 1) not in efficiency
    assert failed == [
        {"run": "sea, strong, 1 GPU", "why": "too large"},
        {"run": "sea, weak, 1 GPU", "why": "too large"},
    ]


def test_gpus_are_those_of_the_machine_or_fewer(gpu, monkeypatch):
    doctor = {"gpu": {"gpus": [{}, {}, {}], "why_none": ""}}
    assert gpu.machine.gpus_of({}, 4) == 4  # played
    monkeypatch.delenv("GROUNDSWELL_PLAYED_DEVICE")
    assert gpu.machine.gpus_of(doctor) == 3 and gpu.machine.gpus_of(doctor, 2) == 2
    with pytest.raises(gpu.evaluation.Failure, match="--gpus = 4: expected at most 3"):
        gpu.machine.gpus_of(doctor, 4)
    with pytest.raises(gpu.evaluation.Failure, match="no GPU: it is away"):
        gpu.machine.gpus_of({"gpu": {"gpus": [], "why_none": "it is away"}})


# ----------------------------------------------------------------------------------------------------- tables, picture


@pytest.mark.parametrize(("gpus", "panels"), [(8, 3), (1, 2)])
def test_tables_and_picture_have_all_parts(gpu, tmp_path, monkeypatch, capsys, gpus, panels):
    drawn = []

    def spy(columns, *size, **options):
        drawn.append(columns)
        return new_figure(columns, *size, **options)

    new_figure = gpu.pictures.new_figure
    monkeypatch.setattr(gpu.pictures, "new_figure", spy)
    found = made_up(gpu, gpus)
    gpu.report.write(tmp_path, found)
    assert json.loads((tmp_path / "gpu.json").read_text())["result"]["scaling"] == found["scaling"]
    capsys.readouterr()
    for show in (gpu.report.show_kernels, gpu.report.show_settings, gpu.report.show_scaling):
        show(found)
    told = capsys.readouterr().out
    assert "polling: no more than 3 runs: too late" in told
    assert ("one GPU is here" in told) == (gpus == 1)
    assert "UCX, no gdr_copy                       left out: ucx_info knows no gdr_copy" in told
    assert told.count("\nrock ") == told.count("\nsea ") == 2 * len(gpu.plan.counts(gpus))
    picture = tmp_path / "gpu.png"
    gpu.pictures.draw(found, picture)
    assert drawn == [panels] and picture.read_bytes().startswith(b"\x89PNG")


def test_a_part_without_rows_is_not_drawn(gpu, tmp_path):
    nothing = {"gpus": 1, "limits": [], "kernels": [], "settings": [], "scaling": []}
    gpu.pictures.draw(nothing, tmp_path / "gpu.png")
    assert not (tmp_path / "gpu.png").exists()


# ----------------------------------------------------------------------------------------------------- real runs


def test_runs_by_settings_of_this_machines_library(gpu, tmp_path, capsys):
    """Each is accepted by the program, and one that the library does not know is told of while the rest goes on."""
    doctor = gpu.machine.ask_doctor()
    here = gpu.machine.find_library(doctor)
    if here.name == "Open MPI":
        assert {"pml ob1", "mpi_preconnect_mpi"} <= here.parts["ompi_info"]
    wrong = gpu.plan.Setting("wrong", (), (("OMPI_MCA_pml", "nobody"),))
    refused = gpu.plan.Setting("refused", (("halo.progress", "by hand"),))
    chosen = [one for one, _ in gpu.plan.settings_of(here)[0]]
    bench = gpu.measure.Bench(tmp_path, gpu.plan.QUICK, 1, 2)
    keys = gpu.plan.block(4, 1, "0.02s")
    found, failed = gpu.measure.in_rounds(
        {one.name: one for one in (wrong, refused, *chosen)},
        1,
        lambda one: bench.run("rock", 2, 1, (*keys, *one.keys), one.variables),
    )
    if here.name != "Open MPI":
        failed.setdefault("wrong", "")
    assert set(failed) == {"wrong", "refused"} and 'halo.progress = "by hand"' in failed["refused"]
    assert "refused fails" in capsys.readouterr().err
    rows = [gpu.measure.row_of(found[one.name]) for one in chosen]
    assert all(row["mean"] > 0 and row["start_seconds"] > 0 for row in rows)
    assert len({row["halo_bytes"] for row in rows}) == 1 and rows[0]["halo_bytes"] > 0
    assert [row["transport"] for row in rows[:4]] == ["gpu-staged", "gpu-mpi", "gpu-memory", "gpu-memory"]


def test_both_models_run_on_two_gpus(gpu, tmp_path):
    bench = gpu.measure.Bench(tmp_path, gpu.plan.QUICK, 2, 2)
    for point in gpu.plan.points(gpu.plan.QUICK, 2):
        if (point.scaling, point.gpus) == ("weak", 2):
            found = gpu.evaluate.run_point(bench, point)
            assert found["rate"] > 0 and found["transport"] == "gpu-memory"
            assert found["cells"] == {"rock": 640, "sea": 162}[point.model]


def test_a_run_that_does_not_end_is_ended(gpu, tmp_path, monkeypatch):
    with_tool(monkeypatch, tmp_path, "groundswell", "exec sleep 60")
    monkeypatch.setenv("GROUNDSWELL_BENCH_BIN", str(tmp_path))
    monkeypatch.setattr(gpu.measure, "PATIENCE", 0.3)
    bench = gpu.measure.Bench(tmp_path, gpu.plan.QUICK, 1, 2)
    with pytest.raises(gpu.evaluation.Failure, match="not done"):
        bench.run("rock", 1, 1)


@pytest.mark.long
def test_the_whole_bench_in_little(gpu, tmp_path, monkeypatch, capsys):
    with_tool(monkeypatch, tmp_path, "nvidia-smi", "while :; do echo 250.00; sleep 0.05; done")
    assert gpu.evaluate.main([str(tmp_path / "out"), "--quick", "--gpus", "2"]) == 0
    found = json.loads((tmp_path / "out/gpu.json").read_text())["result"]
    kernels = found["kernels"]
    assert {"propagation, upwind", "source terms", "local, order 2 double"} <= {
        row["kernel"] for row in kernels
    }
    for row in kernels:
        assert row["runs"] == 1 and 0 < row["mean"] == row["best"]
        assert row["over_processor"] > 0
        assert row["joules"] == pytest.approx(250.0 / row["mean"])
    assert {row["setting"] for row in found["settings"]} >= set(OWN)
    assert len(found["scaling"]) == 8 and found["failed"] == []
    assert (tmp_path / "out/gpu.png").exists()


def test_without_a_gpu_nothing_is_measured(gpu, tmp_path, monkeypatch):
    monkeypatch.delenv("GROUNDSWELL_PLAYED_DEVICE")
    if gpu.machine.ask_doctor()["gpu"]["gpus"]:
        pytest.skip("this machine has a GPU, and the program was built for it")
    with pytest.raises(gpu.evaluation.Failure, match="no GPU"):
        gpu.evaluate.main([str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()
