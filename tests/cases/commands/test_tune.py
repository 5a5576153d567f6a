"""`groundswell tune` and `groundswell scale` of small cases, as users start them; nothing that is asserted depends on how busy the
machine is."""

import json
import signal
import stat
import subprocess
import threading
import time

import pytest
from launching import (
    IS_OPEN_MPI,
    LAUNCHER,
    PROGRAM,
    environment,
    finish,
    groundswell,
    moment,
    refused,
    start,
    write_case,
)

pytestmark = pytest.mark.skipif(
    not IS_OPEN_MPI, reason="its waiting ranks yield; others need cores of their own"
)

LINE = f"{LAUNCHER} -n {{ranks}} {{binding}}"


@pytest.fixture(scope="module")
def quake_case(tmp_path_factory):
    table = {
        "model": "quake",
        "time": {"end": "20s"},
        "mesh": {"box": {"cubes": [4, 4, 4], "length": [2000, 2000, 2000], "jitter": 0.1}},
        "solver": {"order": 2},
        "material": {"rock": [{"density": 2700.0, "vp": 6000.0, "vs": 3464.0}]},
        "output": {"energies": {"file": "energy.nc", "every": "0.1s"}},
    }
    return write_case(tmp_path_factory.mktemp("tune") / "case.toml", table)


@pytest.fixture(scope="module")
def sea_case(tmp_path_factory, coast_mesh):
    table = {
        "time": {"start": moment(0), "end": moment(48)},
        "mesh": {"file": coast_mesh},
        "spectrum": {"directions": 12, "frequencies": 8, "first_frequency": 0.06, "ratio": 1.15},
        "wind": [{"uniform": [10.0, 5.0]}],
        "propagation": {"scheme": "upwind"},
        "output": {"map": [{"file": "hs.nc", "every": "1h", "fields": ["hs"]}]},
    }
    return write_case(tmp_path_factory.mktemp("tune-sea") / "case.toml", table)


def command(name, case, folder, *arguments, cores=2, budgets=(), **launch):
    """`budgets`: the first with which a machine as busy as this one can tell anything."""
    extra = ("--output", folder / "tuned") if name == "tune" else ()
    words = [
        name,
        case,
        "--launcher",
        LINE,
        "--cores",
        cores,
        "--json",
        folder / "result.json",
        *extra,
        *arguments,
    ]
    for budget in budgets or ("",):
        outcome = groundswell(*words, *(("--budget", budget) if budget else ()), seconds=600, **launch)
        if outcome.code != 2:
            break
    assert outcome.code == 0, outcome.stderr
    report = json.loads((folder / "result.json").read_text())
    assert report["command"] == name and report["machine"]["mpi"]
    return report["result"], outcome.stdout


@pytest.mark.parametrize("model", ["quake", pytest.param("sea", marks=pytest.mark.long)])
def test_scale_measures_both_models(model, quake_case, sea_case, tmp_path):
    case = {"quake": quake_case, "sea": sea_case}[model]
    piece = {"quake": "1s", "sea": "1h"}[model]
    result, said = command(
        "scale", case, tmp_path, "--simulate", piece, "--repeats", 2, "--png", tmp_path / "scaling.png", "--price", 0.02
    )  # fmt: skip
    assert [(row["ranks"], row["threads"]) for row in result["counts"]] == [(1, 1), (1, 2), (2, 1)]
    for row in result["counts"]:
        assert row["seconds"]["min"] <= row["seconds"]["mean"] <= row["seconds"]["max"]
        assert row["whole"]["cost"] == pytest.approx(0.02 * row["whole"]["core_hours"])
        assert len(row["runs"]) == 2 and row["start_up_seconds"]["min"] > 0
    assert result["counts"][0]["efficiency"] == pytest.approx(1.0)
    assert "fastest on" in said and (tmp_path / "scaling.png").stat().st_size > 10_000
    assert not list(case.parent.glob(".trials-*"))


def test_weak_scaling_of_a_box(quake_case, tmp_path):
    result, _ = command(
        "scale", quake_case, tmp_path, "--simulate", "1s", "--repeats", 1, "--weak", "4,4,4", "8,4,4"
    )
    assert [(row["ranks"], row["cells"]) for row in result["counts"]] == [(1, 320), (2, 640)]


@pytest.mark.parametrize("model", ["sea", pytest.param("quake", marks=pytest.mark.long)])
def test_tune_tries_and_tells_and_writes(model, quake_case, sea_case, tmp_path):
    case = {"quake": quake_case, "sea": sea_case}[model]
    piece = {"quake": "1s", "sea": "1h"}[model]
    result, said = command(
        "tune", case, tmp_path, "--simulate", piece, "--baseline", "2x1", "--script", "slurm",
        "--groups", "ranks,transport,output", "--try", "halo.transport=posted,shared", "--try", "ranks=1,2",
        "--try", "output.mode=serial", budgets=("20s", "60s", "240s"),
    )  # fmt: skip
    tried = [row["settings"] for row in result["trials"]]
    assert 1 in {one["ranks"] for one in tried} and 2 in {one["ranks"] for one in tried}
    named = [row["name"] for group in result["groups"] for row in group["contestants"]] + result["not_tried"]
    # Tried, or said why not: exchanges that take too little of a trial, or one rank.
    assert any("posted" in text or text.startswith("transport") for text in named)
    assert result["gain"]["low"] <= result["gain"]["high"]
    assert result["difference"] == (result["best"]["settings"] != result["baseline"]["settings"])
    assert result["same_bits"] is True
    assert result["best"]["launch"] in said
    script = tmp_path / "tuned" / "launch.sh"
    assert script.stat().st_mode & stat.S_IXUSR
    assert f"run.threads={result['best']['keys']['run.threads']}" in script.read_text()
    assert "#SBATCH --ntasks-per-node=" in (tmp_path / "tuned" / "job.slurm").read_text()
    assert (tmp_path / "tuned" / "keys.toml").read_text().startswith("# Found by groundswell tune")
    assert not list(case.parent.glob(".trials-*"))
    if model == "sea":
        run_it(script, tmp_path / "out")


def run_it(script, folder):
    """The script that tune wrote runs the case, here a piece of it."""
    line = [script, "--set", f"time.end={moment(1).isoformat()}Z", "--output", folder]
    settings = environment({"GROUNDSWELL": str(PROGRAM)})
    answer = subprocess.run(line, env=settings, capture_output=True, text=True, timeout=120)
    assert answer.returncode == 0, answer.stderr
    assert (folder / "hs.nc").exists()


@pytest.mark.long
def test_two_tunes_from_one_folder_do_not_disturb_each_other(quake_case, tmp_path):
    results = []

    def tune(name):
        folder = tmp_path / name
        folder.mkdir()
        results.append(
            command(
                "tune", quake_case, folder, "--simulate", "1s", "--budget", "100s", "--groups", "transport",
                "--try", "halo.transport=posted", cwd=quake_case.parent,
            )[0]
        )  # fmt: skip

    threads = [threading.Thread(target=tune, args=(name,)) for name in ("one", "other")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2
    assert all(not row.get("problem") for result in results for row in result["trials"])
    assert all(result["same_bits"] is True for result in results)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        pytest.param("scale", signal.SIGINT, marks=pytest.mark.long),
        ("scale", signal.SIGTERM),
        ("tune", signal.SIGINT),
    ],
)
def test_what_was_measured_before_it_is_stopped_is_written(quake_case, tmp_path, name, number):
    report = tmp_path / "result.json"
    own = {
        "scale": ["--repeats", 500, "--ranks", 1],
        "tune": ["--budget", "600s", "--groups", "transport", "--output", tmp_path / "tuned"],
    }
    process = start(name, quake_case, "--simulate", "1s", "--json", report, "--launcher", LINE, *own[name])
    wait_for_trials(quake_case, process)
    process.send_signal(number)
    outcome = finish(process, 60)
    assert outcome.code == 130, outcome.stderr
    result = json.loads(report.read_text())["result"]
    assert result["interrupted"]
    runs = result["counts"][0]["runs"] if name == "scale" else result["trials"][0]["runs"]
    assert 0 < len(runs) < 500
    assert not list(quake_case.parent.glob(".trials-*"))


def wait_for_trials(case, process):
    """Until some trials have ended."""
    limit = time.monotonic() + 60
    while time.monotonic() < limit and process.poll() is None:
        if list(case.parent.glob(".trials-*/00004*")):
            return
        time.sleep(0.05)
    raise AssertionError(finish(process, 1).stderr)


# ------------------------------------------------------------------------------------------------------- refusals


def tune_of(case, folder, *arguments):
    return groundswell(
        "tune", case, "--launcher", LINE, "--output", folder / "tuned", *arguments, seconds=100
    )


def test_a_budget_too_small_for_its_trials(quake_case, tmp_path):
    message = refused(tune_of(quake_case, tmp_path, "--budget", "2s"), "--budget = 2 s", "expected")
    assert "12 are the fewest" in message


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--budget", "soon"], ["--budget = soon", "10min"]),
        (["--groups", "transports"], ["--groups = transports", "did you mean 'transport'?"]),
        (["--try", "halo.transprt=shared"], ["--try = halo.transprt", "did you mean 'halo.transport'?"]),
        (["--try", "ranks=0"], ["--try = ranks=0", "1 or more"]),
        (["--try", "ranks=64"], ["--try", "cores of this job"]),
        (["--baseline", "64x1"], ["--baseline = 64x1", "cores of this job"]),
        (["--baseline", "many"], ["--baseline = many", "RANKSxTHREADS"]),
        (["--simulate", "1d"], ["--simulate = 1d", "no longer than the run"]),
        (["--set", "solver.oder=3"], ["solver.oder", "the nearest one is 'solver.order'"]),
    ],
)
def test_what_cannot_be_tuned(quake_case, tmp_path, arguments, words):
    refused(tune_of(quake_case, tmp_path, *arguments), *words)


def test_a_case_that_is_refused(tmp_path):
    refused(tune_of(tmp_path / "case.toml", tmp_path), "case.toml")


def test_more_ranks_than_cells(quake_case, tmp_path):
    case = quake_case
    arguments = (
        "--cores",
        1000,
        "--baseline",
        "1x1",
        "--try",
        "ranks=999",
        "--budget",
        "60s",
        "--simulate",
        "1s",
    )
    refused(tune_of(case, tmp_path, *arguments), "ranks=999", "at most 320")


@pytest.mark.parametrize("name", ["tune", "scale"])
def test_a_launcher_that_fails_is_told_in_its_own_words(quake_case, tmp_path, name):
    extra = ("--output", tmp_path / "tuned") if name == "tune" else ()
    line = "sh -c 'echo no hosts today >&2; exit 5' {ranks}"
    outcome = groundswell(name, quake_case, "--launcher", line, *extra, seconds=100)
    refused(outcome, "--launcher", "no hosts today", "code 5")


def test_files_that_could_not_be_written_at_the_end_are_refused_at_the_start(quake_case, tmp_path):
    nowhere = tmp_path / "nowhere" / "result.json"
    refused(tune_of(quake_case, tmp_path, "--json", nowhere), "--json", "nowhere", "a folder that is there")
    refused(groundswell("scale", quake_case, "--json", nowhere), "--json", "nowhere")
    refused(groundswell("scale", quake_case, "--png", tmp_path / "scaling.gif"), "--png", ".png, .svg, .pdf")


def test_predictions_alone_take_options_of_predictions(quake_case):
    refused(groundswell("scale", quake_case, "--hosts", 4), "--hosts", "--predict MACHINE")
    refused(
        groundswell("scale", quake_case, "--predict", "laptop", "--ranks", "1,2"),
        "--ranks = 1,2",
        "one number",
    )


def test_libraries_are_compared_in_turns(quake_case, tmp_path):
    """Two builds of the program; here one of them is the other by another name, so that they have the same library."""
    twin = tmp_path / "twin"
    twin.symlink_to(PROGRAM)
    outcome = groundswell(
        "tune", quake_case, "--mpi", f"{PROGRAM},{twin}", "--baseline", "2x1,none", "--simulate", "0.5s",
        "--budget", "2s", "--json", tmp_path / "libraries.json", seconds=300,
    )  # fmt: skip
    assert outcome.code == 0, outcome.stderr
    result = json.loads((tmp_path / "libraries.json").read_text())["result"]
    first, second = result["libraries"]
    assert first["mpi"] == second["mpi"] and first["mpi"].startswith("Open MPI")
    assert (first["program"], second["program"]) == (str(PROGRAM.resolve()),) * 2 or second["name"] == str(
        twin
    )
    assert "gain" not in first and second["gain"]["low"] <= second["gain"]["high"]
    assert second["same_bits"] is True and result["rounds"] >= 3
    assert result["settings"]["ranks"] == 2 and first["seconds"]["mean"] > 0
    assert "the same" in outcome.stdout and not list(quake_case.parent.glob(".trials-*"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("release", "two or more builds"),
        ("release,release", "each once"),
        ("release,none", "there is none at"),
    ],
)
def test_what_are_no_builds_is_refused(quake_case, words, said):
    outcome = groundswell("tune", quake_case, "--mpi", words, seconds=100)
    assert outcome.code == 2 and said in outcome.stderr and outcome.stderr.startswith("groundswell: error: ")
