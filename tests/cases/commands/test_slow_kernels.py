"""Kernels that reach a small part of what the machine can do are named; its limits are stored by doctor and used by runs."""

import json

import pytest
from launching import groundswell
from profiling import run_case, sea

SLOW = 0.2  # of a kernel's bound
FEW = ["--cells", "400", "--repeats", "5", "--spin-up", "1"]
NARROW = {"GROUNDSWELL_ISA": "v2"}


def doctor(folder, *arguments, env=None):
    report = folder / "doctor.json"
    outcome = groundswell("doctor", "--folder", folder, "--json", report, *arguments, env=env)
    assert outcome.code in (0, 1), outcome.stderr
    return json.loads(report.read_text()), outcome


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """What `doctor` measured, said, and stored in a file."""
    folder = tmp_path_factory.mktemp("measured")
    stored = folder / "cache/limits.json"
    report, outcome = doctor(folder, env={"GROUNDSWELL_LIMITS": str(stored)})
    return report["result"], outcome.stdout, stored


@pytest.fixture(scope="module")
def can_be_held(tmp_path_factory):
    """Whether this program and this processor have more than what NARROW leaves of them."""
    folder = tmp_path_factory.mktemp("sets")
    if groundswell("doctor", "--no-speed", "--folder", folder, env=NARROW).code == 2:
        pytest.skip("a build for one kind of processor")
    if doctor(folder, "--no-speed")[0]["machine"]["isa"] == "v2":
        pytest.skip("this processor has no more than v2")


@pytest.mark.parametrize("model", [["--model", "quake", "--order", "2,3"], ["--scheme", "both"]])
def test_proxy_names_all_that_are_below_a_fifth(tmp_path, model):
    report = tmp_path / "proxy.json"
    outcome = groundswell("proxy", *FEW, *model, "--json", report)
    assert outcome.code == 0, outcome.stderr
    result = json.loads(report.read_text())["result"]
    slow = set()
    for row in result["kernels"]:
        shares = [row["share_of_peak"], row["share_of_stream"]]
        known = [share for share in shares if share is not None]
        assert row["share_of_bound"] == (max(known) if known else None)
        if known and max(known) < SLOW:
            slow.add((row["name"], row.get("scheme", row.get("order"))))
    named = [each for each in result["findings"] if "kernel" in each]
    assert len(named) == len(slow)
    assert {each["kernel"] for each in named} == {name for name, _ in slow}
    for each in named:
        assert each["share"] < SLOW and each["cause"] and each["fix"]
        assert each["message"] in outcome.stdout and each["code"] in outcome.stdout


def test_proxy_is_told_of_narrow_registers(tmp_path, can_be_held):
    report = tmp_path / "proxy.json"
    outcome = groundswell("proxy", *FEW, "--scheme", "upwind", "--json", report, env=NARROW)
    assert outcome.code == 0, outcome.stderr
    findings = json.loads(report.read_text())["result"]["findings"]
    assert findings[0]["code"] == "narrow-registers"
    assert "GROUNDSWELL_ISA=v2" in findings[0]["fix"] and findings[0]["message"] in outcome.stdout


def test_doctor_finds_narrow_registers(tmp_path, can_be_held):
    narrow, outcome = doctor(tmp_path, "--no-speed", env=NARROW)
    assert outcome.code == 1
    assert "narrow-registers" in [each["code"] for each in narrow["result"]["problems"]]
    assert narrow["machine"]["isa"] == "v2"


def test_doctor_times_the_kernels_of_both_models(tmp_path, measured):
    result, text, _ = measured
    kernels = result["speed"]["kernels"]
    assert {each["model"] for each in kernels} == {"sea", "quake"}
    assert {"propagation", "source", "local", "neighbour"} <= {each["name"] for each in kernels}
    for each in kernels:
        named = [
            one
            for one in result["speed"]["slow"]
            if (one.get("kernel"), one.get("kind")) == (each["name"], each["kind"])
        ]
        share = each["share_of_bound"]
        assert len(named) == (1 if share is not None and share < SLOW else 0), each
        if share is not None:
            assert f"{each['name']} {100 * share:.0f} %" in text
    stored = tmp_path / "limits.json"
    without, outcome = doctor(tmp_path, "--no-speed", env={"GROUNDSWELL_LIMITS": str(stored)})
    speed = without["result"]["speed"]
    assert speed["kernels"] == speed["limits"] == [] and speed["stored_in"] is None and not stored.exists()
    assert "of what this machine allows" not in outcome.stdout and "stored" not in outcome.stdout


def test_a_healthy_doctor_finds_no_fault_with_the_kernels(measured):
    """Kernels that are named for what they are made of are no problem of the machine."""
    found = {each["code"] for each in measured[0]["problems"]}
    if "busy-cores" not in found:  # what else runs here makes any kernel slow
        assert not found & {
            "narrow-registers",
            "subnormals",
            "few-lanes",
            "memory-in-pieces",
            "other-instructions",
        }


def test_a_run_uses_limits_that_doctor_stored(tmp_path, sphere_mesh, measured):
    result, text, stored = measured
    speed = result["speed"]
    assert speed["stored_in"] == str(stored) and list(stored.parent.iterdir()) == [stored]
    assert f"stored in {stored}" in text
    case = sea(tmp_path, sphere_mesh, hours=1)
    _, result = run_case(case, ranks=0, env={"GROUNDSWELL_LIMITS": str(tmp_path / "none.json")})
    assert result["limits"] is None, "a short run measures nothing"
    one = next(each for each in speed["limits"] if each["threads"] == 1)
    _, result = run_case(case, ranks=0, env={"GROUNDSWELL_LIMITS": str(stored)})
    limits = result["limits"]
    assert limits["source"] == "stored" and limits["isa"] == one["isa"]
    assert limits["peak_gflops"] == pytest.approx(one["peak_gflops_float"])
    assert limits["stream_gigabytes_per_second"] == pytest.approx(one["stream_gigabytes_per_second"])
    kernels = {each["name"]: each for each in result["kernels"]}
    for name in ("propagation", "source"):
        kernel = kernels[name]
        assert kernel["share_of_peak"] == pytest.approx(kernel["gflops"] / limits["peak_gflops"])
        assert kernel["gflops"] > 0 and kernel["gigabytes_per_second"] > 0


@pytest.mark.parametrize("change", ["host", "processor", "isa", "threads", "measured", "broken", "missing"])
def test_limits_of_another_machine_or_an_old_one_are_not_used(tmp_path, sphere_mesh, measured, change):
    stored = tmp_path / "limits.json"
    content = json.loads(measured[2].read_text())
    for entry in content["limits"]:
        if change in entry:
            entry[change] = (
                entry[change] + "x" if isinstance(entry[change], str) else entry[change] // 2 + 1000
            )
    text = json.dumps(content)
    stored.write_text(text[: len(text) // 2] if change == "broken" else text)
    if change == "missing":
        stored.unlink()
    env = {"GROUNDSWELL_LIMITS": str(stored)}
    outcome, result = run_case(sea(tmp_path, sphere_mesh, hours=1), ranks=0, env=env)
    assert result["limits"] is None and "limits" not in outcome.stderr


def test_limits_that_cannot_be_stored_are_no_problem(tmp_path):
    (tmp_path / "file").write_text("in the way of a folder")
    env = {"GROUNDSWELL_LIMITS": str(tmp_path / "file/limits.json")}
    report, outcome = doctor(tmp_path, env=env)
    assert report["result"]["speed"]["stored_in"] is None and "not stored" in outcome.stdout


def test_a_run_held_to_narrow_registers_is_told(tmp_path, sphere_mesh, can_be_held):
    case = sea(tmp_path, sphere_mesh, hours=24 * 20)
    _, result = run_case(case, ranks=1, env=NARROW | {"GROUNDSWELL_LIMITS": str(tmp_path / "none.json")})
    if result["wall_seconds"] < 2.0 or result["cores"]["findings"]:
        pytest.skip("too short to tell, or a busy machine")
    assert result["limits"]["source"] == "measured" and result["limits"]["isa"] == "v2"
    assert result["limits"]["held_by"] == "GROUNDSWELL_ISA=v2"
    assert result["limited_by"]["code"] == "narrow-registers", result["limited_by"]
    assert "GROUNDSWELL_ISA=v2" in result["limited_by"]["help"]
