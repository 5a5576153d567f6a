"""`groundswell compare` of series in text, and --within: each column is judged as a whole."""

import json

import netCDF4
import numpy as np
import pytest
from launching import groundswell, refused

TIME = np.arange(0, 1.01, 0.01)
SERIES = {"v1": np.sin(6 * TIME), "v2": 1e-3 * np.cos(TIME)}


def write_receiver(path, series=SERIES, time=TIME, names=None):
    names = names or list(series)
    lines = [
        'TITLE = "Temporal Signal"',
        "VARIABLES = " + ",".join(f'"{name}"' for name in ("Time", *names)),
        "# x1  0.0",
    ]
    lines += [" ".join(f"{value:.12e}" for value in row) for row in np.column_stack([time, *series.values()])]
    path.write_text("\n".join(lines) + "\n")
    return path


def judged(*arguments):
    """Exit code, and what each column got."""
    outcome = groundswell("compare", *arguments)
    rows = [line.split() for line in outcome.stdout.splitlines() if "relative L2" in line]
    return outcome.code, {row[0]: (float(row[3]), row[4]) for row in rows}


@pytest.mark.parametrize(("share", "code"), [("1%", 1), ("0.021", 0), ("2.1%", 0)])
def test_columns_pass_by_their_relative_l2_difference(tmp_path, share, code):
    """v1 is off by 2 %, v2 not at all; names of 2022 are those of now."""
    a = write_receiver(tmp_path / "a.dat", {**SERIES, "v1": 1.02 * SERIES["v1"]}, names=["u", "v"])
    b = write_receiver(tmp_path / "b.dat")
    found_code, found = judged(a, b, "--within", share)
    assert found_code == code
    assert found["v1"] == (pytest.approx(0.02, rel=1e-3), "pass" if code == 0 else "FAIL") and found[
        "v2"
    ] == (0.0, "pass")


def test_columns_of_one_file_alone_are_told_and_not_judged(tmp_path):
    """Without --within they are a difference."""
    a, b = (
        write_receiver(tmp_path / "a.dat", {"v1": TIME}),
        write_receiver(tmp_path / "b.dat", {"v1": TIME, "v2": TIME}),
    )
    outcome = groundswell("compare", a, b, "--within", "1%")
    assert outcome.code == 0 and "only in B: v2" in outcome.stdout
    assert groundswell("compare", a, b).code == 1


def test_other_times_are_met_between_samples(tmp_path):
    """Where the first has half as many samples of a straight line, nothing differs."""
    a = write_receiver(tmp_path / "a.dat", {"v1": 3 * TIME[::2]}, TIME[::2])
    b = write_receiver(tmp_path / "b.dat", {"v1": 3 * TIME})
    assert judged(a, b, "--within", "1e-9")[0] == 0
    write_receiver(tmp_path / "b.dat", {"v1": 3 * TIME}, TIME + 5)
    assert judged(a, b, "--within", "1%")[0] == 1


def test_energies_are_read_by_column_and_by_row(tmp_path):
    wide, rows = tmp_path / "a.csv", tmp_path / "b.csv"
    wide.write_text("time,elastic_energy,momentumX\n0,1,0\n1,2,0\n")
    rows.write_text(
        "time,variable,simulation_index,measurement\n0,elastic_energy,0,1\n0,momentumX,0,0\n1,elastic_energy,0,2.1\n1,momentumX,0,0\n"
    )
    code, found = judged(wide, rows, "--within", "5%")
    assert code == 0 and found["elastic_energy"][0] == pytest.approx(0.1 / np.hypot(1, 2.1), rel=1e-2)


def test_folders_match_receivers_whatever_rank_wrote_them(tmp_path):
    for folder, rank in (("a", 0), ("b", 7)):
        (tmp_path / folder).mkdir()
        write_receiver(tmp_path / folder / f"tpv-receiver-00001-0000{rank}.dat")
        (tmp_path / folder / "tpv-RF-00000-TID-00.dat").write_text("3\n")  # no series
    report = tmp_path / "report.json"
    assert (
        groundswell("compare", tmp_path / "a", tmp_path / "b", "--within", "1%", "--json", report).code == 0
    )
    (tmp_path / "b/tpv-receiver-00002-00000.dat").write_text("VARIABLES = Time, v1\n0 1\n")
    outcome = groundswell("compare", tmp_path / "a", tmp_path / "b", "--within", "1%")
    assert (
        outcome.code == 1
        and "only in B: tpv-receiver-00002-00000.dat" in outcome.stdout
        and "fail: within 1%" in outcome.stdout
    )
    result = json.loads(report.read_text())["result"]
    assert [one["name"] for one in result["files"][0]["variables"]] == ["v1", "v2"] and result[
        "identical"
    ] is True


def test_netcdf_is_judged_by_variable(tmp_path):
    """Two values of 100 are off by 1: √2 of 10 ∙ 2; attributes do not count."""
    for name, add in (("a.nc", 1.0), ("b.nc", 0.0)):
        with netCDF4.Dataset(tmp_path / name, "w", format="NETCDF3_CLASSIC") as file:
            file.createDimension("n", 100)
            file.title = name
            variable = file.createVariable("q", "f8", ("n",))
            variable[:] = 2.0
            variable[:2] = 2.0 + add
    a, b = tmp_path / "a.nc", tmp_path / "b.nc"
    assert groundswell("compare", a, b).code == 1
    code, found = judged(a, b, "--within", "8%")
    assert code == 0 and found["q"][0] == pytest.approx(np.sqrt(2) / 20, rel=1e-2)
    assert judged(a, b, "--within", "7%")[0] == 1


def test_what_is_no_series_is_refused_with_its_line(tmp_path):
    good = write_receiver(tmp_path / "a.dat")
    bad = tmp_path / "b.dat"
    bad.write_text('VARIABLES = "Time", "v1"\n0 1\n1 x\n')
    refused(groundswell("compare", good, bad), f"{bad}:3", "numbers")
    bad.write_text('VARIABLES = "Time", "v1"\n0 1 2\n')
    refused(groundswell("compare", good, bad), f"{bad}:2", "2 values")
    refused(groundswell("compare", good, good, "--within", "much"), "--within", "a share such as 1% or 0.01")
